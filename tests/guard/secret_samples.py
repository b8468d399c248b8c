"""Types of secrets, and the texts they are found in: drawn afresh from a seed.

TOKENS  stand alone            github-token        ghp_{crc}
NAMED   need their name        DD_API_KEY          {hex:32}
LINES   are a whole line       machine x login y password ⟦…⟧
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from tests.guard.corpora import corpus
from tests.guard.drawn_values import draw

OPEN, SHUT = "⟦", "⟧"

# One type a line: its name, then its format, as the issuer documents it.
TOKENS_TABLE = """
aws-access-key             AKIA{b32:16}
aws-temporary-key          ASIA{b32:16}
aws-bedrock-key            ABSK{b64:128}
aws-mws-token              amzn.mws.{uuid}
google-api-key             AIza{url:35}
google-oauth-secret        GOCSPX-{url:28}
google-access-token        ya29.{url:120}
google-refresh-token       1//0{url:62}
firebase-server-key        AAAA{url:7}:{url:140}
azure-client-secret        {an:3}8Q~{url:34}
azure-devops-token         {an:76}AZDO{an:4}
digitalocean-token         dop_v1_{hex:64}
digitalocean-oauth         doo_v1_{hex:64}
alibaba-access-key         LTAI{an:20}
tencent-secret-id          AKID{an:32}
yandex-api-key             AQVN{url:35}
yandex-access-key          YCAJE{url:20}
yandex-secret-key          YCN{url:37}
yandex-oauth-token         y0_{url:55}
yandex-iam-token           t1.{url:150}.{url:86}
cloudflare-origin-key      v1.0-{hex:24}-{hex:146}
heroku-token               HRKU-{uuid}
vercel-token               vcp_{an:56}
netlify-token              nfp_{an:36}
fly-token                  fm2_{b64:160}
vault-token                hvs.{url:90}
vault-batch-token          hvb.{url:138}
doppler-token              dp.pt.{an:43}
doppler-service-token      dp.st.prd.{an:43}
pulumi-token               pul-{hex:40}
terraform-token            {an:14}.atlasv1.{url:67}
databricks-token           dapi{hex:32}
supabase-token             sbp_{hex:40}
planetscale-token          pscale_tkn_{url:43}
neon-api-key               napi_{lown:64}
backblaze-key              K005{b64:27}
tailscale-key              tskey-auth-{an:12}CNTRL-{an:32}
1password-token            ops_eyJ{b64:300}
1password-secret-key       A3-{upn:6}-{upn:11}-{upn:5}-{upn:5}-{upn:5}
infisical-token            st.{hex:24}.{hex:32}.{hex:32}
github-token               ghp_{crc}
github-oauth-token         gho_{crc}
github-server-token        ghs_{crc}
github-refresh-token       ghr_{an:76}
github-fine-grained-token  github_pat_{an:22}_{an:59}
gitlab-token               glpat-{url:20}
gitlab-routable-token      glpat-{url:48}.01.{lown:9}
gitlab-deploy-token        gldt-{url:20}
gitlab-runner-token        glrt-{url:20}
gitlab-registration        GR1348941{url:20}
gitlab-job-token           glcbt-{hex:2}_{url:20}
gitlab-trigger-token       glptt-{hex:40}
gitlab-feed-token          glft-{url:20}
gitlab-mail-token          glimt-{url:25}
gitlab-agent-token         glagent-{url:50}
gitlab-oauth-secret        gloas-{hex:64}
bitbucket-token            ATCTT3xFfGN0{url:170}={HEX:8}
bitbucket-app-password     ATBB{an:32}
npm-token                  npm_{crc}
pypi-token                 pypi-AgEIcHlwaS5vcmc{url:150}
rubygems-key               rubygems_{hex:48}
crates-token               cio{an:32}
docker-token               dckr_pat_{url:27}
docker-org-token           dckr_oat_{url:32}
artifactory-key            AKCp{an:69}
artifactory-token          cmVmdGtu{an:56}
nuget-key                  oy2{lown:43}
clojars-token              CLOJARS_{hex:60}
sonarqube-token            squ_{hex:40}
circleci-token             CCIPAT_{an:22}_{hex:40}
buildkite-token            bkua_{hex:40}
harness-token              pat.{url:22}.{hex:24}.{an:20}
sourcegraph-token          sgp_{hex:16}_{hex:40}
postman-key                PMAK-{hex:24}-{hex:34}
stripe-key                 sk_live_{an:99}
stripe-old-key             sk_live_{an:24}
stripe-restricted-key      rk_live_{an:99}
stripe-webhook-secret      whsec_{an:32}
square-token               sq0atp-{url:22}
square-secret              sq0csp-{url:43}
braintree-token            access_token$production${lown:16}${hex:32}
shopify-token              shpat_{hex:32}
shopify-app-secret         shpss_{hex:32}
adyen-key                  AQE{an:60}-{b64:44}=-{an:16}
plaid-token                access-production-{uuid}
razorpay-key               rzp_live_{an:14}
flutterwave-key            FLWSECK-{hex:32}-X
yookassa-key               live_{url:43}
mollie-key                 live_{an:30}
easypost-key               EZAK{an:54}
shippo-token               shippo_live_{hex:40}
duffel-token               duffel_live_{url:43}
slack-bot-token            xoxb-{d:12}-{d:13}-{an:24}
slack-user-token           xoxp-{d:12}-{d:12}-{d:13}-{hex:32}
slack-app-token            xapp-1-A{upn:10}-{d:13}-{hex:64}
slack-config-token         xoxe.xoxp-1-{an:163}
slack-webhook              https://hooks.slack.com/services/⟦T{upn:8}/B{upn:10}/{an:24}⟧
discord-webhook            https://discord.com/api/webhooks/⟦{d:18}/{url:68}⟧
discord-bot-token          {discordbot}
telegram-bot-token         {d:10}:AA{url:33}
teams-webhook              https://acme.webhook.office.com/webhookb2/⟦{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}⟧
twilio-key                 SK{hex:32}
sendgrid-key               SG.{url:22}.{url:43}
mailgun-key                key-{hex:32}
mailchimp-key              {hex:32}-us14
brevo-key                  xkeysib-{hex:64}-{an:16}
resend-key                 re_{an:8}_{an:24}
vk-token                   vk1.a.{url:200}
matrix-token               syt_{an:12}_{az:20}_{an:6}
intercom-token             {intercom}
anthropic-key              sk-ant-api03-{url:93}AA
anthropic-oauth-token      sk-ant-oat01-{url:93}AA
openai-project-key         sk-proj-{url:74}T3BlbkFJ{url:74}
openai-key                 sk-{an:20}T3BlbkFJ{an:20}
deepseek-key               sk-{hex:32}
openrouter-key             sk-or-v1-{hex:64}
langfuse-key               sk-lf-{uuid}
hugging-face-token         hf_{az:34}
groq-key                   gsk_{an:52}
perplexity-key             pplx-{an:48}
replicate-token            r8_{an:37}
xai-key                    xai-{an:80}
pinecone-key               pcsk_{an:6}_{an:63}
langsmith-key              lsv2_pt_{hex:32}_{hex:10}
nvidia-key                 nvapi-{url:64}
tavily-key                 tvly-dev-{an:32}
elevenlabs-key             sk_{hex:48}
new-relic-user-key         NRAK-{upn:27}
new-relic-license-key      {hex:36}NRAL
sentry-token               sntrys_{jsonb64}_{b64:43}
sentry-user-token          sntryu_{hex:64}
grafana-token              glsa_{an:32}_{hex:8}
grafana-cloud-token        glc_{jsonb64}
grafana-api-key            {grafanaold}
dynatrace-token            dt0c01.{b32:24}.{b32:64}
honeycomb-key              hcaik_{lown:58}
posthog-key                phx_{an:43}
atlassian-token            ATATT3xFfGF0{url:171}={HEX:8}
linear-key                 lin_api_{an:40}
notion-token               ntn_{an:46}
notion-old-token           secret_{an:43}
asana-token                2/{d:16}/{d:16}:{hex:32}
airtable-token             pat{an:14}.{hex:64}
figma-token                figd_{url:40}
hubspot-token              pat-na1-{uuid}
facebook-token             EAA{an:180}
facebook-app-token         {d:16}|{url:27}
twitter-bearer-token       AAAAAAAAAAAAAAAAAAAAA{an:80}
typeform-token             tfp_{an:44}_{an:14}
contentful-token           CFPAT-{url:43}
dropbox-token              sl.u.{url:180}
clickup-token              pk_{d:8}_{upn:32}
trello-token               ATTA{hex:64}{HEX:8}
salesforce-session         00D{an:12}!{an:96}
maxmind-key                {an:6}_{an:29}_mmk
rapidapi-key               {hex:10}msh{hex:15}p1{hex:6}jsn{hex:12}
bitrix24-webhook           https://acme.bitrix24.ru/rest/⟦1/{lown:16}⟧/crm.lead.list
tinkoff-invest-token       t.{url:86}
jwt                        {jwt}
muniment-key               {mun}
age-key                    {age}
rsa-private-key            {rsakey}
pkcs8-private-key          {pkcs8}
openssh-private-key        {openssh}
pgp-private-key            {pgp}
putty-key                  {putty}
url-credential             https://deploy:⟦{pw:14}⟧@git.acme.io/app.git
postgres-url               postgres://app:⟦{pw:16}⟧@db.prod:5432/orders
mysql-url                  mysql://root:⟦{pw:12}⟧@10.0.0.5/shop
mongodb-url                mongodb+srv://svc:⟦{an:16}⟧@c0.mongodb.net/app
redis-url                  redis://:⟦{an:20}⟧@cache:6379/0
amqp-url                   amqps://worker:⟦{an:18}⟧@mq.acme.io/vhost
"""
NAMED_TABLE = """
aws-secret-key             AWS_SECRET_ACCESS_KEY       {b64:40}
azure-storage-key          AccountKey                  {b64of64}
cloudflare-token           CLOUDFLARE_API_TOKEN        {url:40}
cloudflare-global-key      CF_API_KEY                  {hex:37}
heroku-key                 HEROKU_API_KEY              {uuid}
old-vercel-token           VERCEL_TOKEN                {an:24}
linode-token               LINODE_TOKEN                {hex:64}
hetzner-token              HCLOUD_TOKEN                {an:64}
snyk-token                 SNYK_TOKEN                  {uuid}
codecov-token              CODECOV_TOKEN               {uuid}
jenkins-token              JENKINS_API_TOKEN           11{hex:32}
paypal-secret              PAYPAL_CLIENT_SECRET        {url:80}
binance-secret             BINANCE_API_SECRET          {an:64}
twilio-auth-token          TWILIO_AUTH_TOKEN           {hex:32}
postmark-token             POSTMARK_SERVER_TOKEN       {uuid}
mattermost-token           MATTERMOST_TOKEN            {lown:26}
mistral-key                MISTRAL_API_KEY             {an:32}
cohere-key                 COHERE_API_KEY              {an:40}
wandb-key                  WANDB_API_KEY               {hex:40}
deepgram-key               DEEPGRAM_API_KEY            {hex:40}
datadog-key                DD_API_KEY                  {hex:32}
datadog-app-key            DATADOG_APP_KEY             {hex:40}
pagerduty-token            PAGERDUTY_TOKEN             {url:20}
opsgenie-key               OPSGENIE_API_KEY            {uuid}
splunk-token               SPLUNK_HEC_TOKEN            {uuid}
okta-token                 OKTA_API_TOKEN              00{url:40}
auth0-secret               AUTH0_CLIENT_SECRET         {url:64}
algolia-key                ALGOLIA_ADMIN_KEY           {hex:32}
zendesk-token              ZENDESK_TOKEN               {an:40}
spotify-secret             SPOTIFY_CLIENT_SECRET       {hex:32}
dadata-key                 DADATA_API_KEY              {hex:40}
database-password          DB_PASSWORD                 {pw:14}
admin-password             adminPassword               {pw:12}
short-password             password                    {low:6}{d:2}
any-secret                 client_secret               {an:32}
any-token                  access_token                {url:40}
any-key                    x-api-key                   {hex:32}
django-secret              SECRET_KEY                  {an:50}
signing-key                signing_key                 {b64of32}
session-secret             SESSION_SECRET              {hex:64}
"""
LINES_TABLE = """
authorization-basic    Authorization: Basic ⟦{userpass}⟧
authorization-bearer   Authorization: Bearer ⟦{url:43}⟧
curl-user              curl -u deploy:⟦{pw:14}⟧ https://ci.acme.io/api
netrc                  machine git.acme.io login deploy password ⟦{pw:12}⟧
npmrc                  //registry.npmjs.org/:_authToken=⟦{uuid}⟧
pypirc                 [pypi] username = __token__ password = ⟦{url:60}⟧
docker-auth            {"auths":{"r.acme.io":{"auth":"⟦{userpass}⟧"}}}
flag-password          psql-migrate --password=⟦{pw:14}⟧ --yes
flag-token             deployctl --token ⟦{an:32}⟧ up
mysql-flag             mysql -uroot -p⟦{an:12}⟧ shop
sshpass                sshpass -p '⟦{pw:12}⟧' ssh root@10.0.0.7
ado-string             Server=db;Database=shop;User Id=sa;Password=⟦{an:14}⟧;Encrypt=True
odbc-string            Driver=Pg;Uid=app;Pwd=⟦{an:12}⟧;Port=5432
jdbc-url               jdbc:postgresql://db/app?user=app&password=⟦{an:14}⟧&ssl=true
azure-connection       DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=⟦{b64of64}⟧
azure-sas              https://acme.blob.core.windows.net/c?sv=2024-11-04&se=2027-01-01&sig=⟦{an:42}%2B%3D⟧
sql-password           CREATE USER app IDENTIFIED BY '⟦{pw:14}⟧'
pgpass                 db.acme.io:5432:shop:app:⟦{an:14}⟧
xml-password           <password>⟦{an:14}⟧</password>
wireguard              PrivateKey = ⟦{b64of32}⟧
url-parameter          https://api.acme.io/v1/items?page=2&access_token=⟦{an:40}⟧&sort=id
russian-password       пароль: ⟦{an:12}⟧
russian-database       пароль от базы — ⟦{pw:12}⟧
russian-token          токен для деплоя: ⟦{an:32}⟧
russian-access-key     ключ доступа: ⟦{an:24}⟧
russian-secret         секрет вебхука равен ⟦{hex:32}⟧
russian-login          логин: admin, пароль: ⟦{low:5}{d:3}⟧
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """A text, the piece of it that must not be kept, its type and what is around it."""

    type: str
    around: str
    text: str
    secret: str


