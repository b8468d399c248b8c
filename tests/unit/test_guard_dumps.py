"""Logs, conversations and files are no facts; quotes, lists and commands may be."""

from __future__ import annotations

import base64
import random

import pytest

from muniment.domain.guard.dumps import find_dump

BLOB = base64.b64encode(random.Random(7).randbytes(600)).decode()
DUMPS = {
    "log": [
        "\n".join(f"2026-12-01T10:00:{n:02}Z ERROR worker-{n} connection reset" for n in range(20)),
        "\n".join(f"[INFO] step {n} of the migration is done" for n in range(20)),
        "\n".join(
            f'10.0.0.{n} - - [01/Dec/2026:10:00:00] "GET /health HTTP/1.1" 200' for n in range(9)
        ),
        "Traceback\n"
        + "\n".join(f'  File "app/m{n}.py", line {n}\n    at f(x)' for n in range(20)),
    ],
    "conversation": [
        "\n".join(["User: how do I deploy the backend today?", "Assistant: run the pipeline."] * 5),
        "\n".join(["Иван: когда выкатываем бэкенд на прод?", "Мария: после проверки очереди."] * 5),
        "\n".join(["[10:01] Ann: is staging still broken?", "[10:02] Bob: yes, look at DNS."] * 5),
    ],
    "file": [
        "\n".join(f"def f{n}(x):\n    return x + {n}" for n in range(30)),
        "diff --git a/a b/a\n" + "\n".join(f"+line {n}\n-old {n}" for n in range(30)),
        "\n".join(f"{n},name-{n},{n * 7},yes" for n in range(50)),
        "\n".join(f'  "key-{n}": {n},' for n in range(80)),
        f"The picture of the pipeline is {BLOB}",
        "-----BEGIN CERTIFICATE-----\n" + "\n".join(["MIIB" + "A" * 60] * 5),
    ],
}
FACTS = [
    "The queue is drained before a release. " * 20,
    "Очередь разбирают перед выкаткой. " * 25,
    "Run the tests:\n" + "\n".join(f"make step-{n}  # what step {n} is for" for n in range(5)) * 3,
    "# ADR-003. Money\n\nStatus: accepted\n\n## Context\n\nFloats lose kopecks.\n\n## Decision\n\n"
    "Money is whole kopecks.\n\n## Consequences\n\n- plus: exact\n- minus: conversions\n" * 2,
    "\n".join(["Pros: it is fast and simple to run", "Cons: it costs more than before"] * 6),
    "| host | port |\n|---|---|\n" + "\n".join(f"| stage-{n} | 80{n:02} |" for n in range(15)),
    "The job failed with:\n2026-12-01T10:00:01Z ERROR connection reset\nafter the proxy moved. "
    * 3,
    "x" * 900,
    "\n".join(f"- rule {n}: name things after what they are" for n in range(30)),
]


@pytest.mark.parametrize(
    ("what", "text"), [(what, text) for what, texts in DUMPS.items() for text in texts]
)
def test_given_a_raw_dump_when_screened_then_it_is_named(what, text):
    assert find_dump(text) == what


@pytest.mark.parametrize("text", FACTS)
def test_given_a_long_fact_when_screened_then_it_passes(text):
    assert find_dump(text) is None
