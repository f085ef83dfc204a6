"""A robot's model made of its files: URDF, mounts, base, shapes and tool frames in one tree.

`assemble` is used by `treec check` and before a simulation alike, so that both find the same
problems. Nothing heavy is imported.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import wraps
from pathlib import Path
from typing import TypeVar

from treec_sapien.robots import adapt
from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.files import FrameSpec, RobotFile, ShapeSpec
from treec_sapien.robots.kinematics import KinematicModel
from treec_sapien.robots.urdf import assert_sound

Keys = tuple[str | int, ...]
T = TypeVar("T")

_EXTRA = dict.fromkeys(("example-robot-data", "stretch_urdf"), "pip install 'treec[sapien]'")
"""What installs packages with models of the robots that ship."""


@dataclass(frozen=True)
class RobotProblem:
    """What is wrong in a robot's file: the keys that lead there, a message, what would be right.

    What may be meant as it stands ``may_be_right``: a warning.
    """

    keys: Keys
    message: str
    help: str | None = None
    on_key: bool = False
    may_be_right: bool = False


@dataclass
class RobotModel:
    """The tree of a robot's links and joints; None as long as a problem keeps it from being made.

    ``sources`` are the files that were read, ``tried`` also those that are missing, ``mounted`` the
    links of mounts, ``follows`` where joints stay that mimic one which `home` names.
    """

    tree: ET.Element | None = None
    kinematics: KinematicModel | None = None
    base: tuple[str, ...] = ()
    srdf: Path | None = None
    sources: list[Path] = field(default_factory=list)
    tried: list[Path] = field(default_factory=list)
    mounted: frozenset[str] = frozenset()
    follows: dict[str, float] = field(default_factory=dict)
    problems: list[RobotProblem] = field(default_factory=list)

    def home(self, file: RobotFile) -> dict[str, float]:
        """Return where its joints are at home, by name, without those of the grippers."""
        home = self.follows | file.home
        for arm in file.arms.values():
            home |= dict(zip(arm.joints, arm.home, strict=False))
        return home


def assemble(definition: RobotDefinition) -> RobotModel:
    """Return a robot's model, or what is wrong with its files."""
    file, made = definition.file, RobotModel()
    packages = {name: definition.folder / path for name, path in file.packages.items()}
    for name, path in packages.items():
        if not path.is_dir():
            made.problems.append(RobotProblem(("packages", name), f"there is no folder {path}"))
    tree = _read(definition, made, ("urdf",), file.urdf, packages)
    if file.srdf is not None:
        made.srdf = _find(definition, made, ("srdf",), file.srdf, packages)
        _read_srdf(made)
    parts = [
        _read(definition, made, ("mounts", at, "urdf"), one.urdf, packages)
        for at, one in enumerate(file.mounts)
    ]
    if tree is None or None in parts:
        return made
    before = len(made.problems)
    _leave_out(file, tree, made)
    _add_base(tree, file, made)
    for at, (spec, part) in enumerate(zip(file.mounts, parts, strict=True)):
        assert part is not None
        _mount(tree, part, spec.link, at, file, made)
    for link, shapes in file.shapes.items():
        if _known(made, ("shapes", link), link, _links(tree), "link", on_key=True):
            adapt.set_shapes(tree, link, map(_shape, shapes))
    for side, arm in file.arms.items():
        if isinstance(arm.tool, FrameSpec):
            _add_tool(tree, side, arm.tool, made)
    if len(made.problems) == before:
        named = {*made.base, *_named_joints(file)}
        model = KinematicModel(tree)
        made.follows = dict(_followers(file, model, named))
        named |= made.follows.keys()
        free = [str(joint.get("name")) for joint in tree.findall("joint")]
        adapt.fix(tree, *(name for name in free if name not in named))
        made.tree, made.kinematics = tree, KinematicModel(tree, model.movable)
        adapt.release_followers(tree)
        adapt.set_limits(tree)
    return made


_assembled: dict[RobotDefinition, tuple[dict[Path, int], RobotModel]] = {}


def assembled(definition: RobotDefinition) -> RobotModel:
    """Return a robot's model, made once as long as its files stay as they are; do not change it."""
    known = _assembled.get(definition)
    if known is None or known[0] != _stamps(known[0]):
        made = assemble(definition)
        known = _assembled[definition] = _stamps(made.tried), made
    return known[1]


def per_model(
    make: Callable[[RobotDefinition, RobotModel], T],
) -> Callable[[RobotDefinition], T]:
    """Call a function of a robot's model once for the same model."""
    kept: dict[RobotDefinition, tuple[RobotModel, T]] = {}

    @wraps(make)
    def cached(definition: RobotDefinition) -> T:
        made, known = assembled(definition), kept.get(definition)
        if known is None or known[0] is not made:
            known = kept[definition] = made, make(definition, made)
        return known[1]

    return cached


