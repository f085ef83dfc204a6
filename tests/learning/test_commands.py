"""`treec learn` through the command line, with trainings of a few steps."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from treec.cli import main
from treec_learning.evaluation import PAPER
from treec_learning.policy import PolicyError, load_policy, save_policy

FILE = """\
learning: tiny
about: A tiny one.
skill: pick
environment: treec/StretchPantry-v0
observation: difference
reward: near
starts: {easy: 1}
algorithm:
  ppo: {n_steps: 16, batch_size: 32, n_epochs: 1, layers: [8]}
environments: 4
steps: 256
check_every: 128
good_enough: {success: 1, episodes: 8}
"""
REWARD = """\
reward: near
about: Nearer is better.
args: {thing: Item}
right:
  - {primitive: closeness, of: [thing]}
  - {primitive: obj_grasped, of: [thing], weight: 0, success: 1}
normalised: false
"""
CLONED = FILE.replace("learning: tiny", "learning: cloned").replace(
    "ppo: {n_steps: 16, batch_size: 32, n_epochs: 1, layers: [8]}",
    "cloning: {demonstrations: 30, starts: {easy: 1}, epochs: 150, layers: [32]}",
)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "treec.toml").write_text("[library]\n", "utf-8")
    (tmp_path / "tiny.learning.yaml").write_text(FILE, "utf-8")
    (tmp_path / "cloned.learning.yaml").write_text(CLONED, "utf-8")
    (tmp_path / "near.reward.yaml").write_text(REWARD, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(list(args))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.thorough
def test_a_training_leaves_a_policy_and_its_curve(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run("learn", "train", "tiny", "--seed", "3", capsys=capsys)
    assert code == 0, err
    assert "without a touch easy" in out
    assert err.count("has no demonstrations to begin with") == 1  # 0 % at every trial
    folder = library / "policies/tiny"
    policy = load_policy(folder / "policy.npz")
    assert policy.made["command"] == "treec learn train tiny --seed=3"
    assert policy.made["learning"]["seed"] == 3
    with (folder / "curve.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["steps"]) for row in rows] == [128, 256]
    assert "<polyline" in (folder / "curve.html").read_text("utf-8")
    assert run("learn", "train", "tiny", capsys=capsys)[2].count("--resume goes on") == 1


@pytest.mark.thorough
def test_the_same_seed_trains_the_same_policy(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policies = []
    for out in ("one", "two"):
        assert run("learn", "train", "tiny", "--out", out, capsys=capsys)[0] == 0
        policies.append(load_policy(library / out / "policy.npz"))
    for (weight, bias), (other, other_bias) in zip(*(p.layers for p in policies), strict=True):
        assert np.array_equal(weight, other)
        assert np.array_equal(bias, other_bias)


def test_a_training_that_was_broken_off_goes_on(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from treec_learning import training

    write = training.PolicyTraining.write_state

    def interrupted(fit: training.PolicyTraining) -> None:
        write(fit)
        if len(fit.curve) == 2:  # the second trial's state is written, its checkpoint is not
            raise KeyboardInterrupt

    monkeypatch.setattr(training.PolicyTraining, "write_state", interrupted)
    code, _, err = run("learn", "train", "tiny", "--steps", "256", capsys=capsys)
    assert code == 130
    assert "treec learn train tiny --steps=256 --resume goes on" in err
    monkeypatch.setattr(training.PolicyTraining, "write_state", write)
    assert run("learn", "train", "tiny", capsys=capsys)[0] == 2
    code, _, err = run("learn", "train", "tiny", "--resume", capsys=capsys)
    assert code == 0, err
    with (library / "policies/tiny/curve.csv").open(encoding="utf-8") as file:
        assert [int(row["steps"]) for row in csv.DictReader(file)] == [128, 256]


def test_a_training_of_other_files_is_not_gone_on_with(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("learn", "train", "tiny", capsys=capsys)[0] == 0
    (library / "near.reward.yaml").write_text(REWARD.replace("weight: 0", "weight: 1"), "utf-8")
    code, _, err = run("learn", "train", "tiny", "--resume", capsys=capsys)
    assert code == 2
    assert "has a training with another 'right' of its reward file" in err


@pytest.mark.thorough
def test_a_cloned_policy_does_what_was_shown(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run("learn", "train", "cloned", capsys=capsys)
    assert code == 0, err
    share = int(out.partition("easy ")[2].partition("%")[0])
    assert share >= 50


def test_a_policy_acts_without_stable_baselines3_as_with_it(tmp_path: Path) -> None:
    import torch
    from stable_baselines3 import PPO

    from treec_learning.algorithms import network_of
    from treec_learning.pantry.vectorized import ManyPantries
    from treec_learning.policy import Policy
    from treec_learning.shipped import reward_file

    many = ManyPantries(16, reward_file("reach"), {"realistic": 1.0}, "joints", seed=1)
    model = PPO("MlpPolicy", many, policy_kwargs={"net_arch": [16, 16]}, device="cpu", seed=0)
    save_policy(
        tmp_path / "p.npz",
        Policy(network_of(model).layers, {"learning": {"observation": "joints"}}),
    )
    seen = many.reset()
    alone = load_policy(tmp_path / "p.npz")
    with torch.no_grad():
        logits = model.policy.get_distribution(torch.as_tensor(seen)).distribution.logits.numpy()
    own = alone.logits(seen)
    own = own - np.log(np.exp(own).sum(axis=1, keepdims=True))
    assert own == pytest.approx(logits, abs=1e-5)
    assert alone.act(seen).tolist() == model.predict(seen, deterministic=True)[0].tolist()


HANDS = """\
learning: hands
about: A tiny one of hands.
skill: switch_on
serves: [switch_off]
environment: treec/HandAtTarget-v0
observation: target
reward: switch_on
starts: {button: 1}
algorithm:
  ppo:
    n_steps: 8
    batch_size: 32
    n_epochs: 1
    layers: [32]
    value_first: 0.9
    begin_with: {demonstrations: 40, starts: {button: 1}, epochs: 60, layers: [32]}
