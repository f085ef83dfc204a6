"""The links of the robots' models as their packages have them, read without any simulator."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from treec_sapien.robots.adapt import example_robot, site_packages

_STRETCH = "stretch_urdf/SE3/stretch_description_SE3_eoa_wrist_dw3_tool_sg3.urdf"
MODELS: Mapping[str, Callable[[], Path]] = {
    "baxter": partial(example_robot, "baxter_description", "urdf", "baxter.urdf"),
    "panda": partial(example_robot, "panda_description", "urdf", "panda.urdf"),
    "stretch": lambda: site_packages() / _STRETCH,
}
"""Where a robot's model is among the installed packages."""


@cache
def links_of(robot: str) -> frozenset[str]:
    """Return the names of a robot's links; empty if its package is not installed."""
    if robot not in MODELS:
        return frozenset()
    try:
        model = ET.parse(MODELS[robot]()).getroot()
    except FileNotFoundError:
        return frozenset()
    return frozenset(link.get("name", "") for link in model.findall("link"))
