"""The links of the robots' models as their packages have them, read without any simulator."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache

from treec.envs.sapien.robots.adapt import site_packages

_EXAMPLES = "cmeel.prefix/share/example-robot-data/robots"
MODELS = {
    "baxter": f"{_EXAMPLES}/baxter_description/urdf/baxter.urdf",
    "panda": f"{_EXAMPLES}/panda_description/urdf/panda.urdf",
    "stretch": "stretch_urdf/SE3/stretch_description_SE3_eoa_wrist_dw3_tool_sg3.urdf",
}
"""A robot's model among the installed packages."""


@cache
def links_of(robot: str) -> frozenset[str]:
    """Return the names of a robot's links; empty if its package is not installed."""
    path = site_packages() / MODELS.get(robot, robot)
    if robot not in MODELS or not path.is_file():
        return frozenset()
    return frozenset(link.get("name", "") for link in ET.parse(path).getroot().findall("link"))
