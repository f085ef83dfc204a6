"""States taken for equal lead to the same: without taking any for equal, no more is seen."""

from __future__ import annotations

import pytest

from tests.support.library import copy_warehouse
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.files.library import load_library
from treec.files.view import View
from treec.world.spec import RunSpec
from treec_hearing.node import Reading
from treec_prove.expander import Expander
from treec_prove.explored import Explored, Surroundings
from treec_prove.properties import PropertyJudge

START, YES, STOP = "Start the morning orders.", "Yes, go ahead.", "Stop!"
TWO, THREE = (START, YES), (START, YES, STOP)
ORDERS = ("Scout, inspect crate 12.", "Hauler, fetch crate 12.")


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> View:
    library = find_library(copy_warehouse(tmp_path_factory.mktemp("prove") / "warehouse"))
    return prepare(library, find_system(library, "warehouse"), RunSpec()).view


def seen(run: Explored) -> str:
    """What there is to be seen of a state: the team, the facts and the status of every node."""
    state = run.run.world.state
    parts = [dict(state[name]) for name in ("agents", "subtasks", "proposals")]  # type: ignore[call-overload]
    facts = [(key, fact.value, fact.source) for key, fact in run.run.world.facts]
    return repr((parts, facts, [node.status.name for node in run.run.root.iterate()]))


def reached(run: Explored, depth: int, *, merges: bool) -> tuple[set[str], int]:
    """All that is seen, and said, in so many steps, and how many states were kept."""
    first = run.save()
    level, known, found, kept = [first], {run.fingerprint(first)}, {seen(run)}, 1
    for _ in range(depth):
        following = []
        for state in level:
            run.restore(state)
            for happening in run.happenings():
                run.restore(state)
                before = len(run.run.team.chat)
                run.let(happening)
                after = run.save()
                found.add(seen(run) + "".join(map(str, run.run.team.chat[before:])))
                print_ = run.fingerprint(after)
                if not merges or print_ not in known:
                    known.add(print_)
                    following.append(after)
        level, kept = following, kept + len(following)
    return found, kept


@pytest.mark.parametrize(
    ("says", "depth", "asks"),
    [
        pytest.param(TWO, 6, False, marks=pytest.mark.thorough),
        pytest.param((START,), 2, True, marks=pytest.mark.thorough),
        (THREE, 3, False),
        pytest.param(THREE, 4, False, marks=pytest.mark.thorough),
        pytest.param((*TWO, "How far are we?"), 3, False, marks=pytest.mark.thorough),
        pytest.param(ORDERS, 4, False, marks=pytest.mark.slow),
    ],
)
def test_what_is_seen_is_the_same_as_by_brute_force(
    warehouse: View, says: tuple[str, ...], depth: int, asks: bool
) -> None:
    world = Surroundings(says, None if says is ORDERS else len(says), asks=asks)
    run = Explored(warehouse, RunSpec(system="warehouse"), world)
    begin = run.save()
    all_of_it, every = reached(run, depth, merges=False)
    run.restore(begin)
    merged, fewer = reached(run, depth, merges=True)
    assert merged == all_of_it
    assert len(merged) >= (3 if asks else 6)
    assert fewer * 3 < every if asks else fewer < every
    assert asks or run.encoder.past.is_short


def test_the_things_of_all_moments_are_the_same_objects(warehouse: View) -> None:
    """So that the words for them are worked out once: it was done anew in every state."""
    world = Surroundings((START,), 1, asks=False)
    run = Explored(warehouse, RunSpec(system="warehouse"), world)
    (node,) = (one for one in run.run.root.iterate() if isinstance(one, Reading))
    before = node._context()
    run.let(("says", START))
    after = node._context()
    assert after.before != before.before
    assert after.objects is before.objects


