"""A program is held against what it may use: all that is wrong, at its place."""

from __future__ import annotations

import pytest

from tests.program.kitchen import findings


@pytest.mark.parametrize(
    "text",
    [
        "pick(salt)\nplace(salt, table)",
        "pick('ranch sauce')",
        "pick(item='salt')",
        "pick(agent, salt)",
        "pick(R1, salt)",
        "pick(agent=agent, item=salt)",
        "go_to(at(salt))",
        "go_to(place_of(salt))",
        "wait()",
        "turn(-90)",
        "turn(level(bowl))",
        "for item in left:\n    pick(item)",
        "for item in ['salt', bowl]:\n    pick(item)",
        "for item in ('salt', bowl):\n    pick(item)",
        "for turns in range(3):\n    wait()",
        "for turns in range(level(bowl)):\n    turn(turns)",
        "for robot in robots:\n    wait()",
        "if hot(pot) and not hot(bowl) or mood == 'calm':\n    wait()\nelif true:\n    pass",
        "if at(salt) in ['table', pantry]:\n    wait()",
        "if at(salt) is not none and level(pot) >= 2:\n    wait()",
        "if at(salt) == 'R2':\n    wait()",
        "where = at(salt)\ngo_to(where)",
        "if hot(pot):\n    what = salt\nelse:\n    what = bowl\npick(what)",
        "salt = 'bowl'\npour(salt, pot)",
        "last = salt\nfor item in left:\n    pick(last)\n    last = item",
        "ready = hot(pot) and mood == 'calm'\nif ready:\n    wait()",
        "# nothing but a remark",
    ],
)
def test_a_program_that_is_right(text: str) -> None:
    assert [f"{e.line}:{e.column} {e.message}" for e in findings(text)] == []


@pytest.mark.parametrize(
    ("text", "line", "column", "length", "message", "help"),
    [
        ("pik(salt)", 1, 1, 3, "unknown skill 'pik'", "did you mean 'pick'?"),
        ("stir(pot)", 1, 1, 4, "unknown skill 'stir' of R1",
         "its skills: pick, place, go_to, pour, wait, turn"),
        ("at(salt)", 1, 1, 2, "unknown skill 'at'",
         "a step is a skill; facts and functions stand among its arguments"),
        ("wait()\npick()", 2, 1, 4, "'pick' needs the argument 'item'", "write pick(item)"),
        ("pick(R1, salt, table)", 1, 16, 5, "'pick' takes 2 arguments, not 3", "write pick(item)"),
        ("pick(salt, itm=bowl)", 1, 12, 3, "unknown argument 'itm' of 'pick'", "write pick(item)"),
        ("pick(agent, salt, item=bowl)", 1, 19, 4, "'pick' gets its argument 'item' twice",
         "write pick(item)"),
        ("pick(slat)", 1, 6, 4, "unknown name 'slat'",
         "did you mean 'salt'?"),
        ("pick(RANCH_SAUCE)", 1, 6, 11, "unknown name 'RANCH_SAUCE'",
         "write 'ranch sauce', in quotes"),
        ("pick('slat')", 1, 6, 6, "'slat' is not an Item of the scene", "did you mean 'salt'?"),
        ("pick('table')", 1, 6, 7, "'table' is a Place, but an Item is expected here",
         None),
        ("pick(table)", 1, 6, 5, "'table' is a Place, but an Item is expected here",
         None),
        ("pour(bowl, salt)", 1, 12, 4,
         "'salt' is an Item, but a Container is expected here", None),
        ("pour(bowl, at(salt))", 1, 12, 2,
         "this is of the type Place or Agent, and pour's 'container' of the type Container", None),
        ("pick(3)", 1, 6, 1, "'3' is not an Item", None),
        ("pick(none)", 1, 6, 4, "none is not an Item", None),
        ("pick(['salt'])", 1, 6, 8,
         "this is of the type list of text, and pick's 'item' of the type Item", None),
        ("turn('left')", 1, 6, 6, "'left' is not a number", "write a number"),
        ("turn(true)", 1, 6, 4, "true is not a number", "write a number"),
        ("pick(R2, salt)", 1, 6, 2, "a program's steps are done by the agent that runs it",
         "leave the agent out"),
        ("R1 = salt\npick(R1, salt)", 2, 6, 2,
         "a program's steps are done by the agent that runs it", "leave the agent out"),
        ("for agent in robots:\n    pick(agent, salt)", 1, 5, 5,
         "'agent' is whoever runs this program already", "take another name"),
        ("pick = salt", 1, 1, 4, "'pick' is a skill already", "take another name"),
        ("at = 3", 1, 1, 2, "'at' is a fact or function already", "take another name"),
        ("x = pick(salt)", 1, 5, 4, "the skill 'pick' is a step: it has no value",
         "write it on a line of its own"),
        ("pick(place(salt, table))", 1, 6, 5, "the skill 'place' is a step: it has no value",
         "write it on a line of its own"),
        ("x = eval('1')", 1, 5, 4, "unknown fact or function 'eval'",
         "did you mean 'level'?"),
        ("x = range(3)", 1, 5, 5, "unknown fact or function 'range'",
         "it only stands in a loop: for attempt in range(3):"),
        ("go_to(at(table))", 1, 10, 5, "'table' is a Place, but an Item is expected here",
         None),
        ("go_to(at('tabel'))", 1, 10, 7, "'tabel' is not an Item of the scene",
         "known: salt, ranch sauce, bowl, pot"),
        ("go_to(at())", 1, 7, 2, "'at' takes 1 argument, not 0", "it takes (Item)"),
        ("go_to(at(item=salt))", 1, 10, 4, "only skills take named arguments",
         "leave the name out"),
        ("go_to(mood.at())", 1, 12, 2, "'at' is not a skill of a thing", "write at(mood)"),
        ("for i in range(101):\n    wait()", 1, 16, 3,
         "range takes a whole number from 0 to 100", None),
        ("for i in range(1, 3):\n    wait()", 1, 10, 5, "range takes one number", "write range(3)"),
        ("for i in range(mood):\n    wait()", 1, 16, 4, "range takes a number", "write range(3)"),
        ("for i in salt:\n    wait()", 1, 10, 4, "this is not a list",
         "write for item in ['crate', 'pallet'], or for attempt in range(3)"),
        ("if at(salt) == 'tabel':\n    wait()", 1, 16, 7,
         "'tabel' is not a Place or an Agent of the scene", "did you mean 'table'?"),
        ("if at(salt) == salt:\n    wait()", 1, 4, 16,
         "Place or Agent is never equal to Item", None),
        ("if salt < 3:\n    wait()", 1, 4, 4, "Item cannot be ordered", "compare numbers"),
        ("if salt in bowl:\n    wait()", 1, 12, 4, "this is not a list",
         "write in ['crate', 'pallet']"),
        ("if hot(pot):\n    x = salt\npick(x)", 3, 6, 1,
         "unknown name 'x'", "known: agent, robots, left, mood, "
         "menu, salt, …"),
        ("for i in range(2):\n    x = salt\npick(x)", 3, 6, 1,
         "unknown name 'x'", "known: agent, robots, left, mood, "
         "menu, salt, …"),
        ("salt.pick()", 1, 1, 4, "skills are not called for a thing here", "write pick(item)"),
    ],
)  # fmt: skip
def test_what_it_may_not_is_told_at_its_place(
    text: str, line: int, column: int, length: int, message: str, help: str | None
) -> None:
    error = findings(text)[0]
    assert (error.line, error.column, error.at.length) == (line, column, length)
    assert (error.message, error.help) == (message, help)


