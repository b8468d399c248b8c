"""Split a Markdown note into its frontmatter fields and its body.

    ---                      <- fence, first line that is not blank
    name: deploy-backend     <- YAML, every value kept as the text that was written
    ---                      <- fence: the first line of three dashes (or dots) ends it
    # Deploying              <- body; a later `---` here is only a ruler

YAML is read by PyYAML: quotes, lists, block text and nesting have too many forms for a reader of
our own. Its base loader makes only text, lists and mappings, so a note cannot run anything.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import yaml

from muniment.cli_notes_results import Refusal

MAX_FRONTMATTER_CHARS = 65_536
_OPENING = re.compile(r"---[ \t]*")
_CLOSING = re.compile(r"(---|\.\.\.)[ \t]*")
_FREE_TEXT = re.compile(r"^(\s*(?:name|title|description)):[ \t]+([^\s|>].*?)[ \t]*$", re.MULTILINE)
_NOTHING = {"", "~", "null", "Null", "NULL"}

Fields = dict[str, Any]


class UnreadableNote(Exception):
    """A note that cannot be sent as it is; `refusal` says why and what to do."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.line())
        self.refusal = refusal


def parse_note(text: str) -> tuple[Fields, str]:
    """Return the frontmatter's fields and the trimmed body of a whole note.

    Line breaks become `\\n` and a byte order mark goes, so that one text saved on two systems is
    one fact. Raises UnreadableNote: `no_frontmatter`, `unclosed_frontmatter`, `bad_frontmatter`.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = _opening_line(lines)
    last = _closing_line(lines, first)
    fields = _read_fields("\n".join(lines[first + 1 : last]), lines_before=first + 1)
    return fields, "\n".join(lines[last + 1 :]).strip()


def _opening_line(lines: list[str]) -> int:
    for number, line in enumerate(lines):
        if _OPENING.fullmatch(line):
            return number
        if line.strip():
            break
    raise UnreadableNote(
        Refusal(
            "no_frontmatter",
            "the file does not begin with a line of three dashes",
            hint="begin it with ---, name, description and type, one a line, and --- again",
        )
    )


def _closing_line(lines: list[str], first: int) -> int:
    for number in range(first + 1, len(lines)):
        if _CLOSING.fullmatch(lines[number]):
            return number
    raise UnreadableNote(
        Refusal(
            "unclosed_frontmatter",
            f"the frontmatter opened on line {first + 1} has no closing ---",
            hint="put a line of three dashes between the fields and the text",
        )
    )


def _read_fields(source: str, lines_before: int) -> Fields:
    if len(source) > MAX_FRONTMATTER_CHARS:
        raise _bad("the frontmatter is too long", limit=MAX_FRONTMATTER_CHARS, actual=len(source))
    fields = _load(source, lines_before)
    if fields is None or fields == "":
        return {}
    if not isinstance(fields, dict):
        raise _bad("the frontmatter is not a list of `field: value` lines")
    return fields


def _load(source: str, lines_before: int) -> Any:
    try:
        return _load_yaml(source)
    except yaml.reader.ReaderError as error:
        line = lines_before + source.count("\n", 0, error.position) + 1
        raise _bad(f"line {line}: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        return _load_free_text(source, error, lines_before)
    except RecursionError:
        raise _bad("the frontmatter is nested too deeply") from None


def _load_free_text(source: str, error: yaml.MarkedYAMLError, lines_before: int) -> Any:
    """Try again with names and descriptions in quotes: people write `description: Money: cents`."""
    quoted = _FREE_TEXT.sub(_in_quotes, source)
    try:
        return _load_yaml(quoted)
    except (yaml.YAMLError, RecursionError):
        raise _bad(_where(error, lines_before), hint="put the value in quotes") from None


def _in_quotes(match: re.Match[str]) -> str:
    key, value = match.groups()
    already = len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]
    return match.group() if already else f"{key}: {json.dumps(value, ensure_ascii=False)}"


def _where(error: yaml.MarkedYAMLError, lines_before: int) -> str:
    problem, mark = error.problem or "not understood", error.problem_mark
    if mark is None:
        return problem
    return f"line {lines_before + mark.line + 1}, column {mark.column + 1}: {problem}"


def _bad(detail: str, **more: Any) -> UnreadableNote:
    return UnreadableNote(Refusal("bad_frontmatter", detail, **more))


def _load_yaml(source: str) -> Any:
    loader = _TextLoader(source)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


class _TextLoader(yaml.BaseLoader):
    """YAML where `no` is the text "no" and a date stays a text; aliases and double keys refused."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        # A few nested aliases can stand for gigabytes of text, and a note needs none.
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "`*` begins an alias", mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        counts = Counter(str(key.value) for key, _ in node.value)
        for key, _ in node.value:
            if counts[str(key.value)] > 1:
                problem = f"the field {key.value} stands here twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
        return super().construct_mapping(node, deep)


def field_text(fields: Fields, *paths: str) -> str | None:
    """Return the first of these fields that is not empty, as one line; `a.b` looks inside `a`.

    Raises UnreadableNote (`bad_field`) if the value is a list or a mapping.
    """
    for path in paths:
        value = _look_up(fields, path)
        if isinstance(value, list | dict):
            raise UnreadableNote(
                Refusal("bad_field", f"{path} must be one line of text", field=path)
            )
        if value is not None and value not in _NOTHING:
            return " ".join(str(value).split())
    return None


def field_list(fields: Fields, path: str) -> list[str]:
    """Return a list field; `a, b` on one line is a list as well. Raises like `field_text`."""
    value = _look_up(fields, path)
    if not isinstance(value, list):
        text = field_text(fields, path)
        return [part.strip() for part in text.split(",") if part.strip()] if text else []
    if any(isinstance(item, list | dict) for item in value):
        raise UnreadableNote(Refusal("bad_field", f"{path} must be a plain list", field=path))
    return [" ".join(item.split()) for item in value if item not in _NOTHING]


def _look_up(fields: Fields, path: str) -> Any:
    value: Any = fields
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
