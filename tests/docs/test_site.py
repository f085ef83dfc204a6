"""The documentation as a site."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; a page that is in no menu, or a link that leads nowhere, ends the build."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.mark.thorough
def test_each_page_is_there_as_html_and_as_markdown(site: Path) -> None:
    listed = re.findall(r"\]\((\S+\.md)\)", (site / "llms.txt").read_text("utf-8"))
    assert {"README.md", "stopping.md", "reference/rules.md", "repository/CHANGELOG.md"} < {*listed}
    for name in listed:
        assert (site / name).read_text("utf-8").startswith("# ")
        folder = site / name.removesuffix("README.md").removesuffix(".md")
        assert (folder / "index.html").is_file()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("page", "shows"),
    [
        ("rules/tc203", "TC203"),
        ("kinds/decision", "offline"),
        ("commands/treec-check", "--deep"),
        ("api/workspace", "check()"),
    ],
)
def test_a_kind_a_rule_a_command_and_a_name_have_pages_of_their_own(
    site: Path, page: str, shows: str
) -> None:
    assert shows in (site / f"reference/{page}/index.html").read_text("utf-8")


@pytest.mark.thorough
def test_a_link_out_of_the_documentation_leads_to_a_copy_in_the_site(site: Path) -> None:
    page = (site / "design/paper_slips/index.html").read_text("utf-8")
    links = re.findall(r'href="([^"]*repository/tests[^"]*\.yaml)"', page)
    assert links
    assert all((site / "design/paper_slips" / link).is_file() for link in links)


@pytest.mark.thorough
def test_no_page_asks_another_computer(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    assert len(pages) > 50
    for page in pages:
        found = re.findall(
            r'<(?:script|link|img)[^>]*(?:src|href)="(https?://[^"]*)"', page.read_text("utf-8")
        )
        assert not found, page
