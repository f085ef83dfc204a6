import json

import pytest

from treec.source.diagnostics import (
    Diagnostic,
    format_summary,
    format_text,
    likely_meant,
    to_json,
)
from treec.source.text import SourceFile, Span


def shown(text: str, offset: int, length: int, help: str | None = None) -> str:
    file = SourceFile("a.yaml", text)
    item = Diagnostic("TC999", "error", file.span(offset, length), "wrong", help)
    return format_text([item], {"a.yaml": file})


def test_the_form_is_exactly_this():
    text = "\n" * 11 + "  - wait: {until: quue(agent)}\n"
    file = SourceFile("trees/mosaic/main.tree.yaml", text)
    item = Diagnostic(
        "TC203",
        "error",
        file.span(text.index("quue"), 4),
        "unknown name 'quue'",
        "did you mean 'queue'?",
    )
    assert format_text([item], {file.path: file}) == (
        "trees/mosaic/main.tree.yaml:12:19: error TC203: "
        "unknown name 'quue'\n"
        "   |\n"
        "12 |   - wait: {until: quue(agent)}\n"
        "   |                   ^^^^\n"
        "   = help: did you mean 'queue'?\n"
    )


def test_an_empty_line_stands_between_two_and_a_file_that_is_not_known_has_no_excerpt():
    items = [
        Diagnostic("TC001", "error", Span("a.yaml", 1, 1, 1, 2), "gone"),
        Diagnostic("TC002", "warning", Span("b.yaml", 10, 3, 10, 4), "odd", "one\ntwo"),
    ]
    assert format_text(items, {}) == (
        "a.yaml:1:1: error TC001: gone\n"
        "\n"
        "b.yaml:10:3: warning TC002: odd\n"
        "   = help: one\n"
        "           two\n"
    )


def test_carets_stop_at_the_end_of_the_line():
    assert shown("ab  \ncd\n", 1, 5) == ("a.yaml:1:2: error TC999: wrong\n  |\n1 | ab\n  |  ^\n")


def test_there_is_a_caret_past_the_last_character():
    assert shown("ab", 2, 1) == "a.yaml:1:3: error TC999: wrong\n  |\n1 | ab\n  |   ^\n"
    assert shown("", 0, 0) == "a.yaml:1:1: error TC999: wrong\n  |\n1 |\n  | ^\n"


def test_tabs_are_one_space_and_control_characters_are_harmless():
    assert shown("\ta\x1b[31mb\u202e", 7, 1).splitlines()[2:] == [
        "1 |  a�[31mb�",
        "  |        ^",
    ]


def test_a_path_and_a_message_cannot_reach_the_terminal_either():
    item = Diagnostic("TC001", "error", Span("a\x1b.yaml", 1, 1, 1, 2), "x\x07", "y\x1b")
    assert format_text([item], {}) == "a�.yaml:1:1: error TC001: x�\n  = help: y�\n"


def test_wide_characters_move_the_caret_by_their_width():
    assert shown("日本: x", 4, 1).splitlines()[2:] == ["1 | 日本: x", "  |       ^"]
    assert shown("a: 日本", 3, 2).splitlines()[3] == "  |    ^^^^"


@pytest.mark.parametrize("offset", [0, 1, 60, 150, 298, 299])
def test_a_long_line_is_shown_around_the_caret(offset):
    text = "".join(chr(ord("a") + n % 26) for n in range(300))
    _, _, line, carets = shown(text, offset, 1).splitlines()
    excerpt, marks = line.removeprefix("1 | "), carets.removeprefix("  | ")
    assert len(excerpt) <= 100
    assert excerpt[marks.index("^")] == text[offset]
    assert excerpt.startswith("…") == (offset > 50)
    assert excerpt.endswith("…") == (offset < 250)


def test_a_line_of_100_columns_is_shown_whole():
    assert shown("x" * 100, 99, 1).splitlines()[2] == "1 | " + "x" * 100


def test_a_huge_line_costs_nothing():
    lines = shown("日\t" * 400_000, 400_000, 400_000).splitlines()
    assert all(len(line) <= 110 for line in lines)


def test_colour_wraps_the_same_text():
    import re

    file = SourceFile("a.yaml", "abc")
    item = Diagnostic("TC999", "warning", file.span(1, 1), "wrong", "right")
    coloured = format_text([item], {"a.yaml": file}, colour=True)
    assert "\x1b[1;33mwarning TC999\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == format_text([item], {"a.yaml": file})


def test_json_has_these_keys_in_this_order():
    item = Diagnostic("TC203", "error", Span("a.yaml", 1, 2, 3, 4), "wrong")
    assert json.dumps(to_json(item)) == (
        '{"code": "TC203", "severity": "error", "path": "a.yaml", "line": 1, "column": 2, '
        '"end_line": 3, "end_column": 4, "message": "wrong", "help": null}'
    )


def test_the_order_is_path_line_column_code():
    def at(path: str, line: int, column: int, code: str) -> Diagnostic:
        return Diagnostic(code, "error", Span(path, line, column, line, column + 1), "m")

    ordered = [
        at("a", 2, 1, "TC002"),
        at("a", 10, 1, "TC001"),
        at("a", 10, 2, "TC001"),
        at("a", 10, 2, "TC009"),
        at("b", 1, 1, "TC001"),
    ]
    backwards = ordered[::-1]
    assert sorted(backwards) == ordered


def test_the_summary_counts():
    def of(severity, path):
        return Diagnostic("TC001", severity, Span(path, 1, 1, 1, 2), "m")

    assert format_summary([]) == "no problems"
    assert format_summary([of("error", "a")]) == "1 error in 1 file"
    assert format_summary([of("warning", "a"), of("warning", "b")]) == "2 warnings in 2 files"
    three = [of("error", "a")] * 3
    assert format_summary([*three, of("warning", "b")]) == "3 errors, 1 warning in 2 files"


@pytest.mark.parametrize(
    ("name", "meant"),
    [("psoe", "pose"), ("poses", "pose"), ("gte", "get"), ("fecth", "fetch"), ("ftch", "fetch")],
)
def test_a_slip_is_likely_meant_as_the_known_name(name: str, meant: str) -> None:
    assert likely_meant(name, ["get", "pose", "fetch"]) == meant


@pytest.mark.parametrize("name", ["get", "gets", "set", "nose", "place", "tfech", "", "p" * 500])
def test_other_words_are_no_slips(name: str) -> None:
    assert likely_meant(name, ["get", "pose", "fetch"]) is None


KITCHEN = [
    "salmon",
    "pumpkin",
    "chicken",
    "butter",
    "vegetable stock",
    "onions",
    "zucchini",
    "peas",
]


@pytest.mark.parametrize(
    "other",
    [
        "potatoes",
        "mustard",
        "lemon",
        "almonds",
        "cumin",
        "chickpeas",
        "buttermilk",
        "vegetable oil",
        "beet",
        "batter",
    ],
)
def test_another_thing_is_no_slip(other: str) -> None:
    assert likely_meant(other, KITCHEN) is None


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("salmn", "salmon"),
        ("chickens", "chicken"),
        ("zuchinni", "zucchini"),
        ("butterr", "butter"),
        ("vegetabel stok", "vegetable stock"),
        ("vegetablestock", "vegetable stock"),
    ],
)
def test_a_slip_of_a_thing_is_one(slip: str, meant: str) -> None:
    assert likely_meant(slip, KITCHEN) == meant
