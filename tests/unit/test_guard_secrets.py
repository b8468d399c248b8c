"""The secret detector: what it must find, what it must let pass (rows M-105, W-43, D-01; D34).

The short form of `python -m benchmarks.guard`. Whatever looks like a secret here is drawn when
the tests run, or put together from pieces.
"""

import random
import subprocess
import sys
import zlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.guard import checksums, scan
from muniment.domain.guard.entropy import entropy, is_mixed, is_wordy
from muniment.domain.guard.rules_named import NAMED
from muniment.domain.guard.secrets import Secret, find_secrets, redact
from tests.guard.benign_texts import FLOODS, benign, slow_texts
from tests.guard.drawn_values import draw
from tests.guard.secret_samples import TYPES, disguised, samples

SEED = 5
RECALL = 0.99
MISTAKES = 0.002
BENIGN = 600


def is_covered(sample):
    start = sample.text.index(sample.secret)
    end = start + len(sample.secret)
    return any(s.start <= start and end <= s.end for s in find_secrets(sample.text))


def detectors(text, name=""):
    return [secret.detector for secret in find_secrets(text, name)]


def drawn(template, seed=SEED):
    return draw(template, random.Random(seed))


def test_given_every_type_in_every_surrounding_when_searched_then_it_is_found():
    seen, missed = Counter(), Counter()
    for sample in samples(random.Random(SEED), 2):
        seen[sample.type] += 1
        missed[sample.type] += not is_covered(sample)
    assert len(seen) == len(set(TYPES)) >= 80
    assert sum(missed.values()) <= (1 - RECALL) * sum(seen.values()), +missed
    assert [name for name in seen if missed[name] > seen[name] / 4] == []


def test_given_every_type_in_disguise_when_searched_then_it_is_found():
    found = [is_covered(sample) for sample in disguised(random.Random(SEED))]
    assert len(found) > 1_000
    assert sum(found) / len(found) >= RECALL


def test_given_ordinary_texts_when_searched_then_nothing_is_found():
    texts = list(benign(random.Random(SEED), BENIGN))
    wrong = [text for text in texts if find_secrets(text)]
    assert len(wrong) <= MISTAKES * BENIGN, wrong


def test_given_floods_of_one_character_when_searched_then_nothing_is_found():
    floods = {f"{flood!r} again and again" for flood in FLOODS}
    texts = [text for name, text in slow_texts(random.Random(SEED)) if name in floods]
    assert len(texts) == len(FLOODS)
    assert [text[:9] for text in texts if find_secrets(text)] == []


def test_given_texts_with_secrets_when_redacted_twice_then_nothing_is_left_to_redact():
    for sample in samples(random.Random(SEED)):
        clean, told = redact(sample.text)
        assert told
        assert sample.secret not in clean
        assert find_secrets(clean) == [], (sample, clean)


def test_given_a_secret_in_a_sentence_when_redacted_then_only_its_value_is_replaced():
    value = drawn("{an:12}")
    clean, told = redact(f"Пароль от базы — {value}, спросите Ольгу.")
    assert clean == "Пароль от базы — [redacted:password], спросите Ольгу."
    assert told == ("password",)


def test_given_two_secrets_when_redacted_then_both_are_named_in_order():
    token, password = drawn("ghp_{crc}"), drawn("{an:12}")
    clean, told = redact(f"DB_PASSWORD={password}\nGH={token}\n")
    assert clean == "DB_PASSWORD=[redacted:password]\nGH=[redacted:github-token]\n"
    assert told == ("password", "github-token")


def test_given_an_invisible_character_inside_when_found_then_the_span_is_of_the_original():
    token = drawn("npm_{crc}")
    text = f"«{token[:9]}\u200b\u2060{token[9:]}»"
    assert find_secrets(text) == [Secret("npm-token", 1, len(text) - 1)]


def test_given_a_token_by_its_prefix_and_by_its_name_when_found_then_the_surer_name_wins():
    assert detectors(f"SECRET_TOKEN={drawn('glpat-{url:20}')}") == ["gitlab-token"]
    assert detectors(f"postgres://app:{drawn('{an:20}')}@db/x") == ["url-credential"]


@pytest.mark.parametrize(
    ("line", "detector"),
    [
        ("DD_API_KEY={hex:32}", "datadog-key"),
        ("ключ API для Datadog — {hex:32}", "datadog-key"),
        ("heroku api key: {uuid}", "heroku-key"),
        ("aws secret access key = {b64:40}", "aws-secret-key"),
        ("API_KEY={hex:32}", "assigned-secret"),
        ("password: {low:6}{d:1}", "password"),
    ],
)
def test_given_a_service_near_a_value_when_found_then_the_detector_names_it(line, detector):
    assert detectors(drawn(line)) == [detector]


def test_given_a_value_without_its_name_when_the_name_is_told_then_it_is_found():
    value = drawn("{an:10}")
    assert find_secrets(value) == []
    assert find_secrets(value, "db_password") == [Secret("password", 0, 10)]
    assert redact(value, "пароль") == ("[redacted:password]", ("password",))
    assert find_secrets("15 min", "token") == []


@pytest.mark.parametrize(
    "value",
    ["{hex:40}", "{hex:64}", "{b64:44}", "{an:32}", "{uuid}", "sha512-{b64:86}==", "01J{upn:23}"],
)
def test_given_a_random_value_that_nothing_names_when_searched_then_it_passes(value):
    assert find_secrets(drawn(f"build {value} of the nightly run")) == []


