"""Where things are believed to be in a run; what a look makes of it: facts, and what is said."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any

from treec import Effect, Evidence
from treec.files.types import read_type
from treec.files.view import View
from treec.source.scope import MappingScope
from treec.team.sentences import sentence
from treec.world.facts import Facts, FactValue
from treec_perception.files import LocalizerFile
from treec_perception.find_camera import SceneEyes
from treec_perception.localizer_query import size_of
from treec_perception.map_places import MapPlace, map_places, place_at
from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.scene import SceneLayout

STANDS = 0.015
"""Metres by which the height of what stands on a board may seem to be another."""

MOVED = 0.1
"""Metres from where a thing was seen last beyond which the journal says that it has moved."""


@dataclass(frozen=True)
class Belief:
    """Where a thing is believed to be: its place, and its middle if that is known more exactly.

    ``aims`` are the points that a camera turns to, one after the other.
    """

    place: str | None = None
    middle: Vector | None = None
    aims: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class Sighting:
    """What a look says of a thing: its middle, what sees it; or which cameras see that it is gone.

    ``uncertainty`` (m) is how far the middle may be off, ``lasts`` (s) how long it is relied on.
    """

    middle: Vector | None
    cameras: tuple[str, ...] = ()
    uncertainty: float | None = None
    lasts: float | None = None
    is_sure: bool = True
    through: tuple[str, ...] = ()


class Beliefs:
    """The robot's map, and what facts say of where things were seen last."""

    def __init__(self, view: View, localizer: LocalizerFile) -> None:
        self._view = view
        self._localizer = localizer
        self._seen: dict[str, tuple[str | None, Vector]] = {}
        """Where things were seen last, and their places then, if no fact says so."""
        spec = view.facts.get(localizer.fact or "")
        self._is_place = spec is not None and spec.value is not None
        """Whether the fact of the localizer says where a thing is."""
        self._where = localizer.fact if self._is_place else localizer.place

    @cached_property
    def _map(self) -> SceneLayout:
        """The scene as its file has it."""
        return SceneEyes(self._view, self._view.scenes[0]).layout

    @cached_property
    def _places(self) -> list[MapPlace]:
        spec = self._view.facts.get(self._where or "")
        kind = read_type((spec and spec.value) or "none")
        fits = self._view.types.fits
        names = {name for name, own in self._view.things.items() if fits(own, kind)}
        return map_places(self._map, names)

    def believe(self, thing: str, facts: Facts | None) -> Belief:
        """Return where a thing is believed to be."""
        known = facts.get(self._where, (thing,)) if facts is not None and self._where else None
        place = known.value if known is not None and known.source != "unknown" else None
        place = place if isinstance(place, str) else None
        at_start = self._map.bodies.get(thing)
        seen = self._last_seen(thing, facts, known)
        if seen is not None:  # a hand moves
            return Belief(place, None if place in self._view.agents else seen, (seen,))
        if at_start is not None and (known is None or known.source == "scene"):
            x, y, z = at_start.pose.p
            middle = x, y, z + size_of(at_start.body)[2] / 2
            return Belief(place, middle, (middle,))
        boards: dict[str, list[MapPlace]] = {}
        for one in self._places:
            boards.setdefault(one.name, []).append(one)
        own = [boards[place]] if place in boards else list(boards.values())
        lists = [of[len(of) // 2].points() for of in own]  # a view of its middle board shows others
        points = [point for row in zip_longest(*lists) for point in row if point is not None]
        return Belief(place, None, tuple(points))  # the middles of all places first

    def middles(self, things: Iterable[str], facts: Facts | None) -> dict[str, Vector]:
        """Return where the middles of things are believed to be, of which that is known."""
        if facts is None or self._where is None:
            return {}
        known = {it: facts.get(self._where, (it,)) for it in things}
        exact = (
            it
            for it, value in known.items()
            if value is not None and (value.source == "scene" or value.evidence is not None)
        )
        beliefs = {it: self.believe(it, facts).middle for it in exact}
        return {it: middle for it, middle in beliefs.items() if middle is not None}

    def _last_seen(self, thing: str, facts: Facts | None, known: FactValue | None) -> Vector | None:
        """Where a thing was seen last, unless its place has been set since then."""
        fact = self._localizer.fact
        if fact is None:
            place, middle = self._seen.get(thing, (None, None))
            return middle if known is None or place == known.value else None
        found = None if facts is None else facts.get(fact, (thing,))
        if found is None or found.evidence is None or len(found.evidence.point) != 3:
            return None
        x, y, z = found.evidence.point
        return None if known is not None and found.since < known.since else (x, y, z)

    def learn(
        self, thing: str, belief: Belief, sight: Sighting
    ) -> tuple[tuple[Effect, ...], dict[str, Any]]:
        """Return the facts that a look makes, and what the journal has of it.

        What is in doubt is believed only of where the thing was believed to be.
        """
        fact = self._localizer.fact
        point = sight.middle or ()
        evidence = Evidence(", ".join(sight.cameras), sight.uncertainty, sight.lasts, point)
        unknown = Effect(fact or "", (thing,), None, "unknown")
        if fact is None or not self._is_place:
            if fact is None and sight.middle is not None:
                self._seen[thing] = belief.place, sight.middle
            sensed = Effect(fact or "", (thing,), True, "sensed", evidence)
            return (() if fact is None else (unknown if sight.middle is None else sensed,)), {}
        if sight.middle is None:
            if not sight.through or belief.place is None:
                return (), {}
            return (unknown,), {"gone": list(sight.through), **self._said(thing, belief.place)}
        place = self._place_of(thing, belief, sight)
        if place is None:
            return (), {}
        record: dict[str, Any] = {"place": place}
        if belief.middle is not None and (far := math.dist(belief.middle, sight.middle)) > MOVED:
            record["moved"] = round(far, 3)
        if belief.place is not None and place != belief.place:
            record |= self._said(thing, belief.place, place)
        return (Effect(fact, (thing,), place, "sensed", evidence),), record

    def level(self, thing: str, middle: Vector) -> Vector:
        """Return a seen middle as high as it is if the thing stands on the board that is there."""
        body = self._map.bodies.get(thing)
        size = (0.0, 0.0, 0.0) if body is None else size_of(body.body)
        place = None if body is None else place_at(self._places, middle, size, None)
        if place is None:
            return middle
        x, y, z = middle
        stands = place.floor + size[2] / 2
        return (x, y, stands) if abs(z - stands) < STANDS else middle

    def _place_of(self, thing: str, belief: Belief, sight: Sighting) -> str | None:
        """The place at which it is seen; None for no place, or one in doubt."""
        assert sight.middle is not None
        body = self._map.bodies.get(thing)
        size = (0.0, 0.0, 0.0) if body is None else size_of(body.body)
        found = place_at(self._places, sight.middle, size, belief.place)
        if found is None:  # it may be in somebody's hand
            return belief.place if belief.place in self._view.agents else None
        return found.name if sight.is_sure or found.name == belief.place else None

    def _said(self, thing: str, before: str, now: str = "") -> dict[str, str]:
        text = sentence(self._view, "moved" if now else "gone")
        values = {"name": thing.replace("_", " "), "place": before, "now": now}
        return {} if text is None else {"says": text.render(MappingScope(values))}
