"""Trials of sub-tasks with physics: who is tried, in which scenes."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("sapien")
pytest.importorskip("gymnasium")

from treec.files.library import Library, load_library
from treec.files.packs import find_pack
from treec_learning.files import JudgedSpec
from treec_learning.hand.straight_line import straight_actions
from treec_learning.policies import load_shipped
from treec_learning.policy import Policy
from treec_learning.sapien import subtask_evaluation
from treec_learning.sapien.subtask_evaluation import SubtaskResult
from treec_learning.sapien.subtasks import LearnedSubtask
from treec_sapien.dual_kitchen.put import Put
from treec_sapien.worker import Physical


@pytest.mark.needs_system("dag_plan")
def test_policy_straight_way_and_planner_meet_the_same_scenes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shipped = load_library(find_pack("treec-kitchen").root)
    policy = load_shipped("put_down")
    met: dict[type[Physical], list[tuple[str, int]]] = {}
    used = []
    told: list[str] = []

    def try_once(
        library: Library, policy: Policy, spec: JudgedSpec, seed: int, worker: Physical
    ) -> SubtaskResult:
        met.setdefault(type(worker), []).append((spec.scene, seed))
        if isinstance(worker, LearnedSubtask):
            used.append(worker.actions("put_into")[1])
        number = seed - subtask_evaluation.EVALUATED - 7
        return SubtaskResult(spec.scene, seed, number != 2, 1.5, 1.0, "slipped" * (number == 2))

    monkeypatch.setattr(subtask_evaluation, "try_once", try_once)
    table = subtask_evaluation.evaluate(shipped, {"put_down": policy}, 3, seed=7, tell=told.append)
    assert told[1] == "put_down, 1 of 3: learned: 1.5 s"
    assert told[-1] == "put_down, 3 of 3: planning: slipped"
    assert list(table.rows["put_down"]) == ["learned", "straight, nothing learned", "planning"]
    assert used == [policy.motions, straight_actions] * 3
    planned = met[Put]
    assert len(planned) == len(set(planned)) == 3
    learned = met[next(cls for cls in met if issubclass(cls, LearnedSubtask))]
    assert learned[::2] == learned[1::2] == planned
    trials = subtask_evaluation.to_json(table)["policies"]["put_down"]
    assert json.dumps(trials["planning"]) == json.dumps(trials["learned"])
