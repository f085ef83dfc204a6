"""The stages after the detector, on simulated pictures whose truth is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.perception.support import THINGS, camera, layout
from treec_perception.files import LocalizerFile
from treec_perception.localize import Localizer, Wanted
from treec_perception.localizer_query import size_of
from treec_perception.models import Detector, Models, Scorer
from treec_perception.negative_words import NOTHING
from treec_perception.picture import Picture
from treec_perception.pipeline.centre import drop_outliers, mean_of, middle_of
from treec_perception.pipeline.depth_proposals import standing_pieces
from treec_perception.pipeline.occlusion import CoveredSides, covered_sides
from treec_perception.pipeline.result import BoxProposal
from treec_perception.pipeline.segment import segment_by_depth, surface_below
from treec_perception.pipeline.size import SeenSize, seen_size
from treec_perception.pipeline.suppress import iou, suppress

ALL = [
    {"detect": {"k": 10}},
    {"suppress": {}},
    {"score_crops": {}},
    {"segment": {}},
    {"back_project": {}},
    {"centre": {}},
]


@pytest.fixture(autouse=True)
def _models_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that stand in for the small weights do not say what they know."""
    monkeypatch.setenv("TREEC_PERCEPTION_WEIGHTS", "nowhere")


def box_of(picture: Picture, thing: str) -> tuple[float, float, float, float]:
    y, x = np.nonzero(picture.mask(thing))
    return (float(x.min()), float(y.min()), float(x.max() + 1), float(y.max() + 1))


def truth(thing: str) -> np.ndarray:  # type: ignore[type-arg]
    placed = layout().bodies[thing]
    return np.add(placed.pose.p, (0.0, 0.0, size_of(placed.body)[2] / 2))


def test_overlaps() -> None:
    assert iou((0, 0, 2, 2), (0, 0, 2, 2)) == 1.0
    assert iou((0, 0, 2, 2), (1, 0, 3, 2)) == pytest.approx(1 / 3)
    assert iou((0, 0, 1, 1), (1, 0, 2, 1)) == 0.0


def test_of_boxes_that_overlap_the_best_is_kept() -> None:
    boxes = [((0, 0, 10, 10), 0.5), ((1, 0, 11, 10), 0.9), ((20, 0, 30, 10), 0.1)]
    kept, dropped = suppress([BoxProposal(box, score) for box, score in boxes], 0.5)
    assert [it.score for it in kept] == [0.9, 0.1]
    assert [it.score for it in dropped] == [0.5]


@pytest.mark.few(3)
@pytest.mark.parametrize("thing", ["soup", "milk", "apple"])
@pytest.mark.parametrize("noise", [None, {}])
def test_depth_separates_a_thing_from_the_table(thing: str, noise: object) -> None:
    picture = camera(noise=noise).take(1)
    mask = segment_by_depth(picture, box_of(picture, thing), 0.15)
    right = picture.mask(thing)
    assert (mask & right).sum() / mask.sum() > 0.95
    assert picture.depth is not None
    assert (mask & right).sum() / (right & (picture.depth > 0)).sum() > 0.75


def test_the_surface_is_found() -> None:
    picture = camera(noise={}).take(1)
    assert surface_below(picture, box_of(picture, "soup")) == pytest.approx(0.75, abs=0.005)


@pytest.mark.parametrize("thing", ["soup", "milk", "apple"])
def test_the_middle_is_nearer_to_the_truth_than_the_mean(thing: str) -> None:
    """The mean of what is seen lies towards the camera."""
    picture = camera(noise={}).take(1)
    box = box_of(picture, thing)
    mask = segment_by_depth(picture, box, 0.15)
    points = drop_outliers(picture.points()[mask], 3.0)
    assert picture.camera is not None
    size = size_of(layout().bodies[thing].body)
    mean = mean_of(points)
    middle = middle_of(points, picture.camera.eye, size, surface_below(picture, box))
    assert mean is not None
    assert middle is not None
    before = np.linalg.norm(np.array(mean.point) - truth(thing))
    after = np.linalg.norm(np.array(middle.point) - truth(thing))
    assert before > 0.015
    assert after < 0.006


