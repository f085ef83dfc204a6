"""The network that treec ships: what it says of itself, and what it hears."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.hearing.judging import judge
from experiments.hearing.phrases import load_phrases
from tests.hearing.moments import DOMAINS, everyday, everyday_and_network, moment
from treec_hearing.network import network_input

ROOT = Path(__file__).parents[2]


def test_it_says_by_which_command_it_was_made() -> None:
    network = everyday_and_network().network
    assert network is not None
    assert str(network.about["command"]).startswith("treec hear train mosaic --phrases corpora")


def test_the_names_of_a_moment_are_hidden_from_it() -> None:
    ear = everyday_and_network()
    for domain, (robot, one, thing, _, _) in DOMAINS.items():
        encoded, _ = network_input(ear, f"could {robot} {one} the {thing}", moment(domain))
        assert encoded.words == ("<begin>", "could", "[agent]", one, *encoded.words[4:])
        assert set(encoded.words[4:]) <= {"the"} | {"[thing]"}


@pytest.mark.parametrize("domain", DOMAINS)
def test_it_hears_what_no_template_explains(domain: str) -> None:
    robot, one, thing, _, _ = DOMAINS[domain]
    text = f"Would you be so kind as to {one} that {thing} over to me, {robot}?"
    assert {act["kind"] for act in everyday()(text, moment(domain))} <= {"remark", "ask"}
    (act,) = everyday_and_network()(text, moment(domain))
    assert act["kind"] in ("request", "accept")
    assert act.get("agent", robot) == robot


@pytest.mark.thorough
def test_it_hears_most_of_the_open_phrases() -> None:
    phrases = load_phrases(ROOT / "experiments/corpora/kitchen")
    some = [one for one in phrases if one.round == "10" and not one.held_back][::3]
    with_it = judge(some, everyday_and_network())
    assert with_it.share > 0.85
    assert with_it.share > judge(some, everyday()).share + 0.4
