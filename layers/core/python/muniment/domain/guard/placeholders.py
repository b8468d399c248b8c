"""What stands where a secret would stand and is none: placeholders, references, plain names.

    is_blanked    ********  xxxxxxxx  <your-token>  AKIA…EXAMPLE          of any rule
    is_reference  ${TOKEN}  process.env.X  vault:secret/app  arn:…  get(…)  of named values
    is_technical  HS256  argon2id  2026-01-31  v1.2.3  user@example.com     of named values

AWS's documented example keys hold the word EXAMPLE and so pass. `changeme` passes, `changeme123`
does not: somebody may have taken it for a password.
"""

from __future__ import annotations

from muniment.domain.guard.lazy import pattern

BLANKED = (
    r"[xX]{5}|[*•·…#]{3}|0{7}|\.{3}|_{5}|-{5}|<[^>]*>?|\[redacted|"
    r"(?i:example|placeholder|redacted|your[_-]|[_-]here\b|change[_-]?me\b|replace[_-]?(?:me|with)|"
    r"dummy|insert[_-]|(?:my|some)[_-](?:secret|token|password|key)|notreal|not[_-]a[_-]|todo\b|"
    r"(?<![a-z])fake)"
)
EMPTY_WORDS = frozenset(
    """password passwd pass pwd secret token key apikey api_key user username login admin root
    changeme change_me changeit none null nil undefined true false yes no string str text bytes int
    optional required empty default test testing sample foo bar baz qux guest hidden masked
    redacted xxx xxxx abc value postgres mysql redis bearer basic jwt oauth пароль секрет токен
    ключ значение скрыто""".split()
)
REFERENCE = (
    r"[^{}]{0,40}\{[\w. -]{1,40}\}|[$%]?\{|\(\w+[.(]|\$\(|\$[A-Za-z_]\w*$|\$\w{1,14}\$"
    r"|%[A-Za-z_]\w*%|%\(\w|%[sdrvq]\b|<|`|@@|\[|[&*][a-z_]\w*$"
    r"|!(?:Ref|Sub|GetAtt|ImportValue|secret|vault|env\w*|include\w*|reference)\b"
    r"|#[0-9a-fA-F]{3,8}$|\.{0,2}/[a-z][a-z.-]{0,20}(?:/|$)|~/"
    r"|(?i:vault|op|ssm|arn|env|file|secret|sm|kms|sops|keyring|ref\+\w+|s3|gs|"
    r"https?|ssh|sha\d+|urn|data|uuid|docker|kv|aws-ssm|aws-sm|bao|enc|projects)[:+/\[]"
    r"|(?:os|process|config|settings|self|this|env|request|req|args|ctx|params|secrets|vars|local|"
    r"var|data|module|import|System|Environment|app|opts|options|cfg|conf|context|props|state|"
    r"each|ENV|Deno|Bun)(?:\.|\[|::|\?\.|->)"
    r"|(?:await|new|return|lambda)$|[A-Za-z_$]\w*(?:\?\.|->|::)\w|[A-Za-z_$@][\w$]*(?:(?:\.|->|::|\?\.)[\w$]+)*[(\[{<]"
)
TECHNICAL = (
    r"(?:(?i:md5|sha|hmac|rs|hs|es|ps|eddsa|ed|aes|argon|bcrypt|pbkdf|scrypt|base|utf|rfc|iso|oauth|"
    r"oidc|saml|pkcs|http|ipv|k8s|rsa|secp|curve|des|crc|blake|ecdsa|nist|tls|ssl|gpt)"
    r"[-_ ]?\d{1,5}(?:[-_./](?i:[a-z]{1,8}|\d{1,4})){0,3}(?:with[A-Za-z]{2,6}|[a-z]{1,2}|[A-Z]\d)?"
    r"|\S{1,60}/aws4_request|[A-Za-z]\d{1,3}|ec2|p256|p384|p521|k8s"
    r"|\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.Z+-]*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d(?::\d\d)?"
    r"|[\d.,]+\s?(?:[A-Za-z]{1,7}|[а-я%°]{0,12})\.?|[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,10}"
    r"|\d[\d_.,]*\)\S{0,40}|v?\d+(?:\.\d+){1,3}[\w.+-]{0,20}|\d{1,4}[-–]\d{1,4}|[2-5][Ff][Aa]|[A-Z]{2,10}-\d{1,6}"
    r"|[A-Z]{3,}(?:_[A-Z0-9]+)+|PT?\d+[A-Z]\w{0,6}|0x[0-9a-f]{1,8})"
)


def is_blanked(text: str) -> bool:
    """Tell whether the text is marked as no real value, whatever rule it matched."""
    return pattern(BLANKED).search(text) is not None or len(set(text)) <= 2


def is_reference(text: str) -> bool:
    """Tell whether the text tells where a value comes from: a variable, a call, a store."""
    return pattern(REFERENCE).match(text) is not None


def is_technical(text: str) -> bool:
    """Tell whether the text is an algorithm, a version, a date, an amount, an address."""
    return pattern(TECHNICAL).fullmatch(text) is not None


def is_empty_word(text: str) -> bool:
    """Tell whether the text is one word that stands for any value, such as `secret`."""
    return text.lower().strip("_-.!?") in EMPTY_WORDS
