"""The benchmark of the first run reads what `make up` prints."""

from benchmarks.first_run import FIRST_ANSWER, Output

SAID = """\
[.venv] new environment with Python 3.13.1
[.venv] ready
[.venv-emulator] ready
[  1.0 s] emulator started
[  3.0 s] stack deployed, 0 items loaded
[  4.0 s] tenant demo with project backend made
[  9.0 s] notes: 25 recorded, 0 unchanged; embedding them, about a second each

  ? how is money stored
  > Amounts are integers [in minor units]; see money.md
    [money-in-minor-units 01J00000000000000000000001: unverified, trust: imported]
  > Another
    [rounding 01J00000000000000000000002: unverified]

  ? and refunds
    [refunds 01J00000000000000000000003: unverified]
[ 12.0 s] ready: http://127.0.0.1:4600 (Ctrl-C stops it, logs in .muniment)
"""


def steps_of(said: str) -> tuple[list[str], Output]:
    output = Output()
    return [step for line in said.splitlines() for step in output.read(line)], output


def test_given_a_first_start_when_read_then_each_step_is_told_once_and_in_order():
    steps, output = steps_of(SAID)
    assert steps == [
        "environments made",
        "emulator started",
        "stack deployed",
        "notes imported",
        FIRST_ANSWER,
        "ready",
    ]
    assert output.answers == [
        ("how is money stored", "money-in-minor-units"),
        ("and refunds", "refunds"),
    ]


def test_given_a_start_that_answers_nothing_when_read_then_there_is_no_first_answer():
    steps, output = steps_of("  ? how is money stored\n[  9.0 s] ready: http://127.0.0.1:4600\n")
    assert steps == ["ready"]
    assert output.answers == []
