"""Where cameras find nothing, or different places, a skill's thing is looked for again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.perception.support import kitchen
from treec.files.entry import Entry
from treec.files.view import View
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec.nodes.worker import Effect
from treec.world.facts import Evidence
from treec_perception.beliefs import Beliefs
from treec_perception.localize import Wanted
from treec_perception.provider import RunEyes, open_describer, open_localizer
from treec_perception.vision_process import EyeAnswer, EyeRequest
from treec_sapien.bodies.pose import Pose

pytestmark = pytest.mark.needs_system("mosaic")

HERE, THERE = [0.1, 0.2, 0.8], [0.5, 0.2, 0.8]


def row(camera: str, point: list[float] | None, score: float) -> dict[str, Any]:
    found = point is not None
    return {
        "camera": camera,
        "found": found,
        "point": point,
        "score": score,
        "depth": 1.0,
        "spread": 0.01,
        "why": "" if found else "nothing scores 0.05",
        "note": "",
    }


def ask(
    eyes: RunEyes,
    answers: Sequence[EyeAnswer],
    monkeypatch: pytest.MonkeyPatch,
    x: float = 0.0,
    agent: str = "R1",
) -> tuple[NeedAnswer, list[EyeRequest]]:
    left, asked, got = list(answers), list[EyeRequest](), list[NeedAnswer]()

    def look(request: EyeRequest) -> EyeAnswer:
        asked.append(request)
        return left.pop(0)

    monkeypatch.setattr(eyes, "_look", look)
    at = Pose((x, 0.0, 1.2))
    mounts = [it.mounted for it in eyes._cameras if it.mounted is not None]
    links = {(it.agent, it.link): at for it in mounts}
    request = EyeRequest(1, Wanted("soup"), None, links, None, 1001, 3.0)
    eyes._exchange((agent, "tomato_soup"), request, (0.1, 0.2, 0.8), got.append)
    assert left == []
    return got[0], asked


@pytest.fixture
def eyes() -> RunEyes:
    return open_localizer(NeedSetup(kitchen().view, 1))


def test_what_all_cameras_agree_on_is_looked_at_once(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = EyeAnswer((row("a", HERE, 0.3), row("b", HERE, 0.2), row("c", None, 0.0)))
    answer, _ = ask(eyes, [sure], monkeypatch)
    assert answer.value == {"point": HERE, "score": 0.3, "spread": 0.01}
    assert answer.record["summary"] == "a and b see it, score 0.30, 0 mm off, ±5 mm"


@pytest.mark.parametrize("name", ["kitchen_eyes", "detector_alone"])
def test_the_localizer_is_the_one_that_the_system_chooses_and_the_journal_says_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = kitchen().view
    system = view.system
    assert system is not None
    model = system.model.model_copy(update={"chooses": {"localizer": name}})
    chosen = Entry(system.kind, system.name, model, system.node, system.file)
    eyes = open_localizer(NeedSetup(View(view.library, chosen), 1))
    looks = [EyeAnswer((row("a", HERE, 0.9),)), EyeAnswer(())]
    for number, look in enumerate(looks):
        answer, _ = ask(eyes, [look], monkeypatch, agent=f"R{number}")
        assert answer.record["localizer"] == name


def test_what_is_not_found_is_looked_for_again(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = EyeAnswer((row("a", None, 0.04),), ("seen/1.png",))
    second = EyeAnswer((row("a", HERE, 0.06),), ("seen/2.png",))
    answer, asked = ask(eyes, [first, second], monkeypatch)
    assert answer.value is not None
    assert answer.value["score"] == 0.06
    assert answer.record["summary"] == "a sees it, score 0.06, 0 mm off, ±5 mm; looked 2 times"
    assert answer.record["files"] == ["seen/1.png", "seen/2.png"]
    assert asked[0].seed != asked[1].seed, "noise of its own"


def test_where_cameras_disagree_a_second_look_decides(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = EyeAnswer((row("a", THERE, 0.3), row("b", HERE, 0.2)))
    second = EyeAnswer((row("a", HERE, 0.15), row("b", HERE, 0.2)))
    answer, _ = ask(eyes, [first, second], monkeypatch)
    assert answer.value is not None
    assert answer.value["point"] == HERE
    assert answer.record["cameras"] == ["b", "a"]


def test_a_camera_that_is_far_less_sure_raises_no_doubt(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, asked = ask(eyes, [EyeAnswer((row("a", HERE, 0.9), row("b", THERE, 0.2)))], monkeypatch)
    assert answer.value is not None
    assert answer.value["point"] == HERE
    assert len(asked) == 1
    assert "b disagrees by" in answer.record["summary"]


def test_what_scores_little_is_in_doubt_and_looks_from_elsewhere_are_fused(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = ask(eyes, [EyeAnswer((row("head", THERE, 0.3),))], monkeypatch)
    assert first.value is not None
    assert first.doubt == "not sure: soup scores only 0.30"
    second, _ = ask(eyes, [EyeAnswer((row("head", HERE, 0.9),))], monkeypatch, 0.3)
    assert (second.value or {})["point"] == HERE
    assert second.doubt == ""
    assert second.record["cameras"] == ["head from place 2"]
    assert [it.get("place", 0) for it in second.record["looks"]] == [1], "new ones alone"
    assert (first.record.get("again"), second.record.get("again")) == (None, True)


def test_a_camera_that_stays_does_not_look_from_elsewhere(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(eyes, [EyeAnswer((row("table_near", THERE, 0.3),))], monkeypatch)
    more = EyeAnswer((row("table_near", THERE, 0.3), row("head", HERE, 0.9)))
    answer, _ = ask(eyes, [more], monkeypatch)
    assert answer.record["cameras"] == ["head"]
    answer, _ = ask(eyes, [more], monkeypatch, 0.3)
    assert answer.record["cameras"] == ["head from place 2", "head"]


@pytest.mark.parametrize(("moved", "chosen"), [(0.0, HERE), (0.04, HERE), (0.06, THERE)])
def test_looks_from_a_place_are_one_opinion(
    eyes: RunEyes, moved: float, chosen: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cameras that agree outweigh one; the same one that looks again does not."""
    eyes._localizer = eyes._localizer.model_copy(update={"looks": 1})
    seen = EyeAnswer((row("table_near", HERE, 0.9), row("head", THERE, 0.5)))
    ask(eyes, [seen], monkeypatch)
    answer, _ = ask(eyes, [seen], monkeypatch, moved)
    assert (answer.value or {})["point"] == chosen


