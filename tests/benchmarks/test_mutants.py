"""A seeded sample of single mutations of the warehouse is told, most of it on the line."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.bench_mutants import LIBRARIES, judge
from benchmarks.mutations import misspell, mutations, sample
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
