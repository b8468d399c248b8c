"""The examples of docs/api.md: read them, run them, compare what comes back with what is printed.

    ```http                       ```http
    POST /facts                   201 Created
    Authorization: Bearer {coder}
                                  {"fact": {"fact_id": "{wrong}", "…": "…"}, "…": "…"}
    {"statement": …}              ```
    ```

`{wrong}` takes the value it meets first and stands for it from then on. `…` stands for any text,
as a name for further fields, and at the end of an array for further entries. Moments, hashes and
scores are compared by their form only.
"""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from tests.builders import CONTEXT, an_event
from tests.template import ROOT, TEMPLATE, handler_file, routes

API = ROOT / "docs" / "api.md"
FENCE = re.compile(r"^```http\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"\{([a-z_]+)\}")
MORE = "…"
MEASURED = (  # depend on the embedder, or on all that was written before
    *("score", "tokens", "used", "ratio", "remaining"),
    *("embeddingUnitsUsed", "remainingEmbeddingUnits"),
)
FORMS = (
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"),
    re.compile(r"[0-9a-f]{64}"),
)
OWNER = {"principal": "owner", "kind": "human", "actions": "read,write,review,own"}
CALLERS = {
    "owner": OWNER,
    "everywhere": {**OWNER, "projects": "*"},
    "payments": {**OWNER, "projects": "payments"},
    "maria": {"principal": "maria", "kind": "human", "actions": "read,write,review,own"},
    "coder": {"principal": "coder", "kind": "agent", "operator": "owner", "actions": "read,write"},
    "ci": {"principal": "ci", "kind": "integration", "actions": "read,write"},
}


@dataclass(frozen=True)
class Message:
    """One fence: its first line, its headers by name in lower case, its body as it stands."""

    first: str
    headers: dict[str, str]
    body: str

    @classmethod
    def of(cls, text: str) -> Message:
        head, _, body = text.partition("\n\n")
        first, *lines = head.splitlines()
        pairs = (line.split(": ", 1) for line in lines)
        return cls(first, {name.lower(): value for name, value in pairs}, body.strip())


@dataclass(frozen=True)
class Example:
    section: str
    request: Message
    answer: Message


@dataclass
class Known:
    """What the names in braces stand for by now."""

    values: dict[str, str] = field(default_factory=dict)

    def filled(self, text: str) -> str:
        return NAME.sub(lambda found: self.values.get(found[1], found[0]), text)

    def matches(self, printed: str, actual: str) -> bool:
        """Tell whether the actual text is what was printed; learn the names that are new."""
        new: set[str] = set()
        parts = re.split(r"(\{[a-z_]+\}|…)", printed)
        found = re.fullmatch("".join(self._pattern(p, new) for p in parts), actual, re.DOTALL)
        self.values |= found.groupdict() if found else {}
        return bool(found)

    def _pattern(self, part: str, new: set[str]) -> str:
        if part == MORE:
            return ".*?"
        name = NAME.fullmatch(part)
        if name is None or name[1] in self.values:
            return re.escape(self.values[name[1]] if name else part)
        if name[1] in new:
            return f"(?P={name[1]})"
        new.add(name[1])
        return f"(?P<{name[1]}>[^\\s;>]+)"


def sections() -> dict[str, str]:
    """Return the text of each `### METHOD /path` section by its title."""
    parts = re.split(
        r"^### `((?:GET|POST|PUT|PATCH|DELETE) /\S*)`.*$", API.read_text("utf-8"), flags=re.M
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def examples() -> list[Example]:
    """Return every example of the document, in order: a request and the answer under it."""
    found = []
    for title, text in sections().items():
        messages = [Message.of(fence) for fence in FENCE.findall(text)]
        pairs = zip(messages[::2], messages[1::2], strict=True)
        found += [Example(title, request, answer) for request, answer in pairs]
    return found


def send(request: Message, known: Known) -> dict[str, Any]:
    """Return what the handler of that route answers, as API Gateway would call it."""
    method, target = known.filled(request.first).split()
    path, _, query = target.partition("?")
    headers = dict(request.headers)
    key = NAME.search(headers.pop("authorization", ""))
    event = an_event(
        method,
        path,
        raw=known.filled(request.body) or None,
        caller=CALLERS[key[1]] if key else None,
        headers=headers,
        query=dict(parse_qsl(query)),
    )
    answer: dict[str, Any] = _handler(method, path)(event, CONTEXT)
    return answer


def _handler(method: str, path: str) -> Any:
    whole = f"/api/v1/project-memory{path}"
    fitting = [r for r in TEMPLATE.routes if r.method == method and r.pattern.fullmatch(whole)]
    (route,) = sorted(fitting, key=lambda r: r.path.count("{"))[:1]
    module = ".".join(handler_file(route.function).with_suffix("").parts)
    return importlib.import_module(module).handler


def titles() -> dict[str, str]:
    """Return the title that each function's section must have, by logical id."""
    return {
        function: f"{route.method} {route.path.removeprefix('/api/v1/project-memory')}"
        for function, route in routes().items()
    }


def differences(printed: Any, actual: Any, known: Known, at: str = "") -> list[str]:
    """Return where the actual JSON value is not what was printed."""
    if isinstance(printed, dict) and isinstance(actual, dict):
        return _of_objects(printed, actual, known, at)
    if isinstance(printed, list) and isinstance(actual, list):
        return _of_arrays(printed, actual, known, at)
    if isinstance(printed, str) and isinstance(actual, str):
        same = any(form.fullmatch(printed) and form.fullmatch(actual) for form in FORMS)
        same = same or known.matches(printed, actual)
    else:
        same = type(printed) is type(actual) and (
            printed == actual or at.rpartition(".")[2] in MEASURED
        )
    return [] if same else [f"{at}: printed {printed!r}, answered {actual!r}"]


def _of_objects(
    printed: dict[str, Any], actual: dict[str, Any], known: Known, at: str
) -> list[str]:
    told = {name: value for name, value in printed.items() if name != MORE}
    found = [f"{at}.{name}: is not answered" for name in told if name not in actual]
    if MORE not in printed:
        found += [f"{at}.{name}: is not printed" for name in actual if name not in told]
    for name, value in told.items():
        if name in actual:
            found += differences(value, actual[name], known, f"{at}.{name}")
    return found


def _of_arrays(printed: list[Any], actual: list[Any], known: Known, at: str) -> list[str]:
    told = printed[:-1] if printed and printed[-1] == MORE else printed
    if len(actual) < len(told) or (told is printed and len(actual) != len(told)):
        return [f"{at}: printed {len(told)} entries, answered {len(actual)}"]
    pairs = enumerate(zip(told, actual, strict=False))
    return [d for n, (one, other) in pairs for d in differences(one, other, known, f"{at}[{n}]")]


def body_of(answer: dict[str, Any]) -> Any:
    return json.loads(answer["body"])


def chapter(title: str) -> str:
    """Return the text under that `##` title."""
    return API.read_text("utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]