@pytest.mark.parametrize("asks", [False, True])
def test_forms_that_are_remembered_are_those_that_are_made_anew(
    warehouse: View, asks: bool
) -> None:
    run = Explored(warehouse, RunSpec(system="warehouse"), Surroundings(ORDERS, None, asks=asks))
    begin, encoder = run.save(), run.encoder
    for number in range(12):
        happenings = run.happenings()
        if happenings:
            run.let(happenings[7 * number % len(happenings)])
        else:
            run.restore(begin)
        state = run.save()
        by_memory, values, contents = run.fingerprint(state), encoder._values, encoder._contents
        encoder._values, encoder._contents = {}, {}
        assert run.fingerprint(state) == by_memory
        encoder._values, encoder._contents = values, contents
    assert len(values) + len(contents) > 20


@pytest.mark.parametrize(
    ("looks", "is_short"),
    [
        ("said('are done')", True),
        ("'are done' in (chat[-2:] | join(' '))", True),
        ("said(recipe_name)", False),
        ("chat", False),
        ("chat[1:]", False),
    ],
)
def test_words_that_a_condition_looks_at_are_kept(
    warehouse: View, looks: str, is_short: bool
) -> None:
    world, spec = Surroundings((START,), 1, asks=False), RunSpec(system="warehouse")
    run = Explored(warehouse, spec, world, conditions=[looks])
    assert run.encoder.past.is_short == is_short


@pytest.mark.thorough
def test_answers_that_a_node_refuses_lead_to_what_is_tried_for_them(
    warehouse: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = Surroundings((START,), 1, silent=False)
    judge = PropertyJudge((), ())
    run = Explored(warehouse, RunSpec(system="warehouse"), world, on_made=judge.watch)
    run.let(("says", START))
    state, expander = run.save(), Expander(run, judge, stops=False)

    def seen_next() -> tuple[set[bytes | None], int]:
        run.restore(state)
        steps = list(expander.expand(state))
        return {step.print for step in steps}, len(steps)

    some, few = seen_next()
    assert expander.refused > 10
    monkeypatch.setattr("treec_prove.expander.refused_alike", lambda run, happenings: [])
    every, many = seen_next()
    assert some == every
    assert few * 3 < many


def seen_by_steps(run: Explored, expander: Expander, depth: int) -> tuple[set[str], int]:
    """All that is seen, and said, in so many steps, and how many states that are."""
    level, known, found = [run.save()], set(), set()
    for _ in range(depth):
        following = []
        for state in level:
            run.restore(state)
            for step in expander.expand(state):
                found.add(seen(run) + "".join(map(str, run.run.team.chat[-2:])))
                if step.print is not None and step.print not in known:
                    known.add(step.print)
                    following.append(step.state)
        level = [state for state in following if state is not None]
    return found, len(known)


@pytest.mark.thorough
def test_answers_to_what_was_asked_ahead_are_chosen_as_they_are_read(
    warehouse: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "prompts/dispatch.decision.yaml"
    text = (warehouse.library.root / path).read_text(encoding="utf-8")
    ahead = text.replace("reactive: true\n", "reactive: true\nahead: acts\n")
    library = load_library(warehouse.library.root, {path: ahead})
    view = prepare(library, find_system(library, "warehouse"), RunSpec()).view
    world = Surroundings((START,), 1, failures=0, silent=False, together=False)
    judge = PropertyJudge((), ())
    run = Explored(view, RunSpec(system="warehouse"), world, on_made=judge.watch)
    expander = Expander(run, judge, stops=True)
    run.let(("says", START))
    asked = run.save()
    for answer in [one for one in run.happenings() if one[0] == "answer"]:
        run.restore(asked)
        run.let(answer)
        if len(run.asker.open) > 1:
            break
    assert ("arrives", 1) in run.happenings()
    begin = run.save()
    as_read, few = seen_by_steps(run, expander, 2)
    run.restore(begin)
    monkeypatch.setattr(Explored, "_is_ahead", lambda run, exchange: False)
    as_they_come, many = seen_by_steps(run, expander, 2)
    assert as_read == as_they_come
    assert few < many
