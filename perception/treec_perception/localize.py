"""Runs a localizer's stages on a picture."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from treec.files.fields import Model
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec_perception.crops import Box, square_crop
from treec_perception.files import LocalizerFile
from treec_perception.models import Floats, Models
from treec_perception.negative_words import NOTHING
from treec_perception.picture import Picture
from treec_perception.pipeline.centre import Centre, Size, drop_outliers, mean_of, middle_of
from treec_perception.pipeline.depth_proposals import expected_box, standing_pieces
from treec_perception.pipeline.occlusion import CoveredSides, covered_sides
from treec_perception.pipeline.result import BoxProposal, Localization, Vector
from treec_perception.pipeline.segment import Mask, bounds, segment_by_depth, surface_below
from treec_perception.pipeline.size import SeenSize, seen_size
from treec_perception.pipeline.suppress import suppress
from treec_perception.stages import (
    BackProjectStage,
    CentreStage,
    DetectStage,
    ProposeStage,
    ScoreCropsStage,
    SegmentStage,
    SizeStage,
    SuppressStage,
    TightenStage,
    named,
)
from treec_perception.vocabulary import ONLY, Look, is_small, of_small_weights, plain

REACH = 0.12
"""Metres from the middle of a box within which a thing of unknown size lies."""

NO_DEPTH = "the picture has no depth: there is no point"

NEXT = 2
"""How many proposals beside the best one have a point, too: other cameras may confirm them."""

NEAR = 0.1
"""Metres from where a thing is believed to be within which it is where it was."""

AWAY = 0.1
"""How likely a thing is farther from there, as a share of how likely it is there: of what may be in
a box, what was there before."""

ELSEWHERE = 0.6
"""What its score is multiplied with if it is farther from there: of boxes, the one there."""

SAME_HEIGHT = 0.03
"""Metres up to which a close look does not say how high a thing is; beyond, it shows a part."""

ALIKE = 0.3
"""How well the size of what is where a thing is believed to be has to agree, to be that thing."""

OUTLIERS, TOLERANCE = 3.0, 0.25
"""Of the points and the size of that: so near, less is seen of it, or more of its far end."""

NO_THING = 0.3
"""How well any size agrees with what is not a thing that is known."""

ELSEWHERE = 0.1
"""How likely a thing that is said to be elsewhere is here, as a share of one that may be here."""

EVEN = 0.5
"""Least share of neighbouring pixels that are alike in pictures like those of training.

Measured: two simulated cameras 0.89 to 0.93, as JPEG 0.56 to 0.69; four photographs 0.01 to 0.41.
"""

BLACK = 0.05
"""Greatest share of black pixels in pictures like those of training, none of which has 1 %."""

UNKNOWN_SIZE = 0.5
"""How well any size agrees with a thing whose own is not known."""


@dataclass(frozen=True)
class Wanted:
    """What is looked for: its name, other names, and its size (width, depth, height; m) if known.

    ``others`` are names of other things that might be there, ``sizes`` their sizes, of those that
    have one, and ``elsewhere`` those that are said to be at another place.
    """

    name: str
    also: tuple[str, ...] = ()
    size: Size | None = None
    others: tuple[str, ...] = ()
    hollow: bool = False
    """Whether one can look into it: a bowl, a pot."""
    sizes: Mapping[str, Size] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()
    looks: Mapping[str, Look] = field(default_factory=dict)
    """Kind and colour of it and of the others, as far as the scene's file states them."""
    believed: Mapping[str, Vector] = field(default_factory=dict)
    """Where the middles of the others are believed to be, of which that is known."""
    oblong: bool = False
    """Whether it is a rectangle from above: a packet, a cucumber."""


@dataclass
class _Work:
    """What the stages have made of a picture so far."""

    proposals: list[BoxProposal] = field(default_factory=list)
    dropped: list[BoxProposal] = field(default_factory=list)
    mask: Mask | None = None
    points: Floats | None = None
    centre: Centre | None = None
    why: str = ""
    note: str = ""
    milliseconds: dict[str, float] = field(default_factory=dict)
    believed: Vector | None = None


