"""Steps yield one skill call at a time, evaluated when it is reached."""

import pytest

from engine.program.interpreter import run_steps
from engine.program.places import StepsError
from engine.program.steps import parse_steps
from engine.source.errors import Problem, UndefinedName

NAMES: dict[str, object] = {"item": "pepper", "table": "table"}


def lookup(name: str) -> object:
    if name not in NAMES:
        raise UndefinedName(name)
    return NAMES[name]


def no_functions(name: str, args: tuple[object, ...]) -> object:
    raise UndefinedName(name)


def test_arguments_get_their_values() -> None:
    calls = run_steps(
        parse_steps("go_to(place_of(item))\nplace(item, table, 2, gently=true)"),
        lookup,
        lambda name, args: f"{name} {args[0]}",
    )
    go, place = calls
    assert (go.skill, go.args, go.line) == ("go_to", ("place_of pepper",), 1)
    assert (place.skill, place.args) == ("place", ("pepper", "table", 2))
    assert place.kwargs == {"gently": True}
    assert place.line == 2


def test_a_step_is_evaluated_when_it_is_reached_and_not_before() -> None:
    where = {"pepper": "pantry"}
    calls = run_steps(
        parse_steps("go_to(at(item))\ngo_to(at(item))"),
        lookup,
        lambda name, args: where[str(args[0])],
    )
    assert next(calls).args == ("pantry",)
    where["pepper"] = "table"
    assert next(calls).args == ("table",)


def test_an_unknown_name_is_an_error_at_its_step_only() -> None:
    calls = run_steps(parse_steps("go_to(table)\npick(itm)"), lookup, no_functions)
    assert next(calls).skill == "go_to"
    with pytest.raises(StepsError, match="'itm' is not a name") as caught:
        next(calls)
    assert (caught.value.line, caught.value.column, caught.value.length) == (2, 6, 3)


def test_what_a_function_refuses_stands_at_its_name() -> None:
    def call(name: str, args: tuple[object, ...]) -> object:
        raise Problem("nobody knows where pepper is", "look for it")

    calls = run_steps(parse_steps("go_to(near(at(item)))"), lookup, call)
    with pytest.raises(StepsError, match="nobody knows") as caught:
        next(calls)
    assert (caught.value.column, caught.value.help) == (12, "look for it")


def test_steps_are_bounded() -> None:
    calls = run_steps(parse_steps("a()\na()\na()"), lookup, no_functions, max_steps=2)
    assert [next(calls).line, next(calls).line] == [1, 2]
    with pytest.raises(StepsError, match="more than 2 steps") as caught:
        next(calls)
    assert caught.value.line == 3


def test_it_can_be_left_at_any_step() -> None:
    calls = run_steps(parse_steps("a()\nb(nowhere)"), lookup, no_functions)
    next(calls)
    calls.close()
    assert list(calls) == []
