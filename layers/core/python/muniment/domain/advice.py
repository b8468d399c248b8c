"""What does not belong into long-lived memory, told to who writes it (rows C-17 to C-19, D-24).

    derivable        what the repository says itself: who reads it there is never out of date
    git_history      commits, branches, merges: git keeps them
    ephemeral_state  how far a task is: over before anybody reads it
    volatile_value   a version or the like: point to where it stands, or say as of when

These are warnings, for the repo layer only. A project that is strict (`repo_strict`) refuses the
first three; a value that changes is only ever warned of. Facts of kind commit are git history by
nature and come from integrations (row D-13).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from muniment.domain.errors import NotForRepo
from muniment.domain.fact import Content, Head, Kind
from muniment.domain.intake import Settings
from muniment.domain.place import Layer

_PATH = r"(?:[\w.-]+/)*[\w-]+\.(?:py|ts|tsx|js|go|rs|java|kt|rb|php|c|h|cpp|cs|swift|sql)\b"
_NAMES = (
    r"(?:python|node(?:\.js)?|java|go|golang|rust|php|ruby|postgres(?:ql)?|mysql|redis|kafka|nginx|"
    r"debian|ubuntu|alpine|django|react|vue|angular|spring|kubernetes|terraform|docker|opensearch|"
    r"elasticsearch|mongodb|sqlite|clickhouse|rabbitmq|symfony|laravel|next\.js|typescript)"
)
FORMS: dict[str, tuple[str, ...]] = {
    "derivable": (
        rf"\b(?:defined|declared|implemented|located)\s+(?:in|at|on line)\s+(?:\S+\s+)?{_PATH}",
        rf"{_PATH}\s+(?:contains|defines|declares|exports|imports|has)\b",
        rf"{_PATH}:\d+\b.{{0,20}}\b(?:is|are|holds|calls)\b",
        r"\b(?:function|method|class|функция|метод|класс)\s+`?\w+`?\(?\)?\s+(?:takes|returns|"
        r"accepts|"
        r"extends|inherits|принимает|возвращает|наследует)",
        r"\bthe (?:folder|directory|repository|project) (?:structure|tree|layout)\s+(?:is|looks)",
        rf"(?:определен|объявлен|реализован)\w*\s+в\s+(?:\S+\s+)?{_PATH}",
        rf"{_PATH}\s+(?:содержит|определяет|экспортирует|импортирует)",
        r"структура (?:каталогов|папок|репозитория)\s*(?::|такая|выглядит)",
    ),
    "git_history": (
        r"\b(?:commit|коммит\w*)\s+[0-9a-f]{7,40}\b",
        r"\b(?:merged|rebased|cherry-picked|reverted|squashed)\b.{0,40}\b(?:branch|into|onto|"
        r"pr|pull "
        r"request|#\d+)",
        r"\b(?:branch|pr|pull request)\s+\S+\s+(?:was|has been|is)\s+(?:merged|rebased|closed|"
        r"deleted)",
        r"\blast commit\b|\bcommit (?:message|history|log)\s+(?:is|says|was)",
        r"\b(?:слил|влил|смержил|смёржил|смержен|слита|влита|откатил)\w*\b.{0,40}\b(?:ветк|"
        r"main|master|"
        r"запрос|pr)",
        r"\bветка\s+\S+\s+(?:слита|влита|удалена|смержена)",
    ),
    "ephemeral_state": (
        r"\b(?:iteration|step|attempt|run|try|phase)\s+#?\d+\s+(?:\w+ )?(?:passed|failed|done|"
        r"finished|succeeded|is running)",
        r"\b(?:currently|right now|at the moment)\s+(?:working|fixing|debugging|running|testing|"
        r"looking|implementing|refactoring)",
        r"\b(?:tests?|build|ci)\s+(?:now )?(?:pass(?:es|ed)?|fail(?:s|ed)?|is green|"
        r"is red)\s+(?:now|at "
        r"\d|again)",
        r"\b(?:next i will|i just (?:fixed|ran|added)|i am now|todo for this session)\b",
        r"\b(?:итерация|шаг|попытка|прогон|этап)\s+№?\d+\s+(?:\w+ )?(?:прош\w+|упал\w*|готов\w*|"
        r"завершен\w*|завершён\w*)",
        r"\b(?:сейчас|в данный момент)\s+(?:чиню|делаю|отлаживаю|запускаю|проверяю|пишу|правлю|"
        r"рефакторю|смотрю)",
        r"\b(?:только что|следующим шагом)\s+(?:\w+ )?(?:исправил|запустил|добавил|сделаю|"
        r"поправлю)",
        r"\b(?:тесты|сборка)\s+(?:сейчас|снова|теперь)\s+(?:проход\w+|пада\w+|зелен\w+|красн\w+)",
    ),
    "volatile_value": (
        rf"\b{_NAMES}\s+v?\d{{1,4}}(?:\.\d+)*\b",
        r"\b(?:version|release|версия|версии|релиз)\s+v?\d+(?:\.\d+)*\b",
        r"\bv\d+\.\d+(?:\.\d+)?\b",
        r"\b(?:there are|has|we have|сейчас|всего)\s+\d{2,}\s+(?:tests?|files?|lines|users|"
        r"services|"
        r"тестов|файлов|строк|пользователей|сервисов)\b",
    ),
}
TOLD = {
    "derivable": "the repository says this itself; keep why it is so, or what it cost to find out",
    "git_history": "git keeps commits, branches and merges; keep the decision behind them",
    "ephemeral_state": "this is over soon: use the task or session layer",
    "volatile_value": "this value changes: cite where it stands, or give observed_at",
}
REFUSED = ("derivable", "git_history", "ephemeral_state")  # by a strict project
_DATED = re.compile(r"\b(?:as of|since|by|на|с|по состоянию на)\s+\d{4}-\d\d|\d{4}-\d\d-\d\d", re.I)


@dataclass(frozen=True, slots=True)
class Advice:
    """`code` is stable; `detail` says what to do instead."""

    code: str
    detail: str


def advice(content: Content, layer: Layer) -> tuple[Advice, ...]:
    """Return what the writer of a long-lived fact should know; nothing on other layers."""
    if layer is not Layer.REPO or content.kind is Kind.COMMIT:
        return ()
    said = f"{content.description}\n{content.statement}"
    found = [name for name, forms in FORMS.items() if any(_known(f).search(said) for f in forms)]
    if content.observed_at is not None or _DATED.search(said):
        found = [name for name in found if name != "volatile_value"]
    return tuple(Advice(name, TOLD[name]) for name in found)


def check_fits(head: Head, settings: Settings) -> None:
    """Raise NotForRepo where a strict project refuses what it is only warned of otherwise."""
    if not settings.repo_strict:
        return
    for one in advice(head.newest.content, head.cell.layer):
        if one.code in REFUSED:
            raise NotForRepo(
                f"this project keeps no '{one.code}' on its repo layer",
                field="body.statement",
                limit="repo_strict",
                actual=one.code,
                hint=one.detail,
            )


@cache
def _known(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)  # at the first text, not at each cold start
