"""The pages hang together: links lead somewhere, what is made from the code is up to date."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from docs.make_reference import OUT
from docs.make_reference import PAGES as REFERENCE
from tests.docs.pages import ROOT

PAGES = sorted(
    page
    for page in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "experiments").rglob("*.md"),
    )
    if page.parent.name != "reference"
)
"""The pages written by hand."""
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@cache
def texts() -> Mapping[Path, str]:
    """All pages by their paths; those of the reference are made from the code, not committed."""
    reference = {(OUT / name).resolve(): make() for name, make in REFERENCE.items()}
    return {page: page.read_text("utf-8") for page in PAGES} | reference


def anchors(text: str) -> set[str]:
    """The names by which a page's headings can be reached, as GitHub makes them."""
    found: dict[str, int] = {}
    names = set()
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if name in found else name)
        found[name] = found.get(name, 0) + 1
    return names


def broken_links(page: Path, text: str) -> Iterator[str]:
    """The links of a page that lead nowhere."""
    for link in _LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        if link.startswith(("http:", "https:")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        no_anchor = anchor and target in texts() and anchor not in anchors(texts()[target])
        if no_anchor or (target not in texts() and not target.exists()):
            yield link


def test_links_lead_somewhere() -> None:
    wrong = {
        page.relative_to(ROOT).as_posix(): links
        for page, text in texts().items()
        if (links := list(broken_links(page, text)))
    }
    assert not wrong


@pytest.mark.parametrize("page", REFERENCE)
def test_each_page_of_the_reference_is_made_from_the_code(page: str) -> None:
    text = texts()[(OUT / page).resolve()]
    assert text.startswith("# ")
    assert text.count("\n") > 20
    assert subprocess.run(["git", "ls-files", OUT], cwd=ROOT, capture_output=True).stdout == b""


def test_every_dependency_has_its_line() -> None:
    files = [*ROOT.glob("pyproject.toml"), *ROOT.glob("*/pyproject.toml")]
    projects = [tomllib.loads(file.read_text("utf-8"))["project"] for file in files]
    (project,) = (it for it in projects if it["name"] == "treec")
    text = (ROOT / "docs/dependencies.md").read_text("utf-8")
    base = [re.split(r"[<>=!~ ]", name)[0] for name in project["dependencies"]]
    section = text.partition("## The base package")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| `([\w.-]+)` \|", section, re.MULTILINE)
    assert lines == base
    for one in projects:
        extras = one.get("optional-dependencies", {}).values()
        for needed in (*one["dependencies"], *(it for extra in extras for it in extra)):
            name = re.split(r"[<>=!~ \[]", needed)[0]
            assert name.startswith("treec") or f"`{name}`" in text


def test_the_install_page_names_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / "docs/install.md").read_text("utf-8")
    named = re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)))
    assert {*project["optional-dependencies"]} - {"dev", "all"} == {*named}


def test_the_install_page_names_the_folders_that_an_extra_needs() -> None:
    files = [
        *ROOT.glob("pyproject.toml"),
        *ROOT.glob("*/pyproject.toml"),
        *ROOT.glob("*/*/pyproject.toml"),
    ]
    projects = {
        it["name"]: (it, file.parent.relative_to(ROOT).as_posix())
        for file in files
        for it in [tomllib.loads(file.read_text("utf-8"))["project"]]
    }

    def folders(needed: list[str]) -> set[str]:
        found: set[str] = set()
        for name, extra in (re.findall(r"^([\w.-]+)(?:\[(\w+)\])?", it)[0] for it in needed):
            if name in projects and name != "treec":
                project, folder = projects[name]
                extras = project.get("optional-dependencies", {}).get(extra, [])
                found |= {folder, *folders([*project["dependencies"], *extras])}
        return found

    page = (ROOT / "docs/install.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-z].*?) \| (.*?) \|", page, re.MULTILINE)
    brought = projects["treec"][0]["optional-dependencies"]
    for extras, named in rows:
        needed = [it for extra in re.findall(r"`([\w-]+)`", extras) for it in brought[extra]]
        assert {*re.findall(r"`([\w/]+)`", named)} == folders(needed), extras


def test_versions_are_pinned_for_all_of_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    pinned = (ROOT / "constraints.txt").read_text("utf-8").lower().replace("-", "_")
    for name in (it for it in wanted if not it.startswith("treec")):
        plain = re.split(r"[<>=!~ ]", name)[0].lower().replace("-", "_")
        assert f"{plain}==" in pinned, name


def test_no_page_speaks_of_a_command_that_is_not_there() -> None:
    from treec.cli.application import application

    app = application()
    known = {str(command.name) for command in app.registered_commands}
    known |= {str(group.typer_instance.info.name) for group in app.registered_groups}
    for page in (it for it in PAGES if it.name != "CHANGELOG.md"):  # it tells of former ones
        for name in re.findall(r"`treec\s(\w[\w-]*)", page.read_text("utf-8")):
            assert name in known, f"{page.relative_to(ROOT)}: treec {name}"


def experiments() -> set[str]:
    """The modules and packages of experiments that have a command line."""
    found = set()
    for file in (ROOT / "experiments").rglob("*.py"):
        if 'if __name__ == "__main__"' in file.read_text("utf-8") or file.stem == "__main__":
            path = file.parent if file.stem == "__main__" else file.with_suffix("")
            found.add(".".join(path.relative_to(ROOT).parts))
    return found


@pytest.mark.needs_system("mosaic")
def test_pages_speak_of_experiments_that_are_there_and_the_list_has_all() -> None:
    for page in PAGES:
        for name in re.findall(r"python -m (experiments[\w.]*)", page.read_text("utf-8")):
            assert name in experiments(), f"{page.relative_to(ROOT)}: {name}"
    text = (ROOT / "experiments/README.md").read_text("utf-8")
    assert set(re.findall(r"`python -m (experiments[\w.]*)", text)) == experiments()
