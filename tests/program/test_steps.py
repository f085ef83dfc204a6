"""Steps are read with their places; the order of their evaluation is the order of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec.program.places import StepsError
from treec.program.steps import (
    FunctionCall,
    Literal,
    NameRef,
    StepCall,
    Steps,
    arguments,
    parse_steps,
)

GET = """\
go_to(place_of(item))
pick(item)   # with the gripper

place(item, 'mixing bowl',
      gently=true)
"""


def values(steps: Steps) -> list[object]:
    return [arg.value for arg in steps[0].args if isinstance(arg, Literal)]


def test_a_step_a_line_with_names_functions_and_named_arguments() -> None:
    go, pick, place = parse_steps(GET)
    assert (go.name, go.line, go.column) == ("go_to", 1, 1)
    (where,) = go.args
    assert isinstance(where, FunctionCall)
    assert (where.name, where.line, where.column) == ("place_of", 1, 7)
    assert (pick.name, pick.line, pick.column) == ("pick", 2, 1)
    assert pick.args[0] == NameRef("item", pick.args[0].at)
    assert place.line == 4
    bowl = place.args[1]
    assert isinstance(bowl, Literal)
    assert bowl.value == "mixing bowl"
    assert (bowl.line, bowl.column, bowl.at.length) == (4, 13, 13)
    (name, gently), *_ = place.kwargs
    assert (name, gently.line, gently.column) == ("gently", 5, 14)
    assert isinstance(gently, Literal)
    assert gently.value is True


def test_literals() -> None:
    steps = parse_steps(
        """s('a', "it's", 'it\\'s', 3, -2, 0.5, 1e-3, true, false, none, True, None)"""
    )
    assert values(steps) == ["a", "it's", "it's", 3, -2, 0.5, 0.001, True, False, None, True, None]
    assert [type(value) for value in values(steps)[3:6]] == [int, int, float]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing yet\n", "  # indented\n"])
def test_no_steps(text: str) -> None:
    assert parse_steps(text) == ()


def test_columns_count_characters_not_bytes() -> None:
    (step,) = parse_steps("say('Grüße 🥬', item)")
    item = step.args[1]
    assert (item.line, item.column, item.at.offset) == (1, 16, 15)


def test_a_lone_carriage_return_and_two_ends_of_line_are_one() -> None:
    steps = parse_steps("a()\r\nb()\rc()\n")
    assert [(step.name, step.line) for step in steps] == [("a", 1), ("b", 2), ("c", 3)]


def test_arguments_are_found_in_the_order_of_evaluation() -> None:
    (step,) = parse_steps("f(a, g(b, h(c)), d, e=k(m))")
    assert [getattr(arg, "name", None) for arg in arguments(step)] == list("abchgdmk")