def test_what_lies_has_its_middle_low() -> None:
    """A bottle on its side is not believed to stand."""
    rng = np.random.default_rng(0)
    points = rng.uniform((-0.12, -0.03, 0.75), (0.12, 0.03, 0.81), (500, 3))
    found = middle_of(points, np.array((0.0, -1.0, 1.6)), (0.06, 0.06, 0.24), 0.75)
    assert found is not None
    assert found.point[2] == pytest.approx(0.78, abs=0.005)


@pytest.mark.parametrize(
    ("keep", "sides"),
    [
        (np.s_[:, :, 0.81:], CoveredSides(below=True)),  # its upper part, above a neighbour
        (np.s_[:, :, :0.79], CoveredSides(above=True)),  # its lower part, below a board
        (np.s_[0.005:, :, :], CoveredSides(left=True)),
        (np.s_[:-0.005, :, :], CoveredSides(right=True)),
    ],
)
def test_the_middle_of_what_is_covered_in_part_follows_from_its_size(
    keep: tuple[slice, ...], sides: CoveredSides
) -> None:
    rng = np.random.default_rng(0)
    box = ((-0.03, -0.03, 0.75), (0.03, -0.03, 0.91))  # the near side of a packet at the origin
    points = rng.uniform(*box, (4000, 3))
    for axis, part in enumerate(keep):
        inside = np.ones(len(points), np.bool_)
        inside &= points[:, axis] >= (part.start if part.start is not None else -np.inf)
        inside &= points[:, axis] <= (part.stop if part.stop is not None else np.inf)
        points = points[inside]
    eye, size, truth = np.array((0.0, -1.0, 0.83)), (0.06, 0.06, 0.16), np.array((0.0, 0.0, 0.83))
    found = middle_of(points, eye, size, covered=sides)
    plain = middle_of(points, eye, size)
    assert found is not None
    assert plain is not None
    assert np.linalg.norm(found.point - truth) < 0.008
    assert np.linalg.norm(plain.point - truth) > 0.014


def test_outliers_are_dropped() -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(0, 0.01, (200, 3)), np.full((5, 3), 1.0)])
    assert len(drop_outliers(points, 4.0)) >= 195
    assert abs(drop_outliers(points, 4.0)).max() < 0.1


def test_the_size_tells_a_tall_thing_from_a_low_one() -> None:
    picture = camera(noise={}).take(1)
    assert picture.camera is not None
    points = picture.points()[segment_by_depth(picture, box_of(picture, "milk"), 0.15)]
    eye = picture.camera.eye
    seen = seen_size(points, eye)
    assert seen is not None
    own = seen.agreement((0.07, 0.07, 0.2), 0.15)
    assert own > 0.8
    assert seen.agreement((0.07, 0.07, 0.12), 0.15) < 0.5 * own
    assert seen_size(points[:3], eye) is None


def test_a_thing_may_lie_on_its_side_but_seldom_does() -> None:
    bottle = (0.06, 0.06, 0.2)
    lying = SeenSize(0.2, 0.06).agreement(bottle, 0.15)
    assert 0.0 < lying < SeenSize(0.06, 0.2).agreement(bottle, 0.15) / 2
    assert SeenSize(0.2, 0.2).agreement(bottle, 0.15) < 0.01


def test_a_thing_that_is_partly_covered_may_be_larger_than_what_is_seen_of_it() -> None:
    tall, low = (0.07, 0.05, 0.15), (0.07, 0.05, 0.06)
    whole = SeenSize(0.07, 0.1)
    assert whole.agreement(tall, 0.15) < 0.1
    assert SeenSize(0.07, 0.1, high_covered=True).agreement(tall, 0.15) == pytest.approx(1.0)
    assert SeenSize(0.07, 0.1, high_covered=True).agreement(low, 0.15) == whole.agreement(low, 0.15)
    assert SeenSize(0.03, 0.15).agreement(tall, 0.15) < 0.01
    assert SeenSize(0.03, 0.15, wide_covered=True).agreement(tall, 0.15) == pytest.approx(1.0)


