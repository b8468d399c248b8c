"""Names of credentials in English and Russian, and how a text gives them their values.

    name  ─►  separator  ─►  value       the nearer the separator, the less the value must show
    db_password =            hunter2     DIRECT  as code, configuration and headers write it
    password for the db is   Hunter2!x   TOLD    a sentence in between
    token                    9f8a…       BARE    nothing but a blank in between

All of it is matched against folded text (disguises.py), so Russian patterns are folded too.
"""

from __future__ import annotations

from muniment.domain.guard.disguises import fold


def _folded(words: str) -> tuple[str, ...]:
    return tuple(fold(words).split())


PASSWORD_WORDS = _folded(
    """password passwd passphrase passcode pwd storepass keypass pass pw psw credential парол
    пасс кодовое_слово учетные_данные учётные_данные"""
)
TOKEN_WORDS = _folded(
    """token secret _auth токен секрет ключ_доступ ключа_доступ ключом_доступ ключ_api
    api_ключ ключ_апи апи_ключ приватный_ключ закрытый_ключ ключ_шифр ключ_подпис ключ_лиценз
    лицензионный_ключ ключ_к_ ключ_от_ ключ_для_ код_доступ"""
)
KEY = "key"  # alone it says nothing: one of these must stand before it
KINDS_OF_KEY = _folded(
    """api access private auth account shared signing encryption master license licence service
    admin app application integration ingest storage write server security session hmac jwt deploy
    ssh consumer webhook routing"""
)
BEFORE_KEY = (*(f"{kind}_" for kind in KINDS_OF_KEY), *KINDS_OF_KEY)

BOUNDED = _folded("pass pwd pw psw _auth пасс")  # part of another word if letters go on
NO_SUBJECT = ("pass", "pwd", "_auth")  # of a sentence it is the verb, or something else

# What follows the name makes it the name of something else: token_type, passwordHash.
OF_SOMETHING = (
    r"(?:s?\s|s|[\w-]*?[_-]|[\w-]*?(?<=[a-z0-9])(?=[A-Z]))?(?i:(?:hash|type|ur[li]|endpoint|expir|count|"
    r"length|name|arn|file|path|field|policy|reset|hint|lifetime|format|prefix|regex|pattern|"
    r"provider|manager|source|version|rotat|param|header|label|input|enabled|required|valid|usage|"
    r"budget|strength|chang|updated|created|digest|encoder|algor|strateg|service|issuer|audience|"
    r"bucket|izer|iz[ei]|bearer|class|method|group|index|status|schema|handler|helper|check|score|"
    r"require|less|ful)|(?:ttl|limits?|len|ids?|min|max|age|store|storage|ref|kind|size|rate|scopes?|"
    r"cost|price|model|window|event|state|rules?|utils?|case|based|ive)(?![a-z]))"
)
# What stands before it does: next_token, csrf_token, public_key, arn:…:secret:.
OF_NO_SECRET = (
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?:(?i:(?:public|csrf|xsrf|idempotency|next|page|"
    r"continuation|pagination|cursor|design|stop|eos|bos|cache|partition|primary|foreign|sort)"
    r"[ _'\"-]?|(?:sync|colou?r|theme|cancellation|client.?request|max|min|input|output|total|"
    r"special|budget|pad|mask|count|num|n|per|refcount|syntax|lexer?|css|fencing|keyword|unexpected|"
    r"punctuation|public.?key)[_'\"-]?)|:(?:\d{12}|\*):)$"
)

NAME_END = r"[\w-]{0,40}+"
CLOSERS = r"[\\\"'`»”’)\]*]{0,5}+"
KIND = (  # password: str = …
    r"(?:\s?:\s?&?(?:'static )?[A-Za-z_.]{2,24}(?:[\[<][\w, |]{1,30}[\]>])?\??(?=\s{0,2}=[^=>]))?"
)
SIGN = r"(?:={1,3}>?|:=|:(?!//|:)=?|→|⇒)"
MARKUP = (  # <password>…</, key="Password" value="…", define('PW', '…'), setPassword("…"), | … |
    r"(?:>(?=[^<>\s]{3,200}</)|(?<=[\"'\s])value\s?=\s?|(?<=[\"']),\s{0,3}(?=[\"'][^\"'\n]{3,200}[\"']\s?\))|\((?=[\"'])"
    r"|\|(?=\s)|\{[^{}]{0,60}?\b(?:default|value)\s{0,8}=)"
)
VALUE = (
    r"\s{0,8}+(?:\*{1,2})?(?:[bfru@]{1,2}(?=[\"']))?"
    r"(?:\\?[\"'`«“‘”](?P<quoted>(?:[^\"'`»”’\s\\]|\\(?![\"'nrt])){3,120}+)"
    r"|(?P<plain>(?:[^\s\"'`<>«»“”,;&\\]|[,;](?=[^\s\"'`])|&(?!\w{1,40}=)){3,120}+))"
)
REST_OF_VALUE = r"[^\s\"'`<>«»“”,;&]*"
AFTER_VALUE = ".,;:)]}*|\\"  # what ends a sentence, not a value

VALUE_AT_ONCE = rf"{NAME_END}{CLOSERS}{KIND}\s{{0,4}}+(?:{SIGN}|{MARKUP}){VALUE}"
VALUE_AFTER_BLANK = fold(  # token …, пароль от почты …
    rf"{NAME_END}[*`)\]]{{0,3}}+(?:[ \t](?:от|для|к|for|to)[ \t][\w.-]{{1,30}}+)?[ \t]{{1,3}}+"
    rf"(?![\w.-]{{1,30}}[=:]){VALUE}"
)
FLAG = r"(?:^|[\s\"'])--?[\w-]*$"  # --token, before the name

VERB = fold(  # or an opening quote, which stands for one
    r"[:=—–→⇒\s](?:(?<=[:=—–→⇒])(?!//)(?:\s?это\b)?|(?<=\s)(?:-\s|(?:is|was|are|это|стал|сейчас|теперь|равен|был|"
    r"была|будет)\b(?: now| set to| changed to| currently|:)?|(?:set|changed|equal|reset) to\b"
    r"|(?:изменён|сменили|поменяли|заменили) на\b|такой\b|такая\b|(?=[«“\"'`]\S{6})))"
)
OTHER_THINGS = "|".join(
    _folded(
        """and or but и или а но id ids etag checksum hash sha digest commit version revision uuid
        url uri host user username login логин header кэша кеша партиции сортировки коммит коммита
        хэш"""
    )
)
BETWEEN = (  # what may stand between a name and the verb
    rf"[\w-]{{0,40}}+[)\]*`»]{{0,3}}+(?:[ \t]{{1,3}}[(«`]?(?!(?:{OTHER_THINGS})\b)"
    r"(?!\d{3})[\w/@+-]{1,30}+(?:\.[\w-]{1,20}+)?[)»`]?){0,6}+[ \t]{0,3}"
)
ACTIVE = r"[\d!@#$%^&*+~?]"  # what any value has, unless it is one of LETTERS
LETTERS = r"[A-Za-z]{20}"