environments: 8
steps: 64
check_every: 64
"""


@pytest.mark.thorough
def test_a_policy_of_hands_is_trained_and_judged(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (library / "hands.learning.yaml").write_text(HANDS, "utf-8")
    code, out, err = run("learn", "train", "hands", capsys=capsys)
    assert code == 0, err
    policy = load_policy(library / "policies/hands/policy.npz")
    assert policy.is_of_hands
    assert policy.made["reward"]["reward"] == "switch_on"
    assert policy.motions(np.full((2, 21), 9.0, dtype=np.float32)).shape == (2, 7)
    args = ("learn", "evaluate", "hands", "--n", "20", "--output-format", "json")
    code, out, err = run(*args, capsys=capsys)
    assert code == 0, err
    rows = json.loads(out)["policies"]["hands"]
    assert rows["straight, nothing learned"]["button"] >= 18
    assert rows["learned"]["button"] >= 10
    code, _, err = run("learn", "evaluate", "hands", "reach_cloned", capsys=capsys)
    assert code == 2
    assert "hands is judged by other trials than the rest" in err
    code, _, err = run("learn", "evaluate", "hands", "--all", capsys=capsys)
    assert (code, "of the kinematic pantry" in err) == (2, True)


def test_a_policy_of_hands_acts_without_stable_baselines3_as_with_it() -> None:
    from stable_baselines3 import PPO

    from treec_learning.algorithms import network_of
    from treec_learning.hand.vectorized import ManyHands
    from treec_learning.policy import Policy
    from treec_learning.shipped import reward_file

    many = ManyHands(16, reward_file("open"), {"handle": 1.0}, seed=1)
    model = PPO("MlpPolicy", many, policy_kwargs={"net_arch": [16, 16]}, device="cpu", seed=0)
    seen = many.reset()
    alone = Policy(network_of(model).layers, {"learning": {"observation": "target"}})
    with_it = model.predict(seen, deterministic=True)[0]
    assert alone.motions(seen) == pytest.approx(with_it, abs=1e-5)


@pytest.mark.slow
def test_evaluation_holds_all_controllers_against_the_same_episodes(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("learn", "train", "tiny", capsys=capsys)[0] == 0
    args = ("learn", "evaluate", "tiny", "--n", "2", "--seed", "1", "--pictures", "failed")
    code, out, err = run(*args, "--output-format", "json", capsys=capsys)
    assert code == 0, err
    table = json.loads(out)
    rows = {row["controller"]: row["starts"] for row in table["rows"]}
    again = "guarded, no repeats"
    assert list(rows) == [
        *("tiny", "tiny, guarded", f"tiny, {again}"),
        *("straight", f"straight, {again}", "planner"),
    ]
    assert [start["reached"] for start in rows["planner"].values()] == [2, 2, 2, 2]
    assert rows["straight"]["easy"]["reached"] == 2
    assert rows["straight"]["obstacle"]["reached"] < 2
    assert table["paper"]["RL"] == dict(zip(rows["tiny"], PAPER["RL"], strict=True))
    assert (library / "failed/tiny_recovery_0.svg").read_text("utf-8").startswith("<svg")


def test_what_is_not_there_is_told(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for args, message in (
        (("learn", "train", "tinny"), "unknown learning file 'tinny'; did you mean 'tiny'?"),
        (("learn", "train", "tiny", "--resume"), "has no training to resume"),
        (("learn", "evaluate", "nobody"), "unknown policy 'nobody'"),
    ):
        code, _, err = run(*args, capsys=capsys)
        assert code == 2
        assert message in err
    (library / "near.reward.yaml").unlink()
    assert "unknown reward 'near'" in run("learn", "train", "tiny", capsys=capsys)[2]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"nothing"])
def test_a_file_that_is_no_policy_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "policy.npz").write_bytes(content)
    with pytest.raises(PolicyError, match="is not a policy"):
        load_policy(tmp_path / "policy.npz")


BEGUN = FILE.replace("learning: tiny", "learning: begun").replace(
    "layers: [8]}",
    "layers: [32], value_first: 0.9, "
    "begin_with: {demonstrations: 30, starts: {easy: 1}, epochs: 150}}",
)


@pytest.mark.thorough
def test_a_policy_begins_with_what_was_shown_and_keeps_it_while_the_value_is_learned(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the policy held still, what PPO gives is what cloning gave."""
    (library / "begun.learning.yaml").write_text(BEGUN, "utf-8")
    for name in ("begun", "cloned"):
        assert run("learn", "train", name, capsys=capsys)[0] == 0
    begun, cloned = (
        load_policy(library / f"policies/{name}/policy.npz") for name in ("begun", "cloned")
    )
    assert begun.made["steps"] == 128
    for (weight, bias), (other, other_bias) in zip(begun.layers, cloned.layers, strict=True):
        assert np.array_equal(weight, other)
        assert np.array_equal(bias, other_bias)


