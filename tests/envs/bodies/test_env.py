"""`treec env show`, through the command line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.library import ROOT
from treec.cli import main

pytest.importorskip("trimesh")


SCENE = """\
scene: workbench
about: A cup and a tin on a table.
domain: depot
bodies: treec_sapien.bodies
objects:
  table: {type: Place, pose: [0.0, 0.0, 0.0], body: {kind: table, size: [0.8, 0.6, 0.7]}}
  cup: {type: Place, pose: [0.1, 0.0, 0.7], body: {kind: cup}}
  tin: {type: Place, pose: [-0.1, 0.0, 0.7], body: {kind: tin}}
"""


@pytest.fixture
def depot(tmp_path: Path) -> Path:
    """The depot with a scene that has bodies."""
    root = Path(shutil.copytree(ROOT / "tests/data/depot", tmp_path / "depot"))
    (root / "workbench.scene.yaml").write_text(SCENE, "utf-8")
    return root


@pytest.mark.thorough
def test_a_scene_is_drawn(depot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix, start in ((".png", b"\x89PNG"), (".glb", b"glTF"), (".svg", b"<svg")):
        out = depot / f"x{suffix}"
        call = ["env", "show", "workbench", "-o", str(out), "--no-robots", "-L", str(depot)]
        assert main(call) == 0
        assert out.read_bytes().startswith(start)
    assert capsys.readouterr().out.count("3 bodies and 0 robots") == 3


@pytest.mark.thorough
@pytest.mark.needs_system("dag_plan")
def test_robots_stand_in_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sapien")
    out = tmp_path / "x.svg"
    assert main(["env", "show", "kitchen_1", "-o", str(out)]) == 0
    assert "1 robots" in capsys.readouterr().out
    assert "<title>baxter</title>" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["workbnch", "-o", "x.png"], "did you mean 'workbench"),
        (["workbench", "-o", "x.jpg"], "suffix must be one of .png, .glb, .svg"),
    ],
)
def test_what_cannot_be_drawn_says_why(
    depot: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["env", "show", *arguments, "-L", str(depot)]) == 2
    assert says in capsys.readouterr().err
