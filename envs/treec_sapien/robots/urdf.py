"""What is wrong with a URDF by itself: found before a loader stops at it, or takes it otherwise."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_MOVING = _TYPES[:3]
_SIZES = {"box": {"size": 3}, "sphere": {"radius": 1}, "mesh": {"scale": 3}}
_SIZES |= {key: {"radius": 1, "length": 1} for key in ("cylinder", "capsule")}


def assert_sound(model: ET.Element) -> None:
    """Raise ValueError with the first thing that makes a model no tree of links and joints."""
    if model.tag != "robot" or not model.findall("link"):
        raise ValueError(f"its first element is <{model.tag}>, with no links: no URDF")
    links, joints = _names(model, "link"), _names(model, "joint")
    parents: dict[str, str] = {}
    for name, joint in zip(joints, model.findall("joint"), strict=True):
        ends = [it.get("link", "") for key in ("parent", "child") for it in joint.findall(key)]
        if len(ends) != 2:
            raise ValueError(f"the joint '{name}' has no parent or no child")
        for end in ends:
            if end not in links:
                raise ValueError(f"the joint '{name}' is on '{end}', which is no link")
        if ends[1] in parents:
            raise ValueError(f"two joints hold the link '{ends[1]}'; a URDF is a tree")
        parents[ends[1]] = ends[0]
        _assert_joint(name, joint)
    for link in links:
        above = {at := link}
        while (at := parents.get(at, "")) and at not in above:
            above.add(at)
        if at:
            raise ValueError(f"the joints above the link '{at}' form a circle; a URDF is a tree")
    roots = [name for name in links if name not in parents]
    if len(roots) != 1:
        raise ValueError(f"one link hangs on no joint, not {', '.join(map(repr, roots))}")
    for name, element in zip(links, model.findall("link"), strict=True):
        try:
            _assert_link(element)
        except ValueError as error:
            raise ValueError(f"the link '{name}': {error}") from None


def numbers_of(element: ET.Element | None, key: str, default: str, count: int) -> tuple[float, ...]:
    """Return the numbers of an attribute. Raises ValueError for other text, or another count."""
    text = default if element is None else element.get(key, default)
    found = _numbers(text)
    if len(found) != count:
        many = {1: "one number", 3: "three numbers"}[count]
        raise ValueError(f"'{key}' is {many}, not '{text}'")
    return found


@lru_cache(maxsize=1024)
def _numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(it) for it in text.split())
    except ValueError:
        return ()


def _assert_joint(name: str, joint: ET.Element) -> None:
    kind, limit = joint.get("type", ""), joint.find("limit")
    if kind not in _TYPES:
        raise ValueError(f"the joint '{name}' has no type of URDF: '{kind}'")
    try:
        _assert_origin(joint)
        axis = numbers_of(joint.find("axis"), "xyz", "1 0 0", 3)
        low, high = (numbers_of(limit, key, "0", 1)[0] for key in ("lower", "upper"))
        for key, default in (("multiplier", "1"), ("offset", "0")):
            numbers_of(joint.find("mimic"), key, default, 1)
    except ValueError as error:
        raise ValueError(f"the joint '{name}': {error}") from None
    if kind in _MOVING and not any(axis):
        raise ValueError(f"the joint '{name}' has an axis of no length")
    if kind in _MOVING and low > high:
        raise ValueError(f"the joint '{name}' has its lower limit above the upper one")


def _assert_link(link: ET.Element) -> None:
    for inertial in link.findall("inertial"):
        _assert_origin(inertial)
        numbers_of(inertial.find("mass"), "value", "0", 1)
        for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"):
            numbers_of(inertial.find("inertia"), key, "0", 1)
    for collision in link.findall("collision"):
        _assert_origin(collision)
        for shape in collision.iterfind("geometry/*"):
            for key, count in _SIZES.get(shape.tag, {}).items():
                default = "1 1 1" if shape.tag == "mesh" else ""
                if not all(numbers_of(shape, key, default, count)):
                    raise ValueError(f"'{key}' of its {shape.tag} is 0")


def _assert_origin(element: ET.Element) -> None:
    for key in ("xyz", "rpy"):
        numbers_of(element.find("origin"), key, "0 0 0", 3)


def _names(model: ET.Element, tag: str) -> list[str]:
    names = [it.get("name", "") for it in model.findall(tag)]
    if "" in names:
        raise ValueError(f"a {tag} has no name")
    double = _repeated(names)
    if double is not None:
        raise ValueError(f"two {tag}s are called '{double}'")
    return names


def _repeated(names: Iterable[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)
