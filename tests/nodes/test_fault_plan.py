"""A scenario's faults strike the same orders in every process."""

import subprocess
import sys

import pytest

from treec.nodes.faults import FaultPlan
from treec.nodes.worker import FaultHit
from treec.program.faults import Fault

PEPPER = {"agent": "R2", "item": "pepper"}


class Pepper:
    __treec_name__ = "pepper"


def plan(*faults: dict[str, object], seed: int = 7) -> FaultPlan:
    return FaultPlan(
        [
            Fault("", "fail", str(fault.pop("skill")), **{"reason": "slipped", **fault})  # type: ignore[arg-type]
            for fault in faults
        ],
        seed,
    )


def test_a_fault_strikes_once_and_tells_reason_and_moment() -> None:
    faults = plan({"skill": "pick", "args": {"item": "pepper"}, "at": 0.5})
    assert faults.hit("pick", PEPPER) == FaultHit("slipped", 0.5)
    assert faults.hit("pick", PEPPER) is None


def test_times_counts_strikes_and_none_never_ends() -> None:
    twice = plan({"skill": "pick", "times": 2})
    assert [twice.hit("pick", PEPPER) is not None for _ in range(4)] == [True, True, False, False]
    ever = plan({"skill": "pick", "times": None})
    assert all(ever.hit("pick", PEPPER) for _ in range(50))


def test_skill_and_arguments_must_match() -> None:
    faults = plan({"skill": "pick", "args": {"item": "pepper"}})
    assert faults.hit("place", PEPPER) is None
    assert faults.hit("pick", {"item": "lettuce"}) is None
    assert faults.hit("pick", {}) is None
    assert faults.hit("pick", {"item": Pepper()}) is not None


def test_true_is_not_one() -> None:
    faults = plan({"skill": "pour", "args": {"all": True}})
    assert faults.hit("pour", {"all": 1}) is None
    assert faults.hit("pour", {"all": True}) is not None


def test_the_first_that_strikes_wins_and_the_others_are_kept() -> None:
    faults = plan({"skill": "pick", "reason": "one"}, {"skill": "pick", "reason": "two"})
    assert [faults.hit("pick", PEPPER) for _ in range(3)] == [
        FaultHit("one"), FaultHit("two"), None,
    ]  # fmt: skip


def drawn(seed: int, *more: dict[str, object]) -> str:
    faults = plan({"skill": "pick", "chance": 0.3, "times": None}, *more, seed=seed)
    return "".join("x" if faults.hit("pick", PEPPER) else "." for _ in range(40))


def test_chance_is_drawn_with_the_seed() -> None:
    assert drawn(7) == drawn(7)
    assert len({drawn(seed) for seed in range(20)}) > 15
    struck = sum(drawn(seed).count("x") for seed in range(100))
    assert 1000 < struck < 1400  # 0.3 of 4,000


def test_a_fault_more_does_not_move_the_others() -> None:
    assert drawn(7, {"skill": "place", "chance": 0.5, "times": None}) == drawn(7)


@pytest.mark.thorough
def test_every_process_draws_the_same() -> None:
    code = "from tests.nodes.test_fault_plan import drawn; print(drawn(7))"
    for salt in ("0", "1"):
        answer = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": salt, "PYTHONPATH": "."},
            capture_output=True, text=True, check=True, timeout=120,
        )  # fmt: skip
        assert answer.stdout.strip() == drawn(7) == "....x.x....x.....xx..xx.x.xx.x.........."
