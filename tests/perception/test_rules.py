"""The rules about cameras, localizers and pose estimators: fixtures as those of the core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.check.library import view_of
from tests.check.test_fixtures import assert_prints_exactly
from tests.support.extensions import using
from treec.check import load_rules
from treec_perception.check import tc852_references
from treec_sapien.check.robots import shipped

HERE = Path(__file__).parent / "files"
FIXTURES = sorted(HERE.glob("TC*.yaml"))


@pytest.fixture(autouse=True, scope="module")
def _no_system() -> Iterator[None]:
    with using(without=("mosaic", "dag_plan")):
        yield


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(path: Path, tmp_path: Path) -> None:
    base = Path(__file__).parents[1] / "check" / "base"
    assert base.is_dir()
    assert_prints_exactly(path, tmp_path / "library")


def test_every_rule_has_a_fixture() -> None:
    own = {rule.code for rule, of in load_rules() if of.__module__.startswith("treec_perception.")}
    assert own
    assert own <= {path.stem for path in FIXTURES}


CAMERAS = """
camera: hand
about: At the hand.
mounted: {agent: Right, link: hand_camera}
---
camera: head
about: In the head.
mounted: {agent: Left, link: haed_camera}
"""
ARMS = """
agent: Left
is: Robot
about: Fetches and heats things.
can: [get, heat]
body: {robot: panda, pose: [0.0, -1.6, 0.0]}
---
agent: Right
is: Robot
about: Fetches and heats things.
can: [get, heat]
body: {of: Left}
"""


@pytest.mark.parametrize("links", [frozenset({"hand_camera", "head_camera"}), frozenset()])
def test_a_camera_is_on_a_link_of_its_robot_if_the_model_is_installed(
    links: frozenset[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tc852_references, "links_of", {shipped("panda"): links}.__getitem__)
    view = view_of(tmp_path, {"eyes.camera.yaml": CAMERAS, "arms.agent.yaml": ARMS})
    told = [problem.message for problem in tc852_references.check(view)]
    words = "camera 'head': the robot 'panda' of Left has no link 'haed_camera'"
    assert told == ([words] if links else [])
