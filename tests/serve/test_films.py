"""Films of runs on the page: one picture at a time, of runs that have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serve.client import HOST, TOKEN, Get, sender
from tests.support.library import copy_warehouse
from treec import extensions
from treec.cli import main
from treec.extensions import Extension, Registry, Source
from treec_live.film import Still
from treec_serve.app import make_app
from treec_serve.films import AGAIN, KEPT_FILMS, NoFilm, RunFilms


class Film:
    """A film of 10 s whose pictures are texts."""

    made: list[float]

    def __init__(self, end: float = 10.0) -> None:
        self.end = end
        self.made = []

    def still(self, t: float) -> Still:
        self.made.append(t)
        return Still(min(t, self.end), f"picture at {min(t, self.end):g}".encode())


FOUND: dict[str, Film | Exception] = {}
LOOKS: list[str] = []


def find(folder: Path) -> Film | None:
    """The film of a folder's name."""
    LOOKS.append(folder.name)
    found = FOUND.get(folder.name)
    if isinstance(found, Exception):
        raise found
    return found


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    FOUND.clear()
    LOOKS.clear()
    films = {"texts": f"{__name__}:find"}
    tables = Registry([(Source("films"), Extension("films", films=films))])
    monkeypatch.setattr(extensions, "_registry", tables)


def test_a_picture_is_made_once() -> None:
    film = FOUND["a"] = Film()
    films = RunFilms()
    stills = [films.still(Path("runs/a"), t, goes_on=False).data for t in (1.0, 2.0, 1.0)]
    assert stills == [b"picture at 1", b"picture at 2", b"picture at 1"]
    assert (film.made, LOOKS) == ([1.0, 2.0], ["a"])


def test_the_film_of_a_run_that_goes_on_is_looked_at_again() -> None:
    now = [0.0]
    films = RunFilms(monotonic=lambda: now[0])
    assert not films.has(Path("runs/a"), goes_on=True)
    FOUND["a"] = Film(5.0)
    assert not films.has(Path("runs/a"), goes_on=True)
    now[0] += AGAIN
    assert films.has(Path("runs/a"), goes_on=True)
    assert films.still(Path("runs/a"), 7.0, goes_on=True).data == b"picture at 5"
    FOUND["a"] = Film(9.0)
    now[0] += AGAIN
    assert films.still(Path("runs/a"), 7.0, goes_on=True).data == b"picture at 7"


def test_few_films_are_kept() -> None:
    films = RunFilms()
    names = [f"run {n}" for n in range(KEPT_FILMS + 1)]
    FOUND.update({name: Film() for name in names})
    for name in (*names, names[0]):
        assert films.has(Path(name), goes_on=False)
    assert [*names, names[0]] == LOOKS


def test_a_film_that_cannot_be_read_is_told() -> None:
    FOUND["a"] = ValueError("torn")
    films = RunFilms()
    with pytest.raises(NoFilm, match="torn"):
        films.has(Path("a"), goes_on=False)
    with pytest.raises(NoFilm, match="torn"):
        films.still(Path("a"), 1.0, goes_on=False)
    with pytest.raises(NoFilm, match="no film"):
        films.still(Path("b"), 1.0, goes_on=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse with a recorded run."""
    library = copy_warehouse(tmp_path_factory.mktemp("films") / "library")
    args = ["run", "warehouse", "--scenario", "direct_orders", "--fast", "-L", str(library)]
    assert main(args) == 0
    return library


@pytest.fixture
def get(library: Path) -> Get:
    return sender(make_app(library / "runs", TOKEN, (HOST,)))


def test_the_page_gets_pictures_of_runs_with_bodies(library: Path, get: Get) -> None:
    (run,) = [path.name for path in (library / "runs").iterdir() if path.is_dir()]
    at, film = f"/{TOKEN}/runs/{run}/at", f"/{TOKEN}/runs/{run}/film"
    assert get(at).json()["film"] is False
    assert get(f"{film}?t=1").status_code == 404
    FOUND[run] = Film()
    again = sender(make_app(library / "runs", TOKEN, (HOST,)))
    assert again(at).json()["film"] is True
    found = again(f"{film}?t=2.5")
    assert (found.content, found.headers["content-type"]) == (b"picture at 2.5", "image/webp")
    for wrong in ("?t=soon", "?t=nan", "", "?t=1e999"):
        assert again(f"{film}{wrong}").status_code == 400
    assert again(f"/{TOKEN}/runs/none/film?t=1").status_code == 404
    FOUND[run] = ValueError("torn")
    torn = sender(make_app(library / "runs", TOKEN, (HOST,)))(at).json()
    assert (torn["film"], "torn" in torn["problem"]) == (False, True)