def _stamps(paths: Iterable[Path]) -> dict[Path, int]:
    """When each file was changed; 0 for one that is missing."""
    return {path: _stamp(path) for path in paths}


def _stamp(path: Path) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


@per_model
def links_of(_: RobotDefinition, made: RobotModel) -> frozenset[str]:
    """Return the names of a robot's links; empty if a file of it is missing."""
    return frozenset() if made.kinematics is None else frozenset(made.kinematics.links)


def _followers(
    file: RobotFile, model: KinematicModel, named: Collection[str]
) -> Iterator[tuple[str, float]]:
    """Where joints stay that mimic one which stays."""
    for joint in model.joints.values():
        value, factor, at = 0.0, 1.0, joint
        seen = {joint.name}
        while at.follows is not None and at.name not in named:
            leader, by, offset = at.follows
            value, factor = value + factor * offset, factor * by
            if leader not in model.joints or leader in seen:
                break
            at = model.joints[leader]
            seen.add(leader)
        value += factor * file.home.get(at.name, 0.0)
        if at is not joint and value and (at.name in file.home or at.name not in named):
            yield joint.name, value


def _named_joints(file: RobotFile) -> Iterator[str]:
    yield from file.home
    for arm in file.arms.values():
        yield from arm.joints
        yield from (finger.joint for finger in arm.gripper.fingers)


def _find(
    definition: RobotDefinition,
    made: RobotModel,
    keys: Keys,
    text: str,
    packages: dict[str, Path],
) -> Path | None:
    """The file of a path; None, and a problem, if it is missing."""
    try:
        path = adapt.resolve(text, definition.folder, packages)
    except FileNotFoundError as error:
        made.problems.append(RobotProblem(keys, str(error), _package_help(text)))
        return None
    made.tried.append(path)
    if not path.is_file():
        words = f"there is no file {_shown(path, definition.folder)}"
        made.problems.append(RobotProblem(keys, words, _similar(path)))
        return None
    made.sources.append(path)
    return path


def _read(
    definition: RobotDefinition,
    made: RobotModel,
    keys: Keys,
    text: str,
    packages: dict[str, Path],
) -> ET.Element | None:
    """A URDF, its meshes' paths absolute."""
    path = _find(definition, made, keys, text, packages)
    if path is None:
        return None
    try:
        tree = ET.parse(path).getroot()
        assert_sound(tree)
    except (ET.ParseError, ValueError) as error:
        content = path.read_text("utf-8", errors="replace")
        raw = "xacro" in text or "<xacro:" in content or "${" in content
        help = "write out a .xacro first: xacro FILE > robot.urdf" if raw else None
        shown = _shown(path, definition.folder)
        made.problems.append(RobotProblem(keys, f"cannot read {shown}: {error}", help))
        return None
    adapt.simplify(tree)
    missing: dict[str, str] = {}
    for mesh in tree.iter("mesh"):
        name = mesh.get("filename", "")
        try:
            found = adapt.resolve(name, path.parent, packages)
            reason = f"there is no file {_shown(found, definition.folder)}"
            made.tried.append(found)
            mesh.set("filename", str(found))
            if not found.is_file():
                missing[name] = reason
        except FileNotFoundError as error:
            missing[name] = str(error)
    if missing:
        name, reason = next(iter(missing.items()))
        count = "a mesh is" if len(missing) == 1 else f"{len(missing)} meshes are"
        words = f"{count} missing, {name}: {reason}"
        unknown = name.startswith(adapt.PACKAGE) and reason.startswith("unknown")
        help = _package_help(name) if unknown else None
        made.problems.append(RobotProblem(keys, words, help))
    return tree


def _read_srdf(made: RobotModel) -> None:
    if made.srdf is None:
        return
    try:
        pairs = sum(1 for _ in ET.parse(made.srdf).getroot().iter("disable_collisions"))
        words = "" if pairs else f"{made.srdf.name} lets no two links overlap (disable_collisions)"
    except ET.ParseError as error:
        words = f"cannot read {made.srdf.name}: {error}"
    if words:
        help = "without srdf: they are found by sampling"
        made.problems.append(RobotProblem(("srdf",), words, help))


def _add_base(tree: ET.Element, file: RobotFile, made: RobotModel) -> None:
    """Add what carries a model: links and joints with names of their own."""
    there = list(tree)
    if file.base != "fixed":
        made.base = adapt.prepend_base(tree)
    adapt.add_footing(tree)
    names = {(it.tag, it.get("name")) for it in there}
    for it in list(tree)[len(there) :]:
        name = it.get("name")
        if (it.tag, name) not in names:
            continue
        words = f"the model has '{name}' already, which is a name of the base that carries it"
        made.problems.append(RobotProblem(("urdf",), words, "give it another name in the URDF"))


