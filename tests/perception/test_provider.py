"""`localize(thing)` in a run: pictures of the simulated scene, looked at in another process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.perception.support import kitchen, shrunk
from treec.nodes.environment import EnvironmentSetup
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec.world.facts import FactKind, Facts, FactValue
from treec_perception.provider import RunEyes, open_localizer
from treec_perception.vision_process import EyeRequest

sapien = pytest.importorskip("sapien")
pytestmark = [pytest.mark.needs_system("mosaic"), pytest.mark.thorough]


@pytest.fixture(scope="module")
def things() -> object:
    from treec_sapien.things import Things

    eyes = kitchen()
    scene = eyes.scene.model
    objects = {name: spec.model_dump() for name, spec in scene.objects.items()}
    agents = {name: {"body": body} for name, body in eyes.robots.items()}
    return Things(EnvironmentSetup("sapien", "kitchen", objects, agents))


def opened(folder: Path) -> RunEyes:
    """The eyes of a run, with cameras of fewer pixels."""
    found = open_localizer(NeedSetup(kitchen().view, 1, folder))
    found._cameras = tuple(shrunk(it, 2) for it in found._cameras)
    return found


@pytest.fixture
def eyes(tmp_path: Path) -> Iterator[RunEyes]:
    found = opened(tmp_path)
    yield found
    found.close()


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunEyes]:
    """Eyes whose model cannot be loaded: their process answers, sooner."""
    found = opened(tmp_path_factory.mktemp("blind"))
    stages = [stage.model_copy() for stage in found._localizer.stages]
    detect = stages[0].detect
    assert detect is not None
    stages[0] = stages[0].model_copy(update={"detect": detect.model_copy(update={"model": "./no"})})
    found._localizer = found._localizer.model_copy(update={"stages": stages})
    yield found
    found.close()


def ask(eyes: RunEyes, thing: str, environment: object) -> NeedAnswer:
    done, got = threading.Event(), list[NeedAnswer]()

    def answer(given: NeedAnswer) -> None:
        got.append(given)
        done.set()

    eyes.ask(NeedCall({"thing": thing}, "R1", environment, 3.0), answer)  # type: ignore[arg-type]
    assert done.wait(400)
    return got[0]


@pytest.mark.slow
def test_a_thing_is_seen_where_it_is(eyes: RunEyes, things: object, tmp_path: Path) -> None:
    got = ask(eyes, "lettuce", things)
    assert got.value is not None, got.why
    assert got.record["error"] < 0.03
    place = kitchen().layout.bodies["lettuce"].pose.p
    assert np.allclose(got.value["point"][:2], place[:2], atol=0.03)
    assert "milliseconds" not in got.record["looks"][0]
    for file in got.record["files"]:
        assert (tmp_path / file).is_file()


def test_facts_say_what_is_elsewhere(
    eyes: RunEyes, things: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[EyeRequest] = []

    def exchange(thing: str, request: EyeRequest, truth: object, answer: object) -> None:
        asked.append(request)
        answer(NeedAnswer(why="not asked"))  # type: ignore[operator]

    def start(things: object, *, simulated: bool) -> None:
        eyes._view = SimpleNamespace(poses=lambda: np.zeros((0, 7)))

    monkeypatch.setattr(eyes, "_exchange", exchange)
    monkeypatch.setattr(eyes, "_start", start)
    at = {"lettuce": "table", "onions": "table", "oats": "pantry"}
    values = {("at", (name,)): FactValue(place, "told", 0.0, "test") for name, place in at.items()}
    known = Facts([FactKind("at", ("Item",), "Place")], values)
    done = threading.Event()
    call = NeedCall({"thing": "lettuce"}, "R1", things, 3.0, known)  # type: ignore[arg-type]
    eyes.ask(call, lambda given: done.set())
    assert done.wait(10)
    assert asked[0].wanted.elsewhere == {"oats"}


@pytest.mark.slow
def test_equal_looks_give_equal_answers(things: object, tmp_path: Path) -> None:
    answers = []
    for name in ("a", "b"):
        found = open_localizer(NeedSetup(kitchen().view, 1, tmp_path / name))
        answers.append(ask(found, "onions", things))
        found.close()
    assert answers[0] == answers[1]


def test_what_no_model_can_load_is_a_reason(blind: RunEyes, things: object) -> None:
    got = ask(blind, "lettuce", things)
    assert got.value is None
    assert got.why == "not seen: unknown model './no': neither a folder nor a name of the hub"
    assert got.module == "treec_perception.provider"


def test_a_process_that_dies_is_a_reason(blind: RunEyes, things: object) -> None:
    """The last test with these eyes."""
    assert "./no" in ask(blind, "lettuce", things).why
    assert blind._process is not None
    blind._process.kill()
    blind._process.join(10)
    got = ask(blind, "lettuce", things)
    assert got.value is None
    assert got.why.startswith("the eyes are gone: ")


def test_what_has_no_body_is_not_seen(eyes: RunEyes, things: object) -> None:
    assert ask(eyes, "moon", things).why == "not seen: moon has no body here"
