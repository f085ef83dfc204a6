"""What a check finds depends on the checked files and on what is installed, on nothing else.

Once, a plan file that no other file named made a filter known everywhere, since the module that
declared it had been imported.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.packs import write

ROOT = Path(__file__).parents[2]

FILES = {
    "treec.toml": "",
    "yard.domain.yaml": """domain: yard
about: Filters of the core, of an extension, and one that nobody has.
derived:
  sorted_names: agents | map(attribute='name') | sort
  staged: agents | stages
  odd: agents | stagse
""",
}
CHECK = """
from pathlib import Path
from treec.check import check_library
from treec.files.library import load_library

def check(root):
    return [f"{p.span} {p.code} {p.message}" for p in check_library(load_library(Path(root)))]
"""
IMPORT_ALL = """
import pkgutil, importlib
for name in ("treec_mosaic", "treec_dag_plan", "treec_helper"):
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(found.name)
"""


def printed(code: str, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", CHECK + code, *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "before",
    [
        f"check({str(ROOT / 'tests/check/base')!r})",
        pytest.param(f"check({str(ROOT)!r})", marks=pytest.mark.thorough),
        pytest.param(IMPORT_ALL, marks=pytest.mark.thorough),
    ],
    ids=["another library", "the shipped library", "all systems imported"],
)
@pytest.mark.thorough
def test_what_was_checked_or_imported_before_changes_nothing(tmp_path: Path, before: str) -> None:
    root = str(write(tmp_path, FILES))
    alone = printed("import sys; print(check(sys.argv[1]))", root)
    assert "stagse" in alone
    assert printed(f"import sys\n{before}\nprint(check(sys.argv[1]))", root) == alone


@pytest.mark.thorough
def test_files_that_nothing_names_change_nothing_for_the_others(tmp_path: Path) -> None:
    root = str(write(tmp_path, FILES))
    alone = printed("import sys; print(check(sys.argv[1]))", root)
    plan = (ROOT / "prompts/dag_plan/graph").glob("*.plan.yaml")
    write(tmp_path, {path.name: path.read_text("utf-8") for path in plan})
    code = "import sys; print([p for p in check(sys.argv[1]) if p.startswith('yard')])"
    assert printed(code, root) == alone
