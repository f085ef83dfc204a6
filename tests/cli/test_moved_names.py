"""Libraries from before treec was several packages: `treec check --fix` corrects what has moved."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.library import ROOT

BEFORE = ROOT / "tests/data/templates_before_packages.tar.gz"
SKILL = """skill: wave
about: Wave.
runs:
  symbolic: treec.envs.symbolic:Effects
  sapien: treec.skills.pick.sapien:Pick
  arms: treec.envs.dual_kitchen.physical.put:Put
"""
WORKER = """from treec import Worker
from treec.envs.sapien.worker import Physical
from treec.testing import check_worker
import treec.perception.report  # treec.perception in a comment stays
"""


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The four templates as they were."""
    with tarfile.open(BEFORE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "templates"


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize("name", ["empty", "warehouse", "mosaic", "dag_plan"])
def test_a_template_of_before_checks_after_the_fix(treec: Treec, before: Path, name: str) -> None:
    library = before / name
    fixed = treec("check", "-L", library, "--fix")
    assert fixed.status == 0, fixed.out
    printed = treec("check", "-L", library).out
    if name == "warehouse":  # which claim an example's words stand for is for people to say
        assert "warning TC407: a model says claims, never words of its own" in printed
        assert "warning TC420" in printed  # what its reading speaks of and does not show
        assert printed.endswith("2 warnings in 2 files\n")
    else:
        assert "nothing is wrong" in printed


def test_moved_code_is_renamed_in_files_and_in_python(treec: Treec, before: Path) -> None:
    library = before / "warehouse"
    (library / "skills/wave.skill.yaml").write_text(SKILL, "utf-8")
    (library / "warehouse").mkdir(exist_ok=True)
    worker = library / "warehouse/wave.py"
    worker.write_text(WORKER, "utf-8")
    shown = treec("check", "-L", library, "--diff").out
    assert "+from treec_sapien.worker import Physical" in shown
    assert worker.read_text("utf-8") == WORKER
    treec("check", "-L", library, "--fix")
    text = (library / "skills/wave.skill.yaml").read_text("utf-8")
    assert "  sapien: treec_sapien.skills.pick.sapien:Pick\n" in text
    assert "  arms: treec_sapien.dual_kitchen.put:Put\n" in text
    assert worker.read_text("utf-8").splitlines()[1:] == [
        "from treec_sapien.worker import Physical",
        "from treec_testing import check_worker",
        "import treec_perception.report  # treec.perception in a comment stays",
    ]
