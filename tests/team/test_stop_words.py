from __future__ import annotations

import pytest
from pydantic import ValidationError

from treec.files.hearing import HearingFile
from treec.team.language import shipped_language, stop_words_in, talk_agent
from treec.team.stop_words import StopWords
from treec.team.talk import TalkAgent

WORDS = StopWords(shipped_language())
AGENTS = (
    talk_agent(shipped_language(), "R1", ["left arm"]),
    talk_agent(shipped_language(), "R2"),
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
    acts = WORDS.stop_acts(text, AGENTS)
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
    assert WORDS.stop_acts(text, AGENTS) == []


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
    assert WORDS.unknown_names(text, AGENTS) == names


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
    assert [act["agent"] for act in WORDS.stop_acts_in(text, AGENTS)] == robots


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
    assert [(act["agent"], act["quote"]) for act in WORDS.stop_acts(text, AGENTS)] == [
        (robot, text.strip("!"))
    ]


CRIED = """No, stop|no no no stop|wait stop|oh god stop|not that way, stop!|that was wrong stop
don't do that, stop|I'll get the pepper. No, stop|R1, no, stop|no stop|what are you doing, stop!
are you mad, stop!|hot, stop|my hand! stop|R2, get the salt - no wait, stop|yes. no, stop!
please no, stop|that is not right, stop|oh no, stop it|no, stop doing that|no stop that
you are hurting me stop|the pot is falling stop stop|not the red one stop|R2 not there stop
go left, no, right, stop|watch out, stop R2|I said not yet, stop|there is a child there, halt
okay, stop now please|get the salt. Wait, freeze!|no R1 stop"""
NOT_CRIED = """don't stop|no, do not stop|never stop|without a stop|stop at the bench|they stop
I do not want you to stop|I do not think R2 should stop|if it boils over, stop|the bus stop
when you are there, stop|we are at the last stop|did it stop?|shall we stop?|it will stop
get the pepper and stop|the sign says stop|you should stop and get the pepper|can you stop?
there is no stop here|it is hard to stop|please don't you stop|R1 must not stop|it won't stop
freeze the peas|stop at nothing|put the stop watch there|stop worrying|do not ever stop"""


@pytest.mark.parametrize("text", CRIED.replace("\n", "|").split("|"))
def test_a_stop_that_stands_for_itself(text: str) -> None:
    span = WORDS.cried_stop(text, AGENTS)
    assert span is not None
    assert any(stop in text[slice(*span)].lower() for stop in WORDS.stops)


@pytest.mark.parametrize("text", NOT_CRIED.replace("\n", "|").split("|"))
def test_a_stop_that_is_denied_told_or_for_later(text: str) -> None:
    assert WORDS.cried_stop(text, AGENTS) is None


def test_a_cried_stop_is_for_the_robots_of_its_sentence() -> None:
    (act,) = WORDS.cried_stop_acts("Get the salt. R2, no, stop it!", AGENTS)
    assert (act["agent"], act["quote"]) == ("R2", "stop it")
    (act,) = WORDS.cried_stop_acts("R2, get the salt. No, stop!", AGENTS)
    assert act["agent"] is None


def test_another_language_has_other_words() -> None:
    file = HearingFile.model_validate(
        {
            "hearing": "Deutsch",
            "about": "German.",
            "stops": {"stop": ["halt", "stopp"], "beside": ["bitte"], "negations": ["nicht"]},
        }
    )
    words = StopWords(file)
    assert [act["agent"] for act in words.stop_acts("R2, halt bitte!", AGENTS)] == ["R2"]
    assert [act["agent"] for act in words.stop_acts("stpop", AGENTS)] == [None]
    assert words.stop_acts("freeze", AGENTS) == []
    assert words.stop_acts_in("nicht halt", AGENTS) == []


def test_a_file_without_a_word_for_stop_has_those_of_english() -> None:
    file = {"hearing": "Deutsch", "about": "German.", "stops": {"beside": ["bitte"]}}
    words = stop_words_in(HearingFile.model_validate(file))
    assert [act["agent"] for act in words.stop_acts("R2, stop!", AGENTS)] == ["R2"]


def test_odd_words_beside_a_stop_are_words_or_an_error_of_the_file() -> None:
    file: dict[str, object] = {"hearing": "X", "about": ""}
    stops = {"stop": ["halt"], "later": ["wenn ("]}
    words = StopWords(HearingFile.model_validate({**file, "stops": stops}))
    assert words.cried_stop("nein, halt", AGENTS) is not None
    with pytest.raises(ValidationError, match="'emphasis': missing"):
        HearingFile.model_validate({**file, "stops": {"stop": ["halt"], "emphasis": ["("]}})
