"""Single mutations of Python code, and the tests that notice them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.bench_code_mutants import Fate, Runner, in_order, places_of, tables
from benchmarks.code_mutations import KINDS, Code, changes, draw, edits
from benchmarks.line_tests import LineTests, check_sum
from benchmarks.mutations import Mutation

CODE = '''"""A module."""
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING and 1 < 2:
    import ast
LIMIT = 3

def first(texts: list[str], count: int = 2, *, aside: str = "") -> str:
    """The first of some texts; 1 > 0."""
    for text in sorted(texts, key=len):
        if count < LIMIT and text:
            texts.remove(text)
            break
    try:
        return text
    except (KeyError, ValueError):
        raise RuntimeError(f"nothing in {texts}") from None

PAIRS = zip("ab", "cd", strict=True)
'''
MUTANTS = {
    "comparison flipped": ["if count <= LIMIT and text:"],
    "condition negated": ["if (not (count < LIMIT and text)):"],
    "another constant": [
        "LIMIT = 4",
        'def first(texts: list[str], count: int = 3, *, aside: str = "") -> str:',
    ],
    "'and' for 'or'": ["if count < LIMIT or text:"],
    "statement removed": ["pass"],
    "another exception": [
        "except (ZeroDivisionError, ValueError):",
        "except (KeyError, ZeroDivisionError):",
        'raise ZeroDivisionError(f"nothing in {texts}") from None',
    ],
    "value of a message dropped": ['raise RuntimeError(f"nothing in ") from None'],
    "keyword dropped": ["for text in sorted(texts):"],
    "return value replaced": ["return None"],
    "'break' for 'continue'": ["continue"],
    "order reversed": ["for text in sorted(texts, key=len, reverse=True):"],
    "another default": [
        'def first(texts: list[str], count: int = 3, *, aside: str = "") -> str:',
        "def first(texts: list[str], count: int = 2, *, aside: str = 'another') -> str:",
    ],
}


def _mutations(text: str, kind: str, path: str = "engine/treec/plan/a.py") -> list[Mutation]:
    code = Code(text)
    every = (Mutation(kind, path, code.line(edit[0]), *edit) for edit in edits(code, kind))
    return [m for m in every if changes(code, (m.start, m.end, m.text))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_changes_its_own_lines_and_nothing_for_people_or_types(kind: str) -> None:
    changed = []
    for mutation in _mutations(CODE, kind):
        pairs = zip(CODE.splitlines(), mutation.apply(CODE).splitlines(), strict=True)
        changed += [after.strip() for before, after in pairs if before != after]
    assert changed == MUTANTS[kind]


def test_columns_after_letters_of_several_bytes() -> None:
    (mutation,) = _mutations('x = "é→" if 1 < y else f("é")\n', "comparison flipped")
    assert mutation.apply('x = "é→" if 1 < y else f("é")\n') == 'x = "é→" if 1 <= y else f("é")\n'


def test_a_draw_depends_on_the_seed_and_has_some_of_each_room_and_kind() -> None:
    rooms = {"engine/treec/a": {"a.py": CODE}, "systems/b": {"b.py": CODE * 4, "c.py": CODE * 2}}
    drawn = draw(rooms, 18, 2, 5)
    assert drawn == draw(rooms, 18, 2, 5) != draw(rooms, 18, 2, 6)
    assert len(set(drawn)) == 18
    assert [mutation.path == "a.py" for mutation in drawn].count(True) == 4
    assert {mutation.kind for mutation in drawn} == set(KINDS)


def test_a_mutation_matters_where_its_statement_is_run() -> None:
    text = CODE.replace("count < LIMIT and text", "(\n            count < LIMIT and text)")
    texts = {"a.py": text, "b.py": "from a import LIMIT\ndef f():\n    return LIMIT\n"}

    def places(kind: str, which: int = 0) -> dict[str, set[int]]:
        return places_of(_mutations(text, kind, "a.py")[which], texts)

    assert places("'and' for 'or'") == {"a.py": {11, 12}}
    assert places("another constant") == {"a.py": {12}, "b.py": {3}}
    assert places("another default") == {"a.py": set(range(9, 19))}


def test_tests_of_the_room_come_first_then_the_fastest_while_there_is_time() -> None:
    seconds = {"tests/plan/test_a.py::a": 3.0, "tests/test_b.py::b": 1.0, "tests/test_b.py::c": 0.1}
    recorded = LineTests(seconds, {"a.py": {1: set(seconds)}})
    order = ["tests/plan/test_a.py::a", "tests/test_b.py::c", "tests/test_b.py::b"]
    assert in_order("engine/treec/plan/a.py", recorded.of("a.py", [1]), recorded) == order
    slow = LineTests({**seconds, order[1]: 30.0})
    assert in_order("engine/treec/plan/a.py", set(seconds), slow) == [order[0], order[2]]


def test_of_a_file_that_has_changed_any_line_counts() -> None:
    recorded = LineTests({"t": 1.0}, {"a.py": {1: {"t"}}})
    assert recorded.of("a.py", [2]) == set()
    recorded.changed.add("a.py")
    assert recorded.of("a.py", [2]) == {"t"}
    assert check_sum("a") != check_sum("b")


TESTS = """
import time
from code_of_mine import first
def test_fails_anyway(): assert False
def test_weak(): assert first(["bb", "a"])
def test_strict(): assert first(["bb", "a"]) == "a"
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="waits for a process by its descriptor")
def test_a_mutant_is_killed_by_a_test_that_passes_without_it(tmp_path: Path) -> None:
    root = tmp_path / "copy"
    root.mkdir()
    (root / "code_of_mine.py").write_text(CODE.replace("first(texts: list[str], ", "first(texts, "))
    (root / "test_mine.py").write_text(TESTS)
    text = (root / "code_of_mine.py").read_text()
    names = [f"test_mine.py::test_{name}" for name in ("fails_anyway", "weak", "strict")]
    (order,) = _mutations(text, "order reversed", "code_of_mine.py")
    (removed,) = _mutations(text, "statement removed", "code_of_mine.py")
    with Runner(root) as runner:
        killed = runner.fate(order, names, 3)
        assert (killed.status, killed.by, killed.tests) == ("killed", names[2], 2)
        assert runner.fate(order, names[:2], 2).status == "survived"
        assert runner.fate(removed, names, 3).status == "survived"
        assert runner.fate(removed, names[:1], 1).status == "unreached"
    assert (root / "code_of_mine.py").read_text() == text