@pytest.mark.parametrize(
    "value",
    """******** ${DB_PASSWORD} $DB_PASSWORD {{secret}} <your-token> changeme YOUR_TOKEN_HERE
    xxxxxxxxxxxx %(password)s [redacted:password] vault:secret/app#pw op://prod/db/password
    os.environ["X"] process.env.API_KEY getenv("X") config.db.password None null true str
    settings.DB_PASSWORD !Ref ENC[AES256,data:x] HS256 argon2id v1.2.3 2026-12-01 3600 15min
    arn:aws:secretsmanager:eu-west-1:1:secret:x /run/secrets/db app-name-prod-2 a@example.com
    *** … secret password обязателен""".split(),
)
@pytest.mark.parametrize("line", ["password: {}", "API_TOKEN={}", "пароль — {}", 'secret = "{}"'])
def test_given_a_placeholder_or_a_reference_when_searched_then_it_passes(line, value):
    assert find_secrets(line.format(value)) == []


def test_given_the_documented_example_keys_when_searched_then_they_pass():
    example = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    secret = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCY" + "EXAMPLE" + "KEY"
    assert find_secrets(f"aws_access_key_id={example}\naws_secret_access_key={secret}") == []
    assert detectors("aws_access_key_id=" + drawn("AKIA{b32:16}")) == ["aws-access-key"]


@pytest.mark.parametrize(
    "name",
    """password_hash passwordHash token_type tokenType max_tokens next_token nextPageToken
    csrf_token password_policy secret_arn secretName token_url api_key_id bypass compass
    public_key publicKey cache_key partition_key idempotency_key design_token""".split(),
)
def test_given_the_name_of_something_else_when_it_has_a_value_then_it_passes(name):
    assert find_secrets(f"{name}: {drawn('{hex:24}')}") == []


def test_given_certificates_and_public_keys_when_searched_then_they_pass():
    body = drawn("{b64:64}\n{b64:64}")
    for label in ("CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "PGP PUBLIC KEY BLOCK"):
        assert find_secrets(f"-----BEGIN {label}-----\n{body}\n-----END {label}-----") == []
    assert find_secrets("it begins with -----BEGIN PRIVATE KEY----- and is not ours") == []


def test_given_a_private_key_when_redacted_then_the_whole_block_goes():
    key = drawn("{openssh}")
    assert redact(f"key:\n{key}\nend") == ("key:\n[redacted:private-key]\nend", ("private-key",))
    cut = key[: len(key) // 2]
    assert redact(f"{cut}")[0] == "[redacted:private-key]"


def test_given_a_checksum_when_one_character_changes_then_it_does_not_hold():
    for template, holds in (
        ("ghp_{crc}", checksums.has_crc_tail),
        ("{mun}", checksums.is_our_key),
        ("{age}", checksums.is_age_key),
        ("{jwt}", checksums.is_jwt),
    ):
        token = drawn(template)
        assert holds(token)
        assert not holds(token[:20] + ("A" if token[20] != "A" else "B") + token[21:]) or (
            holds is checksums.is_jwt
        )
    assert not checksums.is_jwt("eyJ" + "a" * 20 + "." + "b" * 20 + "." + "c" * 20)


def test_given_a_value_like_a_placeholder_when_its_checksum_holds_then_it_is_a_token():
    body = "x" * 30
    tail = checksums.base62(zlib.crc32(body.encode()), 6)
    assert detectors(f"ghp_{body}{tail}") == ["github-token"]
    assert detectors(f"ghp_{body}xxxxxx") == []


def test_given_a_mistyped_token_when_searched_then_it_is_found_all_the_same():
    assert detectors(drawn("ghp_{an:36}")) == ["github-token"]


def test_given_three_parts_that_are_no_jwt_when_searched_then_they_pass():
    assert find_secrets(drawn("eyJ{an:20}.{an:20}.{an:20}")) == []


def test_given_the_tables_when_read_then_every_rule_has_a_source_and_a_plain_name():
    rules = [*scan.TOKENS, *{entry[2] for entry in scan.SHAPES}, *NAMED]
    assert len({rule.detector for rule in rules}) >= 90
    for rule in rules:
        assert rule.detector == rule.detector.lower().replace("_", "-"), rule
        assert len(rule.source) > 3, rule
    for rule in scan.TOKENS:
        assert all(len(p) >= 2 and p[0].isalnum() for p in rule.prefixes.split()), rule
    for _, word, rule in scan.SHAPES:
        assert word == word.lower() and " " not in word and "-" not in word, rule


def test_given_a_fresh_process_when_the_guard_is_imported_then_nothing_is_compiled_or_loaded():
    code = (
        "import sys; import muniment.domain.guard.secrets;"
        "print([m for m in sys.modules if '.guard.rules_' in m or m.endswith('guard.scan')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_given_texts_when_measured_then_words_and_drawn_values_differ():
    assert [t for t in ("prod-db-2", "accessToken", "secret/data/app") if not is_wordy(t)] == []
    assert not is_wordy(drawn("{an:24}"))
    assert is_mixed("aB3") and not is_mixed("ab3") and not is_mixed("AB3")
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2


PIECES = st.sampled_from(
    ["password", "пароль", "токен", ": ", "=", '"', "ghp_", "\n", "\\n", "%41", "\u200b", "İ", "Ａ"]
)


@given(st.lists(st.one_of(st.text(max_size=12), PIECES), max_size=12).map("".join))
def test_given_any_text_when_searched_then_spans_are_in_order_and_inside(text):
    last = 0
    for secret in find_secrets(text):
        assert last <= secret.start < secret.end <= len(text)
        last = secret.end
    assert redact(text)[0] == text or find_secrets(text)