def _rows(table: str, parts: int) -> list[list[str]]:
    return [line.split(None, parts - 1) for line in table.strip().splitlines()]


TOKENS = _rows(TOKENS_TABLE, 2)
NAMED = _rows(NAMED_TABLE, 3)
LINES = _rows(LINES_TABLE, 2)
TYPES = [row[0] for row in (*TOKENS, *NAMED, *LINES)]

TOKEN_AROUND = {
    "alone": "{}",
    "english": "The build on staging signs in with {}, ask Olga before you touch it.",
    "english-end": "We found this in the old wiki: {}.",
    "russian": "Сборка на стейджинге входит с {}, спросите Ольгу, прежде чем менять.",
    "russian-quoted": "В старой вики лежал ключ «{}», его надо отозвать.",
    "python": 'client = Client(region="eu", credential="{}")  # TODO move',
    "javascript": "const conn = connect(`{}`);",
    "json": '{{"region": "eu-central-1", "value": "{}", "retries": 3}}',
    "yaml": "env:\n  - name: CRED\n    value: {}\n  - name: REGION\n    value: eu",
    "shell": "export CRED='{}' && ./deploy.sh --region eu",
    "url": "https://ci.acme.io/hook?region=eu&c={}&v=2",
    "markdown": "| staging | `{}` | Olga |",
    "escaped": "first line\\n{}\\nlast line",
    "log": "2026-12-01T06:23:00Z INFO deploy started cred={} region=eu",
}
NAMED_AROUND = {
    "alone": "{n}={v}",
    "english": "For staging the {w} is {v}, ask Olga before you touch it.",
    "english-end": "Use {w}: {v}.",
    "russian": "Для стейджинга {n}: {v}, спросите Ольгу, прежде чем менять.",
    "russian-dash": "{n} для прода — {v}.",
    "python": '{n} = "{v}"',
    "typescript": "const {n}: string = '{v}';",
    "go": '{n} := "{v}"',
    "json": '{{"region": "eu-central-1", "{n}": "{v}", "retries": 3}}',
    "yaml": "env:\n  {n}: {v}\n  region: eu",
    "shell": "export {n}='{v}' && ./deploy.sh --region eu",
    "url": "https://ci.acme.io/hook?region=eu&{n}={e}&v=2",
    "flag": "deployctl --{f}={v} --region eu",
    "header": "curl -H '{n}: {v}' https://api.acme.io",
    "table": "| {n} | `{v}` |",
    "escaped": '{{\\"{n}\\": \\"{v}\\"}}',
}
LINE_AROUND = {
    "alone": "{}",
    "english": "Found in the wiki: {}",
    "russian": "Нашли в вики: {}",
    "block": "Steps:\n\n```\n{}\n```\nThen restart.",
    "listed": "- first\n- {}\n- last",
}


