"""Adaptation of a package's robot model, cached in the user's cache folder.

The repository contains no models: they are found in installed packages, changed here and written to
``$XDG_CACHE_HOME/treec/robots`` under a name with a hash of the source model and of the code that
changes it, so that a new version of either makes a new file.

Every model needs: meshes by relative paths (mplib puts the file's folder before absolute ones), no
textures or cameras (a scene without a renderer refuses them), limits on all joints (mplib refuses
others), positive inertias (PhysX computes missing ones from the shapes), and fingers that move
independently (a mimic joint would hold one back when the other touches first).
"""

from __future__ import annotations

import hashlib
import inspect
import math
import os
import sysconfig
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

FOOTING = "footing"
"""The empty link at the root of every adapted model (see `add_footing`)."""

_EXAMPLES = Path("cmeel.prefix/share/example-robot-data/robots")
_TURNS = 100  # a base may turn without limit, but mplib requires one
_REMOVED_ELEMENTS = ("gazebo", "transmission", "material", "sensor")


def site_packages() -> Path:
    """Return the folder of the installed packages."""
    return Path(sysconfig.get_paths()["purelib"])


def example_robot(*path: str) -> Path:
    """Return a file of the package example-robot-data."""
    file = site_packages() / _EXAMPLES / Path(*path)
    if not file.is_file():
        raise FileNotFoundError(
            f"{file} is missing: install treec's extra 'sapien' (package example-robot-data)"
        )
    return file


def cache_folder() -> Path:
    """Return the folder of adapted models, creating it if missing."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = root / "treec" / "robots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def cache_path(kind: str, ending: str, sources: Iterable[Path], code: Iterable[ModuleType]) -> Path:
    """Return the path of the file of this kind made from these sources by this code."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(str(source).encode())  # relative mesh paths depend on it
        digest.update(source.read_bytes())
    for module in code:
        digest.update(inspect.getsource(module).encode())
    return cache_folder() / f"{kind}-{digest.hexdigest()[:16]}.{ending}"


def read_model(source: Path, packages: Path) -> ET.Element:
    """Read a URDF, made fit for physics without a renderer; ``packages`` resolves ``package://``."""
    model = ET.parse(source).getroot()
    for name in _REMOVED_ELEMENTS:
        for part in model.findall(name):
            model.remove(part)
    for link in model.findall("link"):
        for visual in link.findall("visual"):
            link.remove(visual)
        inertial = link.find("inertial")
        if inertial is not None and not _positive(inertial):
            link.remove(inertial)
    for mesh in model.iter("mesh"):
        mesh.set("filename", _relative(mesh.get("filename", ""), source.parent, packages))
    for joint in model.findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            joint.remove(mimic)
    return model


def add_footing(model: ET.Element) -> None:
    """Add an empty link under the model's root; the joint between them is the robot's pose.

    The articulation's own root is then at the scene's origin, as mplib requires: it ignores the
    root's pose when it moves what a hand holds.
    """
    root = _root(model)
    ET.SubElement(model, "link", {"name": FOOTING})
    add_joint(model, f"{FOOTING}_joint", "fixed", FOOTING, root)


def prepend_base(model: ET.Element, reach: float = 10.0) -> tuple[str, str, str]:
    """Mount the model on the three joints of a planar base; return the names of x, y and yaw."""
    root = _root(model)
    names = ("base_x", "base_y", "base_yaw")
    links = ("base_floor", "base_along", "base_across", root)
    axes = ("1 0 0", "0 1 0", "0 0 1")
    for name in links[:3]:
        model.append(_weighed_link(name, 5.0))
    for name, axis, parent, child in zip(names, axes, links, links[1:], strict=False):
        turning = axis == "0 0 1"
        far = _TURNS * 2 * math.pi if turning else reach
        kind = "revolute" if turning else "prismatic"
        add_joint(model, name, kind, parent, child, axis=axis, limits=(-far, far))
    return names


def add_joint(
    model: ET.Element,
    name: str,
    kind: str,
    parent: str,
    child: str,
    *,
    xyz: str = "0 0 0",
    rpy: str = "0 0 0",
    axis: str = "0 0 1",
    limits: tuple[float, float] | None = None,
) -> None:
    """Add a joint; ``limits`` for a movable one."""
    joint = ET.SubElement(model, "joint", {"name": name, "type": kind})
    ET.SubElement(joint, "origin", {"xyz": xyz, "rpy": rpy})
    ET.SubElement(joint, "parent", {"link": parent})
    ET.SubElement(joint, "child", {"link": child})
    ET.SubElement(joint, "axis", {"xyz": axis})
    if limits is not None:
        low, high = limits
        values = {"lower": repr(low), "upper": repr(high), "effort": "1000", "velocity": "2"}
        ET.SubElement(joint, "limit", values)


def fix(model: ET.Element, *names: str) -> None:
    """Make joints fixed."""
    for joint in model.findall("joint"):
        if joint.get("name") in names:
            joint.set("type", "fixed")


def drop_links(model: ET.Element, *names: str) -> None:
    """Remove leaf links with the joints that hold them."""
    for link in model.findall("link"):
        if link.get("name") in names:
            model.remove(link)
    for joint in model.findall("joint"):
        child = joint.find("child")
        if child is not None and child.get("link") in names:
            model.remove(joint)


def text_of(model: ET.Element) -> str:
    """Return the model as text."""
    ET.indent(model)
    return ET.tostring(model, encoding="unicode") + "\n"


def overlaps_of(srdf: Path, links: Iterable[str]) -> frozenset[frozenset[str]]:
    """Return the pairs of links that an SRDF allows to overlap, restricted to existing links."""
    there = set(links)
    pairs = (
        frozenset((entry.get("link1", ""), entry.get("link2", "")))
        for entry in ET.parse(srdf).getroot().iter("disable_collisions")
    )
    return frozenset(pair for pair in pairs if pair <= there)


def _root(model: ET.Element) -> str:
    children = {
        part.get("link") for joint in model.findall("joint") for part in joint.iter("child")
    }
    names = [str(link.get("name")) for link in model.findall("link")]
    return next(name for name in names if name not in children)


def _weighed_link(name: str, mass: float) -> ET.Element:
    """A link without shapes needs a mass of its own."""
    link = ET.Element("link", {"name": name})
    inertial = ET.SubElement(link, "inertial")
    ET.SubElement(inertial, "origin", {"xyz": "0 0 0", "rpy": "0 0 0"})
    ET.SubElement(inertial, "mass", {"value": repr(mass)})
    same = dict.fromkeys(("ixx", "iyy", "izz"), repr(mass * 0.1))
    ET.SubElement(inertial, "inertia", same | dict.fromkeys(("ixy", "ixz", "iyz"), "0"))
    return link


def _positive(inertial: ET.Element) -> bool:
    """Whether a body can have this mass and inertia (all leading minors positive)."""
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    if mass is None or inertia is None or float(mass.get("value", 0)) <= 0:
        return False
    xx, xy, xz, yy, yz, zz = (
        float(inertia.get(key, 0)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    minor = xx * yy - xy * xy
    whole = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return xx > 0 and minor > 0 and whole > 0


def _relative(mesh: str, folder: Path, packages: Path) -> str:
    """A mesh's path relative to the cache folder."""
    if mesh.startswith("package://"):
        file = packages / mesh.removeprefix("package://")
    else:
        file = folder / mesh
    if not file.is_file():
        raise FileNotFoundError(f"the robot's mesh {file} is missing")
    return os.path.relpath(file, cache_folder().resolve())
