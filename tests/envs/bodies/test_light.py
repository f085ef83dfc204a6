from __future__ import annotations

import subprocess
import sys

import pytest

from tests.envs.bodies.places import ROOT

SCRIPT = """
import sys
from pathlib import Path
from treec.check import check_library
from treec.files.library import load_library
check_library(load_library(Path({root!r})))
assert "treec_sapien.bodies.placement_check" in sys.modules, "nobody judged the scenes"
print(*sorted({{"numpy", "trimesh", "sapien", "scipy"}} & set(sys.modules)))
"""


@pytest.mark.thorough
def test_judging_scenes_loads_nothing_heavy() -> None:
    script = SCRIPT.format(root=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""
