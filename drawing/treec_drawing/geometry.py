"""Layouts: positions of boxes and edges in pixels, y downwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return (self.x + self.width / 2, self.y + self.height / 2)

    def overlaps(self, other: Rectangle) -> bool:
        """Whether the two share any area."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def shifted(self, dx: float, dy: float) -> Rectangle:
        """The rectangle shifted by an offset."""
        return Rectangle(self.x + dx, self.y + dy, self.width, self.height)


Style = Literal["down", "right", "indented"]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Route:
    """The route of an edge through ``points``.

    If ``curved``, points after the first come in threes: two control points and the end of a Bézier
    curve. Otherwise they are corners, rounded when drawn. ``label_box`` holds the label.
    """

    edge: int
    points: tuple[Point, ...]
    curved: bool = False
    arrow: bool = False
    label_box: Rectangle | None = None

    def shifted(self, dx: float, dy: float) -> Route:
        """The route shifted by an offset."""
        return replace(
            self,
            points=tuple((x + dx, y + dy) for x, y in self.points),
            label_box=self.label_box.shifted(dx, dy) if self.label_box else None,
        )


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """Boxes by vertex id, a route for each edge, and the size of the whole from (0, 0)."""

    boxes: Mapping[str, Rectangle]
    routes: tuple[Route, ...]
    width: float
    height: float
    style: Style