def samples(chance: random.Random, each: int = 1) -> Iterator[Sample]:
    """Yield every type in everything that may stand around it, `each` times drawn afresh."""
    for _ in range(each):
        for name, template in TOKENS:
            for around, frame in TOKEN_AROUND.items():
                yield _framed(name, around, frame, draw(template, chance))
        for name, label, template in NAMED:
            for around, frame in NAMED_AROUND.items():
                yield _called(name, around, frame, label, draw(template, chance))
        for name, template in LINES:
            for around, frame in LINE_AROUND.items():
                yield _framed(name, around, frame, draw(template, chance))


def smallest(chance: random.Random) -> Iterator[Sample]:
    """Yield every type once, with nothing around it but its name if it needs one."""
    return (sample for sample in samples(chance) if sample.around == "alone")


def spoken(chance: random.Random, each: int = 1) -> Iterator[Sample]:
    """Yield how people tell a password, every wording `each` times drawn afresh."""
    for template in corpus("secret_wordings"):
        for _ in range(each):
            yield _framed("spoken", template, "{}", draw(template, chance))


def _framed(name: str, around: str, frame: str, marked: str) -> Sample:
    secret = marked.partition(OPEN)[2].partition(SHUT)[0] or marked
    return Sample(name, around, frame.format(marked.replace(OPEN, "").replace(SHUT, "")), secret)


