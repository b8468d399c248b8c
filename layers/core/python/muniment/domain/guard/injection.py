"""Orders to whoever reads the memory, in Russian and English, plain or in disguise (row W-44).

    text ─► markup of roles, tools and fences, hidden characters     (as it stands)
         ─► each reading of it (plain.py) ─► words that hint? ─► patterns (injection_rules.py)

What a project asks of its people is no such order: a rule in the imperative passes.
"""

from __future__ import annotations

import re
from functools import cache

HINTS = (  # one of these stands in every order that the patterns know
    r"ignore|disregard|forget|bypass|overr|discard|instruct|prompt|directive|you are|you're"
    r"|you will|act as|pretend|roleplay|behave|respond as|become|consider yourself|from now on"
    r"|as of now"
    r"|henceforth|mode|tell|inform|mention|reveal|notif|alert|warn|show|asking|hide|conceal|secret"
    r"|send|post|upload|forward|transmit|exfil|leak|mail|submit|curl|wget|fetch|deliver|repeat"
    r"|include|append|insert|administrator|admin|developer|anthropic|openai|obey|follow|guard|!\["
    r"|игнор|забудь|забыть|внимания|отбрось|отмени|пренебр|наруш|следуй|выполняй|соблюд|обойди"
    r"|обойти|сбрось|перестань|инструкц|указан|промпт|теперь|отныне|момента|представь|притвор"
    r"|веди себя|отвечай|действуй|режим|говори|сообщ|расскаж|упомина|показыва|предупрежд|скро|скры"
    r"|утаи|тайн|отправ|пошли|перешли|выгруз|загруз|передай|слей|скинь|запост|повтор|добавь|добавля"
    r"|вставля|копиру|запиши|сохрани|админ|разработчик|создател|служб|покажи|выведи|раскрой|выдай"
)


def find_injection(text: str) -> str | None:
    """Return the name of the detector that fired, or None. See the drawing above."""
    from muniment.domain.guard.injection_rules import MARKUP
    from muniment.domain.guard.plain import readings

    for detector, forms in MARKUP.items():
        if any(_known(form).search(text) for form in forms):
            return detector
    for reading in readings(text):
        if _known(HINTS).search(reading) and (found := _order(reading)):
            return found
    return None


def _order(reading: str) -> str | None:
    from muniment.domain.guard.injection_rules import RULES

    for detector, forms in RULES.items():
        if any(_known(form).search(reading) for form in forms):
            return detector
    return None


@cache
def _known(form: str) -> re.Pattern[str]:
    return re.compile(form)
