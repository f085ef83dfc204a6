"""Systems whose truth is known: what is broken in them by one order of events is found."""

from __future__ import annotations

import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.prove.random_systems import Node, write_system
from treec.api.errors import TreecError
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.cli import main
from treec.files.view import View
from treec.world.spec import RunSpec
from treec_prove.counterexample import Counterexample, counterexample
from treec_prove.expander import Expander, Expansion, Tried
from treec_prove.explored import Surroundings
from treec_prove.properties import DEADLOCK, parse_property
from treec_prove.prove import Proof, prove
from treec_prove.search import EXHAUSTED, Found, ProofLimits
from treec_prove.snapshots import CannotSave, Heap, HeapState
from treec_prove.walks import LONGEST

WARM_UP: Node = {"skill": "warm_up", "with": {"agent": "A"}}
NEVER: Node = {"wait": {"until": "seen == 9"}}


def sets(value: int) -> Node:
    return {"set": {"seen": value}}


def toy(folder: Path, works: list[list[Node]]) -> View:
    work: dict[str, Node] = {
        name: {"sequence": nodes} for name, nodes in zip("AB", works, strict=False)
    }
    library = find_library(write_system(folder / "toy", work, {}))
    return prepare(library, find_system(library, "toy"), RunSpec()).view


@pytest.mark.few(2, thorough=4)
@pytest.mark.parametrize("timed", [True, False], ids=["real timers", "timers at any moment"])
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
        pytest.param(
            [
                [WARM_UP, sets(1), {"wait": "4s"}, sets(0), NEVER],
                [{"wait": "10s"}, {"check": "seen == 1"}, sets(2), NEVER],
            ],
            0,
            True,
            id="a skill ends between two timers",
        ),
        pytest.param(
            [
                [WARM_UP, {"wait": "2s"}, sets(1), {"wait": "2s"}, sets(0), NEVER],
                [{"wait": "9s"}, {"check": "seen == 1"}, sets(2), NEVER],
            ],
            0,
            True,
            id="a skill ends between two timers, and what is set later meets one of them",
        ),
    ],
)
def test_what_is_so_is_found(
    tmp_path: Path, works: list[list[Node]], failures: int, is_broken: bool, timed: bool
) -> None:
    view = toy(tmp_path, works)
    proof = prove(
        view,
        RunSpec(system="toy"),
        Surroundings(failures=failures, asks=False, timed=timed),
        [parse_property("never: seen == 2")],
        ProofLimits(states=200),
    )
    found = [one for one in proof.counterexamples if one.broken.property == "never: seen == 2"]
    assert [one.is_confirmed for one in found] == [True] * is_broken, proof.counterexamples
    assert is_broken or proof.found.verdict == "proved"


def test_what_only_another_order_of_timers_breaks_is_proved_by_real_times(tmp_path: Path) -> None:
    late: list[Node] = [{"wait": "3s"}, {"check": "seen == 0"}, sets(1), NEVER]
    view = toy(tmp_path, [late, [{"wait": "2s"}, sets(2), NEVER]])
    asked = [parse_property("never: seen == 1"), parse_property("eventually: seen == 2")]
    for timed in (True, False):
        world = Surroundings(failures=0, asks=False, timed=timed)
        proof = prove(view, RunSpec(system="toy"), world, asked)
        assert [proof.found.verdict_of(one.text) for one in asked] == ["proved", "proved"]


@pytest.mark.thorough
def test_what_the_first_exploration_has_proved_stays_proved(tmp_path: Path) -> None:
    """Where a second one, for what no run confirms, has more states than its budget."""
    tries: Node = {"selector": [WARM_UP, WARM_UP], "timeout": "90s", "on_failure": [sets(1)]}
    waits: list[Node] = [{"wait": "2s"}, {"wait": "2s"}, NEVER]
    view = toy(tmp_path, [[tries, NEVER], waits])
    cold = "never: seen == 1 and not warm('A')"  # no skill takes so long
    asked = [parse_property(cold), parse_property("never: seen == 4")]
    proof = prove(
        view, RunSpec(system="toy"), Surroundings(asks=False), asked, ProofLimits(states=34)
    )
    assert proof.found.verdict == "proved to depth 5 (budget of 34 states)"
    assert proof.found.verdict_of("never: seen == 4") == "proved"
    assert any(f"'{cold}': no run confirms that it is broken" in one for one in proof.assumed)


def test_what_has_to_come_is_not_kept_as_proved() -> None:
    """With other steps it need not come: only what holds of each state is kept."""
    found = Found(later=frozenset(("eventually: seen == 1",)), is_complete=True)
    assert {found.verdict_of(name) for name in ("never: seen == 4", *found.later)} == {EXHAUSTED}
    assert Proof("toy", found, ["never: seen == 4", *found.later]).proved == ["never: seen == 4"]