def _leave_out(file: RobotFile, tree: ET.Element, made: RobotModel) -> None:
    names = _links(tree)
    gone: list[str] = []
    for at, pattern in enumerate(file.without):
        matches = [name for name in names if fnmatchcase(name, pattern)]
        if not matches:
            words = f"no link of the model is called '{pattern}'"
            made.problems.append(RobotProblem(("without", at), words, similar(pattern, names)))
        gone += matches
    if adapt.root_of(tree) in gone:
        words = "the root of the model cannot be left out"
        made.problems.append(RobotProblem(("without",), words))
    else:
        adapt.drop_links(tree, gone)


def _mount(
    tree: ET.Element, part: ET.Element, link: str, at: int, file: RobotFile, made: RobotModel
) -> None:
    spec, keys = file.mounts[at], ("mounts", at)
    if not _known(made, (*keys, "link"), link, _links(tree), "link"):
        return
    root = adapt.root_of(part)
    if root == link and any((*spec.xyz, *spec.rpy)):
        words = f"'{link}' is the root of both, which are one: 'xyz' and 'rpy' would say nothing"
        help = "call the root of the mounted model something else"
        made.problems.append(RobotProblem((*keys, "link"), words, help))
        return
    new = {spec.prefix + name for name in _links(part) if not (name == root == link)}
    joints = {f"{spec.prefix}{it.get('name')}" for it in part.findall("joint")}
    there = {*_links(tree)} & new or {str(it.get("name")) for it in tree.findall("joint")} & joints
    if there:
        words = f"the model has '{min(there)}' already"
        help = "give the names of this mount another beginning: prefix: left_"
        made.problems.append(RobotProblem((*keys, "prefix"), words, help))
        return
    xyz, rpy = adapt.numbers(spec.xyz), adapt.numbers(spec.rpy)
    adapt.mount(tree, part, link, xyz, rpy, spec.prefix)
    made.mounted |= new


def _add_tool(tree: ET.Element, side: str, tool: FrameSpec, made: RobotModel) -> None:
    keys: Keys = ("arms", side, "tool", "link")
    if _known(made, keys, tool.link, _links(tree), "link"):
        name = tool_link(side)
        if name in _links(tree):
            words = f"the model has a link '{name}' already, as this frame would be called"
            made.problems.append(RobotProblem(keys, words, f"tool: {name}, or name it otherwise"))
            return
        ET.SubElement(tree, "link", {"name": name})
        xyz, rpy = adapt.numbers(tool.xyz), adapt.numbers(tool.rpy)
        adapt.add_joint(tree, f"{name}_joint", "fixed", tool.link, name, xyz=xyz, rpy=rpy)


def tool_link(side: str) -> str:
    """Return the name of the link of an arm's tool frame that its file defines."""
    return f"{side}_tcp"


def _shape(shape: ShapeSpec) -> tuple[list[float], str, dict[str, float]]:
    if shape.box is not None:
        return shape.xyz, "box", dict(zip("xyz", shape.box, strict=True))
    assert shape.cylinder is not None
    radius, length = shape.cylinder
    return shape.xyz, "cylinder", {"radius": radius, "length": length}


def _links(tree: ET.Element) -> list[str]:
    return [str(link.get("name")) for link in tree.findall("link")]


def _known(
    made: RobotModel,
    keys: Keys,
    name: str,
    known: Iterable[str],
    what: str,
    *,
    on_key: bool = False,
) -> bool:
    """Whether a name is known; if not, that is a problem."""
    names = list(known)
    if name in names:
        return True
    words = f"unknown {what} '{name}'"
    made.problems.append(RobotProblem(keys, words, similar(name, names), on_key))
    return False


def similar(name: str, known: Iterable[str]) -> str:
    """Return what may have been meant by an unknown name."""
    names = list(known)
    near = get_close_matches(name, names, 1)
    if near:
        return f"did you mean '{near[0]}'?"
    more = ", …" if len(names) > 12 else ""
    return f"known: {', '.join(names[:12])}{more}"


def _package_help(path: str) -> str | None:
    """What helps to find a file of a package."""
    if not path.startswith(adapt.PACKAGE):
        return None
    name = path.removeprefix(adapt.PACKAGE).partition("/")[0]
    if name in _EXTRA:
        return f"it is not installed: {_EXTRA[name]}"
    return f"a folder of that name above the URDF, or: packages: {{{name}: FOLDER}}"


def _shown(path: Path, folder: Path) -> str:
    """A path from a robot's file on, if it is below."""
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def _similar(path: Path) -> str | None:
    """Files with a similar name, if the folder is there."""
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    names = [it.name for it in path.parent.iterdir() if it.suffix == path.suffix]
    return similar(path.name, sorted(names)) if names else None
