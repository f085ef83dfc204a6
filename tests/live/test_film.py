from __future__ import annotations

from pathlib import Path

import pytest

from treec import extensions
from treec.cli.basics import Stop
from treec.extensions import Extension, Registry, Source
from treec.world.journal import Record
from treec.world.values import freeze
from treec_live.film import FilmedSkill, FilmError, filmed_skills, find_film
from treec_live.film_output import FRAMES, check_suffix, write_film


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


class Drawn:
    """A film of which only the animation is asked for."""

    how = "rendered"

    def animation(self, most: int, suffix: str) -> bytes:
        return f"at most {most} frames, {suffix}".encode()


def drawn(folder: Path) -> Drawn:
    """Finds a film that needs no renderer."""
    return Drawn()


def test_a_film_is_written_and_said_to_be_rendered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    registered(monkeypatch, "drawn")
    output = tmp_path / "run.webp"
    write_film(tmp_path, output, "in here")
    assert output.read_text("utf-8") == f"at most {FRAMES} frames, .webp"
    assert capsys.readouterr() == (f"{output}: 0 kB\n", "treec: rendering the run, rendered\n")


@pytest.mark.parametrize(
    ("name", "output", "says", "before"),
    [
        ("of_no_run", "run.gif", "no film in here", ""),
        ("broken", "run.gif", "no film in here", "pictures of 'broken' cannot be made: a torn"),
        ("drawn", "gone/run.gif", "gone/run.gif cannot be written: No such file", "rendering"),
    ],
)
def test_why_no_film_is_written(
    name: str,
    output: str,
    says: str,
    before: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    registered(monkeypatch, name)
    with pytest.raises(Stop, match=says):
        write_film(tmp_path, tmp_path / output, "in here")
    assert (before in (err := capsys.readouterr().err), bool(err)) == (True, bool(before))


def test_what_a_film_may_end_in_is_told() -> None:
    check_suffix(Path("run.gif"))
    with pytest.raises(Stop, match=r"^a film must end in \.webp or \.gif, not '\.mp4'$"):
        check_suffix(Path("run.mp4"))
