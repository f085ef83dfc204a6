"""How types are read, and which values are of them: `outcomes.txt` has what is said of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tests.files.test_types import KITCHEN
from tests.support import golden
from treec.files.types import Type, a, coerce, json_schema, misfits, parse_type, type_of
from treec.source.durations import parse_duration

TYPES = (
    *("text", "number", "integer", "bool", "any", "mapping", "none", "Item", "Robot", "Recipe"),
    *("list of Item", "list of list of text", "Item or none", "list of Item or none", "Subtask"),
)
WRONG = ("", "list", "list of", "of Item", "Item or", "or", "item", "Item none", "list Item", "a b")
VALUES = (
    *("salt", "tin", "sallt", "none", "Soup", "soop", "", 3, 3.0, 2.5, True, None, [], ["salt"]),
    *(["salt", "tni", 4], {"a": 1}, [["x"]], ["salt", None], "R1", {1, 2}),
)
DURATIONS = (3, 2.5, "3s", "2m", "1h", "500ms", "1m 30s", "-3s", -1, "3", "s", "3x", True, "1e3s")


def _judged(kind: Type, value: object, short: bool) -> str:
    found = list(misfits(kind, value, KITCHEN, ("at",), shorthand=short))
    if found:
        return "; ".join(f"{one.loc}: {one}" for one in found)
    return repr(coerce(kind, value, KITCHEN, shorthand=short))


def _calls() -> Iterator[tuple[str, Callable[[], object]]]:
    for text in (*TYPES, *WRONG):
        yield f"type {text!r}", lambda text=text: (str(parse_type(text)), a(parse_type(text)))  # type: ignore[misc]
    for text in TYPES:
        kind = parse_type(text)
        yield f"schema of {text}", lambda kind=kind: (json_schema(kind), json_schema(kind, KITCHEN))  # type: ignore[misc]
        for value in VALUES:

            def judged(kind: Type = kind, value: object = value) -> str:
                strict, lax = (_judged(kind, value, short) for short in (False, True))
                return strict if strict == lax else f"{strict} | in short: {lax}"

            yield f"{text}: {value!r}", judged
    for value in VALUES:
        yield f"type of {value!r}", lambda value=value: str(type_of(value))  # type: ignore[misc]
    for duration in DURATIONS:
        yield f"duration {duration!r}", lambda it=duration: parse_duration(it)  # type: ignore[misc]


def test_outcomes() -> None:
    golden.check(Path(__file__).with_name("outcomes.txt"), golden.outcomes(_calls()))
