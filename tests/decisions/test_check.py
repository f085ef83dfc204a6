"""What `treec check` says of test cases; most libraries keep them below an excluded folder."""

from __future__ import annotations

from pathlib import Path

from tests.check.test_fixtures import assert_prints_exactly, check, write_files
from treec.check.cache import errors_of
from treec.files.library import load_library

FIXTURE = Path(__file__).parent / "files" / "TC614.yaml"


def test_the_fixture_prints_exactly_what_it_says(tmp_path: Path) -> None:
    assert_prints_exactly(FIXTURE, tmp_path / "library")


def test_cases_are_checked_though_the_tests_are_excluded(tmp_path: Path) -> None:
    root = tmp_path / "library"
    write_files(FIXTURE.read_text("utf-8"), root)
    text = "[library]\nexclude = ['tests']\n"
    (root / "treec.toml").write_text(text, "utf-8")
    assert "tests/decisions/bad.case.yaml:2:9: error TC614: unknown system" in check(root)


def test_a_wrong_case_stops_no_run(tmp_path: Path) -> None:
    write_files(FIXTURE.read_text("utf-8"), tmp_path / "library")
    library = load_library(tmp_path / "library")
    system = library.find_system("demo")
    assert system is not None
    found = {problem.span.path for problem in errors_of(library, system)}
    assert found == {"prompts/demo/good.judge.yaml"}
