"""Pages of results: each says what measured it, and the site says when that has changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from docs import make_results
from tests.docs.pages import ROOT

PAGES = make_results.read_all()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_a_command_that_there_is_and_paths_that_there_are(
    page: make_results.Result,
) -> None:
    assert [path for path in page.measures if not (ROOT / path).exists()] == []
    words = page.command.split()
    if words[:3] == ["python", "-m", "benchmarks"]:
        assert words[3] in (*benchmarks.NAMES, *benchmarks.NAMED)
    elif words[:2] == ["python", "-m"]:
        module = ROOT / words[2].replace(".", "/")
        assert module.with_suffix(".py").is_file() or (module / "__main__.py").is_file()
    else:
        assert words[0] == "treec"


def test_the_list_has_all_pages() -> None:
    told = "run: python -m docs.make_results"
    assert make_results.INDEX.read_text("utf-8") == make_results.index(PAGES), told


def test_what_has_changed_since_is_counted_in_commits_of_what_is_measured(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        done = subprocess.run(
            ["git", "-C", str(tmp_path), *who, *words], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(path: str) -> None:
        (tmp_path / path).write_text(path)
        git("add", ".")
        git("commit", "-m", path)

    git("init", "-q")
    commit("measured.py")
    page = tmp_path / "page.md"
    head = git("rev-parse", "--short=8", "HEAD")
    page.write_text(
        f"---\nclaim: It is fast.\ncommand: treec check\nmeasures: [measured.py]\n"
        f"commit: {head}\n---\n\n# Fast\n\n2026-11-29: 1 s.\n"
    )
    result = make_results.read(page)
    commit("other.py")
    assert result.note(tmp_path) == f"Measured on 2026-11-29 at {head} by `treec check`."
    (tmp_path / "measured.py").write_text("changed")
    git("commit", "-am", "changed")
    assert result.note(tmp_path).endswith("Since then 1 commit has changed what it measures.")
    assert result.changes(tmp_path / "..") is None


def test_a_page_without_its_command_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("---\nclaim: It is fast.\n---\n# Fast\n2026-11-29\n")
    with pytest.raises(ValueError, match="no command, measures, commit"):
        make_results.read(page)
