"""Steps and programs yield one skill call at a time, evaluated when it is reached."""

import pytest

from tests.program.kitchen import VALUES, call, run, shown
from treec.program.places import StepsError
from treec.program.steps import parse_steps
from treec.source.errors import EvaluationProblem, UndefinedName
from treec_asking.interpreter import run_steps
from treec_program.interpreter import run_program
from treec_program.statements import parse_program

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
    with pytest.raises(StepsError, match="unknown name 'itm'") as caught:
        next(calls)
    assert (caught.value.line, caught.value.column, caught.value.length) == (2, 6, 3)


def test_what_a_function_refuses_stands_at_its_name() -> None:
    def call(name: str, args: tuple[object, ...]) -> object:
        raise EvaluationProblem("nobody knows where pepper is", "look for it")

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


# Programs


def test_a_loop_goes_through_its_list() -> None:
    text = "for item in ['salt', 'ranch sauce']:\n    pick(item)\n    place(item, table)\nwait()"
    assert shown(run(text)) == [
        "2: pick(salt)",
        "3: place(salt, table)",
        "2: pick(ranch sauce)",
        "3: place(ranch sauce, table)",
        "4: wait()",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for i in range(3):\n    turn(i)", ["2: turn(0)", "2: turn(1)", "2: turn(2)"]),
        ("for i in range(level(pot)):\n    wait()", ["2: wait()"] * 3),
        ("for i in range(0):\n    wait()", []),
        ("for item in left:\n    pick(item)", ["2: pick(salt)", "2: pick(ranch sauce)"]),
        ("if hot(bowl):\n    pick(bowl)\nelse:\n    wait()", ["2: pick(bowl)"]),
        ("if hot(pot):\n    pick(pot)\nelif level(pot) > 2:\n    wait()", ["4: wait()"]),
        ("if hot(pot) or at(salt) == pantry and not hot(pot):\n    wait()", ["2: wait()"]),
        ("if 'salt' in left and mood not in ['angry', 'sad']:\n    wait()", ["2: wait()"]),
        ("if at(bowl) is none:\n    wait()", ["2: wait()"]),
        ("where = at(salt)\ngo_to(where)", ["2: go_to(pantry)"]),
        ("x = salt\nx = pot\npick(x)", ["3: pick(pot)"]),
        ("x = mood == 'calm'\nif x:\n    wait()", ["3: wait()"]),
    ],
)
def test_what_programs_do(text: str, expected: list[str]) -> None:
    assert shown(run(text)) == expected


def test_a_call_for_a_thing_is_a_call_with_the_thing_first() -> None:
    text = "mug = Thing('bowl')\nmug.pick()\nmug.place(place=table)\n"
    pick, place = run(text, "objects")
    assert (pick.skill, pick.args, pick.line) == ("pick", ("bowl",), 2)
    assert (place.args, place.kwargs) == (("bowl",), {"place": "table"})


def test_a_condition_is_looked_at_when_it_is_reached() -> None:
    hot = {"pot": False}
    program = parse_program("wait()\nif hot(pot):\n    pick(pot)")
    calls = run_program(program, (), lambda name: name, lambda name, args: hot[str(args[0])])
    assert next(calls).skill == "wait"
    hot["pot"] = True
    assert next(calls).skill == "pick"


def test_closed_it_goes_no_further() -> None:
    asked: list[str] = []
    program = parse_program("wait()\ngo_to(at(salt))")
    calls = run_program(program, (), lambda name: name, lambda name, args: asked.append(name))
    next(calls)
    calls.close()
    assert asked == []
    assert list(calls) == []


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("for i in range(50):\n    for j in range(50):\n        turn(j)", "more than 50 steps", 3),
        ("for i in range(100):\n    for j in range(100):\n        x = j", "10,000 things", 3),
        ("for i in range(menu):\n    wait()", "more than 50 steps", 2),
        ("for i in menu:\n    wait()", "this is not a list", 1),
        ("if menu > 'a':\n    wait()", "cannot be ordered", 1),
    ],
)
def test_what_shows_only_while_it_runs_ends_it(text: str, message: str, line: int) -> None:
    program = parse_program(text)
    names = {**VALUES, "menu": 60 if "range(menu)" in text else 7}
    calls = run_program(program, (), lambda name: names.get(name, name), call, max_steps=50)
    with pytest.raises(StepsError, match=message) as caught:
        list(calls)
    assert caught.value.line == line


def test_a_list_of_the_world_may_be_too_long() -> None:
    program = parse_program("for i in left:\n    wait()")
    calls = run_program(program, (), lambda name: ["salt"] * 101, call)
    with pytest.raises(StepsError, match=r"^a loop goes round at most 100 times"):
        list(calls)