def test_timers_that_were_set_at_different_moments_may_all_be_due_at_once(tmp_path: Path) -> None:
    """In the same tick, which only the three of them together bring about."""
    seconds, codes = (("2s", "4s"), ("3s", "3s"), ("6s",)), (0, 1, 3, 2)
    works: list[list[Node]] = [[{"wait": {"until": f"seen == {it}"}}, sets(5)] for it in (1, 3)]
    for waits, (now, then) in zip(seconds, pairwise(codes), strict=True):
        works.append([*({"wait": it} for it in waits), {"check": f"seen == {now}"}, sets(then)])
    branches = [{"sequence": [*work, NEVER]} for work in works]
    view = toy(tmp_path, [[{"parallel": {"until": "never", "children": branches}}]])
    asked = [parse_property("never: seen == 2")]
    world = Surroundings(failures=0, asks=False, timed=False)
    (found,) = prove(view, RunSpec(system="toy"), world, asked).counterexamples
    assert found.is_confirmed


def test_with_timers_at_any_moment_nothing_comes_in_time(tmp_path: Path) -> None:
    view = toy(tmp_path, [[{"wait": "3s"}, sets(1), NEVER]])
    asked = [parse_property("never: seen == 2"), parse_property("eventually: seen == 1")]
    world = Surroundings(failures=0, asks=False, timed=False)
    found = prove(view, RunSpec(system="toy"), world, asked).found
    assert found.verdict_of(asked[0].text) == "proved"
    assert found.verdict_of(asked[1].text).startswith("not proved (with timers")
    again: Node = {"wait": "3s", "rate": 2}
    rated = toy(tmp_path / "rated", [[again, sets(1), NEVER]])
    proof = prove(rated, RunSpec(system="toy"), world, asked[:1])
    assert proof.found.verdict_of(asked[0].text).endswith("or a node does)")


@pytest.mark.thorough
def test_conditions_that_look_at_the_time_are_not_proved(tmp_path: Path) -> None:
    go: Node = {"skill": "go", "with": {"agent": "A"}}
    warm: Node = {"skill": "warm_up", "with": {"agent": "B"}}
    waits: Node = {"wait": {"until": "seen == 1"}}
    late: Node = {"check": "age(at('A')) > 5"}
    view = toy(tmp_path, [[go, waits, late, sets(2), NEVER], [warm, sets(1), NEVER]])
    proof = prove(view, RunSpec(system="toy"), Surroundings(asks=False), limits=ProofLimits())
    assert proof.found.verdict == "not proved (conditions look at the time: age(…) or now)"


@pytest.mark.thorough
def test_a_skill_need_never_fail(tmp_path: Path) -> None:
    """What only a failure leads to need not come; but no skill fails for ever."""
    again: Node = {"skill": "swing", "with": {"agent": "A"}, "on_failure": [sets(2)]}
    view = toy(tmp_path, [[again]])
    asked = [parse_property(f"eventually: {one}") for one in ("seen == 2", "at('A') == 1")]
    world = Surroundings(failures=None, asks=False)
    proof = prove(view, RunSpec(system="toy"), world, asked, ProofLimits(states=100))
    (found,) = proof.counterexamples
    assert found.broken.property == "eventually: seen == 2"
    assert found.is_confirmed, found.why_not
    assert proof.found.verdict_of("eventually: at('A') == 1") == "proved"


@pytest.mark.thorough
def test_robots_that_wait_for_each_other_are_told(tmp_path: Path) -> None:
    """Each has what the other needs: nothing happens any more, and nobody was given work."""

    def works(*taken: int) -> list[Node]:
        free: list[Node] = [{"wait": {"until": f"at('{r}') == 1"}} for r in "AB"]
        go: list[Node] = [{"skill": "go", "with": {"agent": r}} for r in "AB"]
        first, second = taken
        return [free[second], go[first], NEVER]

    view = toy(tmp_path, [works(0, 1), works(1, 0)])
    found = prove(view, RunSpec(system="toy"), Surroundings(asks=False)).found
    assert found.ends == ["toy_main/work_A/wait, toy_main/work_B/wait"]
    assert DEADLOCK in found.unused
    assert found.verdict == "proved"


