"""The world: one source for what commands need and do, and it means what the engine means."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import many
from treec.source.expression import Expression, MappingScope
from treec_dag_plan.arms.commands import CommandMeaning, action_of, interpret
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.world import GroundAction
from treec_dag_plan.arms.world_logic import LogicError, format_term, read_term, reader
from treec_kitchen.graph_findings import GraphFinding

from .conftest import NUMBERS, graph

Task = Callable[[int], AllocationProblem]

TYPES = {
    "grasp": "occupy",
    "put into": "release",
    "put onto": "release",
    "pour into": "tool use",
    "cut with": "tool use",
    "open": "operate",
    "close": "operate",
    "switch_on": "operate",
    "switch_off": "operate",
}
"""Table 7: the node types of the commands."""


def test_commands_and_their_types_are_those_of_the_paper(task: Task) -> None:
    assert {skill.command: skill.type for skill in task(1).world.skills} == TYPES


@pytest.mark.parametrize("number", NUMBERS)
def test_the_graphs_reach_their_goals_in_the_order_in_which_they_are_written(
    task: Task, number: int
) -> None:
    world = task(number).world
    state = dict(world.start)
    assert not world.is_goal(state)
    for node in graph(number).work():
        found = interpret(world, node.command, node.objects, node.arms)
        assert isinstance(found, CommandMeaning), found
        assert found.skill.type == node.type
        action = next(
            a
            for a in _with_any_arms(found, world.arms, node.arms, task(number))
            if a.allowed(state)
        )
        state = action.apply(state)
    assert world.unmet_goals(state) == ()
    assert world.is_goal(state)


def _with_any_arms(
    found: CommandMeaning, arms: tuple[str, ...], count: int, problem: AllocationProblem
) -> list[GroundAction]:
    if count == 2:
        return [found.action(problem.world, arms)]
    return [found.action(problem.world, (arm,)) for arm in arms]


def do(
    problem: AllocationProblem, *steps: tuple[str, str]
) -> tuple[dict[tuple[str, ...], object], str | None]:
    """Do sub-tasks one after the other: the state, and why the first that cannot be done cannot."""
    state = dict(problem.world.start)
    for name, arms in steps:
        action = action_of(problem.world, name, arms.split())
        assert isinstance(action, GroundAction), action
        why = problem.world.refusal(action, state)
        if why is not None:
            return dict(state), why
        state = action.apply(state)
    return dict(state), None


@pytest.mark.parametrize(
    ("number", "steps", "why"),
    [
        (5, ['grasp "bowl"'], "opened(refrigerator_cooler_door) is needed"),
        (1, ['grasp "apple"', 'grasp "bread"'], "holding(left) == none is needed"),
        (1, ['put "apple" onto "plate"'], "holding(left) == apple is needed"),
        (5, ['open "microwave_door"', 'switch_on "microwave"'], "opened(microwave_door) is so"),
        (2, ['switch_off "toaster"'], "running(toaster) is needed"),
        (
            3,
            ['switch_on "toaster"', 'grasp "bread"', 'put "bread" into "toaster_body"'],
            "running(toaster) is so",
        ),
        (9, ['open "faucet"'], "carries(sink) != none is needed"),
        (9, ['switch_on "stove"'], "carries(stove) != none is needed"),
        (8, ['open "cabinet_left_door"', 'cut "carrot" with "knife"'], "holding(left) == knife"),
        (
            8,
            ['open "cabinet_left_door"', 'grasp "knife"', 'cut "carrot" with "knife"'],
            "for_cutting(at(carrot)) is needed, and at(carrot) is shelf_bottom_floor",
        ),
        (
            5,
            ['open "refrigerator_cooler_door"', 'grasp "tin"', 'close "refrigerator_cooler_door"'],
            "holding(left) is tin",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(
    task: Task, number: int, steps: list[str], why: str
) -> None:
    _, refused = do(task(number), *((step, "left") for step in steps))
    assert refused is not None
    assert why in refused


def test_what_is_held_cannot_be_put_into(task: Task) -> None:
    steps = ('open "cabinet_left_door"', 'grasp "bowl"')
    _, refused = do(
        task(7),
        *((s, "left") for s in steps),
        ('grasp "apple"', "right"),
        ('put "apple" into "bowl"', "right"),
    )
    assert refused == "held(bowl) is so, and must not be"


def test_an_appliance_that_ran_before_something_came_in_did_nothing_to_it(task: Task) -> None:
    """Put in afterwards, the bread is not toasted; switched on again, it is."""
    early = (
        'switch_on "toaster"',
        'switch_off "toaster"',
        'grasp "bread"',
        'put "bread" into "toaster"',
    )
    state, why = do(task(2), *((s, "left") for s in early))
    assert why is None
    assert ("ran", "toaster") not in state
    again = (*early, 'switch_on "toaster"', 'switch_off "toaster"')
    state, _ = do(task(2), *((s, "left") for s in again))
    assert state[("ran", "toaster")] is True


def test_a_pot_remembers_the_sink_that_it_was_filled_in(task: Task) -> None:
    dry = ('grasp "pot"', "left right")
    steps = [('open "cabinet_right_door"', "left"), dry, ('put "pot" into "sink"', "left right")]
    state, _ = do(task(9), *steps, dry)
    assert ("been_in", "pot") not in state
    state, _ = do(task(9), *steps, ('open "faucet"', "left"), ('close "faucet"', "left"), dry)
    assert state[("been_in", "pot")] == "sink"


def test_names_that_others_use_mean_the_same_thing(task: Task) -> None:
    world = task(5).world
    one = action_of(world, 'put "bowl" into "microwave"', ["left"])
    other = action_of(world, 'put "bowl" into "microwave_body"', ["left"])
    assert isinstance(one, GroundAction)
    assert one == other


@pytest.mark.parametrize(
    ("name", "arms", "kind"),
    [
        ('take "apple"', 1, "unknown_command"),
        ('grasp "pear"', 1, "unknown_thing"),
        ('grasp "table"', 1, "wrong_thing_type"),
        ('grasp "apple" "bread"', 1, "wrong_object_count"),
        ('grasp "apple"', 2, "wrong_arms"),
        ('put "apple" into "plate"', 1, "impossible"),
        ("grasp apple", 1, "no_object"),
    ],
)
def test_words_that_mean_nothing_are_told_apart(
    task: Task, name: str, arms: int, kind: str
) -> None:
    found = action_of(task(1).world, name, ["left", "right"][:arms])
    assert isinstance(found, GraphFinding)
    assert found.kind.name == kind


FACTS = ("at", "door", "opened", "ran", "holding", "carries")
THINGS = ("apple", "bowl", "door_1", "left")


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    """Expressions of the part of the language that arms' skills use."""
    kind = draw(
        st.sampled_from(["fact", "name"] if depth == 0 else ["fact", "==", "and", "not", "if"])
    )
    if kind == "name":
        return draw(st.sampled_from([*THINGS, "item", "none"]))
    inner = expressions(depth=depth - 1) if depth else st.nothing()
    if kind == "fact":
        arg = draw(st.sampled_from([*THINGS, "item"]))
        nested = draw(st.booleans()) and depth > 0
        name = draw(st.sampled_from(FACTS))
        return f"{name}(at({arg}))" if nested else f"{name}({arg})"
    if kind == "==":
        sign = draw(st.sampled_from(["==", "!="]))
        left, right = draw(expressions(depth=0)), draw(expressions(depth=0))
        return f"{left} {sign} {right}"
    if kind == "not":
        return f"not ({draw(inner)})"
    if kind == "and":
        return f"(({draw(inner)}) {draw(st.sampled_from(['and', 'or']))} ({draw(inner)}))"
    return f"({draw(inner)} if {draw(inner)} else {draw(inner)})"


