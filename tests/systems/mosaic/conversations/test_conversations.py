"""Seeded users say anything at any moment; an independent judge reads the journals."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.support.tiers import first_fast
from tests.systems.mosaic.conversations.judge import Judge
from tests.systems.mosaic.conversations.talker import Talker
from treec.files.entry import Entry
from treec.files.library import load_library
from treec.files.systems import ScenarioFile
from treec.files.view import View
from treec.nodes.make_world import make_world
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec

ROOT = Path(__file__).parents[4]
SKILLS = ("pick", "place", "pour", "stir", "go_to", "put_down", "hand_over")


@cache
def mosaic() -> tuple[View, Entry[ScenarioFile]]:
    library = load_library(ROOT)
    found = library.find("scenario", "slippery")
    assert found is not None
    return View(library, library.find("system", "mosaic")), found


@dataclass
class Talk:
    run: Run
    journal: Journal
    talker: Talker


def talk(seed: int) -> Talk:
    rng = random.Random(f"talk {seed}")
    view, found = mosaic()
    faults = [
        f"fail {rng.choice(SKILLS)} chance {rng.choice((20, 50, 100))}% "
        f"x{rng.choice((1, 2, 3))} at {rng.choice((0, 30, 80, 100))}%: it slipped"
        for _ in range(rng.choice((0, 0, 1, 2, 4)))
    ]
    model = ScenarioFile.model_validate({"scenario": "s", "system": "mosaic", "faults": faults})
    scenario = Entry("scenario", "s", model, found.node, found.file)
    journal = Journal.in_memory()
    run = Run(view.including(scenario), VirtualClock(), journal, RunSpec(scenario="s", seed=seed))
    talker = Talker(run, rng, rng.choice((3, 8, 15, 30)))
    talker.begin()
    run.loop.run(lambda: talker.finished, 20_000)
    run.loop.shutdown()
    return Talk(run, journal, talker)


def judged(seed: int) -> Talk:
    had = talk(seed)
    wrong = Judge().read(had.journal.text().splitlines())
    assert not wrong, "\n".join([f"seed {seed}", *wrong[:5]])
    assert had.talker.finished
    view = had.run.view
    again = make_world(view, VirtualClock(), Journal.in_memory())
    again.restore(had.journal.records)
    assert again.state == had.run.world.state
    return had


@pytest.mark.parametrize("seed", first_fast(range(6), 1))
def test_whatever_is_said_the_run_keeps_its_promises(seed: int) -> None:
    judged(seed)


@pytest.mark.thorough
def test_the_same_talk_gives_the_same_bytes() -> None:
    assert talk(3).journal.text() == talk(3).journal.text()


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 1000, 50))
def test_a_thousand_users(start: int) -> None:
    for seed in range(start, start + 50):
        judged(seed)


def test_what_needs_two_things_is_refused_with_a_reason() -> None:
    view, _ = mosaic()
    run = Run(view, VirtualClock(), Journal.in_memory(), RunSpec(chat=True))
    for words in ("Pour the pot into the pot.", "R1, pour the bowl into the bowl", "Yes please."):
        run.say(words)
        run.loop.run(deadline=run.clock.now() + 5)
    said = [u.text for u in run.team.chat if u.who == "assistant"]
    assert "needs two things, and pot is only one" in said[0]
    assert "needs two things, and bowl is only one" in said[1]
    assert not run.team.subtasks
