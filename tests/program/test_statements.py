"""Programs are read as syntax: what there is, and where it stands."""

from __future__ import annotations

import pytest

from treec.program.places import StepsError
from treec_program.statements import (
    Assign,
    Do,
    For,
    IfStatement,
    ProgramCall,
    parse_program,
    statements,
)


def test_what_a_program_consists_of() -> None:
    text = (
        "bowl = 'mixing bowl'\n"
        "for item in ['salt', 'pepper']:  # both\n"
        "    if at(item) != table and not hot(item):\n"
        "        pick(item)\n"
        "    elif hot(item):\n"
        "        pass\n"
        "    else:\n"
        "        item.place(\n"
        "            table,\n"
        "        )\n"
    )
    assert [(type(s), s.line, s.column) for s in statements(parse_program(text))] == [
        (Assign, 1, 1),
        (For, 2, 5),
        (IfStatement, 3, 8),
        (Do, 4, 9),
        (Do, 8, 14),
    ]


def test_a_call_for_a_thing_knows_both_names() -> None:
    (step,) = parse_program("if a:\n    mug.pick(x, y=1)")[0].branches[0][1]  # type: ignore[union-attr]
    assert isinstance(step, Do)
    call = step.call
    assert call.on is not None
    assert (call.on.name, call.on.column, call.name, call.column) == ("mug", 5, "pick", 9)
    assert [(k.name, k.at.column, k.at.length) for k in call.kwargs] == [("y", 17, 1)]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "pass\n"])
def test_nothing_is_a_program_without_steps(text: str) -> None:
    assert parse_program(text) == ()


def test_every_kind_of_line_end() -> None:
    program = parse_program("if a:\r\n    b()\r\nc()\r")
    assert [s.line for s in statements(program)] == [1, 2, 3]


def test_names_with_dots_only_call_skills() -> None:
    (step,) = parse_program("mug . pick()".replace(" ", ""))
    assert isinstance(step, Do)
    assert isinstance(step.call, ProgramCall)


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "help"),
    [
        ("while hot(pot):\n    wait()", 1, 1, "'while' cannot be used in a program",
         "write 'for attempt in range(3):' with an 'if' in it"),
        ("for x in y:\n    break", 2, 5, "'break' cannot be used in a program",
         "let the loop go on, with an 'if' around what it does"),
        ("x = 1 if y else 2", 1, 7, "'if' begins a line",
         "write it on a line of its own: 'if sealed(crate):'"),
        ("x = [y for y in z]", 1, 8, "'for' begins a line",
         "write the loop on lines of its own: 'for item in items:'"),
        ("import os", 1, 1, "'import' cannot be used in a program",
         "skills are there without it: leave it out"),
        ("def f():\n    wait()", 1, 1, "'def' cannot be used in a program",
         "a program can only call skills, not define anything"),
        ("if x = 3:\n    wait()", 1, 6, "this '=' cannot stand here", "to compare, write '=='"),
        ("x = y = 3", 1, 7, "this '=' cannot stand here", "write 'name = value'"),
        ("x, y = 3", 1, 6, "this '=' cannot stand here", "write 'name = value'"),
        ("x: int = 3", 1, 2, "':' cannot stand here",
         "it only ends the line of a 'for', 'if', 'elif' or 'else'"),
        ("x += 1", 1, 3, "'+=' cannot be used in a program",
         "a step is a call: place(item, table); nothing is computed: count with range(n)"),
        ("if a:\nwait()", 1, 5, "what belongs to this ':' is missing below it", None),
        ("if a:", 1, 5, "what belongs to this ':' is missing below it", None),
        ("if a:\n    b()\n  c()", 3, 1, "this line is indented like none above it",
         "indent it like the lines that it belongs to"),
        ("a()\n    b()", 2, 1, "this line is indented",
         "lines are indented below one that ends in ':'"),
        ("if a:\n\tb()", 2, 1, "this line is indented with a tab", "use spaces"),
        ("if a == b == c:\n    d()", 1, 14, "two things are compared at a time",
         "write 'a < b and b < c'"),
        ("if a is b:\n    d()", 1, 9, "'is' asks for none alone", "to compare, write '=='"),
        ("for a, b in c:\n    d()", 1, 5, "a loop gives one name to each item",
         "for item in items:"),
        ("for a in b:\n    c()\nelse:\n    d()", 4, 5, "a loop cannot have 'else'",
         "write it below the loop"),
        ("x = [[1]]", 1, 6, "a list within a list", "write one list"),
        ("x = a[0]", 1, 6, "a list cannot be indexed here", "go through it"),
        ("true = 1", 1, 1, "'true' is a value and cannot get another", None),
        ("pick(*a)", 1, 6, "'*' cannot be used in a program",
         "a step is a call: place(item, table); nothing is computed: count with range(n)"),
        ("mug.name", 1, 4, "'.' can only stand between a thing's name and a skill",
         "write mug.pick()"),
        ("a.b.c()", 1, 2, "'.' can only stand between a thing's name and a skill",
         "write mug.pick()"),
        ("f().g()", 1, 4, "'.' can only stand between a thing's name and a skill",
         "write mug.pick()"),
        ("'text'", 1, 1, "this is not a step", "a step is a call: place(item, table)"),
        ("x", 1, 1, "'x' is not called here", "write x()"),
        ("if not not a:\n    b()", 1, 8, "one 'not' is enough", None),
        ("pick(a]", 1, 7, "unmatched ']'", None),
        ("x = [a", 1, 5, "this '[' is never closed", None),
    ],
)  # fmt: skip
def test_what_is_no_program_is_refused_at_its_place(
    text: str, line: int, column: int, message: str, help: str | None
) -> None:
    with pytest.raises(StepsError) as caught:
        parse_program(text)
    error = caught.value
    assert (error.line, error.column, error.message, error.help) == (line, column, message, help)


def test_two_hundred_lines_and_five_blocks_are_the_most() -> None:
    assert len(parse_program("wait()\n" * 200)) == 200
    with pytest.raises(StepsError, match="a program may have 200 lines") as caught:
        parse_program("wait()\n" * 201)
    assert caught.value.line == 201
    nested = "".join(f"{'  ' * n}if a:\n" for n in range(6))
    assert parse_program(nested[: nested.rindex("if")].rstrip(" ") + " " * 10 + "b()")
    with pytest.raises(StepsError, match="more than 5 blocks in each other"):
        parse_program(nested + " " * 12 + "b()")


def test_a_long_chain_of_elifs_is_read() -> None:
    text = "if a:\n b()\n" + "elif a:\n b()\n" * 99
    (chain,) = parse_program(text)
    assert isinstance(chain, IfStatement)
    assert len(chain.branches) == 100
