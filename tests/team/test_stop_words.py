from __future__ import annotations

import pytest

from treec.team.stop_words import stop_acts
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
        "R22, stop!",
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
    ],
)
def test_the_parser_reads_the_rest(text: str) -> None:
    assert stop_acts(text, AGENTS) == []
