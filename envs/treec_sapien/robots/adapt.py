"""Changes that a robot's URDF needs for physics and for the planner.

The repository contains no models: they are found beside a robot's file or in installed packages,
changed here and written to ``$XDG_CACHE_HOME/treec/robots`` under a name with a hash of what they
are made from, so that another model, another description or other code makes a new file.

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
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from treec import write_atomic

FOOTING = "footing"
"""The empty link at the root of every adapted model (see `add_footing`)."""

PACKAGE = "package://"
_TURNS = 100  # a base may turn without limit, but mplib requires one
_REMOVED_ELEMENTS = ("gazebo", "transmission", "material", "sensor")


def resolve(text: str, folder: Path, packages: Mapping[str, Path]) -> Path:
    """Return the file that a path in a robot's file or in its URDF means; it may be missing.

    ``package://NAME/…`` is in one of ``packages``, in a folder of that name above ``folder``, in
    an installed Python package, or in a package of ROS. Raises FileNotFoundError
    for an unknown package.
    """
    if not text.startswith(PACKAGE):
        return folder / text.removeprefix("file://")
    name, _, path = text.removeprefix(PACKAGE).partition("/")
    if name in packages:
        return packages[name] / path
    beside = [above / name for above in folder.parents] + [folder / name]
    if folder.name == name:
        beside.append(folder)
    folders = [Path(it) for it in sys.path if it]
    installed = [it / inner / name for it in folders for inner in ("cmeel.prefix/share", "")]
    ros = [Path(it) / name for it in os.environ.get("ROS_PACKAGE_PATH", "").split(":") if it]
    for it in filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(":")):
        ros.append(Path(it) / "share" / name)
    places = [it for it in (*beside, *installed, *ros) if it.is_dir()]
    found = next((it for it in places if (it / path).exists()), None)
    if found is None and not places:
        raise FileNotFoundError(f"unknown package '{name}'")
    return (found or places[0]) / path


def cache_folder() -> Path:
    """Return the folder of adapted models, creating it if missing."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = root / "treec" / "robots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def cache_path(
    name: str, ending: str, sources: Iterable[Path], code: Iterable[ModuleType], text: str = ""
) -> Path:
    """Return the path of the file of this name made from these sources and a text by this code."""
    digest = hashlib.sha256(text.encode())
    for source in sources:
        digest.update(str(source).encode())  # relative mesh paths depend on it
        digest.update(source.read_bytes())
    for module in code:
        digest.update(inspect.getsource(module).encode())
    return cache_folder() / f"{name}-{digest.hexdigest()[:16]}.{ending}"


def simplify(model: ET.Element) -> None:
    """Make a URDF fit for physics without a renderer."""
    for name in _REMOVED_ELEMENTS:
        for part in model.findall(name):
            model.remove(part)
    for link in model.findall("link"):
        for visual in link.findall("visual"):
            link.remove(visual)
        inertial = link.find("inertial")
        if inertial is not None and not _positive(inertial):
            link.remove(inertial)


