"""What the simulators of learning, rewards and tables give for given actions: `numbers.txt`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("stable_baselines3")

from tests.learning.test_hand import REWARDS
from tests.learning.test_policy_files import policy
from tests.support.golden import check, written
from treec_learning import curves, evaluation
from treec_learning.files import RewardFile
from treec_learning.hand import evaluation as of_hands
from treec_learning.hand.environment import RewardedHands
from treec_learning.hand.simulator import HandSimulator
from treec_learning.hand.straight_line import straight_actions
from treec_learning.hand.training_task import draw_cases, try_hands
from treec_learning.names import ARGUMENTS, HAND_STARTS, STARTS
from treec_learning.pantry.cases import CaseBatch, Purpose
from treec_learning.pantry.environment import RewardedPantry
from treec_learning.pantry.kinematics import HIGH, LOW, configuration_at, spheres, tip
from treec_learning.pantry.planner import plan
from treec_learning.pantry.simulator import ACTIONS, SIGHTS, PantrySimulator
from treec_learning.pictures import draw_episode, draw_failures
from treec_learning.primitives import PRIMITIVES, Start
from treec_learning.shipped import reward_file
from treec_learning.term_faults import term_faults
from treec_learning.training import CurvePoint
from treec_learning.trials import (
    ReachResult,
    ReachTrial,
    follow_guarded,
    run_trial,
    straight_scores,
)


def _of_hands() -> Iterator[tuple[str, object]]:
    for start in HAND_STARTS:
        reward = reward_file(REWARDS[start])
        cases = draw_cases(Purpose.TRIAL, 3, 6, {start: 1.0}, reward)
        yield f"{start}, cases", [vars(case) for case in cases[:2]]
        hands = RewardedHands(HandSimulator(cases, 2), reward)
        numbers = np.random.default_rng(4)
        for step in range(40):
            seen = hands.simulator.seen()
            actions = straight_actions(seen)
            if step % 7 == 6:
                actions += numbers.normal(0.0, 1.5, actions.shape).astype(np.float32)
            result = hands.step(actions)
            if step % 8 == 7:
                state = hands.simulator
                yield f"{start}, step {step}", (seen, actions, result, vars(state.last))
                yield "  state", (state.place, state.position, state.width, state.share)
        yield f"{start}, succeeds", try_hands(cases, straight_actions, reward)


def _of_the_pantry() -> Iterator[tuple[str, object]]:
    q = np.linspace(LOW, HIGH, 7)
    stand = np.linspace(-0.6, -0.3, 7)
    yield "hand", (tip(q, stand), *spheres(q, stand))
    yield "configuration", configuration_at(q[:, :3], stand, q[:, 3], q[:, 4])
    for start in STARTS:
        cases = ReachTrial(start, 5, 3, top=start != "easy").cases()
        yield f"{start}, case", vars(cases[0])
        simulator = PantrySimulator(list(cases))
        pantry = RewardedPantry(simulator, reward_file("reach"), "joints", True)
        numbers = np.random.default_rng(5)
        for step in range(12):
            result = pantry.step(numbers.integers(len(ACTIONS), size=5))
            if step % 4 == 3:
                yield f"{start}, step {step}", (result, simulator.q, simulator.distance)
        yield f"{start}, seen", [simulator.seen(sight) for sight in SIGHTS]
        free = [simulator.free(np.full(5, action)) for action in range(len(ACTIONS))]
        yield f"{start}, free", np.array(free)
        yield f"{start}, touches", CaseBatch.of(cases).repeated(2).touched(np.repeat(q[:5], 2, 0))
        yield f"{start}, planned", [plan(case, 60) for case in cases[:2]]
        for name, controller in {
            "straight": evaluation.follow_straight,
            "guarded": follow_guarded(straight_scores, repeats=False),
        }.items():
            tried = run_trial(cases, controller, 40)
            yield f"{start}, {name}", (tried.reached, tried.touched, tried.steps, tried.success)
    yield "drawn", draw_episode(cases[0], [cases[0].first, cases[0].first + 0.01], "a < b")


class State:
    """What a primitive reads, made up."""

    def __init__(self, number: float) -> None:
        self.number = number

    def __getattr__(self, name: str) -> Any:
        def read(*names: object) -> Any:
            value = np.array([self.number * (len(name) + len(names)) / 10])
            return (value, value * 0, value + 1) if name == "joint" else value

        return read


def _of_rewards() -> Iterator[tuple[str, object]]:
    for name, primitive in PRIMITIVES.items():
        of = [0.4 if argument == "share" else argument for argument in ARGUMENTS[name]]
        starts = [Start(State(n), lambda a, b: np.array([0.3])) for n in (0.1, 0.7, 1.6)]
        values = [primitive.value(start, *of) for start in starts]
        yield f"primitive {name}", (values, primitive.distances(*of))
    given = {
        "reward": "mine",
        "about": "x",
        "args": {"thing": "Item", "idle": "Item", "hand": "Item"},
        "right": [
            {"primitive": "obj_dsi", "of": ["thing"], "weight": 1.0},
            {"primitive": "obj_dis", "of": ["thing"], "weight": 1.0},
            {"primitive": "obj_dis", "of": ["thing", "thign"], "weight": 1.0},
            {"primitive": "obj_dis", "of": ["thing", "thing"], "weight": 0.0},
            {"primitive": "joint_qpos", "of": ["thing", 2], "weight": 1.0},
            {"primitive": "closeness", "of": ["thing"], "weight": 1.0, "success": 0.5},
            {"primitive": "ee_pos", "of": ["thing"], "weight": 1.0, "success": 0.0},
            {"primitive": "ee_height", "of": ["thing"], "weight": 1.0},
            {"primitive": "obj_grasped", "of": ["hand"], "weight": 1.0},
        ],
        "left": [{"primitive": "ee_pos", "of": ["thing"], "weight": 1.0}],
    }
    for number, fault in enumerate(term_faults(RewardFile.model_validate(given))):
        yield f"fault {number}", vars(fault)


def _of_tables(folder: Path) -> Iterator[tuple[str, object]]:
    cases = ReachTrial("easy", 2, 3).cases()
    result = ReachResult(
        cases,
        np.array([True, False]),
        [None, "left"],
        np.array([4, 7]),
        [[case.first, case.first + 0.02] for case in cases],
    )
    rows = [
        evaluation.Judged(name, dict.fromkeys(STARTS, result), 12.3) for name in ("a b", "planner")
    ]
    table = evaluation.LearnTable(2, 3, rows, Counter(easy=2), True)
    yield "table", evaluation.to_text(table)
    yield (
        "table, among them",
        evaluation.to_text(evaluation.LearnTable(2, 3, rows[1:], Counter(easy=2), False)),
    )
    yield "table as data", evaluation.to_json(table)
    yield "failures", [path.name for path in draw_failures(table, folder / "pictures", 3)]
    yield "shares", [evaluation.share_text([True] * n + [False] * 4) for n in (3, 15, 16, 400)]
    rewarded = policy()
    rewarded.made["learning"]["starts"] = ["handle", "button"]  # type: ignore[index]
    rewarded.made["reward"] = reward_file("open").model_dump()  # type: ignore[index]
    hands = of_hands.evaluate({"mine": rewarded}, 3, 2)
    yield "hands", of_hands.to_text(hands)
    yield "hands as data", of_hands.to_json(hands)
    points = [
        CurvePoint(0, 0.0, {}, {"easy": 0.1, "obstacle": 0.0}, True),
        CurvePoint(1000, 2.5, {"easy": 0.5}, {"easy": 0.6, "obstacle": 0.25}, False),
    ]
    curves.write(folder, "mine <x>", points)
    yield "curve", (folder / "curve.csv").read_text("utf-8")
    yield "page", (folder / "curve.html").read_text("utf-8")


@pytest.mark.thorough
def test_numbers(tmp_path: Path) -> None:
    lines: list[str] = []
    for part in (_of_hands(), _of_the_pantry(), _of_rewards(), _of_tables(tmp_path)):
        lines += [f"{name}: {written(value)}" for name, value in part]
    check(Path(__file__).with_name("numbers.txt"), "\n".join(lines) + "\n")
