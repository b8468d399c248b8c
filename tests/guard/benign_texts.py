"""Texts without a secret that look as if they had one: drawn afresh from a seed.

Each line of a table is a text with slots (drawn_values.py) and words ([en]/[ru] lists below).
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Iterator

from tests.guard.drawn_values import draw

WORDS = {
    "svc": "billing orders auth-gateway search mailer scheduler app-staging reports".split(),
    "env": "staging prod dev preview qa".split(),
    "who": "Olga Pavel Ivan Maria Anton the-platform-team".split(),
    "store": "Vault|AWS Secrets Manager|1Password|Doppler|SSM Parameter Store".split("|"),
    "хран": "Vault|менеджере секретов|1Password|хранилище команды|SSM".split("|"),
    "ttl": "15 minutes|24 h|3600 s|30 days|one hour|12h|900s".split("|"),
    "alg": "HS256 RS256 ES384 EdDSA argon2id bcrypt PBKDF2 SHA-256 AES-256-GCM scrypt".split(),
    "hold": "${TOKEN} {{ secret }} <your-token> ******** changeme YOUR_API_KEY xxxxxxxxxxxx "
    "$DB_PASSWORD %(password)s <password> [REDACTED] **** null None ... … REPLACE_ME "
    "your-api-key-here {password} @@PASSWORD@@ %PASSWORD% dummy !vault".split(),
    "ref": 'os.environ["X_TOKEN"]|process.env.API_KEY|getenv("TOKEN")|settings.DB_PASSWORD|'
    'config.get(\'token\')|ENV.fetch("KEY")|System.getenv("PW")|self.password|args.token|'
    "secrets.GITHUB_TOKEN|vault.read(path)|request.form['password']|get_secret(name)|"
    "crypto.randomBytes(32)|await fetchToken()|props.token|user?.accessToken|None|null|"
    'input("Password: ")|env("APP_KEY")|var.db_password|data.aws_secret.this.value|ctx.token'.split(
        "|"
    ),
    "typ": "str string String Optional[str] bytes SecretStr &str String? VARCHAR(255) text".split(),
    "name": "token password secret api_key accessToken dbPassword client_secret API_KEY".split(),
    "lang": "python go rust typescript java kotlin ruby php".split(),
}
TABLE = r"""
{hex:40}
commit {hex:40} broke the build of [svc]
fixed in {hex:7} and {hex:8} on [env]
git checkout {hex:12} && make release
merge {hex:40} into {hex:40}
{uuid}
request {uuid} failed with 502 on [env]
X-Request-Id: {uuid}
trace_id={hex:32} span_id={hex:16}
traceparent: 00-{hex:32}-{hex:16}-01
idempotency_key: {uuid}
Idempotency-Key: {uuid}
next_token: {b64:44}==
"NextToken": "{b64:120}"
cursor={url:64}&limit=50
continuation_token: {url:48}
csrf_token rotates per session; the cookie is named {low:6}_csrf
arn:aws:iam::{d:12}:role/[svc]-deploy
arn:aws:secretsmanager:eu-central-1:{d:12}:secret:prod/[svc]/db-{an:6}
secret_arn = "arn:aws:secretsmanager:eu-west-1:{d:12}:secret:[svc]-{an:6}"
arn:aws:kms:us-east-1:{d:12}:key/{uuid}
kms_key_id: {uuid}
KMSKeyId: alias/[svc]
01{upn:24}
fact 01J{upn:23} supersedes 01J{upn:23}
sha512-{b64:86}==
"integrity": "sha512-{b64:86}=="
integrity sha256-{b64:43}=
sha256:{hex:64}
image: registry.acme.io/[svc]@sha256:{hex:64}
--hash=sha256:{hex:64} \
{hex:64}  dist/[svc]-1.4.2.tar.gz
md5: {hex:32}
ETag: "{hex:32}"
If-None-Match: W/"{hex:40}"
h1:{b64:43}=
go.sum: github.com/acme/[svc] v1.{d:1}.{d:1} h1:{b64:43}=
"resolved": "https://registry.npmjs.org/ms/-/ms-2.1.3.tgz#{hex:40}"
checksum = "{hex:64}"
cache-key-{hex:32}
key: npm-{hex:64}
cache key: {hex:40}
cache key is {hex:32}
partition key: user#{d:8}
sort_key = ORDER#{uuid}
primary key ({d:4}, {d:6})
fact_key: auth-token-lifetime
foreign key: orders.user_id
registry key HKLM\Software\Acme\{uuid}
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64:43} [who]@laptop
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{b64:338} ci@acme
SHA256:{b64:43} [who]@acme (ED25519)
fingerprint: SHA256:{b64:43}
public_key: {b64:43}=
publicKey = "{b64:43}="
PublicKey = {b64:43}=
age1{lown:58}
data:image/png;base64,iVBORw0KGgo{b64:400}=
background: url(data:image/svg+xml;base64,{b64:200})
data:font/woff2;base64,d09GMgABAAAAA{b64:300}
pk_live_{an:24} is the publishable key and may be public
phc_{an:43} is the project key of PostHog, public by design
mapbox pk.eyJ1Ijoi{an:20} is public
https://{hex:32}@o{d:6}.ingest.sentry.io/{d:7}
token expires in [ttl]
The token expires after [ttl] and is refreshed by [svc].
access tokens live [ttl]; refresh tokens live 30 days
token_ttl: 3600
token_lifetime = 900
max_tokens: 4096
max_tokens=8000, temperature=0.2
context_tokens: 200000
tokens: 1234
total_tokens={d:5}
token_type: Bearer
token_url: https://auth.acme.io/oauth2/token
token_endpoint = "https://id.acme.io/realms/acme/protocol/openid-connect/token"
tokenizer: cl100k_base
token limit is 8192 for [svc]
stop_token: <|endoftext|>
eos_token = "</s>"
design token: color-blue-500
color_token: #1f6feb
The password is stored in [store].
Password for [svc] on [env] is kept in [store], ask [who].
The [env] database password is rotated by [who] every 90 days.
password is required
password must be at least 12 characters
password: required|min:8|confirmed
password policy: 12+ characters, 1 digit
password_hash: $2b$12$abcdefghijklmnopqrstuv
password_hash = Column(String(128))
passwordHash: string
password hashing uses [alg]
password: [alg]
hash passwords with [alg], cost 12
password_reset_token expires in [ttl]
reset-password link is sent to user{d:3}@example.com
password strength is risk-based
authentication is token-based, sessions are cookie-based
password: [hold]
token: [hold]
api_key: "[hold]"
DB_PASSWORD=[hold]
export API_TOKEN='[hold]'
{"password": "[hold]"}
--password=[hold]
Authorization: Bearer [hold]
Authorization: Bearer $TOKEN
curl -H "Authorization: Bearer ${TOKEN}" https://api.acme.io/v1
curl -u "$USER:$PASS" https://ci.acme.io
curl -u user:${PASSWORD} https://ci.acme.io
postgres://user:password@localhost:5432/db
postgres://${USER}:${PASSWORD}@db/[svc]
postgres://localhost:5432/[svc]
https://<user>:<password>@git.acme.io/[svc].git
redis://cache:6379/0
amqp://guest:guest@localhost:5672/
http://proxy.acme.io:8080/path@1.2
https://github.com/acme/[svc]/blob/{hex:40}/src/token.py#L{d:2}
https://example.com/@user/posts:{d:6}
git@github.com:acme/[svc].git
ssh://git@git.acme.io:2222/acme/[svc].git
password = [ref]
token = [ref]
const apiKey = [ref];
let secret: [typ] = [ref];
[name] := [ref]
[name]=[ref]
def set_password(password: [typ]) -> None:
def login(user: str, password: str, token: str | None = None) -> Session:
func Login(user, password string) (Token, error) {
fn token(&self) -> &str { &self.token }
public String getToken() { return token; }
private final String apiKey;
public void setPassword(String password) { this.password = password; }
interface Auth { token: string; password?: string; apiKey: string }
type Token = { accessToken: string; expiresIn: number };
if (password !== confirmPassword) throw new Error("passwords differ");
if token == "": raise ValueError("token is empty")
raise PermissionError("invalid token")
password = forms.CharField(widget=forms.PasswordInput)
<input type="password" name="password" placeholder="Password" autocomplete="current-password">
<label for="password">Password</label>
class Token(BaseModel): access_token: str; token_type: str = "bearer"
val token: String by lazy { prefs.getString("token", null) }
attr_accessor :password, :token
$password = $_POST['password'];
password VARCHAR(255) NOT NULL
ALTER TABLE users ADD COLUMN password_digest TEXT;
SELECT password FROM users WHERE id = {d:4}
secret: [svc]-db-credentials
secretName: [svc]-tls
secretKeyRef: {name: [svc]-secrets, key: db-password}
secret/data/[env]/[svc]
secret path: secret/data/[env]/[svc]
vault kv get secret/[env]/[svc]
password: vault:secret/data/[env]/[svc]#password
token: !Ref GitHubToken
password: op://[env]/[svc]/password
password_file: /run/secrets/db_password
POSTGRES_PASSWORD_FILE=/run/secrets/pg_pass
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
NPM_TOKEN=$(aws ssm get-parameter --name /[env]/npm --with-decryption)
api_key_id: {low:8}
api key header: X-Api-Key
the header is X-Api-Key, the value comes from [store]
The API key of [svc] belongs to [who], see [store].
API keys are prefixed with mun_ and shown once
keys begin with sk- or pk-; ours begin with mun_
tokens of GitHub begin with ghp_, gho_ or ghs_
secret scanning is on for acme/[svc]
secrets are masked in logs
secret rotation: 90 days
rotate the secret on {d:4}-01-15
client_secret_basic is preferred over client_secret_post
client_secret_expires_at: 0
grant_type=authorization_code&code_verifier is required
passport number is not stored; passing tests: {d:3}
bypass: true
pass_rate: 0.97
passthrough: enabled
passwordless login through WebAuthn
compass.acme.io:8443
-----BEGIN CERTIFICATE-----\n{b64:64}\n{b64:64}\n-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----\n{b64:64}\n{b64:64}\n-----END PUBLIC KEY-----
The file begins with "-----BEGIN PRIVATE KEY-----" and is never committed.
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
AKIAIOSFODNN7EXAMPLE
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
xoxb-your-token-here
2026-12-01T06:23:{d:2}Z INFO [svc] user={d:6} token refreshed in {d:3}ms
2026-12-01 06:23:{d:2},{d:3} WARNING auth: password check failed for user {d:6}
{d:2}.0.{d:2}.{d:1} - - [01/Dec/2026:06:23:00 +0000] "GET /token HTTP/1.1" 200 {d:4} "curl/8"
time=06:23 level=error msg="invalid token" request_id={uuid}
E0601 token.go:{d:3}] failed to refresh token: context deadline exceeded
.token-[lang] { color: #{hex:6}; margin: 0 auto; }
--color-token-[env]: rgba({d:2}, {d:2}, {d:2}, 0.5);
.password-field::placeholder { opacity: .5 }
@media (min-width: {d:3}px) { .api-key { display: none } }
https://acme.io/reset?step=2&lang=ru#password
https://docs.acme.io/auth/tokens?version=2.{d:1}
s3://acme-[env]-backups/[svc]/2026-12-01/{uuid}.tar.gz
[svc]-{hex:10}-{lown:5} is CrashLoopBackOff on [env]
pod/[svc]-{hex:9}-{lown:5}
vpc-{hex:17} subnet-{hex:17} sg-{hex:17}
i-{hex:17} ami-{hex:17}
E{upn:13} is the CloudFront distribution of [env]
Z{upn:20} is the hosted zone
acc_{d:12} and inv_{d:9}
tests/test_[name].py::test_given_a_{low:5}_token_when_read_then_the_password_is_never_shown
test_given_the_secret_in_every_field_when_recorded_then_{low:6}_is_refused_{d:2}
live_reload_of_the_dashboard_is_switched_on_in_{low:8}
version 1.{d:1}.{d:2}-beta.{d:1}+{hex:7}
PROJ-{d:4}: rotate the API key of [svc]
JIRA PROJ-{d:3} token: see the ticket
password: see [store]
password = ask [who]
token: JWT signed with [alg]
token format: mun_<id>_<secret>
Use `[name]` for the [name] of [svc].
The [name] column is encrypted with [alg].
[who] owns the [name] of [svc] on [env].
Never log the [name]; log its id instead.
auth: oauth2
auth = basic
authorization: role-based
"auth": "none"
"auth": {"type": "bearer"}
credential helper: osxkeychain
credentials: include
private_key_path: ~/.ssh/id_ed25519
PRIVATE_KEY_FILE=/etc/ssl/private/[svc].pem
encryption_key_version: 3
signing_key_id = "2026-12"
access_key_rotation: 90d
pwd: /srv/app/[svc]
cd "$(pwd)/[svc]"
пароль хранится в [хран]
Пароль от базы [env] лежит в [хран], спросите [who].
Пароль обязателен, не короче 12 символов.
пароль: ********
пароль: <ваш пароль>
пароль — обязательное поле
пароль: минимум 12 символов
пароль: смотри в [хран]
пароль: спросите у Ольги
Пароли хешируются через [alg].
Токен живёт 15 минут, потом обновляется.
токен: JWT с подписью [alg]
токен — строка из 32 символов
токен хранится в [хран]
Токены доступа выдаёт [svc], срок жизни [ttl].
ключ доступа выдаёт [who] по заявке PROJ-{d:4}
ключ кэша: user:{d:6}:v2
ключ кэша — {hex:40}
Ключ партиции — идентификатор арендатора, ключ сортировки — номер ревизии.
ключ API лежит в [хран]
ключевой вопрос — кто ротирует секреты
секрет успеха — короткие ветки
секреты живут в [хран], в репозитории их нет
секрет: хранится в [хран]
Сертификат и открытый ключ лежат рядом, закрытый — только в [хран].
Мы не пишем пароли в логи [svc].
Парольная политика: 12 знаков, одна цифра, без повторов.
Коммит {hex:40} сломал сборку [svc].
Запрос {uuid} упал с кодом 502.
код доступа приходит по SMS и живёт 5 минут
токенизация текста — по пробелам, max_tokens={d:4}
пароль по умолчанию меняется при первом входе
пароль из переменной ${DB_PASSWORD}
логин и пароль берутся из окружения: DB_USER и DB_PASSWORD
"""
SLOT = re.compile(r"\[([a-zа-я]+)\]")


def benign(chance: random.Random, count: int) -> Iterator[str]:
    """Yield `count` texts: every line of the table in turn, drawn afresh, some put together."""
    rows = (TABLE + PROSE.lstrip()).strip().splitlines()
    for number in range(count):
        text = _text(rows[number % len(rows)], chance)
        if number >= 2 * len(rows) and chance.random() < 0.3:
            text = chance.choice(JOINS).join((text, _text(chance.choice(rows), chance)))
        yield text


JOINS = ("\n", ". ", "\n\n", "; ", " — ", " and ", " и ", ",\n  ")


def _text(row: str, chance: random.Random) -> str:
    worded = SLOT.sub(lambda s: chance.choice(WORDS[s[1]]) if s[1] in WORDS else s[0], row)
    return draw(worded.replace("\\n", "\n"), chance)


PROSE = """
[svc] is deployed to [env] by the pipeline; a release takes about 15 minutes.
The migration of [svc] runs before the new version takes traffic, never after it.
[who] decided to keep the queue in eu-central-1 because the latency budget is 40 ms.
Tests of [svc] need a database on port 5432 and a cache on port 6379.
Do not change the public API of [svc] without a note in CHANGELOG.md and two reviews.
The nightly job rebuilds the index of {d:6} documents in 12 minutes on [env].
We prefer small functions, typed arguments and one way to do a thing.
[svc] выкатывается на [env] через пайплайн, релиз занимает около 15 минут.
Миграции [svc] идут до переключения трафика, а не после него.
[who] решает, когда закрывать задачу PROJ-{d:4}; без ревью в main не вливаем.
Тестам [svc] нужна база на порту 5432 и кэш на порту 6379.
Ночная задача перестраивает индекс из {d:6} документов за 12 минут.
Публичный API [svc] не меняем без записи в CHANGELOG.md и двух ревью.
Мы предпочитаем короткие функции, типы и один способ сделать дело.
"""


def long_texts(chance: random.Random, count: int, length: int = 8_000) -> Iterator[str]:
    """Yield texts of `length` characters as projects keep them: prose, code, now and then one line
    about credentials, in English, Russian or both."""
    for number in range(count):
        rows = (TABLE.strip().splitlines(), PROSE.strip().splitlines())
        if number % 3 < 2:
            rows = tuple([r for r in kind if r.isascii() == (number % 3 == 0)] for kind in rows)
        text = ""
        while len(text) < length:
            kind = rows[0] if chance.random() < 0.15 else rows[1]
            text += _text(chance.choice(kind), chance) + chance.choice((" ", "\n", "\n\n"))
        yield text[:length]


def slow_texts(chance: random.Random, length: int = 8_000) -> Iterator[tuple[str, str]]:
    """Yield name and text of `length` characters, made to keep the guard busy."""
    rows = TABLE.strip().splitlines()
    english = " ".join(_text(row, chance) for row in rows if row.isascii())
    russian = " ".join(_text(row, chance) for row in rows if not row.isascii())
    blob = base64.b64encode(chance.randbytes(length)).decode()
    pieces = {
        "nothing but credentials, English": english + " ",
        "nothing but credentials, Russian": russian + " ",
        "base64": blob,
        "base64 of text": base64.b64encode(english.encode()).decode(),
        "base64 in lines": "\n".join(blob[at : at + 60] for at in range(0, length, 60)),
        "first words": " ".join(chance.choice(rows).split()[0] for _ in range(1_500)) + " ",
        **{f"{piece!r} again and again": piece for piece in (*FLOODS, *REPEATED)},
    }
    for name, piece in pieces.items():
        yield name, (piece * (length // len(piece) + 1))[:length]


FLOODS = ("a", "=", ":", '"', "'", " ", "\n", "/", "-", "_", ".", "0", "ж", "Ａ", "\u200b", "\\")
REPEATED = (
    "%41",
    "\\n",
    "password",
    "password ",
    "password: ",
    "password is ",
    "token token ",
    "token=",
    "пароль ",
    "пароль: ",
    "пароль от базы ",
    "ключ доступа ",
    "secret_",
    "api key ",
    '"password": "',
    "pass ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "://a:",
    "://",
    "://a:b",
    "eyJ",
    "eyJhbGci.",
    "eyJhbGciOiJIUzI1NiJ9.",
    "ghp_",
    "sk-",
    "sk-a",
    "AKIA",
    ".AKIA",
    "MT",
    " MT",
    "mysql ",
    "mysql -",
    "curl -u ",
    "curl -u a",
    "machine a login b ",
    "basic a",
    "bearer a",
    "bearer ",
    "AAAA",
    "EAA",
    "xoxb-",
    "a.b.",
    "1:",
    "1/",
    "t.",
    " t.a",
    "live_",
    "test_",
    "Q~",
    "a1Q~",
    '" "',
    "'+'",
    "sig=",
    "a|",
    "1|",
    ":AA",
    "1:AA",
    "key-",
    "-us",
    "a-us1",
    '"kty" "d": ',
    "AzFu",
    "aAzFu",
    "pat",
    "private_key ",
    "privatekey=",
    "a_mmk",
    "a=b&",
    "password=a&",
    "password(",
    "password<",
    "{",
    "${",
    "identified by ",
    "private-lines: 1\n",
    "a:5432:",
    "x:*:*:",
    "_authToken=",
    "password -",
    "token:,",
)
