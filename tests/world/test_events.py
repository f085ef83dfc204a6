"""Typed events: what is written is read back, and what cannot be read is kept and said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.events import Note
from treec.world.clock import VirtualClock
from treec.world.events import (
    Commit,
    Event,
    FactSet,
    RunBegin,
    UnknownEvent,
    always,
    decode,
    encode,
    event,
    flat,
)
from treec.world.journal import Journal, read_journal
from treec.world.values import Value, freeze
from treec.world.world import World, WorldError

BEGIN = '{"n":1,"t":0.0,"kind":"run.begin","by":"run","data":{"format":1}}\n'


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    at: tuple[float, ...] = ()


@event("assembled", version=2)
@dataclass(frozen=True, slots=True)
class Assembled(Event):
    """Of parts; version 1 named them alone."""

    parts: tuple[Part, ...]
    by: str | None = None
    checked: bool = always(False)
    weights: Mapping[str, float] = always({})

    @classmethod
    def upgrade(cls, data: Mapping[str, Value], version: int) -> Mapping[str, Value]:
        names = data["parts"]
        assert isinstance(names, tuple)
        return {**data, "parts": tuple({"name": name} for name in names)}


def read(kind: str, version: int = 1, **data: object) -> Event:
    frozen = freeze(data)
    assert isinstance(frozen, Mapping)
    return decode(kind, frozen, version)


def test_an_event_is_what_its_data_say() -> None:
    whole = Assembled((Part("lid", (1.0, 2.0)), Part("pot")), "R1", True, {"lid": 0.5})
    data = encode(whole)
    assert data == {
        "parts": [{"name": "lid", "at": [1.0, 2.0]}, {"name": "pot"}],
        "by": "R1",
        "checked": True,
        "weights": {"lid": 0.5},
    }
    assert read("assembled", 2, **data) == whole


def test_what_has_its_default_is_left_out_unless_it_is_always_written() -> None:
    assert encode(Assembled(())) == {"parts": [], "checked": False, "weights": {}}
    assert read("assembled", 2, parts=[]) == Assembled(())


def test_an_older_version_is_upgraded() -> None:
    assert read("assembled", 1, parts=["lid"]) == Assembled((Part("lid"),))


def test_a_newer_version_is_kept_and_said() -> None:
    found = read("assembled", 3, parts=[], colour="red")
    assert isinstance(found, UnknownEvent)
    assert (found.name, found.of_version) == ("assembled", 3)
    assert found.data == {"parts": (), "colour": "red"}
    assert "has version 3, and this treec reads 2" in found.problem


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "assembled: 'parts' is missing"),
        ({"parts": "lid"}, "assembled: 'parts' must be a list, not 'lid'"),
        ({"parts": [{"name": 3}]}, "assembled: 'parts' 'name' must be text, not 3"),
        ({"parts": [], "checked": 1}, "assembled: 'checked' must be true or false, not 1"),
        ({"parts": [], "by": 1}, "assembled: 'by' must be text, not 1"),
        ({"parts": [], "weights": {"lid": True}}, "'weights' must be a number, not True"),
    ],
)
def test_data_that_do_not_fit_are_kept_and_said(data: dict[str, object], said: str) -> None:
    found = read("assembled", 2, **data)
    assert isinstance(found, UnknownEvent)
    assert said in found.problem


def test_a_journal_keeps_what_it_cannot_read_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    lines = [
        BEGIN,
        '{"n":2,"t":0.0,"kind":"gate.opened","by":"x","data":{"door":"a"}}\n',
        '{"n":3,"t":1.0,"kind":"note","by":"x","data":{"text":"later"},"v":7}\n',
        '{"n":4,"t":1.0,"kind":"commit","by":"x","data":{"events":'
        '[{"data":{},"kind":"gate.opened","v":2},{"data":{},"kind":"note"}]}}\n',
    ]
    path.write_text("".join(lines), "utf-8")
    records = list(read_journal(path))
    assert [record.line() for record in records] == lines
    kinds = [[type(event) for event in flat(record.event)] for record in records]
    assert kinds == [[RunBegin], [UnknownEvent], [UnknownEvent], [UnknownEvent, Note]]
    unknown = records[1].event
    assert isinstance(unknown, UnknownEvent)
    assert unknown.problem.startswith("unknown event 'gate.opened'")


def test_a_world_is_not_taken_up_over_what_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(BEGIN + '{"n":2,"t":0.0,"kind":"gate.opened","by":"x","data":{}}\n', "utf-8")
    world = World(VirtualClock(), Journal.in_memory())
    with pytest.raises(
        WorldError, match=r"record 2 \(gate.opened\) cannot be replayed: unknown event"
    ):
        world.restore(read_journal(path))


def test_a_version_above_one_is_written(tmp_path: Path) -> None:
    journal = Journal.in_memory()
    record = journal.append(Assembled(()), "x", 0.0)
    assert record.line().endswith('"data":{"checked":false,"parts":[],"weights":{}},"v":2}\n')
    inner = journal.append(Commit(events=(Assembled(()),)), "x", 0.0)
    assert '"kind":"assembled","v":2}' in inner.line()
    assert inner.event == Commit(events=(Assembled(()),))


def test_an_event_is_frozen() -> None:
    with pytest.raises(AttributeError):
        FactSet("at").fact = "hot"  # type: ignore[misc]