def release_followers(model: ET.Element) -> None:
    """Let joints that mimic another one move independently."""
    for joint in model.findall("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)


def set_limits(model: ET.Element) -> None:
    """Give joints that turn without end limits of a turn each way, and others without any 0."""
    for joint in model.findall("joint"):
        kind, limit = joint.get("type"), joint.find("limit")
        if kind in ("continuous", "revolute", "prismatic") and limit is None:
            limit = ET.SubElement(joint, "limit", {"effort": "1000", "velocity": "2"})
            limit.attrib |= {"lower": "0", "upper": "0"}
        if kind == "continuous":
            assert limit is not None
            joint.set("type", "revolute")
            limit.set("lower", repr(-2 * math.pi))
            limit.set("upper", repr(2 * math.pi))


def add_footing(model: ET.Element) -> None:
    """Add an empty link under the model's root; the joint between them is the robot's pose.

    The articulation's own root is then at the scene's origin, as mplib requires: it ignores the
    root's pose when it moves what a hand holds.
    """
    root = root_of(model)
    ET.SubElement(model, "link", {"name": FOOTING})
    add_joint(model, f"{FOOTING}_joint", "fixed", FOOTING, root)


def prepend_base(model: ET.Element, reach: float = 10.0) -> tuple[str, str, str]:
    """Mount the model on the three joints of a planar base; return the names of x, y and yaw."""
    root = root_of(model)
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


def drop_links(model: ET.Element, names: Iterable[str]) -> None:
    """Remove links with the joints that hold them, and all that hangs on them."""
    gone = set(names)
    joints = [(joint, *_ends(joint)) for joint in model.findall("joint")]
    more = gone
    while more:
        more = {child for _, parent, child in joints if parent in gone} - gone
        gone |= more
    for link in model.findall("link"):
        if link.get("name") in gone:
            model.remove(link)
    for joint, _, child in joints:
        if child in gone:
            model.remove(joint)


def set_shapes(
    model: ET.Element, link: str, shapes: Iterable[tuple[Sequence[float], str, dict[str, float]]]
) -> None:
    """Replace a link's collision shapes; each has its middle, its kind and its measures (m)."""
    element = next(it for it in model.findall("link") if it.get("name") == link)
    for old in element.findall("collision"):
        element.remove(old)
    for middle, kind, sizes in shapes:
        collision = ET.SubElement(element, "collision")
        ET.SubElement(collision, "origin", {"xyz": numbers(middle), "rpy": "0 0 0"})
        geometry = ET.SubElement(collision, "geometry")
        if kind == "box":
            ET.SubElement(geometry, "box", {"size": numbers(sizes.values())})
        else:
            values = {key: numbers([value]) for key, value in sizes.items()}
            ET.SubElement(geometry, "cylinder", values)


def mount(model: ET.Element, part: ET.Element, link: str, xyz: str, rpy: str, prefix: str) -> None:
    """Mount another model on a link; if its root has the link's name, both are one."""
    root = root_of(part)
    merged = root == link
    for element in part:
        if element.tag not in ("link", "joint"):
            continue
        name = str(element.get("name"))
        if merged and name == root and element.tag == "link":
            continue
        element.set("name", prefix + name)
        for end in (*element.findall("parent"), *element.findall("child")):
            own = str(end.get("link"))
            end.set("link", own if merged and own == root else prefix + own)
        for mimic in element.findall("mimic"):
            mimic.set("joint", prefix + mimic.get("joint", ""))
        model.append(element)
    if not merged:
        joint = f"{prefix}{root}_mount"
        add_joint(model, joint, "fixed", link, prefix + root, xyz=xyz, rpy=rpy)


def numbers(values: Iterable[float]) -> str:
    """Return numbers as URDF writes them."""
    return " ".join(f"{value:.15g}" for value in values)


def cache_meshes(model: ET.Element) -> None:
    """Write the paths of meshes relative to the cache folder.

    A mesh with a scale is replaced by its scaled convex hull: mplib ignores scales, and PhysX takes
    no mirrored mesh.
    """
    folder = cache_folder().resolve()
    for mesh in model.iter("mesh"):
        file, scale = Path(mesh.get("filename", "")), mesh.get("scale", "1 1 1")
        factors = [float(it) for it in scale.split()]
        if factors != [1.0, 1.0, 1.0]:
            import trimesh

            unit = _unit(file)
            path = cache_path(file.stem, "stl", [file], [], f"{scale} {unit}")
            if not path.is_file():
                hull = trimesh.load(file, force="mesh").convex_hull
                hull.apply_scale([unit * factor for factor in factors])
                write_atomic(path, hull.export(file_type="stl"))
            file = path.resolve()
        mesh.attrib.pop("scale", None)
        mesh.set("filename", os.path.relpath(file, folder))


def _unit(mesh: Path) -> float:
    """The metres that a unit of a Collada file is, which SAPIEN respects and trimesh does not."""
    if mesh.suffix.lower() != ".dae":
        return 1.0
    unit = next(ET.parse(mesh).getroot().iterfind("{*}asset/{*}unit"), None)
    return 1.0 if unit is None else float(unit.get("meter", 1.0))


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


def root_of(model: ET.Element) -> str:
    """Return the name of the link that hangs on no joint."""
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


def _ends(joint: ET.Element) -> tuple[str, str]:
    """The links between which a joint is."""
    parent, child = (joint.find(key) for key in ("parent", "child"))
    return (
        "" if parent is None else parent.get("link", ""),
        "" if child is None else child.get("link", ""),
    )
