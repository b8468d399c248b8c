"""Values drawn in a documented format: alphabet and length, and check digits worked out here.

    "dop_v1_{hex:64}"        a prefix and 64 hexadecimal digits
    "xoxb-{d:12}-{an:24}"    several pieces
    "pass ⟦{an:12}⟧"         only what stands in ⟦⟧ is the secret

Nothing of the guard is imported here: a wrong pattern must not find a value that is wrong in the
same way. Nothing that looks like a live token stands in this file: all of it is drawn.
"""

from __future__ import annotations

import base64
import binascii
import json
import random
import re
import uuid

LOWER = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
UPPER = LOWER.upper()
ALPHABETS = {
    "d": DIGITS,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "low": LOWER,
    "up": UPPER,
    "lown": LOWER + DIGITS,
    "upn": UPPER + DIGITS,
    "an": LOWER + UPPER + DIGITS,
    "az": LOWER + UPPER,
    "url": LOWER + UPPER + DIGITS + "-_",
    "b64": LOWER + UPPER + DIGITS + "+/",
    "b32": UPPER + "234567",
    "pw": LOWER + UPPER + DIGITS + "!%^_-+.",
}
SLOT = re.compile(r"\{([A-Za-z0-9]+)(?::(\d+))?\}")
BASE62 = DIGITS + UPPER + LOWER
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def draw(template: str, chance: random.Random) -> str:
    """Return the template with every {slot} filled in."""
    return SLOT.sub(lambda slot: _filled(slot, chance), template)


def _filled(slot: re.Match[str], chance: random.Random) -> str:
    kind, length = slot[1], slot[2]
    if length:
        return _mixed(ALPHABETS[kind], int(length), chance)
    return MAKERS[kind](chance) if kind in MAKERS else slot[0]


def _mixed(alphabet: str, length: int, chance: random.Random) -> str:
    """Draw; again while a longer value has no digit, as one in a hundred would."""
    while True:
        drawn = "".join(chance.choice(alphabet) for _ in range(length))
        lacks = length >= 8 and set(DIGITS) & set(alphabet) and not set(drawn) & set(DIGITS)
        if not lacks and drawn[-1:] not in ("-", "."):
            return drawn


def in_base62(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits.rjust(6, "0")


def crc_tailed(chance: random.Random) -> str:
    """30 characters and their CRC-32 in six: GitHub's and npm's format."""
    body = draw("{an:30}", chance)
    return body + in_base62(binascii.crc32(body.encode()))


def our_key(chance: random.Random) -> str:
    from muniment.domain.keys import compose  # the issuer of the keys, not part of the guard

    return compose(draw("{lown:10}", chance), draw("{an:32}", chance))


def age_key(chance: random.Random) -> str:
    data = [chance.randrange(32) for _ in range(51)] + [0]
    prefix = "age-secret-key-"
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    check = bech32_check([*spread, *data, 0, 0, 0, 0, 0, 0]) ^ 1
    tail = [check >> 5 * (5 - at) & 31 for at in range(6)]
    return (prefix + "1" + "".join(BECH32[v] for v in data + tail)).upper()


def bech32_check(values: list[int]) -> int:
    check = 1
    for value in values:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for bit, step in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> bit & 1:
                check ^= step
    return check


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jwt(chance: random.Random) -> str:
    header = json.dumps({"alg": chance.choice(["HS256", "RS256", "ES384"]), "typ": "JWT"})
    claims = json.dumps({"sub": draw("{d:10}", chance), "iat": chance.randrange(2**31)})
    return ".".join(
        (b64url(header.encode()), b64url(claims.encode()), b64url(chance.randbytes(32)))
    )


def user_and_password(chance: random.Random) -> str:
    return base64.b64encode(draw("{low:6}:{pw:14}", chance).encode()).decode()


def discord_bot(chance: random.Random) -> str:
    number = str(chance.randrange(10**17, 10**18)).encode()
    return f"{b64url(number)}.{draw('{url:6}.{url:38}', chance)}"


def json_in_base64(chance: random.Random) -> str:
    said = json.dumps({"iat": chance.randrange(2**31), "url": "https://x.io", "org": "acme"})
    return base64.b64encode(said.encode()).decode().rstrip("=")


def grafana_old(chance: random.Random) -> str:
    said = json.dumps({"k": draw("{an:32}", chance), "n": "ci", "id": 1}, separators=(",", ":"))
    return base64.b64encode(said.encode()).decode()


def intercom(chance: random.Random) -> str:
    return base64.b64encode(
        b"tok:" + draw("{hex:8}_{hex:4}_{hex:4}_{hex:4}_{hex:12}:1:0", chance).encode()
    ).decode()


def armour(label: str) -> object:
    def make(chance: random.Random) -> str:
        body = base64.b64encode(chance.randbytes(360)).decode()
        lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
        return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----"

    return make


def putty(chance: random.Random) -> str:
    lines = "\n".join(base64.b64encode(chance.randbytes(48)).decode() for _ in range(8))
    return f"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n⟦Private-Lines: 8\n{lines}⟧\n"


MAKERS = {
    "uuid": lambda chance: str(uuid.UUID(int=chance.getrandbits(128), version=4)),
    "b64of32": lambda chance: base64.b64encode(chance.randbytes(32)).decode(),
    "b64of64": lambda chance: base64.b64encode(chance.randbytes(64)).decode(),
    "crc": crc_tailed,
    "mun": our_key,
    "age": age_key,
    "jwt": jwt,
    "userpass": user_and_password,
    "discordbot": discord_bot,
    "jsonb64": json_in_base64,
    "grafanaold": grafana_old,
    "intercom": intercom,
    "rsakey": armour("RSA PRIVATE KEY"),
    "pkcs8": armour("PRIVATE KEY"),
    "openssh": armour("OPENSSH PRIVATE KEY"),
    "pgp": armour("PGP PRIVATE KEY BLOCK"),
    "putty": putty,
}