def refused(text: str) -> StepsError:
    with pytest.raises(StepsError) as caught:
        parse_steps(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "length", "message"),
    [
        ("pick(a)\nimport os", 2, 1, 6, "'import' cannot be used in steps"),
        ("from os import path", 1, 1, 4, "'from' cannot be used in steps"),
        ("__import__('os')", 1, 1, 10, "a name cannot begin with '__'"),
        ("pick(item.__class__)", 1, 10, 1, "'.' cannot be used: a step cannot access parts of a "
         "thing"),
        ("robot.pick(item)", 1, 6, 1, "'.' cannot be used: a step cannot access parts of a "
         "thing"),
        ("pick(lambda: 1)", 1, 6, 6, "'lambda' cannot be used in steps"),
        ("pick([x for x in y])", 1, 6, 1, "'[' cannot be used in steps"),
        ("pick(x for x in y)", 1, 8, 3, "'for' cannot be used in steps"),
        ("pick({1})", 1, 6, 1, "'{' cannot be used in steps"),
        ("pick(f'{x}')", 1, 6, 1, "'f' before a text cannot be used"),
        ("pick(b'x')", 1, 6, 1, "'b' before a text cannot be used"),
        ("pick(Rb'x')", 1, 6, 2, "'Rb' before a text cannot be used"),
        ("x = pick(y)", 1, 3, 1, "what a step gives cannot be kept"),
        ("pick(x := y)", 1, 8, 2, "':=' cannot be used in steps"),
        ("pick(x == y)", 1, 8, 2, "'==' cannot be used in steps"),
        ("pick(*items)", 1, 6, 1, "'*' cannot be used in steps"),
        ("pick(**items)", 1, 6, 2, "'**' cannot be used in steps"),
        ("pick(9**9**9)", 1, 7, 2, "'**' cannot be used in steps"),
        ("pick(1 + 2)", 1, 8, 1, "'+' cannot be used in steps"),
        ("pick(1 -2)", 1, 8, 1, "'-' cannot be used: a step has no arithmetic"),
        ("pick(--2)", 1, 6, 2, "'--' cannot be used in steps"),
        ("pick(not x)", 1, 6, 3, "'not' cannot be used in steps"),
        ("pick(a if b else c)", 1, 8, 2, "'if' cannot be used in steps"),
        ("while true: pick(x)", 1, 1, 5, "'while' cannot be used in steps"),
        ("pick(x); place(x)", 1, 8, 1, "one step stands on a line"),
        ("pick(x)\\\n", 1, 8, 1, "'\\' cannot be used"),
        ("pick(a)(b)", 1, 8, 1, "only a name can be called"),
        ("'pick'(a)", 1, 7, 1, "only a name can be called"),
        ("pick(none(a))", 1, 6, 4, "only a name can be called"),
        ("pick(a=1, b)", 1, 12, 1, "positional argument follows keyword argument"),
        ("(pick(a), pick(b))", 1, 1, 18, "this is not a step"),
        ("pick((a, b))", 1, 6, 6, "this is not an argument that a step can have"),
        ("pick(...)", 1, 6, 1, "'.' cannot be used: a step cannot access parts of a thing"),
        ("pick", 1, 1, 4, "'pick' is not called here"),
        ("pick lettuce", 1, 1, 12, "this is not a call"),
        ("'a text'", 1, 1, 8, "this is not a step"),
        ("pick(mixing bowl)", 1, 6, 11, "a quote or a comma is missing"),
        ("pick('a' 'b')", 1, 10, 3, "a comma is missing before this"),
        ("pick(a 'b')", 1, 8, 3, "a comma is missing before this"),
        ("pick(a,, b)", 1, 8, 1, "this cannot stand here"),
        ("pick(a=1, a=2)", 1, 11, 3, "'a' is given twice"),
        ("pick(f(a=1))", 1, 8, 3, "a function takes no named arguments"),
        ("pick(a\nplace(b)", 1, 5, 1, "this '(' is never closed"),
        ("pick(f(a)", 1, 5, 1, "this '(' is never closed"),
        ("pick(a))", 1, 8, 1, "unmatched ')'"),
        ("pick('a)", 1, 6, 1, "this quote is never closed"),
        ("pick('''a''')", 1, 6, 3, "a text stands in one pair of quotes, on one line"),
        ("pick(“a”)", 1, 6, 1, "'“' is not a quote"),
        ("pick('\\N{DASH}')", 1, 7, 2, "'\\N' cannot be used in a text"),
        ("pick('\\ud800')", 1, 7, 2, "'\\u' cannot be used in a text"),
        ("pick(a)\n  place(a)", 2, 1, 2, "this line is indented"),
        ("pick(007)", 1, 6, 3, "this is not a number"),
        ("pick(0x1F)", 1, 6, 4, "this is not a number"),
        ("pick(1_000)", 1, 6, 5, "this is not a number"),
        ("pick(2j)", 1, 6, 2, "this is not a number"),
        ("pick(1.2.3)", 1, 6, 5, "this is not a number"),
        ("pick(1e999)", 1, 6, 5, "this number is too large or too long"),
        ("pick(1" + "0" * 15 + ")", 1, 6, 16, "a number may have 15 digits"),
        ("pick(a)\x00", 1, 8, 1, "the character U+0000 cannot be used"),
        ("pick('\x0c')", 1, 7, 1, "the character U+000C cannot be used"),
        ("\ufeffpick(a)", 1, 1, 1, "the character U+FEFF cannot be used"),
        ("pick('\udc80')", 1, 7, 1, "the character U+DC80 cannot be used"),
        ("pick('ü', jalapeño)", 1, 11, 8, "a name here has letters a to z, digits and '_' only"),
        ("ｐick(a)", 1, 1, 4, "a name here has letters a to z, digits and '_' only"),
        ("pick(аpple)", 1, 6, 5, "a name here has letters a to z, digits and '_' only"),
        ("pick(a\u200b)", 1, 7, 1, "'\u200b' cannot be used in steps"),
    ],
)  # fmt: skip
def test_what_is_no_step_is_refused_at_its_place(
    text: str, line: int, column: int, length: int, message: str
) -> None:
    error = refused(text)
    assert (error.message, error.line, error.column, error.length) == (
        message, line, column, length,
    )  # fmt: skip
    assert text[error.offset : error.offset + length].count("\n") == 0


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("pick(mixing bowl)", "write a name with spaces in quotes: 'mixing bowl'"),
        ("pick(jalapeño)", "put it in quotes: 'jalapeño'"),
        ("pick", "write pick()"),
        ("pick(a); place(a)", "begin a new line instead of ';'"),
        ("pick lettuce", "a step is a call: place(item, table)"),
    ],
)
def test_help_says_what_would_be_right(text: str, help: str) -> None:
    assert refused(text).help == help


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("p(" + "f(" * 100_000, 1, "steps may have 64,000 characters; these have 200,002"),
        ("x" * 1_000_000, 1, "steps may have 64,000 characters; these have 1,000,000"),
        ("p(" + "f(" * 30_000, 42, "more than 20 nested brackets"),
        ("p(" + "(" * 19 + "a" + ")" * 20, None, None),
        ("p(" + "(" * 20 + "a" + ")" * 21, 22, "more than 20 nested brackets"),
        ("p(" + "-" * 60_000 + "1)", 3, "'---' cannot be used in steps"),
        ("p(" + "not " * 15_000 + "a)", 3, "'not' cannot be used in steps"),
        ("p(" + "lambda:" * 9_000 + "a)", 3, "'lambda' cannot be used in steps"),
        ("p(a" + ".a" * 30_000 + ")", 4, None),
        ("p" + "()" * 30_000, 4, "only a name can be called"),
        ("'" * 63_000, 1, "a text stands in one pair of quotes, on one line"),
        ("\\" * 63_000, 1, "'\\' cannot be used"),
        ("p('" + "\\\\" * 30_000, 3, "this quote is never closed"),
        ("p(" + "9" * 60_000 + ")", 3, "this number is too large or too long"),
    ],
    ids=range(14),
)  # fmt: skip
def test_what_is_large_or_deep_is_refused_at_once(
    text: str, column: int | None, message: str | None
) -> None:
    if column is None:
        assert len(parse_steps(text)) == 1
        return
    error = refused(text)
    assert (error.line, error.column) == (1, column)
    assert message is None or error.message == message


def test_at_most_a_thousand_calls() -> None:
    assert len(parse_steps("a(b())\n" * 500)) == 500
    error = refused("a(b())\n" * 500 + "c()")
    assert (error.message, error.line, error.column) == (
        "steps may have 1,000 calls", 501, 2,
    )  # fmt: skip


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_is_steps_or_an_error_within_it(text: str) -> None:
    check_any(text)


@given(st.lists(st.sampled_from([*"(),='\"\n#-. \t1a\\*[", "pick", "if", "true", "1.5"])))
def test_any_tokens_are_steps_or_an_error_within_them(tokens: list[str]) -> None:
    check_any("".join(tokens))


def check_any(text: str) -> None:
    found = read(text)
    if isinstance(found, StepsError):
        assert 0 <= found.offset <= len(text)
        assert found.length >= 1
    else:
        assert all(isinstance(step, StepCall) for step in found)


def read(text: str) -> Steps | StepsError:
    try:
        return parse_steps(text)
    except StepsError as error:
        return error
