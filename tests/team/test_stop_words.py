from __future__ import annotations

import pytest

from treec.team.stop_words import stop_acts, stop_acts_in, unknown_names
from treec.team.talk import TalkAgent

AGENTS = (
    TalkAgent("R1", ("left arm",)),
    TalkAgent("R2"),
    TalkAgent("Ada", person=True),
)


@pytest.mark.parametrize(
    ("text", "robots"),
    [
        ("stop", [None]),
        ("STOP!!!", [None]),
        ("Stop stop stop!", [None]),
        ("Please stop now.", [None]),
        ("Everybody, freeze!", [None]),
        ("R2, stop!", ["R2"]),
        ("halt, left arm", ["R1"]),
        ("R2 and R1, stop!", ["R2", "R1"]),
        ("R2, left arm, stop!", ["R2", "R1"]),
        ("stpo!", [None]),
        ("sotp", [None]),
        ("tsop", [None]),
        ("STP", [None]),
        ("stopp it", [None]),
        ("dtop... stoppp", [None]),
        ("Stoooooop!", [None]),
        ("s-stop", [None]),
        ("st-sto-stop, R1!", ["R1"]),
        ("hallt", [None]),
        ("haaalt everybody", [None]),
        ("freze!", [None]),
        ("— stop —", [None]),
        ("R2 STOP RIGHT NOW", ["R2"]),
        ("Hey, stop the robot!", [None]),
        ("Stop right there, both of you!", [None]),
        ("Stop… now—R2", ["R2"]),
        ("“Stop!”", [None]),
        ("EMERGENCY STOP", [None]),
        ("nooo stop", [None]),
        ("For God's sake, stop!", [None]),
        ("R2, I said stop", ["R2"]),
        ("I told you to stop, damn it", [None]),
        ("s t o p", [None]),
        ("S.T.O.P!", [None]),
        ("Robot two, stop!", ["R2"]),
        ("stop robot 1", ["R1"]),
        ("r two freeze", ["R2"]),
        ("R-1, halt", ["R1"]),
        # for somebody who is not there: everybody
        ("stop R3", [None]),
        ("R22, stop!", [None]),
        ("r3 stop now", [None]),
        ("R2 and R3, stop!", [None]),
        ("Robbie, stop!", [None]),
        ("Stop Robbie!", [None]),
        ("Stop, Robbie!", [None]),
        ("stop arm2 at once", [None]),
        ("Robot three, halt!", [None]),
        ("halt the third robot", [None]),
    ],
)
def test_nothing_but_a_stop(text: str, robots: list[str | None]) -> None:
    acts = stop_acts(text, AGENTS)
    assert [act["agent"] for act in acts] == robots
    assert all(str(act["quote"]) in text for act in acts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "R2",
        "don't stop",
        "stop stirring",
        "Ada, stop!",
        "the label says: stop",
        "stop R1 and fetch the salt",
        "non-stop",
        "Stop stirring, Robbie",
        "R3",
        "step",
        "shop",
        "stow it",
        "top",
        "half",
        "all of it",
        "freezer",
        "salt, please",
        "soup",
        "hot",
        "sto-go",
        "stop?",
        "No, stop!",  # a no as well
        "She said stop",
        "The robot said stop",
        "I said do not stop",
        "I said: go on",
        "a b c",
    ],
)
def test_the_parser_reads_the_rest(text: str) -> None:
    assert stop_acts(text, AGENTS) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("stop R3", ["R3"]),
        ("R2 and R3, stop!", ["R3"]),
        ("Robbie, stop!", ["Robbie"]),
        ("Stop, Robbie!", ["Robbie"]),
        ("STOP ROBBIE", []),
        ("R2, stop!", []),
        ("Left arm, stop!", []),
        ("Ada, stop!", []),
        ("No, stop!", []),
        ("Stop. Stop!", []),
        ("R2D2 stop", ["R2D2"]),
        ("R2-D2, halt", ["R2-D2"]),
        ("C3PO stop", ["C3PO"]),
        ("stop in the 2nd lane", []),
    ],
)
def test_names_that_nobody_has(text: str, names: list[str]) -> None:
    assert unknown_names(text, AGENTS) == names


@pytest.mark.parametrize(
    ("text", "robots"),
    [
        ("Please stop what you are doing", [None]),
        ("oh my god R2 stop it is burning", ["R2"]),
        ("No, stop!", [None]),
        ("never mind the salt, and then: stop", [None]),
        ("Please don't stop", []),
        ("R2 can’t ever stop", []),
        ("go on without a stop", []),
        ("a non-stop flight", []),
        ("R1 stopped", []),
    ],
)
def test_a_stop_among_words_that_nothing_reads(text: str, robots: list[str | None]) -> None:
    assert [act["agent"] for act in stop_acts_in(text, AGENTS)] == robots


@pytest.mark.parametrize(
    ("text", "robot"),
    [
        ("R2D2 stop", None),
        ("R2-D2, halt!", None),
        ("C3PO stop", None),
        ("stop R22", None),
        ("R2stop", "R2"),
        ("stopR2", "R2"),
        ("R2-stop", "R2"),
    ],
)
def test_a_name_within_another_word_is_nobodys(text: str, robot: str | None) -> None:
    """Whoever is meant must not be left running: a name that nobody has stops everybody."""
    assert [(act["agent"], act["quote"]) for act in stop_acts(text, AGENTS)] == [
        (robot, text.strip("!"))
    ]