@pytest.mark.thorough
def test_scenarios_of_other_properties_stay(tmp_path: Path) -> None:
    """They are tests; what the same property has had before is written anew."""
    view = toy(tmp_path, [[WARM_UP, sets(2), NEVER]])
    folder = tmp_path / "found"
    folder.mkdir()
    unreadable = folder / "proved_wrong_1.scenario.yaml"
    unreadable.write_bytes(b"a: [\xff")
    names = []
    for text in ("never: seen == 2", "always: seen == 0", "never: seen == 2"):
        options = ["-L", str(view.library.root), "--property", text, "-o", str(folder)]
        assert main(["prove", "toy", "--offline", *options]) == 1
        names.append({path.name.partition(".")[0] for path in folder.glob("*.yaml")})
    assert names[0] == {"proved_wrong", "proved_wrong_1"}
    assert names[1] == names[2] == {*names[0], "proved_wrong_2"}
    assert unreadable.read_bytes() == b"a: [\xff"
    assert main(["prove", "toy", "-o", str(unreadable), *options[:2]]) == 2


@pytest.mark.thorough
def test_a_walk_finds_what_is_far_and_the_shortest_way_replaces_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(robot: str, more: int) -> list[Node]:
        swing: Node = {"skill": "swing", "with": {"agent": robot}}
        return [swing, {"set": {"seen": f"= seen + {more}"}}]

    view = toy(tmp_path, [again("A", 1), again("B", 3)])
    world = Surroundings(failures=0, asks=False)

    def way(condition: str) -> int:
        asked = [parse_property(f"never: {condition}")]
        proof = prove(view, RunSpec(system="toy"), world, asked, ProofLimits(states=40))
        (found,) = proof.counterexamples
        assert found.is_confirmed, found.why_not
        return len(found.broken.path)

    assert 5 < way("seen >= 33") < LONGEST  # 40 states are four steps
    monkeypatch.setattr("treec_prove.walks.OFTEN", 1)
    assert way("seen >= 12") == 3


@pytest.mark.thorough
def test_a_way_whose_scenario_fails_is_shown_before_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Counterexample] = []

    def show(*args: Any) -> Counterexample:
        shown.append(counterexample(*args))
        shown[-1].is_test = len(shown) == 2
        return shown[-1]

    monkeypatch.setattr("treec_prove.prove.counterexample", show)
    view = toy(tmp_path, [[WARM_UP, sets(2), NEVER]])
    asked = [parse_property("never: seen == 2")]
    proof = prove(view, RunSpec(system="toy"), Surroundings(asks=False), asked)
    assert proof.counterexamples == shown[1:2]
    assert len(shown) == 2


@pytest.mark.thorough
def test_what_does_not_hold_until_something_else_is_confirmed(tmp_path: Path) -> None:
    """Its scenario gives the other one time, and fails where it is broken."""
    go: Node = {"skill": "go", "with": {"agent": "B"}}
    view = toy(tmp_path, [[WARM_UP, sets(1), NEVER], [{"wait": "3s"}, go, NEVER]])
    asked = [parse_property("at('B') == 0 until seen == 1")]
    world = Surroundings(failures=0, asks=False)
    proof = prove(view, RunSpec(system="toy"), world, asked, ProofLimits(states=100))
    (found,) = proof.counterexamples
    assert found.is_confirmed, found.why_not
    assert found.scenario is not None
    assert found.scenario["expect"]["finally"] == "(at('B') == 0) or (seen == 1)"


@pytest.mark.thorough
def test_two_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = toy(tmp_path, [[WARM_UP, sets(1), NEVER], [{"wait": "3s"}, sets(0), WARM_UP, NEVER]])
    asked = [parse_property("never: seen == 0 and warm('A')")]
    report = Expander.report

    def slow(expander: Expander, steps: list[Tried]) -> Expansion:
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass
        return report(expander, steps)

    monkeypatch.setattr(Expander, "report", slow)  # only several processes report
    found = [
        prove(view, RunSpec(system="toy"), Surroundings(asks=False), asked, ProofLimits(jobs=jobs))
        for jobs in (1, 2)
    ]
    one, two = (
        (it.found.verdict, it.found.states, it.found.steps, it.found.depth, it.found.unreached)
        for it in found
    )
    assert one == two
    assert one[1] > 8
    assert found[1].found.cpu > 0.05 * one[1]  # that of all processes
    assert [it.counterexamples[0].is_confirmed for it in found] == [True, True]


@pytest.mark.slow  # two processes, twice: 11 s
def test_why_a_process_has_ended_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view, limits = toy(tmp_path, [[WARM_UP, NEVER]]), ProofLimits(jobs=2)
    own, restore = os.getpid(), Heap.restore
    for error, told in ((CannotSave("no copy"), "^no copy"), (KeyError("x"), "ended: KeyError")):

        def fail(heap: Heap, state: HeapState, error: Exception = error) -> None:
            if os.getpid() != own:
                raise error
            restore(heap, state)

        monkeypatch.setattr(Heap, "restore", fail)
        with pytest.raises(TreecError, match=told):
            prove(view, RunSpec(system="toy"), Surroundings(asks=False), [], limits)
