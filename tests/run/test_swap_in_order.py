"""Children that are ticked in an order go on in it when edited files are swapped in."""

from __future__ import annotations

from itertools import chain, repeat
from pathlib import Path

import pytest

from tests.support.bench import library
from tests.support.files import KITCHEN
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec
from treec_live.reload import swap


def logged(folder: Path, *roots: str, seed: int = 0) -> str:
    """What a tree logs whose file has the next of some roots at each tick."""

    def load(number: int, root: str) -> View:
        files = {
            **KITCHEN,
            "pack/main.tree.yaml": f"tree: main\nvars: {{queue: list of text}}\nroot: {root}\n",
        }
        found = library(folder / str(number), files)
        return View(found, found.find("system", "test"))

    first, *views = (load(*one) for one in enumerate(roots))
    later = chain([None], views, repeat(None))
    run = Run(first, VirtualClock(), Journal.in_memory(), RunSpec(tree="main", seed=seed))

    def edit() -> None:
        if (view := next(later)) is not None:
            assert swap(run, view.library, []) == []

    run.loop.before_tick.append(edit)
    run.loop.at_end = "stop"
    run.loop.run(deadline=100.0)
    told = (e for record in run.journal.records for e in events(record))
    return "".join(str(e.data["text"]) for e in told if e.kind == "log")


def steps(letters: str, more: str = "") -> str:
    below = ", ".join(f"{{log: {letter}, name: {letter}}}" for letter in letters)
    return f"{{sequence: [{below}]{more}}}"


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        ("abc", "abc"),
        ("axbcy", "abcy"),  # 'b' was next
        ("ac", "aac"),  # and is gone: it begins again
    ],
)
def test_one_that_yields_goes_on_with_the_child_that_was_next(
    tmp_path: Path, edited: str, expected: str
) -> None:
    roots = (steps(letters, ", yields: true") for letters in ("abc", edited))
    assert logged(tmp_path, *roots) == expected


def test_a_shuffled_one_goes_on_in_its_order_and_finds_a_place_in_it_for_what_is_new(
    tmp_path: Path,
) -> None:
    shuffled = ", shuffle: true, yields: true"
    before, after = (steps(letters, shuffled) for letters in ("abcdef", "abcxdef"))
    alone = logged(tmp_path / "alone", before, seed=3)
    assert sorted(alone) == list("abcdef") != list(alone)
    assert alone != logged(tmp_path / "seed", before, seed=4)
    expected = logged(tmp_path / "new", after, seed=3)
    assert expected.replace("x", "") == alone
    swapped = [logged(tmp_path / f"{n}", *[before] * n, after, seed=3) for n in (1, 4, 6)]
    assert swapped == [expected if expected.index("x") > n else alone for n in (1, 4, 6)]


def test_shuffled_items_go_on_in_their_order(tmp_path: Path) -> None:
    def loop(more: str = "") -> str:
        do = f"[wait: 1s, log: '{{{{ i }}}}'{more}]"
        body = f"item: i, in: \"['a', 'b', 'c', 'd']\", shuffle: true, do: {do}"
        return f"{{repeat: 2, sequence: [{{for_each: {{{body}}}}}, log: '-']}}"

    alone = logged(tmp_path / "alone", loop())
    first, second, _ = alone.split("-")
    assert sorted(first) == sorted(second) == list("abcd")
    assert first != second
    assert logged(tmp_path / "swapped", *[loop(), loop(", check: true")] * 4) == alone


def test_a_loop_goes_on_with_the_item_that_it_has_taken(tmp_path: Path) -> None:
    def loop(more: str = "") -> str:
        do = f"[wait: 1s, log: $i{more}]".replace("$i", "'{{ i }}'")
        each = f"{{for_each: {{item: i, in: queue, takes: true, do: {do}}}}}"
        return f"[set: {{queue: [a, b, c]}}, {each}, log: '{{{{ queue | length }}}}']"

    assert logged(tmp_path, *[loop(), loop(", check: true")] * 3) == "abc0"
