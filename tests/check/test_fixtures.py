"""Every rule's fixture: files, and exactly what `treec check` prints of them.

A fixture is one file. Sections that begin with `# file: PATH` are written into a copy of the
library in `base/` (`# file: PATH in latin-1` in another encoding, `# file: PATH in link` as a link
to what stands below it); what is expected stands at the end, as comments, below
`# treec check prints:`.
`TREEC_REWRITE=1 pytest tests/check/test_fixtures.py` writes it anew; look at the difference.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.extensions import using
from treec.check import check_library
from treec.files.library import load_library
from treec.source.diagnostics import format_text

HERE = Path(__file__).parent
FIXTURES = sorted(path for path in (HERE / "files").glob("TC*.yaml"))
PRINTS = "# treec check prints:\n"
_SECTION = re.compile(r"^# file: (\S+)(?: in (\S+))?\n", re.MULTILINE)


def check(root: Path) -> str:
    """What `treec check` prints of a library."""
    library = load_library(root)
    return format_text(check_library(library), library.sources)


def write_files(fixture: str, root: Path, base: Path = HERE / "base") -> None:
    """A copy of the base with a fixture's files written into it."""
    shutil.copytree(base, root)
    parts = _SECTION.split(fixture.partition(PRINTS)[0])
    for name, encoding, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if encoding == "link":  # to what its text names
            target.symlink_to(text.strip())
            continue
        target.write_text(text.rstrip("\n") + "\n", encoding or "utf-8")


def commented(text: str) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


def assert_prints_exactly(path: Path, root: Path, base: Path = HERE / "base") -> None:
    """Check a fixture's library, written to a folder; TREEC_REWRITE=1 writes what it prints."""
    fixture = path.read_text("utf-8")
    write_files(fixture, root, base)
    printed = commented(check(root))
    files, _, expected = fixture.partition(PRINTS)
    if os.environ.get("TREEC_REWRITE") == "1":
        path.write_text(files.rstrip("\n") + "\n" + PRINTS + printed, "utf-8")
        return
    assert expected == printed
    assert path.stem in expected, "a fixture shows the rule that it is named after"


@pytest.fixture(autouse=True, scope="module")
def _core_alone() -> Iterator[None]:
    """What a fixture prints depends on no system."""
    with using(without=("mosaic", "dag_plan")):
        yield


def test_the_base_has_no_problem() -> None:
    assert check(HERE / "base") == ""


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(path: Path, tmp_path: Path) -> None:
    assert_prints_exactly(path, tmp_path / "library")