def test_what_is_nearer_beside_a_thing_covers_it() -> None:
    mask = np.zeros((40, 60), np.bool_)
    mask[10:30, 20:40] = True
    depth = np.where(mask, 1.0, 1.5)
    assert covered_sides(depth, mask) == CoveredSides()
    board = depth.copy()
    board[:10] = 0.7  # in front of its upper part
    board[9] = 0.0  # at edges depth is missing
    assert covered_sides(board, mask) == CoveredSides(above=True)
    floor = depth.copy()
    floor[30:] = 0.99  # what it stands on
    assert covered_sides(floor, mask) == CoveredSides()
    neighbour = depth.copy()
    neighbour[:, 40:] = 0.9
    assert covered_sides(neighbour, mask) == CoveredSides(right=True)
    mast = depth.copy()
    mast[:, 40:] = 0.0  # nearer than the camera can tell
    assert covered_sides(mast, mask) == CoveredSides(right=True)
    half = depth.copy()
    half[10:17, 40:] = 0.9  # less than half of the side
    assert covered_sides(half, mask) == CoveredSides()
    assert covered_sides(depth[:, 20:], mask[:, 20:]) == CoveredSides(
        left=True
    )  # the picture's edge
    assert covered_sides(depth[:30], mask[:30]) == CoveredSides(below=True)
    assert covered_sides(np.zeros_like(depth), mask) == CoveredSides()


class Known(Models):
    """Models that know the picture: boxes of all things, and which crop shows what."""

    def __init__(self, picture: Picture, scores: dict[str, float]) -> None:
        super().__init__()
        self.picture, self.scores = picture, scores
        self.asked: list[list[str]] = []
        self.compared: list[list[str]] = []

    def detector(self, name: str) -> Detector:
        return self  # type: ignore[return-value]

    def scorer(self, name: str) -> Scorer:
        return self  # type: ignore[return-value]

    def boxes(self, colour: object, prompts: Sequence[str], k: int) -> list[object]:
        self.asked.append(list(prompts))
        found = [(np.array(box_of(self.picture, it)), score) for it, score in self.scores.items()]
        return sorted(found, key=lambda it: -it[1])[:k]

    def similarities(self, crops: Sequence[object], texts: Sequence[str]) -> object:
        self.compared.append(list(texts))
        order = sorted(self.scores, key=lambda it: -self.scores[it])
        return np.array([[9.0 if thing in text else 0.0 for text in texts] for thing in order])


class Alike(Known):
    """Models to which every crop looks like everything."""

    def similarities(self, crops: Sequence[object], texts: Sequence[str]) -> object:
        return np.zeros((len(crops), len(texts)))


def localizer(models: Models, **more: object) -> Localizer:
    spec = {"localizer": "eyes", "about": "Finds things.", "stages": ALL, **more}
    return Localizer(LocalizerFile.model_validate(spec), models)


def test_what_is_elsewhere_is_seldom_taken_for_what_is_seen() -> None:
    picture = camera(noise={}).take(1)
    stages = [{"detect": {}}, {"score_crops": {}}]
    eyes = Localizer(
        LocalizerFile.model_validate(
            {"localizer": "eyes", "about": "Finds.", "stages": [*stages, *ALL[3:]]}
        ),
        Alike(picture, {"soup": 0.9}),
    )
    rest = len(NOTHING)
    for away, share in (((), 1 / (3 + rest)), (("milk", "apple"), 1 / (1.2 + rest))):
        wanted = Wanted("soup", others=("milk", "apple"), elsewhere=frozenset(away))
        assert eyes.localize(picture, wanted).score == pytest.approx(share)


