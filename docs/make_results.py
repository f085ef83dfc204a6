"""Pages of results: what was measured, by which command, when, and whether it still stands.

A page of docs/results begins with its claim, the command that measures it, the paths that it
measures, and the commit at which it was measured. ``python -m docs.make_results`` writes the list
of all pages and prints how many commits have changed since then what each measures; with names it
runs their commands first (``make results NAME="tick stop"``).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/results"
INDEX = RESULTS / "README.md"
_FRONT = re.compile(r"\A---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
_COMMIT = re.compile(r"^commit: .*$", re.MULTILINE)
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")


INTRODUCTION = """\
# Results

What was measured, each with its command, machine and date. `make results NAME=tick` measures one
anew; `make results` lists all, with the number of commits that have changed since then what they
measure. The site shows it on each page.

The machines are small and shared: compare ratios, and milliseconds only within a table.
Alternatives are measured in turns within one run.

| | claim | measured |
|---|---|---|"""


@dataclass(frozen=True)
class Result:
    """A page: what it claims, and what it was measured with."""

    path: Path
    title: str
    claim: str
    command: str
    measures: tuple[str, ...]
    """Files and folders whose changes may change the figures."""
    commit: str
    measured: date
    """The latest date among the figures."""

    @property
    def name(self) -> str:
        """Its name in commands."""
        return self.path.stem

    def changes(self, root: Path = ROOT) -> int | None:
        """Commits since then that changed what it measures; None where there is no history."""
        span = f"{self.commit}..HEAD"
        command = ["git", "-C", str(root), "rev-list", "--count", span, "--", *self.measures]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        return int(found.stdout) if found.returncode == 0 else None

    def note(self, root: Path = ROOT) -> str:
        """When it was measured and what has changed since, in a sentence."""
        changes = self.changes(root)
        told = f"Measured on {self.measured.isoformat()} at {self.commit} by `{self.command}`."
        if changes is None or not changes:
            return told
        commits = "1 commit has" if changes == 1 else f"{changes} commits have"
        return f"{told} Since then {commits} changed what it measures."


def read(page: Path) -> Result:
    """A page of results. Raises ValueError where something is missing."""
    text = page.read_text("utf-8")
    front = _FRONT.match(text)
    if front is None:
        raise ValueError(f"{page}: no front matter with claim, command, measures, commit")
    data = yaml.safe_load(front[1])
    missing = [key for key in ("claim", "command", "measures", "commit") if not data.get(key)]
    if missing:
        raise ValueError(f"{page}: no {', '.join(missing)} in its front matter")
    rest = text[front.end() :]
    title = re.search(r"^# (.+)$", rest, re.MULTILINE)
    days = _DAY.findall(rest)
    if title is None or not days:
        raise ValueError(f"{page}: no {'title' if title is None else 'date'}")
    return Result(
        page,
        title[1],
        data["claim"],
        data["command"],
        tuple(data["measures"]),
        str(data["commit"]),
        date.fromisoformat(max(days)),
    )


def read_all(folder: Path = RESULTS) -> list[Result]:
    """All pages, by title."""
    pages = [read(page) for page in folder.glob("*.md") if page.name != INDEX.name]
    return sorted(pages, key=lambda page: page.title)


def index(pages: list[Result]) -> str:
    """The list of all pages."""
    lines = [INTRODUCTION]
    for page in pages:
        lines.append(f"| [{page.title}]({page.path.name}) | {page.claim} | {page.measured} |")
    return "\n".join(lines) + "\n"


def stamp(page: Path) -> None:
    """Write today's commit into a page: its figures were just measured."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD"]
    head = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    page.write_text(_COMMIT.sub(f"commit: {head}", page.read_text("utf-8"), count=1), "utf-8")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m docs.make_results", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a page to measure anew")
    given = parser.parse_args()
    pages = {page.name: page for page in read_all()}
    for name in given.names:
        if name not in pages:
            parser.error(f"unknown result '{name}'; known: {', '.join(sorted(pages))}")
    for name in given.names:
        words = pages[name].command.split()
        command = [sys.executable, *words[1:]] if words[0] == "python" else words
        subprocess.run(command, cwd=ROOT, check=True)
        if "--write" in words:
            stamp(pages[name].path)
        else:
            print(f"{pages[name].path} is written by hand: put the figures there, and the commit")
    everything = read_all()
    INDEX.write_text(index(everything), "utf-8")
    for page in everything:
        print(f"{page.name:<16} {page.measured}  {page.changes()} commits since")


if __name__ == "__main__":
    main()
