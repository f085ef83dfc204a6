"""Corrections: on every fixture of a rule they leave less wrong and nothing new."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.check.test_fixtures import FIXTURES, write_files
from tests.support.tiers import first_fast
from treec.check import Verdicts, check_library
from treec.check.fixes import fix_of, fixed
from treec.files.library import load_library
from treec.source.diagnostics import Diagnostic

LINKED = frozenset({"TC002"})
"""Fixtures that have links, which are not files to be corrected."""
WITH_FIXES = [path for path in FIXTURES if "did you mean" in path.read_text("utf-8")]


@pytest.mark.few(4)
@pytest.mark.parametrize("path", first_fast(WITH_FIXES, 12), ids=lambda path: path.stem)
def test_corrections_leave_fewer_problems_and_none_that_is_new(path: Path, tmp_path: Path) -> None:
    root = tmp_path / "library"
    write_files(path.read_text("utf-8"), root)
    library = load_library(root)
    problems = check_library(library)
    texts = {
        name: file.text
        for name, file in library.sources.items()
        if name.endswith(".yaml") and not os.path.islink(root / name)
    }
    verdicts: Verdicts = {}

    def check(edited: Mapping[str, str]) -> list[Diagnostic]:
        return check_library(load_library(root, edited), verdicts=verdicts)

    done = fixed(texts, problems, check)
    before, after = (Counter((p.code, p.message) for p in of) for of in (problems, done.left))
    assert not after - before
    assert len(done.left) <= len(problems) - (1 if done.fixes else 0)
    assert sorted(check(done.texts)) == sorted(done.left)


def test_a_name_that_stands_twice_in_its_place_is_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "library"
    write_files(Path(WITH_FIXES[0]).read_text("utf-8"), root)
    library = load_library(root)
    problem = next(p for p in check_library(library) if p.help and "did you mean" in p.help)
    file = library.sources.get(problem.span.path)
    assert file is None or fix_of(problem, None) is None
