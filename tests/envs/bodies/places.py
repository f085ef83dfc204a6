"""The shipped scenes that have bodies, as their files have them; each ships with a system."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
SCENES = {
    "kitchen": ROOT / "envs/kitchen/kitchen.scene.yaml",
    **{f"kitchen_{n}": ROOT / f"envs/dual_kitchen/kitchen_{n}.scene.yaml" for n in (1, 2, 3)},
}


def in_scene(name: str, *values: Any) -> Any:
    """Parameters of a test about a shipped scene: skipped without the system that ships it."""
    system = "mosaic" if name == "kitchen" else "dag_plan"
    return pytest.param(name, *values, marks=pytest.mark.needs_system(system))


EVERY_SCENE = [in_scene(name) for name in SCENES]


@cache
def objects(name: str) -> dict[str, dict[str, Any]]:
    """The objects of a scene."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(SCENES[name].read_text("utf-8"))["objects"]
    return found


def agents(name: str) -> dict[str, dict[str, Any]]:
    """The bodies of the agents that act in a scene."""
    found = {}
    for path in sorted(SCENES[name].parent.glob("*.agent.yaml")):
        agent = yaml.safe_load(path.read_text("utf-8"))
        if "body" in agent:
            found[str(agent["agent"])] = agent["body"]
    return found
