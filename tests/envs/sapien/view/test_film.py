from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from treec_sapien.view.film import FilmRecorder, WrongFilm, read_film
from treec_sapien.view.run_film import FILE
from treec_sapien.view.solids import StageSolid

from .stages import CUBE, PANE, SIDES, stage, table_and_door

STAGE, POSES = table_and_door()


def with_ball_at(x: float) -> np.ndarray:  # type: ignore[type-arg]
    moved = POSES.copy()
    moved[3, 0] = x
    return moved


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / FILE


def record(file: Path, *moments: tuple[float, float], now: float = 0.0) -> None:
    recorder = FilmRecorder(file, STAGE, 0.5, now)
    for t, x in moments:
        recorder.keep(t, with_ball_at(x))
    recorder.close()


def test_what_was_kept_is_read(file: Path) -> None:
    record(file, (0.0, 0.1), (0.5, 0.2), (1.0, 0.2))
    film = read_film(file)
    assert film.stage == STAGE
    assert list(film.times) == [0.0, 0.5, 1.0]
    assert film.poses[:, 3, 0] == pytest.approx([0.1, 0.2, 0.2])
    assert film.poses[2] == pytest.approx(with_ball_at(0.2))


def test_hulls_and_glass_are_kept(file: Path) -> None:
    kept = stage(StageSolid("hull", 1, PANE, corners=CUBE, faces=SIDES))
    recorder = FilmRecorder(file, kept)
    recorder.keep(0.0, POSES[:2])
    recorder.close()
    assert read_film(file).stage == kept


def test_only_what_has_moved_is_written(file: Path) -> None:
    record(file, (0.0, 0.1))
    whole = file.stat().st_size
    record(file, (0.0, 0.1), (0.5, 0.1), (1.0, 0.1))
    still = (file.stat().st_size - whole) / 2
    record(file, (0.0, 0.1), (0.5, 0.2))
    moved = file.stat().st_size - whole
    assert still == 10
    assert moved == 10 + 30, "a number and seven more, for the one piece that moved"


def test_a_moment_is_due_after_its_time(file: Path) -> None:
    recorder = FilmRecorder(file, STAGE, 0.5)
    assert recorder.due(0.0)
    recorder.keep(0.0, POSES)
    assert not recorder.due(0.45)
    assert recorder.due(0.5)
    recorder.close()


def test_the_moment_at_a_time_is_the_last_before_it(file: Path) -> None:
    record(file, (0.0, 0.1), (0.5, 0.2), (0.5, 0.3), (1.0, 0.4))
    film = read_film(file)
    assert [film.at(t) for t in (-1.0, 0.0, 0.4, 0.5, 0.99, 7.0)] == [0, 0, 0, 2, 2, 3]


def test_a_moment_cut_short_is_left_out(file: Path) -> None:
    record(file, (0.0, 0.1), (0.5, 0.2))
    file.write_bytes(file.read_bytes()[:-7])
    assert list(read_film(file).times) == [0.0]


def test_a_run_taken_up_goes_on_with_its_film(file: Path) -> None:
    record(file, (0.0, 0.1), (0.5, 0.2), (1.0, 0.3))
    with file.open("ab") as opened:
        opened.write(b"cut")
    record(file, (0.7, 0.6), (1.2, 0.7), now=0.7)
    film = read_film(file)
    assert list(film.times) == [0.0, 0.5, 0.7, 1.2]
    assert film.poses[:, 3, 0] == pytest.approx([0.1, 0.2, 0.6, 0.7])
    assert film.poses[2] == pytest.approx(with_ball_at(0.6))


def test_the_film_of_another_stage_is_begun_anew(file: Path) -> None:
    record(file, (0.0, 0.1))
    other = stage(StageSolid("box", 1, PANE, half=(0.1, 0.1, 0.1)))
    recorder = FilmRecorder(file, other, now=3.0)
    recorder.keep(3.0, POSES[:2])
    recorder.close()
    film = read_film(file)
    assert film.stage == other
    assert list(film.times) == [3.0]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not a film of this version"),
        (b"treec film 0\n", "not a film of this version"),
        (b"treec film 1\n\x05\0\0\0nonsense", "is damaged"),
    ],
)
def test_what_is_no_film_says_so(file: Path, data: bytes, says: str) -> None:
    file.write_bytes(data)
    with pytest.raises(WrongFilm, match=says):
        read_film(file)


def test_a_film_without_a_moment_says_so(file: Path) -> None:
    record(file)
    with pytest.raises(WrongFilm, match="no frames"):
        read_film(file)