class Localizer:
    """A localizer file with its models."""

    def __init__(self, spec: LocalizerFile, models: Models) -> None:
        self.spec = spec
        self.models = models
        self._templates = [TextTemplate.parse(text) for text in spec.prompts]
        self._known = of_small_weights()
        self._small = self._known if is_small(spec.stages) else None
        self._near: dict[str, str | None] = {}

    def prompts(self, wanted: Wanted) -> list[str]:
        """Return what the models are asked: the small weights by what they know of the thing."""
        asked = self.asked(wanted)
        return self._worded(asked or wanted.name, () if asked else wanted.also)

    def asked(self, wanted: Wanted) -> str | None:
        """Return what the small weights are asked instead of a name that they do not know.

        Another of its names, its colour and kind, or the nearest words; None if they know it, or
        nothing of it.
        """
        if self._small is None:
            return None
        names = (wanted.name, *wanted.also)
        phrase = self._phrase(names, wanted.looks.get(wanted.name)) or self._nearest(wanted)
        return None if phrase is None or phrase.lower() == plain(wanted.name) else phrase

    def _phrase(self, names: Sequence[str], look: Look | None) -> str | None:
        """The first of the names that the models know, else the look; None for neither."""
        if self._small is None:
            return names[0]
        known = (self._small.asked(name) for name in names)
        return next(filter(None, known), None) or self._small.described(look)

    def _nearest(self, wanted: Wanted) -> str | None:
        """The phrase that is asked for instead of words that are neither known nor a thing's."""
        if self._small is None or wanted.name in wanted.looks:
            return None
        if wanted.name not in self._near:
            self._near[wanted.name] = self._small.nearest(wanted.name, self.models.likeness)
        return self._near[wanted.name]

    def unknown(self, wanted: Wanted) -> str:
        """Return why the small weights cannot find a thing by any of its words; empty if they may.

        What they never had in training is found by chance, whatever it scores.
        """
        if self._phrase((wanted.name, *wanted.also), wanted.looks.get(wanted.name)) is not None:
            return ""
        if self._nearest(wanted) is not None:
            return ""
        return f"the small weights do not know '{wanted.name}': {ONLY}"

    def _rivals(self, wanted: Wanted) -> dict[str, str]:
        """What the wanted thing is compared with, by name: the words that the models are asked.

        The other things of the scene, else all that the small weights know; but for what the
        wanted words may mean.
        """
        looks: Mapping[str, Look] = wanted.looks
        names: Sequence[str] = wanted.others
        if not names and self._known is not None:
            names, looks = tuple(self._known.names), self._known.names
        mine = {wanted.name, *wanted.also}
        is_asked_for_another = self._small is not None and not self._small.asked(wanted.name)
        near = self.asked(wanted) if is_asked_for_another else None
        rivals = {}
        for name in names:
            look = looks.get(name)
            meant = self._meant(wanted, near, name, look)
            phrase = None if name in mine or meant else self._phrase((name,), look)
            if phrase is not None:
                rivals[name] = phrase
        return rivals

    def _meant(self, wanted: Wanted, near: str | None, name: str, look: Look | None) -> bool:
        """Whether words, or what is asked for instead, may mean a thing of this name and look."""
        if self._known is None or wanted.name in wanted.looks:  # a thing of the scene means itself
            return False
        if near is not None and self._known.named_alike(near, name):
            return True
        return self._known.means(wanted.name, name, look)

    def _worded(self, name: str, also: Sequence[str] = ()) -> list[str]:
        scope = MappingScope({"name": name, "also": list(also)})
        return [it.render(scope).strip() for it in self._templates]

    def localize(
        self,
        picture: Picture,
        wanted: Wanted,
        believed: Vector | None = None,
        *,
        close: bool = False,
    ) -> Localization:
        """Find a thing in a picture. Raises ModelUnavailable.

        ``believed`` is where its middle is believed to be: that place is proposed, too. ``close``:
        it is looked at from so near that what is there is measured, whatever it looks like.
        """
        work = _Work(believed=believed)
        for stage in self.spec.stages:
            name, params = named(stage)
            with _timed(work.milliseconds, name):
                self._run(params, picture, wanted, work)
            if work.why or work.note:
                break
        best = work.proposals[0] if work.proposals else None
        score = best.score if best is not None else 0.0
        why = work.why or self.unknown(wanted) or self._unlike(picture)
        other = best.instead if best is not None else None
        if other is not None and other[1] <= score:
            other = None
        if not why and score < self.spec.accept:
            why = f"nothing scores {self.spec.accept:g}: the best is {score:.2f}"
            if other is not None and other[0] not in NOTHING:
                why += f", and looks more like {other[0]} ({other[1]:.2f})"
        elif not why and self.spec.likeliest and other is not None:
            why = f"the best scores {score:.2f}, and looks more like {other[0]} ({other[1]:.2f})"
        point = work.centre.point if work.centre is not None else None
        depth = None
        if work.points is not None and picture.camera is not None and len(work.points):
            depth = float(np.linalg.norm(work.points.mean(axis=0) - picture.camera.eye))
        return Localization(
            wanted.name,
            picture.name,
            picture.digest,
            not why,
            score,
            why,
            point,
            "scene" if point is not None else "",
            work.centre.spread if work.centre is not None else None,
            tuple(work.proposals),
            tuple(work.dropped),
            work.mask,
            depth,
            work.milliseconds,
            () if why or point is None else self._next_best(picture, wanted, work),
            work.note,
            self.asked(wanted) or "",
            self._there(picture, wanted, believed) if close else None,
        )

    def _there(self, picture: Picture, wanted: Wanted, believed: Vector | None) -> Vector | None:
        """The middle of what is where a thing is believed to be, if that is of its size.

        How high that is depends on what it stands on, which is seen better from afar.
        """
        size, camera = wanted.size, picture.camera
        if believed is None or size is None or camera is None or picture.depth is None:
            return None
        box = expected_box(picture, believed, size)
        if box is None:
            return None
        mask = segment_by_depth(picture, box, _reach(wanted))
        if mask[:, 0].any() or mask[:, -1].any():  # it goes on beyond the picture
            return None
        points = drop_outliers(picture.points()[mask & (picture.depth > 0)], OUTLIERS)
        covered = covered_sides(picture.depth, mask)
        seen = seen_size(points, camera.eye, covered)
        if seen is None or seen.agreement(size, TOLERANCE) < ALIKE:
            return None
        found = _middle(picture, wanted, points, bounds(mask) or box, covered)
        if found is None or abs(found.point[2] - believed[2]) > SAME_HEIGHT:
            return None
        return (found.point[0], found.point[1], believed[2])

    def _unlike(self, picture: Picture) -> str:
        """Why the small weights are not for a picture; empty if it is like those of training."""
        if self._small is None or picture.ids is not None:  # ids: simulated
            return ""
        even, black = picture.evenness, picture.blackness
        if even >= EVEN and black <= BLACK:
            return ""
        alike = f"{100 * even:.0f} % of its neighbouring pixels are alike"
        share = f"{100 * black:.0f} % of its pixels are black" if even >= EVEN else alike
        return f"the picture is unlike those that the small weights know ({ONLY}): {share}"

    def _next_best(
        self, picture: Picture, wanted: Wanted, work: _Work
    ) -> tuple[tuple[Vector, float], ...]:
        """The points of the next best proposals, as the best one's was made."""
        steps = [named(stage) for stage in self.spec.stages]
        first = next(at for at, (name, _) in enumerate(steps) if name == "segment")
        points = []
        for proposal in work.proposals[1 : NEXT + 1]:
            if proposal.score < self.spec.accept:
                break
            own = _Work([proposal])
            for name, params in steps[first:]:
                with _timed(work.milliseconds, name):
                    self._run(params, picture, wanted, own)
                if own.why or own.note:
                    break
            if own.centre is not None and not own.why:
                points.append((own.centre.point, proposal.score))
        return tuple(points)

    def _run(self, params: Model, picture: Picture, wanted: Wanted, work: _Work) -> None:
        match params:
            case DetectStage():
                boxes = self.models.detector(params.model).boxes(
                    picture.colour, self.prompts(wanted), params.k
                )
                work.proposals = [
                    BoxProposal(_box(box), score, {"detect": score}) for box, score in boxes
                ]
                work.why = "" if boxes else "the detector proposes nothing"
            case SuppressStage():
                work.proposals, work.dropped = suppress(work.proposals, params.iou)
            case ScoreCropsStage():
                work.proposals = self._score(params, picture, wanted, work.proposals)
            case ProposeStage():
                pieces = standing_pieces(picture, params.k)
                proposed = [BoxProposal(it, 0.0, {"propose": 0.0}) for it in pieces]
                if work.believed and wanted.size is not None and picture.depth is not None:
                    box = expected_box(picture, work.believed, wanted.size)
                    if box is not None and segment_by_depth(picture, box, _reach(wanted)).any():
                        there = [BoxProposal(box, 0.0, {"believed": 0.0})]
                        proposed = [*_tighten(picture, wanted, there), *proposed]
                work.proposals += proposed
            case TightenStage():
                work.proposals = _tighten(picture, wanted, work.proposals)
            case SizeStage():
                work.proposals = self._check_size(params, picture, wanted, work)
            case SegmentStage():
                self._segment(params, picture, wanted, work)
            case BackProjectStage():
                self._back_project(params, picture, work)
            case CentreStage():
                assert work.points is not None
                assert picture.camera is not None
                assert work.mask is not None
                box = bounds(work.mask) or work.proposals[0].box
                work.centre = (
                    _middle(picture, wanted, work.points, box, _covered(picture, work.mask))
                    if params.correct
                    else mean_of(work.points)
                )
                work.why = "" if work.centre is not None else "too few points have depth"

    def _score(
        self,
        params: ScoreCropsStage,
        picture: Picture,
        wanted: Wanted,
        proposals: Sequence[BoxProposal],
    ) -> list[BoxProposal]:
        """CLIP's share of the prompts among what each crop might show; the rest are its rivals."""
        own = self.prompts(wanted)
        mine = {wanted.name, *wanted.also}
        against = {name: name for name in params.against if name not in mine}
        others = against or self._rivals(wanted)
        texts = [*own, *(self._worded(phrase)[0] for phrase in others.values()), *NOTHING]
        crops = [square_crop(picture.colour, it.box, params.margin) for it in proposals]
        logits = self.models.scorer(params.model).similarities(crops, texts)
        logits = np.concatenate(
            [logits[:, : len(own)].mean(axis=1, keepdims=True), logits[:, len(own) :]], axis=1
        )
        priors = [ELSEWHERE if name in wanted.elsewhere else 1.0 for name in others]
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares[:, 1 : 1 + len(others)] *= priors
        shares /= shares.sum(axis=1, keepdims=True)
        names = (*others, *NOTHING)
        scored = [
            it.scored("score_crops", float(row[0]), dict(zip(names, row[1:].tolist(), strict=True)))
            for it, row in zip(proposals, shares, strict=True)
        ]
        return sorted(scored, key=lambda it: -it.score)

    def _check_size(
        self, params: SizeStage, picture: Picture, wanted: Wanted, work: _Work
    ) -> list[BoxProposal]:
        proposals = work.proposals
        if wanted.size is None or picture.depth is None or picture.camera is None:
            return list(proposals)
        points = picture.points()
        explained = []
        for it in proposals:
            mask = segment_by_depth(picture, it.box, _reach(wanted))
            covered = covered_sides(picture.depth, mask)
            seen = seen_size(points[mask], picture.camera.eye, covered)
            middle = np.median(points[mask], axis=0) if mask.any() else None
            likely = _likely(middle, work.believed)
            others = {name: _likely(middle, at) for name, at in wanted.believed.items()}
            explained.append(_explained(it, wanted, seen, params.tolerance, likely, others))
        return sorted(explained, key=lambda it: -it.score)

    def _segment(self, params: SegmentStage, picture: Picture, wanted: Wanted, work: _Work) -> None:
        if not work.proposals:
            work.why = "there is no box"
            return
        box = work.proposals[0].box
        if params.by == "sam":
            assert params.model is not None
            work.mask = self.models.segmenter(params.model).mask(picture.colour, box)
        elif picture.depth is None:
            work.note = NO_DEPTH
            return
        else:
            work.mask = segment_by_depth(picture, box, _reach(wanted))
        work.why = "" if work.mask.any() else "nothing in the best box has depth"

    def _back_project(self, params: BackProjectStage, picture: Picture, work: _Work) -> None:
        if picture.depth is None or picture.camera is None:
            work.note = NO_DEPTH
            return
        assert work.mask is not None
        chosen = work.mask & (picture.depth > 0)
        work.points = drop_outliers(picture.points()[chosen], params.outliers)