def test_clip_corrects_the_detector() -> None:
    """The detector prefers the milk; its crop is not like soup."""
    picture = camera(noise={}).take(1)
    models = Known(picture, {"milk": 0.9, "soup": 0.4, "apple": 0.2})
    wanted = Wanted("soup", ("red can",), size_of(layout().bodies["soup"].body), ("milk", "apple"))
    found = localizer(models).localize(picture, wanted)
    assert found.found
    assert found.point == pytest.approx(truth("soup"), abs=0.006)
    assert found.proposals[0].scores["detect"] == 0.4
    assert found.score > 0.9
    assert models.asked == [["a photo of soup"]]
    assert "a photo of milk" in models.compared[0]
    alone = localizer(models, stages=[ALL[0], *ALL[3:]], accept=0.3).localize(picture, wanted)
    assert alone.point is not None
    assert np.linalg.norm(np.array(alone.point) - truth("milk")) < 0.06


def test_what_is_not_there_is_not_found() -> None:
    picture = camera(noise={}).take(1)
    models = Known(picture, {"milk": 0.9, "apple": 0.2})
    found = localizer(models).localize(picture, Wanted("soup", (), None, ("milk", "apple")))
    assert not found.found
    assert found.why.startswith("nothing scores 0.5: the best is 0.0")
    assert re.search(r", and looks more like (milk|apple) \(1.00\)$", found.why)


def test_prompts_are_templates_over_names() -> None:
    picture = camera(noise={}).take(1)
    models = Known(picture, {"milk": 0.9})
    prompts = ["a photo of {{ name }}", "{{ also | first }} or {{ name }}"]
    wanted = Wanted("milk", ("carton of milk",), None, ())
    localizer(models, prompts=prompts).localize(picture, wanted)
    assert models.asked == [["a photo of milk", "carton of milk or milk"]]


def test_a_picture_without_depth_gives_a_box_and_no_point() -> None:
    whole = camera(noise={}).take(1)
    flat = Picture(whole.name, whole.colour, None, None, 0.0, whole.ids, whole.names)
    found = localizer(Known(whole, {"milk": 0.9})).localize(flat, Wanted("milk"))
    assert found.found
    assert (found.point, found.frame) == (None, "")
    assert found.note == "the picture has no depth: there is no point"


def test_a_box_without_depth_is_a_named_failure() -> None:
    whole = camera().take(1)
    assert whole.depth is not None
    blind = Picture(
        "blind", whole.colour, np.zeros_like(whole.depth), whole.camera, 0.0, whole.ids, whole.names
    )
    found = localizer(Known(whole, {"milk": 0.9})).localize(blind, Wanted("milk"))
    assert (found.found, found.why) == (False, "nothing in the best box has depth")


def test_no_proposal_is_a_named_failure() -> None:
    picture = camera().take(1)
    found = localizer(Known(picture, {})).localize(picture, Wanted("milk"))
    assert (found.found, found.why) == (False, "the detector proposes nothing")


def test_each_stage_is_timed_and_the_result_is_plain_data() -> None:
    import json

    assert set(THINGS) >= {"milk"}
    picture = camera(noise={}).take(1)
    found = localizer(Known(picture, {"milk": 0.9, "soup": 0.5})).localize(picture, Wanted("milk"))
    assert list(found.milliseconds) == [next(iter(stage)) for stage in ALL]
    data = json.loads(json.dumps(found.to_json()))
    assert data["picture"] == picture.digest
    assert data["frame"] == "scene"
    assert [it["scores"].keys() for it in data["proposals"]]


class Undecided(Known):
    """Models to which all crops look alike."""

    def similarities(self, crops: Sequence[object], texts: Sequence[str]) -> object:
        self.compared.append(list(texts))
        return np.zeros((len(crops), len(texts)))


def sizes(*names: str) -> dict[str, tuple[float, float, float]]:
    return {name: size_of(layout().bodies[name].body) for name in names}


