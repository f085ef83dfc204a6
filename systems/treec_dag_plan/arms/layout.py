"""Layouts: positions of objects and hands, and which two targets can be worked on concurrently.

    layout: kitchen_2
    about: A table seen from above; x grows to the right of the robot, y away from it, z up.
    distance: 1.0            # metres; targets farther apart are not worked at at one time; or none
    crossing: {axis: x, margin: 0.05}     # or true (axis x, no margin), or false
    hands: {left: [-0.3, 0.0, 0.9], right: [0.3, 0.0, 0.9]}
    objects:
      apple: [-0.2, 0.5, 0.8]
      plate: [0.1, 0.5, 0.8]

These are DAG-Plan's checks 2 and 3 (section 3.2): the targets' distance is limited, and an arm's
target must not lie further right than that of an arm to its right by more than the margin.
"""

from __future__ import annotations

import math
from collections.abc import Mapping as MappingABC
from dataclasses import replace
from pathlib import Path

from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.text import SourceFile
from treec.source.yaml import Mapping, Scalar, Sequence, YamlNode, plain, read_documents, read_file
from treec_dag_plan.arms.layout_rules import LAYOUT, NUMBER

Point = tuple[float, ...]
KEYS = ("layout", "about", "distance", "crossing", "hands", "objects")
AXES = ("x", "y", "z")
FARTHEST = 1e6


@frozen
class ArmLayout:
    """Positions in metres; `axis` is the one along which arms stand from left to right, or None.

    `hands` are in the order from left to right.
    """

    objects: MappingABC[str, Point]
    hands: MappingABC[str, Point]
    limit: float | None = None
    axis: int | None = 0
    margin: float = 0.0

    def conflict(self, left: Point, right: Point) -> str | None:
        """Say why an arm cannot work at `left` while an arm to its right works at `right`."""
        apart = distance(left, right)
        if self.limit is not None and apart > self.limit + 1e-9:
            return f"the targets are {apart:.2f} m apart, farther than {self.limit:g} m"
        if self.axis is not None:
            across = left[self.axis] - right[self.axis]
            if across > self.margin + 1e-9:
                return (
                    f"the arms would cross: the left one's target is {across:.2f} m further right"
                )
        return None

    def with_things_at(self, places: MappingABC[str, str]) -> ArmLayout:
        """Return the layout with things (thing → place) where these places are, if it has them."""
        there = {it: self.objects[at] for it, at in places.items() if at in self.objects}
        return replace(self, objects={**self.objects, **there}) if there else self


def distance(a: Point, b: Point) -> float:
    """Return the distance between two points in metres."""
    return math.dist(a, b)


def read_layout(source: Path | str) -> tuple[ArmLayout | None, list[Diagnostic]]:
    """Read a layout from a file or a text; None with findings if it has errors."""
    if isinstance(source, Path):
        file, found = read_file(source, source.as_posix())
        if file is None:
            return None, found
    else:
        file = SourceFile("layout.yaml", source)
    documents, found = read_documents(file)
    if found:
        return None, found
    if len(documents) != 1 or not isinstance(documents[0].root, Mapping):
        span = documents[1].root.span if len(documents) > 1 else file.span(0)
        return None, [LAYOUT.at(span, "a layout is one mapping with hands and objects")]
    reader = _LayoutReader()
    layout = reader.layout(documents[0].root)
    return (None if reader.found else layout), sorted(reader.found)


class _LayoutReader:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.sizes: set[int] = set()

    def layout(self, root: Mapping) -> ArmLayout:
        for key, _ in root.entries:
            if key.text not in KEYS:
                help = suggestion(key.text, KEYS, "known keys")
                self.wrong(key, f"unknown key '{key.text}'", help)
        for name in ("hands", "objects"):
            if root.get(name) is None:
                self.wrong(root, f"'{name}' is missing", f"write {name}: {{name: [x, y, z]}}")
        hands = self.points(root.get("hands"), "a hand")
        objects = self.points(root.get("objects"), "an object")
        axis, margin = self.crossing(root.get("crossing"))
        limit = self.limit(root.get("distance"))
        return ArmLayout(objects, hands, limit, axis, margin)

    def wrong(self, node: YamlNode, message: str, help: str | None = None) -> None:
        self.found.append(LAYOUT.at(node.span, message, help))

    def limit(self, node: YamlNode | None) -> float | None:
        if node is None or (isinstance(node, Scalar) and node.value in (None, "none")):
            return None
        number = self.number(node, "the distance limit")
        if number is not None and number <= 0:
            self.found.append(NUMBER.at(node.span, "the distance limit is more than 0 metres"))
        return number

    def crossing(self, node: YamlNode | None) -> tuple[int | None, float]:
        if node is None or (isinstance(node, Scalar) and node.value is True):
            return 0, 0.0
        if isinstance(node, Scalar) and node.value is False:
            return None, 0.0
        if not isinstance(node, Mapping):
            self.wrong(node, "'crossing' is true, false, or {axis: x, margin: 0.05}")
            return None, 0.0
        for key, _ in node.entries:
            if key.text not in ("axis", "margin"):
                help = suggestion(key.text, ("axis", "margin"), "known keys")
                self.wrong(key, f"unknown key '{key.text}' of 'crossing'", help)
        axis, margin = node.get("axis"), node.get("margin")
        number = 0
        if axis is not None:
            text = axis.text if isinstance(axis, Scalar) else ""
            if text not in AXES:
                self.wrong(axis, "'axis' is x, y or z")
            else:
                number = AXES.index(text)
                if self.sizes and number >= max(self.sizes):
                    self.wrong(axis, f"positions have only two numbers: no {text}")
        wide = self.number(margin, "the margin") if margin is not None else 0.0
        if wide is not None and wide < 0 and margin is not None:
            self.found.append(NUMBER.at(margin.span, "the margin is 0 metres or more"))
        return number, wide or 0.0

    def points(self, node: YamlNode | None, what: str) -> dict[str, Point]:
        if node is None:
            return {}
        if not isinstance(node, Mapping) or not node.entries:
            self.wrong(node, f"this is a mapping from the name of {what} to [x, y, z]")
            return {}
        return {
            key.text: point
            for key, value in node.entries
            if (point := self.point(value, f"{what}'s position")) is not None
        }

    def point(self, node: YamlNode, what: str) -> Point | None:
        if not isinstance(node, Sequence) or len(node.items) not in (2, 3):
            data = plain(node)
            self.wrong(node, f"{what} is [x, y] or [x, y, z] in metres, not {_short(data)}")
            return None
        numbers = [self.number(item, what) for item in node.items]
        if self.sizes and len(numbers) not in self.sizes:
            others = " or ".join(map(str, sorted(self.sizes)))
            self.wrong(node, f"{what} has {len(numbers)} numbers, and others have {others}")
            return None
        self.sizes.add(len(numbers))
        point = tuple(number for number in numbers if number is not None)
        return point if len(point) == len(numbers) else None

    def number(self, node: YamlNode, what: str) -> float | None:
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            message = f"{what} is in metres: a number, not {_short(plain(node))}"
        elif not abs(value) < FARTHEST:
            message = f"{what} is a number of metres below {FARTHEST:,.0f}"
        else:
            return float(value)
        self.found.append(NUMBER.at(node.span, message))
        return None


def _short(data: object) -> str:
    text = repr(data)
    return text if len(text) <= 40 else text[:39] + "…"
