"""Policies of environments that are not treec's: trained, judged, and used, by files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from gymnasium import spaces

from tests.learning.own_environments import Failing, Line
from treec.cli import main
from treec_learning.algorithms import new_model
from treec_learning.files import LearningFile
from treec_learning.own_environment import EnvironmentProblem, OwnGround, make_environment
from treec_learning.policy import load_policy
from treec_learning.spaces import describe, spaces_from

HERE = "tests.learning.own_environments"
FILE = """\
learning: line
about: A point comes to its goal.
skill: go_to
environment: {here}:Line
options: {{length: 0.5}}
algorithm: {algorithm}
environments: 1
steps: {steps}
check_every: {steps}
good_enough: {{success: 1, episodes: 6}}
"""
SMALL = "layers: [8], learning_starts: 16, batch_size: 16"
ALGORITHMS = {
    "ppo": "{ppo: {n_steps: 32, batch_size: 32, n_epochs: 1, layers: [8]}}",
    "sac": f"{{sac: {{{SMALL}, hindsight: 2}}}}",
    "td3": f"{{td3: {{{SMALL}}}}}",
}


def spec(environment: str, algorithm: dict[str, Any], **more: Any) -> LearningFile:
    given = {"learning": "x", "about": "x", "skill": "x", "environment": environment}
    return LearningFile.model_validate({**given, "algorithm": algorithm, **more})


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "treec.toml").write_text('[library]\nexclude = ["policies", "runs"]\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trained(library: Path, algorithm: str, steps: int, capsys: Any) -> str:
    text = FILE.format(here=HERE, algorithm=ALGORITHMS[algorithm], steps=steps)
    (library / "line.learning.yaml").write_text(text, "utf-8")
    code = main(["learn", "train", "line"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return str(out)


@pytest.mark.parametrize(
    "algorithm",
    ["sac", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("ppo", "td3"))],
)
def test_a_policy_is_trained_and_judged(
    algorithm: str, library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = trained(library, algorithm, 64, capsys)
    assert "succeeded, mean return -" in out
    policy = load_policy(library / "policies/line/policy.npz")
    assert policy.spaces is not None
    assert policy.spaces.sizes == (3, 1)
    assert [part.key for part in policy.spaces.seen] == [
        *("observation", "achieved_goal", "desired_goal"),
    ]
    args = ["learn", "evaluate", "line", "--n", "3", "--output-format", "json"]
    assert main(args) == 0
    rows = json.loads(capsys.readouterr().out)["line"]
    assert [len(row["returns"]) for row in rows.values()] == [3, 3]
    assert list(rows) == ["line", "random"]


@pytest.mark.parametrize(
    ("environment", "algorithm"),
    [
        (f"{HERE}:Line", {"ppo": {"layers": [8]}}),
        (f"{HERE}:Line", {"sac": {"layers": [8], "hindsight": 2}}),
        (f"{HERE}:Line", {"td3": {"layers": [8]}}),
        (f"{HERE}:Count", {"dqn": {"layers": [8]}}),
        (f"{HERE}:Count", {"ppo": {"layers": [8]}}),
    ],
)
def test_a_policy_acts_with_numpy_as_its_model_does(
    environment: str, algorithm: dict[str, Any]
) -> None:
    from treec_learning.training import policy_of

    file = spec(environment, algorithm, environments=1)
    ground = OwnGround(file)
    many = ground.many()
    model = new_model(file, many)
    policy = policy_of(model, {"learning": {}}, ground)
    env = make_environment(file)
    seen, _ = env.reset(seed=2)
    shown = seen if "sac" in algorithm else ground.spaces.flat(seen)
    theirs = model.predict(shown, deterministic=True)[0]
    assert np.asarray(policy.action(seen)) == pytest.approx(theirs, abs=1e-5)


def test_spaces_are_described_and_read_again() -> None:
    seen = spaces.Dict(
        a=spaces.Discrete(3, start=1), b=spaces.MultiBinary(2), c=spaces.Box(-1, 1, (2, 2))
    )
    one = describe(seen, spaces.MultiDiscrete([2, 3]))
    assert spaces_from(json.loads(json.dumps(one.data()))) == one
    row = one.flat({"a": 3, "b": np.array([1, 0]), "c": np.eye(2)})
    assert row.tolist() == [0, 0, 1, 1, 0, 1, 0, 0, 1]
    numbers = np.array([0, 1, 5, 0, 1], dtype=np.float32)
    assert one.action_of(numbers, squash=False).tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"the observation 'b' has the shape \(3,\), not \(2,\)"):
        one.flat({"a": 3, "b": np.zeros(3), "c": np.eye(2)})
    for wrong in (0, 4):
        with pytest.raises(ValueError, match=f"the observation 'a' has {wrong} in it"):
            one.flat({"a": wrong, "b": np.zeros(2), "c": np.eye(2)})


@pytest.mark.parametrize(
    ("environment", "algorithm", "message"),
    [
        (f"{HERE}:Broken", "ppo", "does not keep to Gymnasium's interface: "),
        (f"{HERE}:Picture", "ppo", r"its observation is a picture or larger, \(32, 32, 3\)"),
        (f"{HERE}:Part", "ppo", r"is Part, not a gymnasium\.Env"),
        (f"{HERE}:Lines", "ppo", "has no attribute 'Lines'"),
        ("NoSuchThing-v7", "ppo", "NoSuchThing"),
    ],
)
def test_an_environment_that_cannot_be_trained_in(
    environment: str, algorithm: str, message: str
) -> None:
    with pytest.raises(EnvironmentProblem, match=message):
        OwnGround(spec(environment, {algorithm: {}}))


def test_an_algorithm_that_does_not_fit_its_actions() -> None:
    file = spec(f"{HERE}:Count", {"sac": {}}, environments=1)
    with pytest.raises(ValueError, match=r"sac does not fit .*:Count"):
        new_model(file, OwnGround(file).many())


@pytest.mark.parametrize("algorithm", [{"ppo": {}}, {"sac": {"hindsight": 2}}])
@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("reward", "the reward of a step is nan$"),
        ("goal", "the observation 'desired_goal' has inf in it$"),
        ("raises", r"RuntimeError: motor 3 is hot \(.*own_environments.py:\d+\)$"),
        (
            "exits",
            r"SystemExit: it called exit\('the driver is gone'\) \(.*own_environments.py:\d+\)$",
        ),
    ],
)
def test_what_goes_wrong_later_in_training_names_the_environment(
    what: str, message: str, algorithm: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"options": {"what": what}, "environments": 1}
    monkeypatch.setattr("stable_baselines3.common.env_checker.check_env", lambda env, warn: None)
    many = OwnGround(spec(f"{HERE}:Failing", algorithm, **options)).many()
    many.reset()
    for _ in range(12):
        many.step(np.zeros((1, 1)))
    with pytest.raises(EnvironmentProblem, match=f"^{HERE}:Failing: {message}"):
        many.step(np.zeros((1, 1)))


def test_an_environment_without_an_end_has_one() -> None:
    file = spec(f"{HERE}:Count", {"ppo": {}}, max_episode_steps=4, reward_threshold=3.0)
    ground = OwnGround(file)

    class One:
        def action(self, seen: Any) -> int:
            return 1

    assert ground.trial(One(), 2) == ({"episode": 1.0}, 4.0)  # type: ignore[arg-type]


SKILL = """\
skill: go_to
about: Go to a place.
args: {agent: Robot, place: Place}
before: [not at(agent) == place]
after: [at(agent) == place]
takes: 2s
runs: {symbolic: treec_learning.skill:LearnedSkill}
"""


@pytest.mark.thorough
def test_a_skill_runs_by_its_policy(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy that goes towards the goal, on virtual time; an environment may fail to close."""
    from treec import WorkOrder
    from treec_learning.policy import Policy, save_policy
    from treec_learning.skill import LearnedSkill, _find

    file = spec(f"{HERE}:Line", {"ppo": {}}, environments=1, skill="go_to")
    ground = OwnGround(file)
    weight = np.array([[0.0], [-4.0], [4.0]], dtype=np.float32)
    made = {"learning": file.model_dump(), "spaces": ground.spaces.data()}
    (library / "policies/line").mkdir(parents=True)
    policy = Policy([(weight, np.zeros(1, dtype=np.float32))], made)
    save_policy(library / "policies/line/policy.npz", policy)
    _find.cache_clear()

    class Clock:
        def __init__(self) -> None:
            self.time, self.timers = 0.0, []  # type: ignore[var-annotated]

        def now(self) -> float:
            return self.time

        def call_at(self, when: float, act: Any) -> Any:
            self.timers.append((when, act))
            return type("Timer", (), {"cancel": lambda self: None})()

    class Host:
        environment = None

        def __init__(self) -> None:
            self.clock, self.ended = Clock(), []  # type: ignore[var-annotated]

        def finish(self, order_id: str, outcome: Any) -> None:
            self.ended.append(outcome)

    monkeypatch.setattr(Line, "close", Failing.close)
    outcomes = []
    for place in ("near", "far", "gone"):
        host = Host()
        if place == "gone":
            monkeypatch.setattr(Line, "step", lambda line, action: sys.exit("the driver is gone"))
        order = WorkOrder("o1", "go_to", "R1", {"agent": "R1", "place": place}, takes=2.0)
        LearnedSkill().start(order, host)  # type: ignore[arg-type]
        while host.clock.timers:
            when, act = host.clock.timers.pop(0)
            host.clock.time = when
            act()
        outcomes += [(outcome, host.clock.time) for outcome in host.ended]
    (near, took), (far, longest), (gone, _) = outcomes
    assert near.ok
    assert took < 0.5
    assert (far.ok, longest) == (False, pytest.approx(1.0))
    assert "not reached: after 20 steps" in str(far.failure)
    assert "it called exit('the driver is gone')" in str(gone.failure)
