"""The slips in the paper's own prompts, told in our format: each is found, at its line and column.

A fixture is one file: in comments what the slip is and where in the paper it stands, then files
that are written over the small kitchen in `base/`, then exactly what `treec check` prints.
`TREEC_REWRITE=1 pytest tests/paper_slips` writes that part anew; look at the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.check.test_fixtures import PRINTS, check, commented, write_files

HERE = Path(__file__).parent
FILES = sorted((HERE / "files").glob("*.yaml"))
PAGE = HERE.parents[1] / "docs" / "design" / "paper_slips.md"
_PLACE = re.compile(r"^# (\S+:\d+:\d+): (?:error|warning) (TC\d+): (.+)$", re.MULTILINE)


def cited(fixture: str) -> str:
    """What a fixture says of its slip: the comments before its first file."""
    head = fixture.partition("# file: ")[0]
    return " ".join(line.removeprefix("#").strip() for line in head.splitlines())


def row(path: Path) -> str:
    """A slip's line in the page."""
    fixture = path.read_text("utf-8")
    found = _PLACE.findall(fixture.partition(PRINTS)[2])
    told = "<br>".join(f"{code}: {message}" for _, code, message in found)
    name = path.stem.replace("_", " ")
    where, _, what = cited(fixture).partition(": ")
    cells = (f"[{name}](../../tests/paper_slips/files/{path.name})", where, what, told)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def test_the_base_has_no_slip() -> None:
    assert check(HERE / "base") == ""


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_slip_of_the_paper_is_found(path: Path, tmp_path: Path) -> None:
    fixture = path.read_text("utf-8")
    write_files(fixture, tmp_path / "library", HERE / "base")
    printed = commented(check(tmp_path / "library"))
    files, _, expected = fixture.partition(PRINTS)
    if os.environ.get("TREEC_REWRITE") == "1":
        path.write_text(files.rstrip("\n") + "\n" + PRINTS + printed, "utf-8")
        return
    assert expected == printed
    assert _PLACE.search(printed), "a slip that nothing finds"
    assert cited(fixture).startswith("Appendix I.")


def test_the_page_lists_every_slip_with_its_finding() -> None:
    text = PAGE.read_text("utf-8")
    begin, end = "<!-- slips: begin -->\n", "<!-- slips: end -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    head = "| slip | in the paper | what it is | `treec check` says |\n|---|---|---|---|\n"
    made = before + begin + head + "".join(row(path) + "\n" for path in FILES) + end + after
    if os.environ.get("TREEC_REWRITE") == "1":
        PAGE.write_text(made, "utf-8")
        return
    assert text == made
