"""What a robot must not collide with: itself and its surroundings, kept in sync with the scene.

Two versions of the surroundings: **tight**, as things are, for the last centimetres to a handle or
away from a table; and **roomy**, where everything but the robot is padded, so that a path found
there keeps its distance.

Many configurations are tested together: the poses of the robot's pieces and the overlaps of their
boxes are computed for all of them at once; FCL tests the remaining pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from mplib.sapien_utils.conversion import convert_object_name

from treec_sapien.motion.figure import Figure, HeldObject
from treec_sapien.motion.frames import Array, Index
from treec_sapien.motion.kinematic_tree import Mask
from treec_sapien.motion.obstacles import PADDING as PADDING
from treec_sapien.motion.obstacles import Obstacles, Thing, find_overlaps
from treec_sapien.motion.solids import ConvexPiece, touch
from treec_sapien.robots.robot import Robot

_AT_ONCE = 16  # configurations tested together
_NUMBER = re.compile(r"_\d+$")  # that follows a thing's name where names must differ
_RESTS = 0.01  # how far (m) a thing may be above another that it lies on


@dataclass(frozen=True)
class _AllowedContact:
    """These links of the robot, and what it holds, may touch a thing or some pieces of a link."""

    links: frozenset[str]
    thing: str
    link: str | None
    pieces: frozenset[int] | None


@dataclass(frozen=True)
class _Overlap:
    """Two overlapping pieces: the index of the robot's own, and of the other one."""

    own: tuple[int, ...]
    other: int | None
    one: ConvexPiece
    two: ConvexPiece