@settings(max_examples=many(150, 18), deadline=None)
@given(
    text=expressions(),
    values=st.dictionaries(
        st.tuples(st.sampled_from(FACTS), st.sampled_from(THINGS)), st.sampled_from([*THINGS, True])
    ),
)
def test_a_term_gives_what_the_engines_expression_gives(
    text: str, values: Mapping[tuple[str, str], str | bool]
) -> None:
    names = {"item": "bowl"}

    def fact(name: str) -> Callable[[object], object]:
        return lambda thing: values.get((name, str(thing)))

    scope = MappingScope(
        {**{thing: thing for thing in THINGS}, **names}, {name: fact(name) for name in FACTS}
    )
    expected = Expression.parse(text).evaluate(scope)
    found = reader(read_term(text), names)(dict(values))
    assert (found or None) == (expected or None)


@pytest.mark.parametrize("text", ["at(item) + 1", "items | length", "at(x=1)", "a < b", "[1, 2]"])
def test_what_terms_cannot_say_is_refused(text: str) -> None:
    with pytest.raises(LogicError):
        read_term(text)


def test_a_term_is_shown_with_its_arguments() -> None:
    term = read_term("door(at(item)) == none or not opened(door(at(item)))")
    assert format_term(term, {"item": "bowl"}) == (
        "door(at(bowl)) == none or not opened(door(at(bowl)))"
    )
