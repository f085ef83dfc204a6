"""Nested lists, as models and people write them, become graphs by the reading we state."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.source.text import SourceFile
from treec_mosaic.recipes.nested_list import NestedList, clean, read_list

SOUP = Path(__file__).parent / "soup.txt"


def read(text: str) -> NestedList:
    return read_list(SourceFile("list.txt", text))


def graph(text: str) -> dict[str, list[str]]:
    found = read(text)
    assert found.problems == ()
    return {item.id: list(item.after) for item in found.items}


def told(text: str) -> list[tuple[int, int, str]]:
    return [(p.span.line, p.span.column, p.code) for p in read(text).problems]


def test_the_soup_of_the_paper_in_our_words() -> None:
    found = graph(SOUP.read_text("utf-8"))
    assert found["melt butter"] == ["fetch butter"]
    assert found["pour onion into pot"] == found["pour celery into pot"] == ["melt butter"]
    assert found["stir pot"] == ["pour onion into pot", "pour celery into pot"]
    assert found["cook for six minutes"] == ["stir pot"]
    rest = ["pour vegetable stock into pot", "pour chicken into pot", "pour noodles into pot"]
    assert all(found[id] == ["cook for six minutes"] for id in rest)
    assert found["stir pot (2)"] == [*rest, "season soup with salt"]
    assert found["simmer for half an hour"] == ["stir pot (2)"]
    assert all(after == [] for id, after in found.items() if id.startswith("fetch"))
    assert len(found) == 19


def test_repeated_words_get_a_number_and_keep_their_words() -> None:
    items = read("- stir pot\n  - Stir pot\n    - stir pot (2)\n      - stir pot\n").items
    assert [item.id for item in items] == [
        "stir pot",
        "stir pot (2)",
        "stir pot (3)",
        "stir pot (4)",
    ]
    assert {item.words for item in items} == {"stir pot"}


@pytest.mark.parametrize(
    "after",
    [
        ", after: [a, b]",
        ": {after: [a, b]}",
        " (after: a; b)",
        " (after: a, b).",
        " after: A, b.",
        ", After : ['a', `b`]",
    ],
)
def test_each_way_of_writing_after(after: str) -> None:
    assert graph(f"- c{after}\n- a\n- b\n") == {"c": ["a", "b"], "a": [], "b": []}


def test_after_says_what_nesting_cannot() -> None:
    assert graph(
        "# Subtasks:\n"
        "- get leeks\n"
        "- chop leeks, after: [get leeks]\n"
        "- simmer barley\n"
        "- pour leeks into pot, after: [chop leeks, simmer barley]\n"
        "- stir pot, after: [simmer barley]\n"
        "- stir pot (2), after: [stir pot, pour leeks into pot]\n"
        "- serve pot, after: [stir pot (2)]\n"
    ) == {
        "get leeks": [],
        "chop leeks": ["get leeks"],
        "simmer barley": [],
        "pour leeks into pot": ["chop leeks", "simmer barley"],
        "stir pot": ["simmer barley"],
        "stir pot (2)": ["stir pot", "pour leeks into pot"],
        "serve pot": ["stir pot (2)"],
    }


def test_after_adds_to_nesting() -> None:
    assert graph("- a\n  - b, after: [c]\n- c\n") == {"a": [], "b": ["a", "c"], "c": []}


def test_an_after_that_cannot_hold() -> None:
    found = read("- chop onions\n- pour onions into pan, after: [choop onions]\n").problems
    assert [(p.span.line, p.code, p.help) for p in found] == [
        (2, "TC529", "did you mean 'chop onions'?")
    ]
    (cycle,) = read("- x\n- a, after: [b]\n- b, after: [a]\n- c, after: [b]\n").problems
    assert (cycle.span.line, cycle.code) == (2, "TC529")
    assert cycle.message == "'a' and 'b' wait for each other"
    (loop,) = read("- a, after: [a]\n").problems
    assert loop.message == "'a' waits for itself"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a a\n- b b\n  - c c\n", {"a a": [], "b b": [], "c c": ["a a", "b b"]}),
        # something deeper ends a run
        ("- a\n  - x\n- b\n  - y\n", {"a": [], "x": ["a"], "b": [], "y": ["b"]}),
        ("- a\n- b\n  - x\n- c\n  - y\n", {"a": [], "b": [], "x": ["a", "b"], "c": [], "y": ["c"]}),
        # what comes below changes nothing above
        ("- a\n- b\n  - x\n- c\n", {"a": [], "b": [], "x": ["a", "b"], "c": []}),
        # a run on a deeper level begins anew
        (
            "- a\n  - b\n    - c\n  - d\n  - e\n    - f\n",
            {"a": [], "b": ["a"], "c": ["b"], "d": ["a"], "e": ["a"], "f": ["d", "e"]},
        ),
    ],
)
def test_the_rules_of_the_reading(text: str, expected: dict[str, list[str]]) -> None:
    assert graph(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. a\n2. b\n3) c\n", {"a": [], "b": ["a"], "c": ["b"]}),
        ("1. a\n2. b\n   1) c\n", {"a": [], "b": ["a"], "c": ["b"]}),
        # a step with steps below it is over when these are
        (
            "1. a\n  - x\n  - y\n2. b\n2.1 z\n3. c\n",
            {"a": [], "x": ["a"], "y": ["a"], "b": ["x", "y"], "z": ["b"], "c": ["z"]},
        ),
        ("1. a\n2. b, after: [c]\n3. c\n", {"a": [], "b": ["c"], "c": ["a"]}),
        (
            "1. a\n2. b\n3. Meanwhile, c\n4. In the meantime d\n5. e\n",
            {"a": [], "b": ["a"], "c": ["a"], "d": ["a"], "e": ["b", "c", "d"]},
        ),
        ("- a\n  1. b\n  2. c\n- d\n", {"a": [], "b": ["a"], "c": ["b"], "d": []}),
    ],
)
def test_numbered_items_are_in_sequence(text: str, expected: dict[str, list[str]]) -> None:
    assert graph(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "- a\n- b\n   * c\n",
        "\t- a\n\t- b\n\t\t- c\n",
        "* a\n* b\n\t+ c\n",
        "• a\n• b\n    • c\n",
        "- a\r\n- b\r\n  - c\r\n",
        "```\n- a\n- b\n  - c\n```\n",
        '- "a"\n- **b**\n  - `c`.\n',
        "- [ ] a\n- [x] b\n  - “c”,\n",
        "- a\n\n- b\n\n  - c\n",
        "Here it is:\n- a\n- b\n  - c\nHave fun!\n",
        "  - a\n  - b\n    - c\n---\n",
        "# Notes\n- no\n  - not\n# Subtasks as nested list:\n- a\n- b\n  - c\n# End\n- nor this\n",
        "**Subtasks as a nested list:**\n- a\n- b\n  - c\n",
        "# Subtasks as nested list\n- z\n# Subtasks as nested list\n- a\n- b\n  - c\n",
    ],
)
def test_each_way_of_writing_the_same_list(text: str) -> None:
    assert graph(text) == {"a": [], "b": [], "c": ["a", "b"]}


def test_an_item_goes_on_in_the_next_line() -> None:
    assert graph("- pour onion\n    into pot\n  - stir\n    pot\n") == {
        "pour onion into pot": [],
        "stir pot": ["pour onion into pot"],
    }


def test_places_are_those_of_the_words() -> None:
    items = read("x\n\n -  fetch 🧂 salt  \n\t* stir\n").items
    assert [(i.span.line, i.span.column, i.span.end_column) for i in items] == [
        (3, 5, 17),
        (4, 4, 8),
    ]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [(1, 1, "TC521")]),
        ("fetch salt, then pour it\n", [(1, 1, "TC521")]),
        ("# A\n- a\n# B\n- b\n", [(3, 1, "TC521")]),
        ("# Subtasks as nested list:\nnone\n", [(1, 1, "TC521")]),
        ("# Subtasks:\nnone\n", [(1, 1, "TC521")]),
        ("# Ingredients\n- salt\n# Raw recipe instruction list.\n1. eat\n", [(3, 1, "TC521")]),
        ("- a\n    - b\n  - c\n", [(3, 5, "TC522")]),
        ("  - a\n- b\n", [(2, 3, "TC522")]),
        ("- a\nand so\n- b\n", [(2, 1, "TC523")]),
        ("- a\n-\n- b\n", [(2, 1, "TC523")]),
        ('- a\n- "."\n', [(2, 3, "TC523")]),
        ("".join(f"{' ' * n}- i{n}\n" for n in range(60)), [(51, 53, "TC521")]),
        ("- x\n" * 1001, [(1001, 3, "TC521")]),
    ],
)
def test_what_is_wrong_with_a_list(text: str, problems: list[tuple[int, int, str]]) -> None:
    assert told(text) == problems


def test_an_item_between_levels_is_a_sibling_of_the_deeper_one() -> None:
    items = read("- a\n    - b\n  - c\n  - d\n     - e\n").items
    after = {item.id: item.after for item in items}
    assert after == {"a": (), "b": ("a",), "c": ("a",), "d": ("a",), "e": ("b", "c", "d")}


@pytest.mark.parametrize(
    ("words", "cleaned"),
    [
        ("'stir pot'", "stir pot"),
        ("Fetch Butter.", "fetch Butter"),
        ("BBQ the ribs", "BBQ the ribs"),
        ("don't stir", "don't stir"),
        ("*stir* the pot", "*stir* the pot"),
        ("stir\x1b[31m pot", "stir [31m pot"),
    ],
)
def test_words_are_cleaned(words: str, cleaned: str) -> None:
    assert clean(words) == cleaned
