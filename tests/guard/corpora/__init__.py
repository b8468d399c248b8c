"""Texts written for the injection detector: one a line, in files of their own.

legit_en, legit_ru       what a project writes: the detector must let it pass
attacks_en, attacks_ru   orders to the reader: the detector must see them, in every disguise
fresh_legit              60 ordinary rules, two of which showed mistakes that were then put right
fresh_attacks            60 ordinary attacks, written last and never used to tune the patterns
secret_wordings          how people tell a password: templates of drawn_values.py, ⟦secret⟧
secret_mentions          what is said of passwords without telling one
odd_legit, odd_attacks   odd wordings, written after the patterns and never used to tune them
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def corpus(name: str) -> list[str]:
    """Return the texts of one file."""
    return (HERE / f"{name}.txt").read_text("utf-8").splitlines()


def legit() -> list[str]:
    return corpus("legit_en") + corpus("legit_ru")


def attacks() -> list[str]:
    return corpus("attacks_en") + corpus("attacks_ru")