def test_back_at_a_place_its_look_is_replaced(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for x in (0.0, 0.3):
        ask(eyes, [EyeAnswer((row("head", THERE, 0.3),))], monkeypatch, x)
    answer, _ = ask(eyes, [EyeAnswer((row("head", HERE, 0.4),))], monkeypatch)
    assert answer.record["cameras"] == ["head"]


def test_a_look_that_fails_leaves_what_was_found_before(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(eyes, [EyeAnswer((row("head", HERE, 0.3),))], monkeypatch)
    answer, _ = ask(eyes, [EyeAnswer(error="broken")], monkeypatch, 0.3)
    assert (answer.value or {})["point"] == HERE
    assert answer.record["summary"].endswith("the last look failed: broken")


def test_what_one_robot_found_is_not_the_others(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(eyes, [EyeAnswer((row("head", HERE, 0.6),))], monkeypatch)
    answer, _ = ask(eyes, [EyeAnswer((row("table_near", THERE, 0.5),))], monkeypatch, agent="R2")
    assert answer.record["cameras"] == ["table_near"]


def test_a_new_question_forgets_earlier_looks(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes._cameras = ()  # so that it answers at once
    monkeypatch.setattr(eyes, "_look", lambda request: EyeAnswer((row("head", HERE, 0.6),)))
    ask_again = NeedCall({"thing": "tomato_soup"}, "R1", None, 3.0, again=True)
    for call, left in ((ask_again, 1), (replace(ask_again, again=False), 0)):
        request = EyeRequest(1, Wanted("soup"), None, {}, None, 1001, 3.0)
        eyes._exchange(("R1", "tomato_soup"), request, None, lambda _: None)
        eyes.ask(call, lambda _: None)
        assert len(eyes._earlier) == left


def test_without_a_bound_nothing_is_in_doubt(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes._localizer = eyes._localizer.model_copy(update={"sure": None})
    answer, _ = ask(eyes, [EyeAnswer((row("head", HERE, 0.11),))], monkeypatch)
    assert answer.doubt == ""


def test_it_gives_up_after_as_many_looks_as_the_file_says(
    eyes: RunEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes._localizer = eyes._localizer.model_copy(update={"looks": 3})
    nothing = EyeAnswer((row("a", None, 0.04),))
    answer, asked = ask(eyes, [nothing] * 3, monkeypatch)
    assert answer.value is None
    assert answer.why == "not seen: soup: nothing scores 0.05 (a)"
    assert len(asked) == 3


@pytest.mark.parametrize("got", [EyeAnswer(error="broken"), EyeAnswer()])
def test_what_a_second_look_cannot_mend_is_told_at_once(
    eyes: RunEyes, got: EyeAnswer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, asked = ask(eyes, [got], monkeypatch)
    assert answer.value is None
    assert len(asked) == 1


def test_what_facts_say_is_here_needs_less_of_a_score(eyes: RunEyes) -> None:
    own = kitchen().view.all("localizer")["kitchen_eyes"].model
    assert (eyes._localizer.accept, own.accept) == (0.1, 0.3)
    plain = own.model_copy(update={"expected": None})
    assert RunEyes.for_skills(plain) == plain
    strict = own.model_copy(update={"likeliest": True})
    assert not RunEyes.for_skills(strict).likeliest


@pytest.mark.parametrize(
    ("point", "effect"),
    [
        (
            HERE,
            Effect(
                "seen",
                ("tomato_soup",),
                True,
                "sensed",
                Evidence("a", 0.0046, None, (0.1, 0.2, 0.8)),
            ),
        ),
        (None, Effect("seen", ("tomato_soup",), None, "unknown")),
    ],
)
def test_a_look_sets_the_localizers_fact(
    eyes: RunEyes,
    point: list[float] | None,
    effect: Effect,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = [EyeAnswer((row("a", point, 0.3),))] * (1 if point else 2)
    answer, _ = ask(eyes, looks, monkeypatch)
    assert answer.effects == ()
    eyes._localizer = eyes._localizer.model_copy(update={"fact": "seen"})
    eyes._beliefs = Beliefs(kitchen().view, eyes._localizer)
    answer, _ = ask(eyes, looks, monkeypatch)
    assert answer.effects == (effect,)


def test_a_description_is_the_best_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = (("the soup lies on its side", 0.7), ("the soup stands upright", 0.3))
    got = EyeAnswer((row("a", None, 0.0),), ("described/1.png",), shares=shares)
    answer, _ = ask(open_describer(NeedSetup(kitchen().view, 1)), [got], monkeypatch)
    assert answer.value == {"text": "the soup lies on its side", "share": 0.7}
    assert answer.record == {
        "descriptions": "kitchen_states",
        "camera": "a",
        "shares": [list(one) for one in shares],
        "files": ["described/1.png"],
        "summary": "the soup lies on its side (0.70)",
    }


def test_what_is_unclear_is_not_described(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = (("the soup lies on its side", 0.4), ("the soup stands upright", 0.35))
    got = EyeAnswer((row("a", HERE, 0.2),), shares=shares)
    answer, _ = ask(open_describer(NeedSetup(kitchen().view, 1)), [got], monkeypatch)
    assert answer.value is None
    assert answer.why == "nothing is clear: 'the soup lies on its side' is the best of 2, 0.40"
    assert answer.record["shares"][0] == ["the soup lies on its side", 0.4]


def test_without_a_picture_nothing_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, _ = ask(open_describer(NeedSetup(kitchen().view, 1)), [EyeAnswer()], monkeypatch)
    assert answer.why == "not seen: no camera has the place of the soup in view"
