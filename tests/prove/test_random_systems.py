"""Random systems: each state that is taken for another goes on as that one does.

What is proved rests on nothing but that. With timers at any moment (``--timers any``) it also rests
on that more happens then, and never less. So whenever a state is taken for one that is known, both
go on by the same random happenings: what can happen, what is seen, and which states are taken for
equal must be the same at every step.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.prove.random_systems import random_system
from tests.prove.test_soundness import seen
from treec.api.errors import TreecError
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.files.view import View
from treec.world.spec import RunSpec
from treec_prove.explored import Explored, Restless, Surroundings
from treec_prove.happenings import Happening
from treec_prove.snapshots import HeapState

STATES, STEPS = 40, 5
"""States that are visited, and steps that two of them go on."""


def follow(run: Explored, state: HeapState, seed: int) -> list[str]:
    """What is seen, and can happen, as a state goes on by random happenings."""
    rng, found = random.Random(seed), []
    run.restore(state)
    for _ in range(STEPS):
        options = run.happenings()
        if any("tick" in vars(node) for node in run.run.root.iterate()):
            break  # a branch does not come to rest, and its message says at which second
        found.append(f"{seen(run)} {options} {run.fingerprint(run.save()).hex()}")
        if not options:
            break
        try:
            run.let(rng.choice(options))
        except Restless:
            found.append("restless")
            break
    return found


@pytest.mark.few(2, thorough=14)
@pytest.mark.parametrize("seed", range(100))
def test_states_taken_for_equal_go_on_alike(tmp_path: Path, seed: int) -> None:
    library = find_library(random_system(seed, tmp_path / "toy"))
    try:
        view = prepare(library, find_system(library, "toy"), RunSpec()).view
    except TreecError:
        pytest.skip("the random files are refused")
    try:
        run = Explored(view, RunSpec(system="toy"), Surroundings(failures=2, asks=False))
    except Restless:
        pytest.skip("it does not come to rest")
    first = run.save()
    known = {run.fingerprint(first): first}
    todo = [first]
    rng = random.Random(seed)
    while todo and len(known) < STATES:
        state = todo.pop(0)
        run.restore(state)
        happening: Happening
        waiting = rng.sample(options := run.happenings(), min(6, len(options)))
        while waiting:
            happening = waiting.pop()
            run.restore(state)
            try:
                run.let(happening)
            except Restless:
                continue
            waiting += run.other_moments[:2]
            after = run.save()
            print_ = run.fingerprint(after)
            if print_ not in known:
                known[print_] = after
                todo.append(after)
            elif rng.random() < 0.5:
                walk = rng.randrange(10**6)
                assert follow(run, after, walk) == follow(run, known[print_], walk), happening


def all_seen(view: View, *, timed: bool, states: int) -> set[str] | None:
    """All that is seen of a system; None if it has more states."""
    world = Surroundings(failures=0, asks=False, timed=timed)
    run = Explored(view, RunSpec(system="toy"), world)
    todo = [first := run.save()]
    known, found = {run.fingerprint(first)}, {seen(run)}
    while todo:
        state = todo.pop()
        run.restore(state)
        waiting = run.happenings()
        while waiting:
            run.restore(state)
            try:
                run.let(waiting.pop())
            except Restless:
                continue
            waiting += run.other_moments
            if any("tick" in vars(node) for node in run.run.root.iterate()):
                continue  # how often a branch does not come to rest depends on the order of ticks
            after = run.save()
            found.add(seen(run))
            if (print_ := run.fingerprint(after)) not in known:
                known.add(print_)
                todo.append(after)
        if len(known) > states:
            return None
    return found


@pytest.mark.few(1, thorough=3)
@pytest.mark.parametrize("seed", range(4, 100))
def test_with_timers_at_any_moment_all_is_seen_that_is_seen_as_time_passes(
    tmp_path: Path, seed: int
) -> None:
    library = find_library(random_system(seed, tmp_path / "toy"))
    try:
        view = prepare(library, find_system(library, "toy"), RunSpec()).view
        as_time_passes = all_seen(view, timed=True, states=40)
        at_any_moment = all_seen(view, timed=False, states=80)
    except (TreecError, Restless):
        pytest.skip("the random files are refused, or do not come to rest")
    if as_time_passes is None or at_any_moment is None:
        pytest.skip("it has too many states")
    assert as_time_passes <= at_any_moment