class Space:
    """The configuration space of one robot (whole qpos, in the order of ``robot.joints``).

    ``free(q)`` is the main query. What the robot holds moves with it (:meth:`attach`); what a hand
    is about to touch is allowed within a context (:meth:`touching`).
    """

    def __init__(self, scene: Any, robot: Robot) -> None:
        self.robot = robot
        self._scene = scene
        self._name = convert_object_name(robot.articulation)
        self._base = robot.indices(robot.base_joints)
        self._allowed: list[_AllowedContact] = []
        self._excused: set[frozenset[tuple[str, str]]] = set()
        self._close: set[frozenset[tuple[str, str]]] = set()
        self._figure = Figure(robot, self._name)
        self._build()

    def _build(self) -> None:
        self._count = self._body_count()
        self._around = Obstacles(self._scene, self.robot.articulation)
        for name, held in self._figure.held.items():
            thing = self._around.things[name]
            self._figure.held[name] = HeldObject(thing, held.link, held.touch)
            self._around.there[thing.own] = False
        self._figure.hold()
        self._minds: dict[tuple[ConvexPiece, ConvexPiece], bool] = {}
        self._show(self.robot.qpos)

    def _body_count(self) -> int:
        return len(self._scene.get_all_actors()) + len(self._scene.get_all_articulations())

    def update(self) -> None:
        """Synchronize with the scene; what is held stays where it is in the hand."""
        if self._body_count() != self._count:
            self._build()
            return
        self._around.update()
        if self._figure.held:
            self._figure.hold()
        self._show(self.robot.qpos)

    def free(self, q: Array, *, roomy: bool = False) -> bool:
        """Whether the robot is collision-free at ``q``."""
        return next(self._hits(q[None], roomy), None) is None

    def all_free(self, rows: Array, *, roomy: bool = False) -> bool:
        """Whether that holds for all of these (n, joints); the first are tested first."""
        return all(
            next(self._hits(rows[i : i + _AT_ONCE], padded), None) is None
            for padded in ((True, False) if roomy and self._close else (roomy,))
            for i in range(0, len(rows), _AT_ONCE)
        )

    def is_self_collision_free(self, q: Array) -> bool:
        """Whether the robot's own pieces, and what it holds, are clear of one another at ``q``."""
        own = {self._name, *self.held}
        return all(
            one.body not in own or two.body not in own for one, two in self._hits(q[None], True)
        )

    def is_apart(self, rows: Array, joints: Index) -> bool:
        """Whether what these joints move is clear of the rest of the robot at all of these rows."""
        figure = self._figure
        moving = figure.tree.moved_by(joints)[figure.movers]
        every = figure.tree.moved_by(np.arange(rows.shape[1]))
        return not any(
            hit.other is None and moving[hit.own[0]] != moving[hit.own[1]]
            for i in range(0, len(rows), _AT_ONCE)
            for hit in self._overlaps(rows[i : i + _AT_ONCE], False, every, moving)
            if self._is_forbidden(hit.one, hit.two)
        )

    def contacts(self, q: Array, *, roomy: bool = False) -> list[tuple[str, str]]:
        """Return the pairs that overlap at ``q``: body/link each."""
        pairs = (
            (f"{one.body}/{one.link}", f"{two.body}/{two.link}")
            for one, two in self._hits(q[None], roomy)
        )
        return list(dict.fromkeys(pairs))

    def obstacle_at(self, rows: Array) -> str:
        """Return what is in the way at the first of these rows (n, joints) where something is.

        A thing by its name, one with joints with its link ("microwave's door"); "" where nothing
        is.
        """
        own = {self._name, *self.held}
        found = ""
        for one, two in self._hits(rows, False):
            found = found or "robot itself"
            for piece in (one, two):
                if piece.body not in own:
                    name = _NUMBER.sub("", piece.body)
                    return name if piece.link == piece.body else f"{name}'s {piece.link}"
        return found

    @contextmanager
    def allow_contact(
        self,
        links: Iterable[str],
        thing: Any | None,
        link: str | None = None,
        pieces: frozenset[int] | None = None,
    ) -> Iterator[None]:
        """Allow these links of the robot (and what it holds) to touch ``thing`` within the context.

        With ``link`` only that link of it (an articulation), or those ``pieces`` of the link.
        """
        if thing is None:
            yield
            return
        entry = _AllowedContact(frozenset(links), convert_object_name(thing), link, pieces)
        before = self._minds
        self._allowed.append(entry)
        self._minds = {}
        try:
            yield
        finally:
            self._allowed.remove(entry)
            self._minds = before

    @contextmanager
    def ignore_contacts(self, q: Array, moving: Index | None = None) -> Iterator[None]:
        """Ignore within the context what already touches at ``q``, where the robot is.

        With ``moving``, contacts of pieces that these joints do not move are ignored, too.
        """
        contacts = {_pair(one, two) for one, two in self._hits(q[None], False)}
        if moving is not None:
            contacts |= {_pair(hit.one, hit.two) for hit in self._static_contacts(q, moving)}
        before, verdicts = set(self._excused), self._minds
        self._excused |= contacts
        self._minds = {} if contacts else verdicts
        try:
            yield
        finally:
            self._excused, self._minds = before, verdicts

    @contextmanager
    def may_be_close(self, rows: Array) -> Iterator[bool]:
        """Let what is close together at these configurations (n, joints) be so within the context.

        Roomy surroundings are then padded for the rest only: a path to a grasp low above the table
        keeps its distance from what stands there. Yields whether there is anything close.
        """
        before = self._close
        self._close = set()
        self._close = {_pair(*hit) for row in rows for hit in self._hits(row[None], True)}
        try:
            yield bool(self._close)
        finally:
            self._close = before

    @contextmanager
    def without(self, entities: Iterable[Any]) -> Iterator[None]:
        """Take no notice of bodies within the context, held or not."""
        names = {convert_object_name(it) for it in entities}
        before, held = self._around.there.copy(), dict(self._figure.held)
        for name in names:
            self._around.there[self._around.things[name].own] = False
        in_hand = not names.isdisjoint(held)
        if in_hand:
            for name in names & held.keys():
                del self._figure.held[name]
            self._hold()
        try:
            yield
        finally:
            self._around.there[:] = before
            if in_hand:
                self._figure.held.update(held)
                self._hold()

    def _hold(self) -> None:
        """Show what is held now, and nothing else, in the hand."""
        self._minds = {}
        self._figure.hold()
        self._show(self.robot.qpos)

    def attach(self, entity: Any, link: str, touch: Sequence[str]) -> None:
        """Move ``entity`` with a link of the robot from now on; it may touch others."""
        name = convert_object_name(entity)
        thing = self._around.things[name]
        self._figure.held[name] = HeldObject(thing, link, frozenset(touch))
        self._around.there[thing.own] = False
        self._minds = {}
        self.update()
        self._figure.hold()

    def detach(self, entity: Any) -> None:
        """Release it: it becomes an object of the scene again."""
        held = self._figure.held.pop(convert_object_name(entity), None)
        if held is not None:
            self._around.there[held.thing.own] = True
            held.thing.seen = b""  # its pieces have moved with the hand
            self._minds = {}
            self._figure.hold()
            self.update()

    def fits(self, entity: Any, pose: Array) -> bool:
        """Whether a thing at ``pose`` (4, 4) would touch nothing but the robot."""
        return self._around.fits(self._around.things[convert_object_name(entity)], pose)

    def load(self, entity: Any) -> list[Any]:
        """Return the free bodies that lie on or in a thing, and on or in these."""
        around, carried = self._around, list[str]()
        layer = [convert_object_name(entity)]
        while layer:
            layer = [
                name
                for name, thing in around.things.items()
                if name not in (*carried, *layer)
                and thing.is_free
                and any(self._carries(around.things[one], thing) for one in layer)
            ]
            carried += layer
        return [around.things[name].it for name in carried]

    def _carries(self, thing: Thing, other: Thing) -> bool:
        """Whether another thing's underside is within or on top of a thing, and its middle, too."""
        (low, high), (under, over) = (self._around.box(one) for one in (thing, other))
        middle = (under + over)[:2] / 2
        inside = np.all(low[:2] < middle) and np.all(middle < high[:2])
        return bool(inside and low[2] + _RESTS / 2 < under[2] < high[2] + _RESTS)

    @property
    def held(self) -> tuple[str, ...]:
        """The names of what moves with the robot."""
        return tuple(self._figure.held)

    def move_joint(self, articulation: Any, joint: str, position: float) -> None:
        """Show a joint of a piece of furniture elsewhere until the next update."""
        self._around.turn(articulation, joint, position)

    def move_body(self, entity: Any, shift: Array) -> None:
        """Show a free body moved by a transform (4, 4) of the scene until the next update."""
        self._around.move(entity, shift)

    # search ------------------------------------------------------------------------------------

    def _show(self, q: Array) -> None:
        """Set the robot to ``q``: pairs that do not move from there are tested once."""
        self._shown = q.copy()
        self._known = self._figure.tree.poses(q[None], self._figure.root)[0]
        self._still: dict[bool, list[_Overlap]] = {}

    def _hits(self, rows: Array, roomy: bool) -> Iterator[tuple[ConvexPiece, ConvexPiece]]:
        """The forbidden overlaps, row by row; those that do not move come first."""
        base = rows[:, self._base]
        if np.any(base[0] != self._shown[self._base]) and np.all(base == base[0]):
            self._show(rows[0])
        joints = np.flatnonzero(np.any(rows != self._shown, axis=0))
        moved = self._figure.tree.moved_by(joints)
        moving = moved[self._figure.movers]
        close = self._close if roomy else set()
        if not np.all(moving):
            if roomy not in self._still:
                none, all_ = np.zeros(len(moved), dtype=bool), np.ones(len(moving), dtype=bool)
                overlaps = self._overlaps(self._shown[None], roomy, none, all_)
                self._still[roomy] = list(overlaps)
            for hit in self._still[roomy]:
                if self._is_of_the_foot(hit):
                    continue
                anew = moving[list(hit.own)].any() or (
                    hit.other is not None and self._around.turned[hit.other]
                )
                if anew or (close and _pair(hit.one, hit.two) in close):
                    continue
                if self._is_forbidden(hit.one, hit.two):
                    yield hit.one, hit.two
        for hit in self._overlaps(rows, roomy, moved, moving):
            if close and _pair(hit.one, hit.two) in close:
                continue
            if self._is_forbidden(hit.one, hit.two):
                yield hit.one, hit.two

    def _is_of_the_foot(self, hit: _Overlap) -> bool:
        """Whether no motion of the robot changes that: a bottle has rolled against its foot."""
        foot = self._figure.movers[list(hit.own)] == 0
        return bool(foot.all()) and not (hit.other is not None and self._around.turned[hit.other])

    def _static_contacts(self, q: Array, joints: Index) -> Iterator[_Overlap]:
        """What is close together at ``q`` and does not move with these joints."""
        tree, movers = self._figure.tree, self._figure.movers
        moving = tree.moved_by(joints)[movers]
        every = tree.moved_by(np.arange(len(q)))
        for hit in self._overlaps(q[None], True, every, np.ones(len(moving), dtype=bool)):
            if not moving[list(hit.own)].any():
                yield hit

    def _overlaps(self, rows: Array, roomy: bool, moved: Mask, moving: Mask) -> Iterator[_Overlap]:
        """The overlapping pairs of which one is ``moving`` or shown elsewhere."""
        figure, around = self._figure, self._around
        own, others = figure.solids[roomy], around.solids[roomy]
        poses = figure.poses(figure.tree.again(rows, self._known, moved))
        lows, highs = figure.boxes(poses, roomy=roomy)
        low, high = around.low[int(roomy)], around.high[int(roomy)]
        near = find_overlaps(lows.min(axis=0), highs.max(axis=0), low, high)
        near &= (moving[:, None] | around.turned[None]) & around.there[None]
        near &= ~(figure.of_base[:, None] & around.planes[None])  # wheels touch the floor
        mine, theirs = np.nonzero(near)
        outer = _boxes_overlap(lows[:, mine], highs[:, mine], low[theirs], high[theirs])
        either = moving[figure.firsts] | moving[figure.seconds]
        first, second = figure.firsts[either], figure.seconds[either]
        inner = _boxes_overlap(lows[:, first], highs[:, first], lows[:, second], highs[:, second])
        for row in range(len(rows)):
            for k in np.flatnonzero(outer[row]):
                one, two = own[mine[k]], others[theirs[k]]
                one.put(poses[row, mine[k]])
                if touch(one, two):
                    yield _Overlap((int(mine[k]),), int(theirs[k]), one, two)
            for k in np.flatnonzero(inner[row]):
                i, j = int(first[k]), int(second[k])
                own[i].put(poses[row, i])
                own[j].put(poses[row, j])
                if touch(own[i], own[j]):
                    yield _Overlap((i, j), None, own[i], own[j])

    def _is_forbidden(self, one: ConvexPiece, two: ConvexPiece) -> bool:
        """Whether an overlap is not one of those allowed now."""
        if not self._allowed and not self._excused:
            return True
        if (one, two) not in self._minds:
            self._minds[one, two] = not self._is_allowed(one, two)
        return self._minds[one, two]

    def _is_allowed(self, one: ConvexPiece, two: ConvexPiece) -> bool:
        if self._excused and _pair(one, two) in self._excused:
            return True
        own = {self._name, *self.held}
        return any(
            other.body == entry.thing
            and other.body not in own
            and mine.body in own
            and (mine.link in entry.links or mine.body in self.held)
            and entry.link in (None, other.link)
            and (entry.pieces is None or other.number in entry.pieces)
            for entry in self._allowed
            for mine, other in ((one, two), (two, one))
        )


def _boxes_overlap(lows: Array, highs: Array, low: Array, high: Array) -> Mask:
    """Which boxes overlap their counterpart, row by row (n, pairs)."""
    return np.asarray(np.all(lows <= high, axis=-1) & np.all(low <= highs, axis=-1))


def _pair(one: ConvexPiece, two: ConvexPiece) -> frozenset[tuple[str, str]]:
    return frozenset(((one.body, one.link), (two.body, two.link)))
