"""Things by where they are: "the thing on the left", "the left can", "the one nearest to the pot".

Left and right are as the speaker sees it who stands where their agent's file has them and looks at
the middle of what is meant. A thing is where it was seen last, else where the scene's file has it,
until it is moved. Where the spot of one that may be meant is not known, none is. Of things at
several places those at the speaker's are meant; if none is there, they must be at one place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treec.files.places import ObjectSpec
from treec.files.view import View, per_view
from treec_hearing.described import described_things, things_of_kinds

if TYPE_CHECKING:
    from treec.team.team import Team
    from treec_hearing.mentions import Mentions

THING, PLACE = SLOTS = "{thing}", "{place}"
"""What stands in patterns of directions: words for things that are alike, and a thing by name."""

Spot = tuple[float, float]
"""A place in the scene from above: x and y in metres."""

APART = 0.03
"""Metres by which a thing must be farther to the left than any other to be the left one."""

FACT = "at"
"""The fact that says where a thing is."""

NEAR = "near"
"""The one that says at which place a person stands."""


@dataclass(frozen=True)
class Sight:
    """What a speaker has before them: things with their spots, None where these are not known.

    ``places`` are the places of the things, ``here`` is the speaker's. ``landmarks`` are all things
    whose spots are known, ``nouns`` what people call things that are alike.
    """

    things: Mapping[str, Spot | None]
    places: Mapping[str, object]
    here: object
    landmarks: Mapping[str, Spot]
    speaker: Spot | None
    nouns: Mapping[str, Sequence[str]]

    def choose(self, direction: str, alike: Sequence[str], landmark: str) -> str | None:
        """Return the one of these things that a direction means; None if that is not clear."""
        others = [name for name in alike or self.things if name in self.things and name != landmark]
        at_hand = [name for name in others if self.places[name] == self.here] or others
        known = {name: spot for name in at_hand if (spot := self.things[name]) is not None}
        if not known or len(known) < len(at_hand) or len({self.places[it] for it in known}) > 1:
            return None
        measure = self._measure(direction, list(known.values()), landmark)
        if measure is None:
            return None
        values = sorted(((measure(spot), name) for name, spot in known.items()), reverse=True)
        is_clear = len(values) == 1 or values[0][0] - values[1][0] >= APART
        return values[0][1] if is_clear else None

    def _measure(
        self, direction: str, spots: Sequence[Spot], landmark: str
    ) -> Callable[[Spot], float] | None:
        """What is greatest for the thing that is meant."""
        if direction in ("nearest", "farthest"):
            mark = self.landmarks.get(landmark)
            sign = -1 if direction == "nearest" else 1
            return None if mark is None else lambda spot: sign * math.dist(spot, mark)
        if self.speaker is None:
            return None
        x, y = self.speaker
        middle = [sum(axis) / len(spots) for axis in zip(*spots, strict=True)]
        ahead = middle[0] - x, middle[1] - y
        far = math.hypot(*ahead) or 1.0
        sign = 1 if direction == "left" else -1
        left = -ahead[1] / far * sign, ahead[0] / far * sign
        return lambda spot: (spot[0] - x) * left[0] + (spot[1] - y) * left[1]


def sight_of(team: Team) -> Sight | None:
    """Return what the person who speaks has before them; None if nothing is known of where."""
    view, people = team.knowledge.view, sorted(team.knowledge.people)
    of_one = {name for name, it in view.facts.items() if len(it.args) == 1}
    if FACT not in of_one or not people:
        return None
    facts = team.world.facts
    spots: dict[str, Spot | None] = {}
    places: dict[str, object] = {}
    landmarks: dict[str, Spot] = {}
    for name, spec in view.objects.items():
        start = _start(spec)
        known = facts.get(FACT, (name,)) if FACT in spec.facts else None
        if known is None:
            if start is not None:
                landmarks[name] = start
            continue
        point = known.evidence.point if known.evidence is not None else ()
        seen = (point[0], point[1]) if len(point) > 1 else None
        spot = seen or (start if known.source == "scene" else None)
        if start is not None or seen is not None:
            spots[name], places[name] = spot, known.value
        if spot is not None:
            landmarks[name] = spot
    near = facts.get(NEAR, (people[0],)) if NEAR in of_one else None
    here = None if near is None else near.value
    body = (view.agents[people[0]].body or {}) if people[0] in view.agents else {}
    speaker = _spot(body.get("pose"))
    return Sight(spots, places, here, landmarks, speaker, _nouns(view)) if spots else None


def _spot(pose: object) -> Spot | None:
    """Where a pose is from above; None for none, as a robot without a model here may have."""
    match pose:
        case [int() | float() as x, int() | float() as y, *_]:
            return float(x), float(y)
    return None


def _start(spec: ObjectSpec) -> Spot | None:
    """Where the scene's file has a thing with a body."""
    return _spot(spec.pose) if spec.body else None


@per_view
def _nouns(view: View) -> dict[str, list[str]]:
    return {**things_of_kinds(view), **described_things(view)}


def directed(mentions: Mentions, at: int) -> Iterator[tuple[int, str]]:
    """The thing that words from here on mean by its direction, and where they end."""
    sight = mentions.context.sight
    if not isinstance(sight, Sight):
        return
    said = {word.text for word in mentions.words}
    for direction, pattern in mentions.lexicon.language.directions:
        if not said.issuperset(it for it in pattern if it not in SLOTS):
            continue
        for end, alike, landmark in _match(mentions, sight, pattern, at):
            is_joined = not any(word.breaks for word in mentions.words[at + 1 : end])
            if is_joined and (thing := sight.choose(direction, alike, landmark)) is not None:
                yield end, thing


def _match(
    mentions: Mentions, sight: Sight, pattern: Sequence[str], at: int
) -> Iterator[tuple[int, Sequence[str], str]]:
    """Where words end that are said as a pattern has it; the things alike, and the landmark."""
    if not pattern:
        yield at, (), ""
        return
    first, rest = pattern[0], pattern[1:]
    begin = mentions.after_articles(at)
    if first == THING:
        for noun, things in sight.nouns.items():
            words = mentions.lexicon.language.words(noun)
            if mentions.says(words, begin):
                for end, _, mark in _match(mentions, sight, rest, begin + len(words)):
                    yield end, things, mark
    elif first == PLACE:
        for end, mark in mentions.names_of_things(begin):
            for last, alike, _ in _match(mentions, sight, rest, end):
                yield last, alike, mark
    elif mentions.says((first,), begin):
        yield from _match(mentions, sight, rest, begin + 1)