@pytest.mark.thorough
def test_other_demonstrations_are_not_taken_for_those_of_the_file(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("learn", "train", "cloned", capsys=capsys)[0] == 0
    (library / "policies/cloned/state.json").unlink()
    (library / "policies/cloned/policy.npz").unlink()
    file = library / "cloned.learning.yaml"
    file.write_text(CLONED.replace("demonstrations: 30", "demonstrations: 3"), "utf-8")
    assert "demonstration 1 of 3" in run("learn", "train", "cloned", capsys=capsys)[2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("learning: [", "expected"),
        ("a: 1\n---\nb: 2\n", "expected one learning file, found 2 documents"),
        (FILE.replace("starts: {easy: 1}", "starts: {easy: -1}"), "greater than or equal to 0"),
        (FILE.replace("starts: {easy: 1}", "starts: {easy: 0}"), "at least one share"),
        (FILE.replace("layers: [8]", "layers: [-1]"), "greater than or equal to 1"),
        (FILE.replace("n_steps: 16", "n_steps: 1").replace("ts: 4", "ts: 1"), "needs 2 steps"),
    ],
)
def test_a_learning_file_that_cannot_be_trained_is_told(
    library: Path, capsys: pytest.CaptureFixture[str], content: str, message: str
) -> None:
    (library / "bad.yaml").write_text(content, "utf-8")
    code, _, err = run("learn", "train", "bad.yaml", capsys=capsys)
    assert code == 2
    assert err.startswith("treec: bad.yaml: ")
    assert message in err


def test_a_reward_of_a_hand_that_is_not_there_is_told(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (library / "near.reward.yaml").write_text(REWARD.replace("right:", "left:"), "utf-8")
    code, _, err = run("learn", "train", "tiny", capsys=capsys)
    assert code == 2
    assert "reward near is of a left hand, which is missing" in err


@pytest.mark.slow
def test_pictures_stay_in_their_folder(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("learn", "train", "tiny", capsys=capsys)[0] == 0
    folder = str((library / "policies/tiny").absolute())
    args = ("learn", "evaluate", folder, "--n", "1", "--pictures")
    assert run(*args, "failed", capsys=capsys)[0] == 0
    assert list((library / "failed").glob("*.svg"))
    assert not list((library / "policies").glob("**/*.svg"))
    (library / "a_file").write_text("", "utf-8")
    code, out, err = run(*args, "a_file", capsys=capsys)
    assert code == 2
    assert "planner" in out
    assert "cannot be written to a_file" in err


def test_a_file_of_the_library_that_cannot_be_read_is_told(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (library / "broken.learning.yaml").write_text("learning: broken\nsteps: [\n", "utf-8")
    code, _, err = run("learn", "train", "broken", capsys=capsys)
    assert code == 2
    assert "broken.learning.yaml:" in err


def test_a_training_is_resumed_with_more_steps(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("learn", "train", "tiny", capsys=capsys)[0] == 0
    args = ("learn", "train", "tiny", "--steps", "384", "--resume")
    code, _, err = run(*args, capsys=capsys)
    assert code == 0, err
    with (library / "policies/tiny/curve.csv").open(encoding="utf-8") as file:
        assert [int(row["steps"]) for row in csv.DictReader(file)] == [128, 256, 384]
    state = json.loads((library / "policies/tiny/state.json").read_text("utf-8"))
    assert state["resumed"] == [256]
