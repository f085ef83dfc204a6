"""What `treec check` says of files that are bound to ROS 2; none of it needs ROS."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.check.test_fixtures import assert_prints_exactly, check
from tests.ros.support import LIBRARY
from treec.check import load_rules

FIXTURES = sorted((Path(__file__).parent / "files").glob("TC*.yaml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)  # whose packages are suggested
    assert_prints_exactly(path, tmp_path / "library", LIBRARY)


def test_every_rule_has_a_fixture() -> None:
    own = {rule.code for rule, of in load_rules() if of.__module__.startswith("treec_ros.")}
    assert own
    assert own <= {path.stem for path in FIXTURES}


def test_nothing_is_wrong_with_the_yard() -> None:
    assert check(LIBRARY) == ""


@pytest.mark.thorough
def test_checking_imports_nothing_of_ros() -> None:
    code = (
        "import sys; from pathlib import Path; from treec.check import check_library;"
        "from treec.files.library import load_library;"
        f"assert not check_library(load_library(Path({str(LIBRARY)!r})));"
        "print([m for m in sys.modules if m.startswith(('rclpy', 'py_trees', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
