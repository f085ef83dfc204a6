"""Rewards from a model, with answers written by hand, and from DAG-Plan's table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from treec.ask.transport import Answer, Request
from treec.cli import main
from treec_fake_model.thread import FakeModelThread
from treec_learning.ask_reward import PHRASES, NoReward, ask_for_reward, known_reward, read_answer
from treec_learning.files import RewardFile
from treec_learning.names import ABOUT, ARGUMENTS
from treec_learning.shipped import reward_file

OPEN = {
    "about": "Open the refrigerator.",
    "args": {"refrigerator": "Thing"},
    "right": [
        {"primitive": "ee_pos", "of": ["refrigerator"], "weight": 1, "success": None},
        {"primitive": "joint_qpos", "of": ["refrigerator", 1], "weight": 3, "success": 0.9},
    ],
    "left": [],
}


class ByHand:
    """Gives answers in order, and keeps what was asked."""

    def __init__(self, *answers: str) -> None:
        self._answers: Iterator[str] = iter(answers)
        self.asked: list[Request] = []

    async def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        return Answer(next(self._answers), "hand")


def changed(**terms: Any) -> str:
    first = {**OPEN["right"][1], **terms}  # type: ignore[dict-item]
    return json.dumps({**OPEN, "right": [OPEN["right"][0], first]})  # type: ignore[index]


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        (changed(primitive="joint_pos"), "unknown primitive 'joint_pos'"),
        (changed(of=["refrigerator"]), "'joint_qpos' takes 2 (object, share), not 1"),
        (changed(of=["oven", 1]), "'oven' is neither an argument of the reward nor a hand"),
        (changed(of=["refrigerator", 7]), "the share of 'joint_qpos' is a number from 0 to 1"),
        (changed(success=None), "no term of the right hand has 'success'"),
        (changed(success=2), "'joint_qpos' is never above 1"),
        (changed(weight=0, success=None), "has no effect"),
        (changed(weight=-1), "greater than or equal to 0"),
        ('{"about": "Nothing."}', "a reward has terms"),
        ("import os", "the answer cannot be read"),
    ],
)
def test_a_faulty_answer_is_asked_for_again_with_the_finding(answer: str, finding: str) -> None:
    model = ByHand(answer, f"Here it is:\n```json\n{json.dumps(OPEN)}\n```")
    written = asyncio.run(ask_for_reward("open <refrigerator>", model))
    assert written.reward.reward == "open_refrigerator"
    assert written.reward.right[1].success == 0.9
    (refused,) = written.refused
    assert finding in refused
    assert finding in model.asked[1].messages[-1].content


def test_after_three_faulty_answers_there_is_none() -> None:
    model = ByHand(*["{}"] * 3)
    with pytest.raises(NoReward, match="3 answers were refused"):
        asyncio.run(ask_for_reward("open <refrigerator>", model))
    assert len(model.asked) == 3


def test_the_prompt_tells_every_primitive_and_the_graph() -> None:
    model = ByHand(json.dumps(OPEN))
    asyncio.run(ask_for_reward("open <refrigerator>", model, "grasp apple -> put apple"))
    system, user = model.asked[0].messages
    assert set(ABOUT) == set(ARGUMENTS)
    for name, args in ARGUMENTS.items():
        assert f"- {name}({', '.join(args)}): {ABOUT[name]}" in system.content
    assert "grasp apple -> put apple" in user.content
    assert "open <refrigerator>" in user.content


def test_an_answer_says_nothing_of_what_success_adds() -> None:
    """The sums of A.3 are not the model's to choose."""
    reward = read_answer("open it", json.dumps(OPEN))
    assert (reward.first_time, reward.at_success) == (30, 150)
    assert reward.normalised


@pytest.mark.parametrize(
    ("subtask", "name"),
    [
        *((phrase, name) for phrase, name in PHRASES),
        ("Open <refrigerator>", "open"),
        ("put <apple> into <juicer container>", "put_into"),
        ("put <pot> into <box>", "put_into"),
        ("switch on  toaster", "switch_on"),
    ],
)
def test_sub_tasks_of_table_6_need_no_model(subtask: str, name: str) -> None:
    assert known_reward(subtask) is reward_file(name)


def test_the_command_writes_a_reward_that_the_check_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["learn", "reward", "open <refrigerator>", "-o", "open.reward.yaml"]) == 0
    data = yaml.safe_load((tmp_path / "open.reward.yaml").read_text("utf-8"))
    assert RewardFile.model_validate(data) == reward_file("open")
    assert main(["learn", "reward", "open <refrigerator>", "-o", "open.reward.yaml"]) == 2
    assert main(["learn", "reward", "paint <wall>"]) == 1
    assert "no reward is known for 'paint <wall>'" in capsys.readouterr().err
    (tmp_path / "treec.toml").write_text("[library]\n", "utf-8")
    assert main(["check"]) == 0


@pytest.mark.thorough
def test_the_command_asks_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    with FakeModelThread({"cases": [{"answer": OPEN}]}) as server:
        args = ["learn", "reward", "open <refrigerator>", "--model", "openai/fake"]
        assert main([*args, "--api-base", server.url]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# open <refrigerator>; by openai/fake")
    assert RewardFile.model_validate(yaml.safe_load(out)).right[1].of == ["refrigerator", 1]
