from __future__ import annotations

from pathlib import Path

import pytest

from treec import extensions
from treec.extensions import Extension, Registry, Source
from treec.world.journal import Record
from treec.world.values import freeze
from treec_live.film import FilmedSkill, FilmError, filmed_skills, find_film


def record(n: int, t: float, kind: str, **data: object) -> Record:
    frozen = freeze(data)
    assert not isinstance(frozen, (str, int, float, tuple, type(None)))
    return Record(n, t, kind, "test", frozen)


def test_skills_that_took_time_are_told() -> None:
    apple = {"skill": "put", "agent": "R1", "args": {"item": "apple", "place": "side table"}}
    pear = {"skill": "pick", "agent": "R2", "args": {"item": "pear"}}
    records = [
        record(1, 0.0, "run.begin"),
        record(2, 1.0, "skill.started", id="s1", **apple),
        record(3, 1.5, "skill.started", id="s2", **pear),
        record(4, 2.0, "skill.ended", id="s2", ok=False, reason="slipped", **pear),
        record(5, 3.0, "skill.ended", id="s1", ok=True, **apple),
        record(6, 3.0, "skill.ended", ok=True, skipped=True, **pear),
        record(7, 4.0, "skill.started", id="s3", **pear),
        record(8, 4.0, "skill.ended", id="s3", ok=True, **pear),
        record(9, 5.0, "skill.started", id="s4", **pear),
        record(10, 6.0, "skill.ended", id="s4", ok=False, cancelled=True, **pear),
    ]
    assert filmed_skills(records) == [
        FilmedSkill("R1", "put(apple, side table)", ("apple", "side table"), 1.0, 3.0, "done"),
        FilmedSkill("R2", "pick(pear)", ("pear",), 1.5, 2.0, "failed: slipped"),
        FilmedSkill("R2", "pick(pear)", ("pear",), 5.0, 6.0, "stopped"),
    ]


def of_no_run(folder: Path) -> None:
    """Finds nothing."""


def of_every_run(folder: Path) -> str:
    """Finds a film; here a word does for one."""
    return folder.name


def broken(folder: Path) -> None:
    """Cannot read what it finds."""
    raise ValueError("a torn film")


def registered(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    films = {name: f"tests.live.test_film:{name}" for name in names}
    tables = Registry([(Source("films"), Extension("films", films=films))])
    monkeypatch.setattr(extensions, "_registry", tables)


def test_who_finds_a_film_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registered(monkeypatch, "of_no_run", "of_every_run", "broken")
    assert str(find_film(tmp_path)) == tmp_path.name
    registered(monkeypatch, "of_no_run")
    assert find_film(tmp_path) is None


@pytest.mark.parametrize(("name", "says"), [("broken", "a torn film"), ("missing", "missing")])
def test_a_film_that_cannot_be_read_says_why(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(monkeypatch, name)
    with pytest.raises(FilmError, match=says):
        find_film(tmp_path)
