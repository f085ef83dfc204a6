"""Where furniture stands: rooms with walls, doorways between them, and passages.

A scene names its furniture, not where it is. Each room gets what belongs to it, is made as large as
that needs, and is drawn by the seed: counters, closets and beds along the walls, cabinets above
them, drawers below, tables in the middle, chairs beside these.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from treec_household.embodied.bodies import Furnishing, kind_of
from treec_sapien.bodies.pose import Pose, Vector, yaw

PASSAGE = 0.9
"""Metres that are left free before what stands at a wall, and between what stands in the middle."""
DOORWAY = 1.2
"""Metres."""
HIGH = 2.4
"""Height (m) of the walls."""
_CORNER = 0.65
_UNDER = 0.52
"""Width (m) of a column of drawers."""
_DOOR = 1.75
"""Where (y, m) the middle of a doorway is."""
_WALL = 0.1


class HomeTooFull(ValueError):
    """What does not fit into a room of any size that is tried."""


@dataclass(frozen=True)
class Wall:
    """An upright box between two corners of the floor plan."""

    low: tuple[float, float]
    high: tuple[float, float]


@dataclass
class FloorPlan:
    """The poses of what stays in its place, walls, and bodies that are no things (a stove)."""

    poses: dict[str, Pose] = field(default_factory=dict)
    walls: list[Wall] = field(default_factory=list)
    blocks: list[tuple[Pose, Vector]] = field(default_factory=list)
    rooms: list[tuple[float, float, float, float]] = field(default_factory=list)
    """x and y of opposite corners."""


@dataclass
class _Unit:
    """What stands together at a wall: names with their place in it (along, from the wall, z)."""

    width: float
    depth: float
    parts: list[tuple[str, float, float, float]] = field(default_factory=list)
    tall: bool = False
    block: Vector | None = None


def furnish(fixtures: Mapping[str, str], seed: int) -> FloorPlan:
    """Plan the rooms of a home for its fixtures, whose classes are given. Raises HomeTooFull."""
    rng = random.Random(f"rooms {seed}")
    plan = FloorPlan()
    left = 0.0
    rooms = _rooms(fixtures)
    for number, names in enumerate(rooms):
        doors = (number > 0, number + 1 < len(rooms))
        left = _furnish_room(plan, names, left, rng, doors)
    plan.walls += _walls(plan.rooms)
    return plan


def _walls(rooms: Sequence[tuple[float, float, float, float]]) -> Iterator[Wall]:
    """The outer walls of a row of rooms, and those between them with their doorways."""
    end, half = rooms[-1][2], _WALL / 2
    deepest = max(room[3] for room in rooms)
    yield Wall((-_WALL, -_WALL), (end + _WALL, 0.0))
    yield Wall((-_WALL, 0.0), (0.0, deepest))
    yield Wall((end, 0.0), (end + _WALL, deepest))
    for x0, _, x1, y1 in rooms:
        yield Wall((x0 - half, y1), (x1 + half, y1 + _WALL))
        if x1 < end:
            yield Wall((x1 - half, 0.0), (x1 + half, _DOOR - DOORWAY / 2))
            yield Wall((x1 - half, _DOOR + DOORWAY / 2), (x1 + half, deepest))


def _rooms(fixtures: Mapping[str, str]) -> list[dict[str, str]]:
    """Fixtures by room; what belongs to no room in particular is in the first, the largest one."""
    rooms: dict[str, dict[str, str]] = {}
    anywhere: dict[str, str] = {}
    for name, kind in fixtures.items():
        room = kind_of(kind, fixed=True).room
        (rooms.setdefault(room, {}) if room else anywhere)[name] = kind
    small = [room for room, names in rooms.items() if len(names) < 2]
    for room in small if len(rooms) > len(small) or len(small) > 1 else ():
        anywhere.update(rooms.pop(room))
    found = sorted(rooms.values(), key=len, reverse=True) or [{}]
    found[0].update(anywhere)
    return found


def _furnish_room(
    plan: FloorPlan,
    names: Mapping[str, str],
    left: float,
    rng: random.Random,
    doors: tuple[bool, bool],
) -> float:
    """Add a room whose left wall is at x = ``left``; return where its right wall is."""
    units, upper, middle, beside = _units(names, rng)
    rng.shuffle(units)
    deep = {name: kind_of(kind, fixed=True).size[1] for name, kind in names.items()}
    for step in range(40):
        width, depth = 3.5 + 0.5 * ((step + 1) // 2), 3.5 + 0.5 * (step // 2)
        room = _Room(left, width, depth, doors, deep)
        if room.fill(units, upper, middle, beside):
            plan.poses.update(room.poses)
            plan.blocks += room.blocks
            plan.rooms.append((left, 0.0, left + width, depth))
            return left + width
    raise HomeTooFull(f"there is no room for {len(names)} things that stay in their place")


def _units(
    names: Mapping[str, str], rng: random.Random
) -> tuple[
    list[_Unit],
    list[tuple[str, Furnishing]],
    list[tuple[str, Furnishing]],
    list[tuple[str, Furnishing]],
]:
    kinds = {name: kind_of(kind, fixed=True) for name, kind in names.items()}

    def standing(where: str) -> list[str]:
        return [name for name, kind in kinds.items() if kind.stands == where]

    cabinets = [n for n in standing("up") if names[n] == "Cabinet"]
    columns = [standing("under")[i : i + 3] for i in range(0, len(standing("under")), 3)]
    units = []
    counters = [n for n in standing("wall") if names[n] == "CounterTop"]
    on_top = standing("counter")
    for number, name in enumerate(counters):
        kind = kinds[name]
        unit = _Unit(kind.size[0], kind.size[1], [(name, 0.0, 0.0, 0.0)])
        for slot in (-1, 0, 1):
            along = slot * (_UNDER - 0.01)
            if columns and (slot != 1 or not cabinets):
                unit.parts += _column(columns.pop(), along)
            elif cabinets:
                unit.parts.append((cabinets.pop(), along, 0.13, 0.1))
        along = kind.size[0] / 2 - 0.05
        for appliance in on_top[number :: len(counters)][::-1]:
            own = kinds[appliance].size
            along -= own[0] / 2
            unit.parts.append((appliance, along, 0.04, kind.size[2]))
            along -= own[0] / 2 + 0.05
        units.append(unit)
    if on_top and not counters:
        for name in on_top:
            wide = kinds[name].size[0] + 0.2
            units.append(_Unit(wide, 0.5, [(name, 0.0, 0.05, 0.7)], block=(wide, 0.5, 0.7)))
    units += [_Unit(_UNDER, 0.5, _column(column, 0.0)) for column in columns]
    units += _wet(names, kinds, standing("sink"))
    units += _stove(standing("stove"), names)
    for name in standing("wall"):
        if names[name] not in ("CounterTop", "Sink", "SinkBasin", "Bathtub", "BathtubBasin"):
            w, d, h = kinds[name].size
            units.append(_Unit(w + 0.05, d, [(name, 0.0, 0.0, 0.0)], tall=h > 1.0))
    upper = [(n, kinds[n]) for n in standing("up") if names[n] != "Cabinet" or n in cabinets]
    rng.shuffle(upper)
    return (
        units,
        upper,
        [(n, kinds[n]) for n in standing("middle")],
        [(n, kinds[n]) for n in standing("beside")],
    )


def _column(names: Sequence[str], along: float) -> list[tuple[str, float, float, float]]:
    return [(name, along, 0.08, 0.47 - 0.19 * n) for n, name in enumerate(names)]


def _wet(
    names: Mapping[str, str], kinds: Mapping[str, Furnishing], taps: list[str]
) -> Iterator[_Unit]:
    """Basins with their taps; a Sink and its SinkBasin are one."""
    basins = [n for n, kind in names.items() if kind in ("SinkBasin", "BathtubBasin")]
    others = [n for n, kind in names.items() if kind in ("Sink", "Bathtub")]
    taps = list(taps)
    wet = basins or others
    for number, name in enumerate(wet):
        w, d, h = kinds[name].size
        parts = [(name, 0.0, 0.0, 0.0)]
        own = taps if number + 1 == len(wet) else taps[:1]
        parts += [(tap, 0.15 * n, 0.0, h) for n, tap in enumerate(own)]
        taps = taps[len(own) :]
        yield _Unit(w + 0.05, d, parts)
    for name in others if basins else ():
        yield _Unit(kinds[name].size[0] + 0.05, kinds[name].size[1], [(name, 0.0, 0.0, 0.0)])
    if taps and not wet:
        parts = [(tap, 0.12 * n, 0.0, 0.7) for n, tap in enumerate(taps)]
        yield _Unit(0.5, 0.5, parts, block=(0.5, 0.5, 0.7))


def _stove(names: list[str], kinds: Mapping[str, str]) -> Iterator[_Unit]:
    burners = [n for n in names if kinds[n] == "StoveBurner"]
    knobs = [n for n in names if kinds[n] == "StoveKnob"]
    if not names:
        return
    columns = max(1, -(-len(burners) // 2), -(-len(knobs) // 4))
    width = 0.32 * columns + 0.1
    unit = _Unit(width, 0.6, block=(width, 0.6, 0.7))
    for n, name in enumerate(burners):
        along = (n // 2 - (columns - 1) / 2) * 0.32
        unit.parts.append((name, along, 0.05 + 0.26 * (n % 2), 0.7))
    for n, name in enumerate(knobs):
        along = (n - (len(knobs) - 1) / 2) * (width - 0.1) / max(1, len(knobs))
        unit.parts.append((name, along, 0.6, 0.6))
    yield unit


class _Room:
    """A room while it is furnished: walls by number, north, west, south, east."""

    def __init__(
        self,
        left: float,
        width: float,
        depth: float,
        doors: tuple[bool, bool],
        deep: Mapping[str, float],
    ) -> None:
        self.left, self.width, self.depth, self.doors = left, width, depth, doors
        self.poses: dict[str, Pose] = {}
        self.blocks: list[tuple[Pose, Vector]] = []
        self._deep = deep
        """How deep each thing is."""

    def fill(
        self,
        units: Sequence[_Unit],
        upper: Sequence[tuple[str, Furnishing]],
        middle: Sequence[tuple[str, Furnishing]],
        beside: Sequence[tuple[str, Furnishing]],
    ) -> bool:
        """Place everything; false if the room is too small."""
        self.poses, self.blocks = {}, []
        taken: list[list[tuple[float, float]]] = [[], [], [], []]
        free = self._free_spans(taken)
        order = sorted(range(4), key=lambda wall: -sum(b - a for a, b in free[wall]))
        tall: list[list[tuple[float, float]]] = [[], [], [], []]
        at = {wall: [span[0] for span in free[wall]] for wall in order}
        for turn, unit in enumerate(sorted(units, key=lambda one: -one.width)):
            for tried in range(4):
                wall = order[(turn + tried) % 4]
                place = self._take(at[wall], free[wall], unit.width)
                if place is not None:
                    break
            else:
                return False
            self._put_unit(wall, place, unit)
            if unit.tall:
                tall[wall].append((place - unit.width / 2, place + unit.width / 2))
        spans = self._free_spans(tall)
        at = {wall: [span[0] for span in spans[wall]] for wall in order}
        for n, (name, kind) in enumerate(upper):
            for tried in range(4):
                wall = order[(n + tried) % 4]
                place = self._take(at[wall], spans[wall], kind.size[0] + 0.04)
                if place is not None:
                    self._put(wall, place, (name, 0.0, 0.0, kind.z))
                    break
            else:
                return False
        return self._fill_middle(middle, beside)

    def _free_spans(
        self, taken: Sequence[Sequence[tuple[float, float]]]
    ) -> list[list[tuple[float, float]]]:
        spans = []
        for wall in range(4):
            length = self.width if wall % 2 == 0 else self.depth
            cut = list(taken[wall])
            if (wall == 1 and self.doors[0]) or (wall == 3 and self.doors[1]):
                middle = _DOOR if wall == 3 else length - _DOOR
                cut.append((middle - DOORWAY / 2 - 0.1, middle + DOORWAY / 2 + 0.1))
            begin, own = _CORNER, []
            for low, high in sorted(cut):
                own.append((begin, low))
                begin = max(begin, high)
            spans.append([*own, (begin, length - _CORNER)])
        return spans

    @staticmethod
    def _take(at: list[float], spans: Sequence[tuple[float, float]], width: float) -> float | None:
        for n, (_, end) in enumerate(spans):
            if at[n] + width <= end + 1e-9:
                at[n] += width
                return at[n] - width / 2
        return None

    def _put_unit(self, wall: int, place: float, unit: _Unit) -> None:
        for part in unit.parts:
            self._put(wall, place, part)
        if unit.block is not None:
            self.blocks.append((self._pose(wall, place, unit.block[1] / 2, 0.0), unit.block))

    def _put(self, wall: int, place: float, part: tuple[str, float, float, float]) -> None:
        name, along, off, z = part
        self.poses[name] = self._pose(wall, place + along, off + self._deep[name] / 2, z)

    def _pose(self, wall: int, along: float, off: float, z: float) -> Pose:
        """A pose so far along a wall and off it; its front faces into the room."""
        x, y, turned = (
            (self.width - along, self.depth - off, 0.0),
            (off, self.depth - along, 90.0),
            (along, off, 180.0),
            (self.width - off, along, 270.0),
        )[wall]
        return Pose((self.left + x, y, z), yaw(turned))

    def _fill_middle(
        self, middle: Sequence[tuple[str, Furnishing]], beside: Sequence[tuple[str, Furnishing]]
    ) -> bool:
        """Tables in rows with chairs on both sides; without a table the chairs stand alone."""
        edge = 0.65 + PASSAGE
        x, y, high = edge, edge, 0.0
        chairs = list(beside) if middle else []
        each = -(-len(chairs) // max(1, len(middle)))
        for name, kind in middle or beside:
            seats, chairs = chairs[:each], chairs[each:]
            w = max(kind.size[0], 0.5 * -(-len(seats) // 2))
            d = kind.size[1] + (1.1 if seats else 0.0)
            if x + w > self.width - edge + 1e-9:
                x, y, high = edge, y + high + PASSAGE, 0.0
            if x + w > self.width - edge + 1e-9 or y + d > self.depth - edge + 1e-9:
                return False
            self.poses[name] = Pose((self.left + x + w / 2, y + d / 2, 0.0))
            for n, (seat, own) in enumerate(seats):
                side, row = 1 if n % 2 else -1, -(-len(seats) // 2)
                along = (n // 2 - (row - 1) / 2) * 0.5
                off = kind.size[1] / 2 + own.size[1] / 2 - 0.02
                place = (self.left + x + w / 2 + along, y + d / 2 + side * off, 0.0)
                self.poses[seat] = Pose(place, yaw(180.0 if side > 0 else 0.0))
            x, high = x + w + PASSAGE, max(high, d)
        return True
