"""States taken for equal lead to the same: without taking any for equal, no more is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.library import copy_warehouse
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.world.spec import RunSpec
from treec_prove.explored import Explored, Surroundings

START, YES = "Start the morning orders.", "Yes, go ahead."


def seen(run: Explored) -> str:
    """What there is to be seen of a state: the team, the facts and the status of every node."""
    state = run.run.world.state
    parts = [dict(state[name]) for name in ("agents", "subtasks", "proposals")]  # type: ignore[call-overload]
    facts = [(key, fact.value, fact.source) for key, fact in run.run.world.facts]
    return repr((parts, facts, [node.status.name for node in run.run.root.iterate()]))


def reached(run: Explored, depth: int, *, merges: bool) -> tuple[set[str], int]:
    """All that is seen in so many steps, and how many states were kept."""
    first = run.save()
    level, known, found, kept = [first], {run.fingerprint(first)}, {seen(run)}, 1
    for _ in range(depth):
        following = []
        for state in level:
            run.restore(state)
            for happening in run.happenings():
                run.restore(state)
                run.let(happening)
                after = run.save()
                found.add(seen(run))
                print_ = run.fingerprint(after)
                if not merges or print_ not in known:
                    known.add(print_)
                    following.append(after)
        level, kept = following, kept + len(following)
    return found, kept


@pytest.mark.parametrize("asks", [False, True])
def test_what_is_seen_is_the_same_as_by_brute_force(tmp_path: Path, asks: bool) -> None:
    library = find_library(copy_warehouse(tmp_path / "warehouse"))
    view = prepare(library, find_system(library, "warehouse"), RunSpec()).view
    world = Surroundings((START,) if asks else (START, YES), 1 if asks else 2, asks=asks)
    run = Explored(view, RunSpec(system="warehouse"), world)
    depth = 2 if asks else 4
    begin = run.save()
    all_of_it, every = reached(run, depth, merges=False)
    run.restore(begin)
    merged, fewer = reached(run, depth, merges=True)
    assert merged == all_of_it
    assert len(merged) >= (3 if asks else 6)
    assert fewer * 3 < every if asks else fewer <= every