def test_all_that_is_wrong_is_told_at_once_in_order() -> None:
    found = findings("for x in [salt]:\n    pik(x)\nif hot(poot):\n    go_to(tabel)\nfly()")
    assert [(e.line, e.column) for e in found] == [(2, 5), (3, 8), (4, 11), (5, 1)]


def test_a_loop_does_not_tell_the_same_twice() -> None:
    assert len(findings("for x in left:\n    for y in left:\n        pick(slat)")) == 1


def test_a_name_may_become_something_else_in_a_loop() -> None:
    text = "what = salt\nfor where in ['table', 'pantry']:\n    pick(what)\n    what = where\n"
    assert findings(text) == []  # by its types it could be right: it is judged again at its step


def test_of_many_findings_the_first_ten_are_told() -> None:
    assert len(findings("fly()\n" * 50)) == 10


@pytest.mark.parametrize(
    "text",
    [
        "salt = Thing('salt')\ntable = Thing('table')\nsalt.pick()\nsalt.place(table)",
        "salt.place(place=table)",
        "for item in left:\n    item.pick()",
        "table.go_to()",
        "wait()",
        "agent.wait()",
    ],
)
def test_the_style_of_objects(text: str) -> None:
    assert [(e.line, e.message) for e in findings(text, "objects")] == []


@pytest.mark.parametrize(
    ("text", "column", "message", "help"),
    [
        ("pick(salt)", 1, "'pick' is called for a thing", "write item.pick()"),
        ("salt.place()", 6, "'place' needs the argument 'place'", "write item.place(place)"),
        ("salt.place(salt)", 12, "'salt' is an Item, but a Place is expected here", None),
        ("table.pick()", 1, "'table' is a Place, but an Item is expected here", None),
        ("salt.wait()", 6, "'wait' is not about a thing", "write wait()"),
        ("R2.wait()", 1, "a program's steps are done by the agent that runs it",
         "leave the agent out"),
        ("salt.stir()", 6, "unknown skill 'stir' of R1",
         "its skills: pick, place, go_to, pour, wait, turn"),
        ("salt.cook()", 6, "unknown skill 'cook'",
         "skills: pick, place, go_to, pour, wait, turn"),
        ("x = Thing('slat')", 11, "'slat' is not an Item or a Place of the scene",
         "did you mean 'salt'?"),
        ("x = Thing()", 5, "'Thing' takes one thing's name", "write Thing('NAME')"),
        ("x = Ting('salt')", 5, "unknown fact or function 'Ting'", "did you mean 'Thing'?"),
        ("Thing('salt')", 1, "unknown skill 'Thing'",
         "a step is a skill; facts and functions stand among its arguments"),
        ("Thing = salt", 1, "'Thing' is a function already", "take another name"),
    ],
)  # fmt: skip
def test_what_objects_may_not(text: str, column: int, message: str, help: str | None) -> None:
    error = findings(text, "objects")[0]
    assert (error.line, error.column, error.message, error.help) == (1, column, message, help)
