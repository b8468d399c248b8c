"""API keys: `mun_<id>_<secret><checksum>`. Only the SHA-256 of a key is ever stored.

The checksum lets us turn away a mistyped key without a read, and lets scanners tell a leaked key
from noise. The id is public: it names the key in lists and logs.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from muniment.domain.caller import Action, Caller, PrincipalKind
from muniment.domain.membership import Member

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ID_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
ID_LENGTH = 10  # characters
SECRET_LENGTH = 32  # characters of ALPHABET: 190 bits
CHECK_LENGTH = 6  # characters of ALPHABET hold 32 bits
FORM = re.compile(rf"mun_[0-9a-z]{{{ID_LENGTH}}}_[0-9A-Za-z]{{{SECRET_LENGTH + CHECK_LENGTH}}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """What a key opens. Moments are Unix milliseconds; `expires_at` None: never."""

    key_id: str
    tenant: str
    principal: str
    kind: PrincipalKind
    operator: str | None
    projects: tuple[str, ...]
    actions: frozenset[Action]
    created_at: int
    expires_at: int | None = None
    revoked_at: int | None = None
    made_by: str = ""

    @property
    def person(self) -> str | None:
        """The person who acts with it, or for whom an agent does; an integration has none."""
        return self.caller.person

    def is_live(self, now: int) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    @property
    def caller(self) -> Caller:
        return Caller(
            self.tenant,
            self.principal,
            self.kind,
            self.operator,
            self.projects,
            self.actions,
            self.key_id,
            self.expires_at,
        )


@dataclass(frozen=True, slots=True)
class Made:
    """A new key and its text, which is never to be seen again. `replaces` ends at `old_ends`."""

    key: ApiKey
    text: str
    replaces: str | None = None
    old_ends: int | None = None


@dataclass(frozen=True, slots=True)
class KeyStanding:
    """What is known of a key's tenant, person and chosen project, read together.

    `paid_until`: Unix milliseconds. `member`: the key's person, None if unknown or if it has none.
    `exists`: the chosen project does, and is not deleted; False where none was chosen.
    """

    plan: str
    usage_key: str
    paid_until: int | None
    member: Member | None
    exists: bool


def draw(choose: Callable[[str], str]) -> tuple[str, str]:
    """Return a new id and secret; `choose` picks a character as secrets.choice does."""
    key_id = "".join(choose(ID_ALPHABET) for _ in range(ID_LENGTH))
    return key_id, "".join(choose(ALPHABET) for _ in range(SECRET_LENGTH))


def compose(key_id: str, secret: str) -> str:
    """Return the key's text. `secret` is SECRET_LENGTH random characters of ALPHABET."""
    head = f"mun_{key_id}_{secret}"
    return head + _checksum(head)


def is_well_formed(text: str) -> bool:
    """Tell whether the text can be a key of ours: its form and its checksum."""
    return bool(FORM.fullmatch(text)) and _checksum(text[:-CHECK_LENGTH]) == text[-CHECK_LENGTH:]


def fingerprint(text: str) -> str:
    """Return the lower-case hexadecimal SHA-256 under which a key is stored."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _checksum(head: str) -> str:
    number, digits = zlib.crc32(head.encode()), ""
    for _ in range(CHECK_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits += ALPHABET[digit]
    return digits
