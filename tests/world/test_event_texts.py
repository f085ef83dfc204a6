"""Every event in words and as data, full and bare, and what is said of data that are not its own.

`event_texts.txt` has all kinds of events of the installed packages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from tests.support.golden import check, outcome
from treec.world.events import Event, decode, encode, event_classes
from treec.world.values import freeze

LONG = "words that go on and on, beyond the end of any line that shows them, until all are said"
SAMPLES: dict[str, Any] = {
    "str": "a <word>",
    "int": 3,
    "float": 1.25,
    "bool": True,
    "Mapping[str, float]": {"key": 0.5},
    "Mapping": {
        "key": "of a thing",
        "id": "u1",
        "kind": "stop",
        "quote": "stop",
        "summary": "seen",
    },
    "tuple[str": ("one", "two"),
    "tuple[Mapping": ({"key": LONG, "id": "u1", "name": "x", "utterance": "u1", "kind": "k"},),
    "Sequence": ("one", "two"),
}


def _sample(kind: str, name: str) -> Any:
    for start, value in SAMPLES.items():
        if kind.startswith(start):
            return name if start == "str" else value
    return None


def _events(cls: type[Event]) -> Iterator[tuple[str, Event]]:
    own = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
    full = {name: _sample(str(field.type), name) for name, field in own.items()}
    needed = {
        name
        for name, field in own.items()
        if field.default is MISSING and field.default_factory is MISSING
    }
    bare = {name: value for name, value in full.items() if name in needed}
    yield "full", cls(**full)
    yield "bare", cls(**bare)
    yield "long", cls(**{**full, **{k: LONG for k, v in full.items() if v == k}})
    turned = {k: False if v is True else 0.0 if v == 1.25 else v for k, v in full.items()}
    yield "turned", cls(**turned)


def _lines() -> Iterator[str]:
    for kind, cls in event_classes().items():
        if not cls.__module__.startswith("treec"):  # of another test
            continue
        yield f"# {kind} {cls.version}"
        for name, event in _events(cls):
            if (words := outcome(lambda event=event: event.describe())) != "None":  # type: ignore[misc]
                yield f"  {name}: {words}"
            if name in ("full", "bare"):
                yield f"  {name}: {encode(event)}"
        for value in (None, 3, "x", {"nosuch": 1}):
            data: Any = value if isinstance(value, dict) else {f.name: value for f in fields(cls)}  # type: ignore[arg-type]
            found = decode(kind, freeze(data))  # type: ignore[arg-type]
            yield f"  of {value!r}: {getattr(found, 'problem', found)}"


@pytest.mark.needs_system("mosaic", "dag_plan", "helper", "household")
def test_event_texts() -> None:
    check(Path(__file__).with_name("event_texts.txt"), "\n".join(_lines()) + "\n")
