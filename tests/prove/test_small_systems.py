"""Systems whose truth is known: what is broken in them by one order of events is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prove.random_systems import Node, write_system
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.world.spec import RunSpec
from treec_prove.explored import Surroundings
from treec_prove.properties import parse_property
from treec_prove.prove import prove
from treec_prove.search import ProofLimits

WARM_UP: Node = {"skill": "warm_up", "with": {"agent": "A"}}
NEVER: Node = {"wait": {"until": "seen == 9"}}


def sets(value: int) -> Node:
    return {"set": {"seen": value}}


@pytest.mark.parametrize(
    ("works", "failures", "is_broken"),
    [
        pytest.param(
            [[{"sequence": [{"wait": "10s"}, WARM_UP], "timeout": "4s", "on_failure": [sets(2)]}]],
            0,
            True,
            id="a limit is over while no skill is at work below it",
        ),
        pytest.param(
            [[{"sequence": [WARM_UP, NEVER], "timeout": "4s", "on_failure": [sets(2)]}]],
            0,
            True,
            id="a limit is over after its skill has ended",
        ),
        pytest.param(
            [[{**WARM_UP, "timeout": "4s", "on_failure": [sets(2)]}]],
            0,
            False,
            id="no skill is late",
        ),
        pytest.param(
            [
                [{"selector": [WARM_UP, {"sequence": [sets(1), {"wait": "5s"}, sets(0)]}]}, NEVER],
                [{"wait": "10s"}, {"check": "seen == 1"}, sets(2), NEVER],
            ],
            1,
            True,
            id="what a late skill begins is going on when another timer is due",
        ),
        pytest.param(
            [[{"wait": "6s"}, sets(1), NEVER], [{"wait": "6s"}, {"check": "seen == 1"}, sets(2)]],
            0,
            True,
            id="two timers of the same moment",
        ),
        pytest.param(
            [[{"wait": "4s"}, sets(1), NEVER], [{"wait": "9s"}, {"check": "seen == 0"}, sets(2)]],
            0,
            False,
            id="timers in order",
        ),
        pytest.param(
            [[{**WARM_UP, "while": "seen == 0"}, sets(2), NEVER], [{"wait": "2s"}, sets(1), NEVER]],
            0,
            True,
            id="a skill ends before it is stopped",
        ),
    ],
)
def test_what_is_so_is_found(
    tmp_path: Path, works: list[list[Node]], failures: int, is_broken: bool
) -> None:
    work = {name: {"sequence": nodes} for name, nodes in zip("AB", works, strict=False)}
    library = find_library(write_system(tmp_path / "toy", work, {}))
    view = prepare(library, find_system(library, "toy"), RunSpec()).view
    proof = prove(
        view,
        RunSpec(system="toy"),
        Surroundings(failures=failures, asks=False),
        [parse_property("never: seen == 2")],
        ProofLimits(states=200),
    )
    found = [one for one in proof.counterexamples if one.broken.property == "never: seen == 2"]
    assert [one.is_confirmed for one in found] == [True] * is_broken, proof.counterexamples
    assert is_broken or proof.found.verdict == "proved"