def _called(name: str, around: str, frame: str, label: str, value: str) -> Sample:
    words = label.replace("_", " ").replace("-", " ").lower()
    flag = label.replace("_", "-").lower()
    if around == "url":
        return Sample(
            name, around, frame.format(n=label, e=quote(value, safe="")), quote(value, safe="")
        )
    return Sample(name, around, frame.format(n=label, v=value, w=words, f=flag), value)


CYRILLIC = str.maketrans("aceopxyAEKMHOPCTX", "асеорхуАЕКМНОРСТХ")


def disguised(chance: random.Random) -> Iterator[Sample]:
    """Yield types in ways that hide them from a plain pattern."""
    for name, template in TOKENS:
        if (
            OPEN in template
            or "key}" in template
            or template in ("{pgp}", "{pkcs8}", "{openssh}", "{putty}")
        ):
            continue  # of one line only
        token = draw(template, chance)
        middle = len(token) // 2
        left, right = token[:middle], token[middle:]
        encoded = base64.b64encode(f"cred {token}".encode()).decode()
        for around, text, secret in (
            ("zero-width", f"use {left}\u200b{right} here", f"{left}\u200b{right}"),
            ("hard-blank", f"use\u00a0{token}\u00a0here", token),
            ("full-width", f"use {_wide(token)} here", _wide(token)),
            ("wrapped", f"use {left}\n    {right} here", right),
            ("continued", f"use {left}\\\n{right} here", right),
            ("added", f'x = "{left}" + "{right}"', right),
            ("adjacent", f"x = '{left}' '{right}'", right),
            ("url-encoded", f"https://a.io/?c={_percent(token)}&d=1", _percent(token)),
            ("json-escaped", f'{{"c": "{_unicode(token)}"}}', _unicode(token)),
            ("base64", f"blob: {encoded}", encoded),
        ):
            yield Sample(name, around, text, secret)
    for name, label, template in NAMED:
        value = draw(template, chance)
        for around, text in (
            ("look-alikes", f"{label.translate(CYRILLIC)}={value}"),
            ("zero-width-name", f"{label[:3]}\u200b{label[3:]}: {value}"),
            ("full-width-name", f"{_wide(label)}：{value}"),
            ("hard-blank", f"{label}\u00a0=\u00a0{value}"),
        ):
            yield Sample(name, around, text, value)


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _percent(text: str) -> str:
    return "".join(c if c.isalnum() else f"%{ord(c):02X}" for c in text)


def _unicode(text: str) -> str:
    return json.dumps("".join(c if c.isalnum() else f"\0{ord(c):04x}" for c in text))[1:-1].replace(
        "\\u0000", "\\u"
    )
