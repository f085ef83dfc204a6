"""Orders for another time, in place of others, of some things and not of others, and to nobody.

Said in the warehouse without a model; by rules alone, and with the network that treec ships.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from tests.support.library import WAREHOUSE
from treec.files.library import Library, load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec
from treec_hearing import reading


@cache
def warehouse() -> Library:
    """The template; read once."""
    return load_library(WAREHOUSE)


Talk = Callable[..., tuple[str, dict[str, list[str]]]]


@pytest.fixture(params=["rules", "network"])
def talk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Says words in turn; returns the last answer, and what each robot has, the current one first.

    Without a network if asked for: what is promised holds with it and by the rules alone.
    """
    if request.param == "rules":
        monkeypatch.setattr(reading, "network_of", lambda library, entry: None)

    def say(*said: str) -> tuple[str, dict[str, list[str]]]:
        clock, journal = VirtualClock(), Journal.in_memory()
        view = View(warehouse(), warehouse().resolve_system("warehouse"))
        run = Run(view, clock, journal, RunSpec(chat=True))
        first = 0
        for text in said:
            first = journal.last
            run.say(text)
            for _ in range(20):
                run.loop.step()
            clock.advance(clock.now() + 1)
        happened = [e for record in journal.records if record.n > first for e in events(record)]
        told = [e.data["text"] for e in happened if e.kind == "said"]
        work = {
            agent.name: [one.words for one in agent.queue if one != agent.current]
            for agent in run.team.now.agents.values()
        }
        for agent in run.team.now.agents.values():
            if agent.current is not None:
                work[agent.name].insert(0, agent.current.words)
        return " ".join(map(str, told[1:])), {name: own for name, own in work.items() if own}

    return say


LATER = "I take orders for now only"


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "words",
    [
        "Hauler, fetch crate 12, but not now",
        "fetch crate 12 later",
        "Hauler, fetch crate 12 in ten minutes",
        "tomorrow Hauler should fetch crate 12",
        "Hauler, charge tonight",
        "when the truck comes, fetch crate 12",
    ],
)
def test_an_order_for_another_time_is_not_given_and_is_answered(talk: Talk, words: str) -> None:
    told, work = talk(words)
    assert (told[: len(LATER)], work) == (LATER, {})


def test_an_order_for_another_time_is_no_answer_to_what_was_asked(talk: Talk) -> None:
    told, _ = talk("Start the morning orders.", "Hauler, fetch crate 17, but not now")
    assert LATER in told
    assert "All right" not in told


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("words", "work"),
    [
        ("fetch crate 12 and nothing else", ["fetch crate 12"]),
        ("fetch crate 12 now and crate 17 later", ["fetch crate 12"]),
        ("fetch 12, 17 but not 31", ["fetch crate 12", "fetch crate 17"]),
        ("fetch 12 and 17, not 31", ["fetch crate 12", "fetch crate 17"]),
        ("Max and Hauler, fetch crate 12", ["fetch crate 12"]),
    ],
)
def test_what_is_ordered_now_is_done(talk: Talk, words: str, work: list[str]) -> None:
    told, found = talk(words)
    assert found == {"Hauler": work}
    assert "I did not get" not in told
    assert ("Nobody here is called Max" in told) == ("Max" in words)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "words",
    [
        "don't fetch crate 31 after all",
        "never mind crate 31",
        "Hauler, forget it",
        "cancel that",
    ],
)
def test_an_order_that_goes_on_is_taken_back(talk: Talk, words: str) -> None:
    assert talk("fetch crate 31", words) == ("Left, then: fetch crate 31.", {})


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "words",
    [
        "instead of 31 fetch 17",
        "fetch 17 instead",
        "fetch crate 17 rather than crate 31",
        "instead of that, fetch 17",
    ],
)
def test_an_order_takes_the_place_of_another(talk: Talk, words: str) -> None:
    told, work = talk("fetch crate 31", "Scout, inspect crate 40", words)
    assert work == {"Hauler": ["fetch crate 17"], "Scout": ["inspect crate 40"]}
    assert "Left, then: fetch crate 31." in told


def test_it_takes_the_place_of_what_was_proposed(talk: Talk) -> None:
    _, work = talk("Start the morning orders.", "Scout, inspect crate 31 instead", "Yes")
    assert work == {"Scout": ["inspect crate 31"]}


def test_in_place_of_what_is_asked_if_it_is_not_clear(talk: Talk) -> None:
    told, _ = talk("fetch crate 17 instead")
    assert "Instead of what?" in told


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "words", ["nobody may use the dock", "no crates near me please", "nobody go near the dock"]
)
def test_a_prohibition_is_no_answer_to_a_question(talk: Talk, words: str) -> None:
    told, _ = talk("Start the morning orders.", words)
    assert told.startswith(f"I cannot take this as a rule: {words}.")
    assert "not now" not in told