@pytest.mark.parametrize("thing", ["milk", "soup", "apple"])
def test_what_another_thing_explains_better_is_not_the_wanted_one(thing: str) -> None:
    """Of crops that look alike, each is the thing whose size it has; the rivals are told."""
    picture = camera(noise={}).take(1)
    models = Undecided(picture, {"milk": 0.9, "soup": 0.4, "apple": 0.2})
    rest = tuple(it for it in ("milk", "soup", "apple") if it != thing)
    wanted = Wanted(thing, (), sizes(thing)[thing], rest, False, sizes(*rest))
    stages = [*ALL[:3], {"check_size": {}}, *ALL[3:]]
    found = localizer(models, stages=stages, accept=0.1).localize(picture, wanted)
    assert found.found, found.why
    assert found.point == pytest.approx(truth(thing), abs=0.01)
    worst = found.proposals[-1]
    assert worst.instead is not None
    assert worst.instead[1] > worst.score
    told = found.to_json()["proposals"]
    assert told[-1]["instead"]["name"] in {*rest, *NOTHING}  # type: ignore[index]


class Leaning(Known):
    """Models to which every crop looks a little more like milk than like soup."""

    def similarities(self, crops: Sequence[object], texts: Sequence[str]) -> object:
        shares = {"a photo of milk": 0.55, "a photo of soup": 0.4}
        return np.log([[shares.get(it, 0.001) for it in texts] for _ in crops])


@pytest.mark.parametrize("likeliest", [False, True])
def test_what_looks_more_like_another_thing_is_not_here_where_a_localizer_says_so(
    likeliest: bool,
) -> None:
    picture = camera(noise={}).take(1)
    models = Leaning(picture, {"milk": 0.9})
    eyes = localizer(models, accept=0.3, likeliest=likeliest)
    assert eyes.localize(picture, Wanted("milk", others=("soup",))).found
    soup = eyes.localize(picture, Wanted("soup", others=("milk",)))
    assert soup.found is not likeliest
    told = r"the best scores 0\.4\d, and looks more like milk \(0\.5\d\)" if likeliest else ""
    assert re.fullmatch(told, soup.why)


def test_shares_of_the_thing_and_its_rivals_sum_to_one() -> None:
    picture = camera(noise={}).take(1)
    models = Undecided(picture, {"milk": 0.9, "soup": 0.4})
    wanted = Wanted("milk", (), sizes("milk")["milk"], ("soup", "rice"), False, sizes("soup"))
    stages = [*ALL[:3], {"check_size": {}}, *ALL[3:]]
    for it in localizer(models, stages=stages, accept=0.0).localize(picture, wanted).proposals:
        assert it.score + sum(it.rivals.values()) == pytest.approx(1.0)
        assert {"soup", "rice", *NOTHING} == set(it.rivals)


def test_what_stands_out_in_depth_is_proposed_whatever_it_is() -> None:
    picture = camera(noise={}).take(1)
    boxes = standing_pieces(picture, 10)
    for thing in ("soup", "milk", "apple"):
        assert max(iou(box, box_of(picture, thing)) for box in boxes) > 0.7
    assert len(boxes) < 8
    assert len(standing_pieces(picture, 2)) == 2
    assert standing_pieces(replace(picture, depth=None), 10) == []


class Missing(Known):
    """Models whose detector misses what is red; their scorer knows it."""

    def boxes(self, colour: object, prompts: Sequence[str], k: int) -> list[object]:
        return [(np.array(box_of(self.picture, "milk")), 0.9)]

    def similarities(self, crops: Sequence[Any], texts: Sequence[str]) -> object:
        reds = [np.asarray(it).reshape(-1, 3).mean(axis=0) for it in crops]
        red = [colour[0] > 1.3 * colour[1] for colour in reds]
        return np.array(
            [[9.0 if is_red == ("soup" in it) else 0.0 for it in texts] for is_red in red]
        )


def test_what_the_detector_misses_is_found_by_its_depth() -> None:
    picture = camera(noise={}).take(1)
    models = Missing(picture, {"soup": 0.9})
    wanted = Wanted("soup", size=size_of(layout().bodies["soup"].body), others=("milk",))
    assert not localizer(models).localize(picture, wanted).found
    found = localizer(models, stages=[ALL[0], {"propose": {}}, *ALL[1:]]).localize(picture, wanted)
    assert found.found
    assert found.point == pytest.approx(truth("soup"), abs=0.01)
    assert found.proposals[0].scores["propose"] == 0.0