def test_the_tables_count_by_room_and_kind_and_name_what_was_not_noticed() -> None:
    kinds = ("order reversed", "order reversed", "keyword dropped")
    paths = ("engine/treec/graph.py", "engine/treec/ask/a.py", "systems/treec_mosaic/b.py")
    ends = ("killed", "survived", "timed out")
    mutations = [Mutation(k, path, 7, 0, 1, "x") for k, path in zip(kinds, paths, strict=True)]
    by_room, by_kind = tables([Fate(m, end) for m, end in zip(mutations, ends, strict=True)], 5)
    assert by_room.rows == [
        ("ask", 1, 0, 0, 1, 0),
        ("treec", 1, 1, 0, 0, 0),
        ("treec_mosaic", 1, 0, 1, 0, 0),
    ]
    assert by_kind.rows == [("keyword dropped", 1, 0, 1, 0, 0), ("order reversed", 2, 1, 0, 1, 0)]
    assert by_kind.notes == (
        "2 of 3 noticed (67%), seed 5.",
        "Not noticed, or equivalent: order reversed (engine/treec/ask/a.py:7).",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tick", "--seed", "3"], "--seed is for mutants or code_mutants or chaos or prove alone"),
        (["code_mutants", "--processes", "2"], "--processes is for mutants or chaos alone"),
    ],
)
def test_options_of_drawing_are_refused_elsewhere(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments)
    assert message in capsys.readouterr().err
