"""A seeded sample of single mutations of the warehouse is told, most of it on the line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.bench_mutants import LIBRARIES, Verdict, copy_library, judge, judge_one, table
from benchmarks.mutations import Mutation, misspell, mutations, sample
from treec.check import Verdicts, check_library
from treec.files.library import load_library

ROOT = LIBRARIES["warehouse"]


def test_a_mutation_changes_its_own_line_only() -> None:
    library = load_library(ROOT)
    for mutation in sample(mutations(library), 1, 5):
        text = (ROOT / mutation.path).read_text("utf-8")
        changed = mutation.apply(text)
        assert changed != text, mutation
        before, after = text.splitlines(), changed.splitlines()
        same = sum((Counter(before) & Counter(after)).values())
        assert same >= len(before) - 1, mutation


def test_the_sample_depends_on_the_seed_alone() -> None:
    every = list(mutations(load_library(ROOT)))
    assert sample(every, 1, 3) == sample(list(reversed(every))[::-1], 1, 3)
    assert sample(every, 1, 3) != sample(every, 1, 4)


@pytest.mark.parametrize(("name", "misspelt"), [("pick", "pikc"), ("aa", "aaa"), ("", "x")])
def test_misspell(name: str, misspelt: str) -> None:
    assert misspell(name) == misspelt


@pytest.mark.thorough
def test_a_sample_of_mutations_of_the_warehouse_is_told() -> None:
    drawn = sample(mutations(load_library(ROOT)), 1, 16)[::6]
    verdicts = judge(ROOT, drawn, processes=1)
    silent = [verdict.mutation for verdict in verdicts if not verdict.told]
    assert len(verdicts) > 25
    assert silent == []
    assert sum(verdict.on_line for verdict in verdicts) >= 0.85 * len(verdicts)


def test_state_that_an_offer_speaks_of_and_that_is_no_longer_rendered_is_told() -> None:
    kind = "decision: state that an offer speaks of not rendered"
    drawn = [m for m in mutations(load_library(ROOT)) if m.kind == kind]
    assert drawn
    assert all(verdict.told for verdict in judge(ROOT, drawn, processes=1))


def test_the_table_has_a_row_for_each_kind_of_file_and_names_what_was_not_told() -> None:
    one, two, other = (
        Mutation(kind, "a.tree.yaml", line, 0, 1, "x")
        for kind, line in (
            ("tree: key twice", 3),
            ("tree: key misspelt", 7),
            ("skill: key twice", 9),
        )
    )
    found = table(
        "it", [Verdict(one, True, True), Verdict(two, False, False), Verdict(other, True, False)], 5
    )
    assert found.rows == [("skill", 1, 1, 1, 0), ("tree", 2, 2, 1, 1)]
    assert found.notes == (
        "3 mutations of 3 kinds, seed 5: 66.7% told, 33.3% on the line that was changed.",
        "Not told: tree: key misspelt (a.tree.yaml:7).",
    )


def test_judging_only_what_a_mutation_changes_finds_what_a_whole_check_finds(
    tmp_path: Path,
) -> None:
    every = sample(mutations(load_library(ROOT)), 1, 8)
    drawn = [m for m in every if m.kind.startswith(("action:", "tree:"))][::25][:3]
    copy = tmp_path / "warehouse"
    copy_library(ROOT, copy)
    correct: Verdicts = {}
    assert check_library(load_library(copy), verdicts=correct) == []
    assert len(drawn) == 3
    for mutation in drawn:
        assert judge_one(copy, mutation, correct) == judge_one(copy, mutation, {})


def test_a_name_that_is_declared_and_that_nothing_uses_is_free() -> None:
    library = load_library(ROOT)
    (domain,) = library.of_kind("domain")
    declared = {m.line for m in mutations(library) if "'types' declares it" in m.kind}
    text = domain.file.text
    assert declared
    for line in declared:
        name = text.splitlines()[line - 1].split(":")[0].strip()
        uses = sum(entry.file.text.count(name) for entry in library.entries)
        assert uses > 1, name
