"""Credentials as people tell them, without the name right before the value.

    creds: deploy / …                 a user and a password after a word of access
    use … as the password             the name behind the value
    Password was rotated, now it is … a clause in between
    auth = ("svc", "…")               code that takes a pair

What stands so far from its name must look drawn: is_plausible_alone asks for digits and more.
All of it is matched against folded text (disguises.py), so Russian patterns are folded too.
"""

from __future__ import annotations

from muniment.domain.guard.disguises import fold
from muniment.domain.guard.plausible import is_plausible_alone, is_plausible_code
from muniment.domain.guard.rules_form import Shape

VALUE = r"[\"'`«]?(?P<s>(?=\S{0,80}\d)[^\s\"'`«»/\\(){}<>,;|:=\[\]]{6,80})"
AT_END = r"(?=[\"'`»]?[.,;)]?(?:\s|$))"
ACCESS = (
    r"(?:creds?\b|credentials\b|log ?in\b|logged in\b|sign in\b|basic auth\b|wi-?fi\b|connect as\b"
    r"|креды\b|доступы?\b|учетк\w+|учётк\w+|учетные данные|учётные данные|логинимся\b|логинься\b"
    r"|заходим\b|заходи\b|подключаемся\b|базовая авторизация|вай-?фай\b)"
)
USER = r"(?<![\w./-])(?!(?i:sha))[A-Za-z_][\w.@-]{1,40}"
PAIRED = r"(?:\s?[/:]\s?|,\s|\s(?:and|и)\s|\s)"

SHAPES = (
    Shape(
        "spoken-credential",
        "a user and a password after a word of access",
        fold(
            "cred login log_in logged_in sign_in basic_auth wifi wi_fi connect_as креды доступ "
            "учетк учётк учетные_данные учётные_данные логин заход подключаемся "
            "базовая_авторизация вай_фай вайфай"
        ),
        fold(rf"(?i){ACCESS}[^\n]{{0,50}}?{USER}{PAIRED}{VALUE}{AT_END}"),
        must=is_plausible_alone,
    ),
    Shape(
        "spoken-credential",
        "log in as a user, using a password",
        "login log_in logged_in sign_in",
        rf"(?i)(?:log ?in|logged in|sign in)\b[^\n.]{{0,50}}?\s(?:with|using)\s{VALUE}{AT_END}",
        must=is_plausible_alone,
    ),
    Shape(
        "spoken-password",
        "use this as the password",
        fold("use_ enter_ type_ введи используем используй"),
        fold(
            rf"(?i)(?:use|enter|type|введи(?:те)?|используем|используй(?:те)?)\s{VALUE}[\"'`»]?\s"
            r"(?:as|for|как|в качестве|вместо)\s(?:the\s|a\s|our\s)?(?:[\w-]{1,20}\s)?"
            r"(?:pass(?:word|phrase)?\b|парол[ья]\b)"
        ),
        must=is_plausible_alone,
    ),
    Shape(
        "spoken-password",
        "a password, then where it belongs, then its value",
        fold("password passwd пароль"),
        fold(
            r"(?i)(?:password|passwd|пароль)(?:'s|\s(?:от|к|на|для|у|for|of|to|пользователя))?"
            r"(?:\s[\w.-]{1,24}){0,5}?,?(?:\s(?:сейчас|теперь|now it is|now))?:?\s"
            rf"{VALUE}{AT_END}"
        ),
        must=is_plausible_alone,
    ),
    Shape(
        "spoken-password",
        "new pass for a service: its value; pass -> its value",
        fold("pass_ pw_ pwd_ пасс_"),
        fold(
            r"(?i)(?:pass|pw|pwd|пасс)\s(?:(?:for|to|of|on|от|к|на)\s[\w -]{1,30}[:=]|-{1,2}>)\s?"
            rf"{VALUE}{AT_END}"
        ),
        must=is_plausible_alone,
    ),
    Shape(
        "spoken-code",
        "codes that open: PIN, access, recovery",
        fold("pin_ access_code recovery_code пин_ код_доступа код_восстановления"),
        fold(
            r"(?i)(?<![\w-])(?:pin|access code|recovery code|пин|код доступа|код восстановления)"
            r"(?:\s(?:of|for|to|от|к|для))?(?:\s[\w-]{1,16}){0,3}?(?:\sis|:|\s[—-])?\s"
            r"(?P<s>(?=[\w-]*\d)[A-Z0-9-]{4,20}|(?=[\w-]*\d)[a-z0-9]{5}-[a-z0-9]{5})"
            r"(?![\w.-]*\w)(?!\s(?:minutes?|seconds?|hours?|bytes?|mb|gb|минут|секунд|час|байт))"
        ),
        must=is_plausible_code,
    ),
    Shape(
        "spoken-secret",
        "a secret, then whose it is, then its value; a phrase for a key",
        fold("secret_ секрет_ секретная_фраза passphrase"),
        fold(
            r"(?i)(?:secret|секрет|секретная фраза|passphrase)(?:\s[\w-]{1,20}){0,4}?"
            rf"(?:\s(?:equals|is|равен))?:?\s{VALUE}{AT_END}"
        ),
        must=is_plausible_alone,
    ),
    Shape(
        "code-credential",
        "requests, aiohttp and others: a pair of user and password",
        "auth login connect",
        r"(?:[Aa]uth\w{0,12}|login|connect)\s?(?:=\s?)?\(\s?[\"'][\w.@-]{1,40}[\"'],\s?[\"']"
        r"(?P<s>[^\"'\s]{6,80})[\"']\s?\)",
        must=is_plausible_alone,
    ),
    Shape(
        "command-line-password",
        "smbclient -U, oc login -p, net use, sudo -S",
        "smbclient oc_login net_use echo_",
        r"(?:smbclient\b[^\n|;]{0,80}?-U\s{0,2}[\w.\\-]{1,40}%|oc login\b[^\n|;]{0,80}?\s-p\s"
        r"|net use\s(?:[A-Z*]:?\s)?\\\\\S{1,80}\s)[\"']?(?P<s>[^\s\"'$<{|;/*]{6,80})",
        must=is_plausible_alone,
    ),
    Shape(
        "command-line-password",
        "a password handed to sudo",
        "echo_",
        r"echo\s{1,2}[\"']?(?P<s>[^\s\"'|$<{]{4,80})[\"']?\s{0,2}\|\s{0,2}sudo\s(?:-\w\s)?-S\b",
        must=is_plausible_alone,
    ),
)