def _tighten(
    picture: Picture, wanted: Wanted, proposals: Sequence[BoxProposal]
) -> list[BoxProposal]:
    """Fit each box to the thing in it; without depth they stay as they are."""
    if picture.depth is None:
        return list(proposals)
    masks = [bounds(segment_by_depth(picture, it.box, _reach(wanted))) for it in proposals]
    return [
        it if box is None else replace(it, box=box)
        for it, box in zip(proposals, masks, strict=True)
    ]


def _likely(middle: Floats | None, believed: Vector | None) -> float:
    """How likely a thing is where this middle (3; m) is, by where it is believed to be."""
    if believed is None or middle is None:
        return 1.0
    return 1.0 if math.dist(middle, believed) <= NEAR else AWAY


def _explained(
    proposal: BoxProposal,
    wanted: Wanted,
    seen: SeenSize | None,
    tolerance: float,
    likely: float = 1.0,
    others: Mapping[str, float] = MappingProxyType({}),
) -> BoxProposal:
    """A proposal with the share of the thing among all that its crop and its size might be.

    By Bayes' rule: CLIP's shares are what the crop says, each is weighted by how well the size
    agrees. What another thing explains better is not the wanted one; where two look alike, their
    sizes decide. ``likely`` says how likely it is here, ``others`` the same of the others.
    """
    agreement = UNKNOWN_SIZE
    if seen is not None and wanted.size is not None:
        agreement = seen.agreement(wanted.size, tolerance)
    if not proposal.rivals:
        return proposal.scored("check_size", proposal.score * agreement * likely)
    fits = {
        name: NO_THING
        if name in NOTHING
        else seen.agreement(wanted.sizes[name], tolerance)
        if seen is not None and name in wanted.sizes
        else UNKNOWN_SIZE
        for name in proposal.rivals
    }
    own = proposal.score * agreement * likely
    moved = 1.0 if likely == 1.0 else ELSEWHERE
    weighed = {
        name: share * fits[name] * others.get(name, 1.0) for name, share in proposal.rivals.items()
    }
    whole = max(own + sum(weighed.values()), 1e-9)
    rivals = {name: share / whole for name, share in weighed.items()}
    return proposal.scored("check_size", moved * own / whole, rivals)


def _middle(
    picture: Picture, wanted: Wanted, points: Floats, box: Box, covered: CoveredSides | None
) -> Centre | None:
    """The middle of a thing from its points (n, 3); ``box`` is around them in the picture."""
    assert picture.camera is not None
    return middle_of(
        points,
        picture.camera.eye,
        wanted.size,
        surface_below(picture, box),
        hollow=wanted.hollow,
        covered=covered,
        oblong=wanted.oblong,
    )


def _covered(picture: Picture, mask: Mask) -> CoveredSides | None:
    return None if picture.depth is None else covered_sides(picture.depth, mask)


def _reach(wanted: Wanted) -> float:
    return max(wanted.size[:2]) + 0.03 if wanted.size is not None else REACH


def _box(numbers: Floats) -> Box:
    x0, y0, x1, y1 = (float(number) for number in numbers)
    return (x0, y0, x1, y1)


@contextmanager
def _timed(milliseconds: dict[str, float], name: str) -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        spent = 1000 * (time.perf_counter() - began)
        milliseconds[name] = milliseconds.get(name, 0.0) + spent
