"""Private keys, signed tokens, and our own API keys."""

from __future__ import annotations

from muniment.domain.guard.checksums import is_age_key, is_jwt, is_our_key
from muniment.domain.guard.entropy import is_mixed
from muniment.domain.guard.rules_form import Shape, Token

EOL = r"[ \t]*(?:\r?\n|\\r|\\n)+[ \t]*"
BODY = r"(?:[A-Za-z0-9+/=\s]|\\[nr]|[A-Z][A-Za-z-]{2,20}: [^\n]{0,99}\n)*+"

TOKENS = (
    Token(
        "muniment-key",
        "Muniment: docs/api.md, keys",
        "mun_",
        "[0-9a-z]{10}_[0-9A-Za-z]{38}",
        proof=is_our_key,
    ),
    Token(
        "age-key",
        "age: file encryption, native X25519 keys",
        "AGE-SECRET-KEY-1",
        "[02-9AC-HJ-NP-Z]{58}",
        proof=is_age_key,
    ),
    Token(
        "jwt",
        "RFC 7519: JSON Web Token",
        "eyJ eyA",
        r"[\w-]{8,2000}={0,2}\.[\w-]{4,6000}={0,2}\.[\w-]{8,2000}",
        proof=is_jwt,
        must=is_jwt,
    ),
    Token("nats-seed", "NATS: nkeys", "SUA SAA SOA SCA SNA", "[A-Z2-7]{55}"),
)

SHAPES = (
    Shape(
        "private-key",
        "RFC 7468 and OpenSSH, OpenPGP: armoured private keys",
        "_____begin_",
        r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        rf"(?:{EOL}(?=[A-Za-z0-9+/]{{3}})|(?=[A-Za-z0-9+/ ]{{41}}))"
        rf"{BODY}(?:-----END [A-Z0-9 ]{{1,60}}-----)?",
        placeholders_pass=False,
    ),
    Shape(
        "putty-key",
        "PuTTY: PPK files",
        "private_lines:",
        rf"Private-Lines: \d{{1,3}}(?:\r?\n|\\n){BODY}(?:Private-MAC: [0-9a-f]{{40,64}})?",
        placeholders_pass=False,
    ),
    Shape(
        "json-web-key",
        "RFC 7517: private members of a JWK",
        '"d" "k"',
        r'"[dk]"\s{0,4}:\s{0,4}"(?P<s>[\w-]{42,1400})"',
        must=is_mixed,
    ),
    Shape(
        "ethereum-key",
        "Ethereum: raw private keys",
        "private_key privatekey",
        r"(?i:private[_ -]?key)\W{1,6}(?P<s>(?:0x)?[0-9a-f]{64})(?![0-9A-Za-z])",
    ),
    Shape(
        "wireguard-key",
        "WireGuard: configuration files",
        "privatekey presharedkey",
        r"(?i:PrivateKey|PresharedKey)\s{0,3}=\s{0,3}(?P<s>[A-Za-z0-9+/]{42,43}=)",
    ),
)
