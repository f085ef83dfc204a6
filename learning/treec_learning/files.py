"""The kinds of files of learning: reward, and learning.

Plain data: reading and checking them imports neither numpy nor torch.
"""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from treec.files.fields import Model, TypeText


def _draws(shares: dict[str, float]) -> dict[str, float]:
    if not any(share > 0 for share in shares.values()):
        raise ValueError("at least one share must be above 0")
    return shares


Shares = Annotated[
    dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]], AfterValidator(_draws)
]
"""The share of each start: easy, realistic, recovery, obstacle."""
HAND_AT_TARGET = "treec/HandAtTarget-v0"
"""The name of :class:`treec_learning.hand.environment.HandAtTarget`."""
STRETCH_PANTRY = "treec/StretchPantry-v0"
"""The name of :class:`treec_learning.pantry.environment.StretchPantry`."""
_CLASS = re.compile(r"[A-Za-z_]\w*(\.\w+)*:[A-Za-z_]\w*")
_REGISTERED = re.compile(r"([A-Za-z_]\w*(\.\w+)*:)?([\w-]+/)?[\w.-]+-v\d+")


def _environment(name: str) -> str:
    ours = (STRETCH_PANTRY, HAND_AT_TARGET)
    if name.startswith("treec/") and name not in ours:
        raise ValueError(f"unknown environment '{name}': {', '.join(ours)}")
    if not _CLASS.fullmatch(name) and not _REGISTERED.fullmatch(name):
        raise ValueError(
            f"'{name}' is neither package.module:Class nor a name of Gymnasium's like Pendulum-v1"
        )
    return name


Layers = list[Annotated[int, Field(ge=1, le=4096)]]


class TermSpec(Model):
    """A term of a reward: a primitive of some things, with its weight."""

    primitive: str
    of: list[str | float] = Field(
        [],
        description="Its arguments: names of the file's `args`, hand, other_hand, or numbers.",
    )
    weight: float = Field(1.0, ge=0)
    success: float | None = Field(
        None, description="The value from which on it is a condition of success that holds."
    )


class RewardFile(Model):
    """A reward: terms for the right and the left hand, and what success adds.

    The form is DAG-Plan's (appendix A.3). A skill of one hand has terms for one.
    """

    reward: str
    about: str
    args: dict[str, TypeText] = Field({}, description="What it is about, with the type of each.")
    right: list[TermSpec] = Field([], description="Terms of the right hand, or of the only one.")
    left: list[TermSpec] = Field([], description="Terms of the left hand.")
    normalised: bool = Field(
        True, description="Whether each hand's terms are divided by the sum of their weights."
    )
    first_time: float = Field(
        30.0, ge=0, description="Added when a hand's conditions hold for the first time."
    )
    at_success: float = Field(150.0, ge=0, description="Added when all conditions hold.")
    minus_steps: float = Field(
        1.0, ge=0, description="Of that, what is taken off for each step before."
    )

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.right and not self.left:
            raise ValueError("a reward has terms: right: [{primitive: ee_pos, of: [target]}]")
        return self


class CloningSpec(Model):
    """Behaviour cloning from demonstrations that the planner makes."""

    demonstrations: int = Field(50, ge=1)
    starts: Shares = Field(
        {"easy": 0.5, "realistic": 0.5}, description="Shares of the starts of demonstrations."
    )
    epochs: int = Field(40, ge=1)
    batch_size: int = Field(64, ge=1)
    learning_rate: float = Field(1e-3, gt=0)
    layers: Layers = Field([256, 256], description="Widths of the hidden layers.")


class PpoSpec(Model):
    """Proximal policy optimisation by stable-baselines3; the names are its own."""

    n_steps: int = Field(256, ge=1, description="Steps of each environment between two updates.")
    batch_size: int = Field(2048, ge=2)
    n_epochs: int = Field(6, ge=1)
    learning_rate: float = Field(5e-4, gt=0)
    final_learning_rate: float | None = Field(
        None, gt=0, description="Reached in a straight line at the end; default: no change."
    )
    gamma: float = Field(0.99, gt=0, le=1)
    gae_lambda: float = Field(0.95, gt=0, le=1)
    clip_range: float = Field(0.2, gt=0)
    ent_coef: float = Field(0.0, ge=0)
    vf_coef: float = Field(0.5, ge=0)
    max_grad_norm: float = Field(0.5, gt=0)
    layers: Layers = Field([64, 64], description="Widths of the hidden layers.")
    begin_with: CloningSpec | None = Field(
        None, description="Demonstrations that the policy is fitted to at first."
    )
    log_std_init: float = Field(
        0.0, description="Of the noise of continuous actions at first, its logarithm."
    )
    value_first: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Share of all steps at the beginning in which only the value is learned.",
    )


class OffPolicySpec(Model):
    """What stable-baselines3's algorithms with a replay buffer have in common; its own names."""

    learning_rate: float = Field(1e-3, gt=0)
    buffer_size: int = Field(1_000_000, ge=1, description="At most the steps of the training.")
    learning_starts: int = Field(1000, ge=0, description="Steps of random actions at first.")
    batch_size: int = Field(256, ge=1)
    tau: float = Field(0.005, gt=0, le=1)
    gamma: float = Field(0.99, gt=0, le=1)
    train_freq: int = Field(1, ge=1)
    gradient_steps: int = Field(
        -1, ge=-1, description="Updates after each; -1: as many as steps were taken."
    )
    layers: Layers = Field([256, 256], description="Widths of the hidden layers.")
    hindsight: int = Field(
        0,
        ge=0,
        description="Goals that are put into each step afterwards (hindsight experience replay), "
        "where an environment's observations have `achieved_goal` and `desired_goal`.",
    )


class SacSpec(OffPolicySpec):
    """Soft actor-critic by stable-baselines3."""

    learning_rate: float = Field(3e-4, gt=0)
    ent_coef: float | Literal["auto"] = "auto"


class Td3Spec(OffPolicySpec):
    """Twin delayed DDPG by stable-baselines3."""

    policy_delay: int = Field(2, ge=1)
    action_noise: float = Field(
        0.1, ge=0, description="Standard deviation of what is added to actions in training."
    )


class DqnSpec(OffPolicySpec):
    """Deep Q-learning by stable-baselines3, for actions that are counted."""

    learning_rate: float = Field(5e-4, gt=0)
    batch_size: int = Field(64, ge=1)
    tau: float = Field(1.0, gt=0, le=1)
    train_freq: int = Field(4, ge=1)
    target_update_interval: int = Field(1000, ge=1)
    exploration_fraction: float = Field(0.2, gt=0, le=1)
    exploration_final_eps: float = Field(0.05, ge=0, le=1)
    layers: Layers = Field([64, 64], description="Widths of the hidden layers.")


class AlgorithmSpec(Model):
    """The algorithm: one of these."""

    ppo: PpoSpec | None = None
    sac: SacSpec | None = None
    td3: Td3Spec | None = None
    dqn: DqnSpec | None = None
    cloning: CloningSpec | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.given) != 1:
            raise ValueError(f"an algorithm is exactly one of {', '.join(type(self).model_fields)}")
        return self

    @property
    def given(self) -> list[str]:
        """The names of those that are given."""
        return [name for name in type(self).model_fields if getattr(self, name) is not None]

    @property
    def off_policy(self) -> OffPolicySpec | None:
        """What it has a replay buffer for."""
        return self.sac or self.td3 or self.dqn


class SubtaskStep(Model):
    """A skill with its arguments."""

    skill: str
    args: dict[str, str] = Field({}, description="Things of the scene, without the agent.")


class JudgedSpec(Model):
    """A sub-task in a scene by which a policy is judged with physics."""

    scene: str
    agent: str = "right"
    args: dict[str, str] = Field(description="Of the skill, without the agent.")
    opened: dict[str, float] = Field(
        {}, description="Doors that are open at first, by the share of their travel."
    )
    before: list[SubtaskStep] = Field([], description="What planning does first.")


class StageSpec(Model):
    """A stage of a curriculum: until a share of all steps, these starts are drawn."""

    until: float = Field(gt=0, le=1)
    starts: Shares


class GoodEnoughSpec(Model):
    """When training may end before its steps are spent."""

    success: float = Field(gt=0, le=1, description="Share of episodes of every start.")
    episodes: int = Field(100, ge=1, description="Episodes of each start that are tried.")


_OURS = (
    *("observation", "top", "reward", "starts", "curriculum"),
    *("ends_on_touch", "binds", "judged"),
)


class LearningFile(Model):
    """A skill that is learned: the whole experiment that makes its policy."""

    learning: str
    about: str
    skill: str = Field(description="The skill that the policy is for.")
    serves: list[str] = Field([], description="Further skills that the policy is for.")
    environment: Annotated[str, AfterValidator(_environment)] = Field(
        description="treec/StretchPantry-v0, treec/HandAtTarget-v0, a class of your own "
        "(`package.module:Class`), or another name of Gymnasium (`Pendulum-v1`, "
        "`package.module:Name-v0`). The keys `observation`, `top`, `reward`, `starts`, "
        "`curriculum`, `ends_on_touch`, `binds` and `judged` are of treec's two.",
    )
    options: dict[str, Any] = Field(
        {}, description="Of another environment: the arguments that it is made with."
    )
    max_episode_steps: int = Field(
        1000, ge=1, description="Of another environment, where it has no limit of its own."
    )
    reward_threshold: float | None = Field(
        None,
        description="Of another environment: the return from which on an episode is a success, "
        "where `is_success` is not in its `info` (default: Gymnasium's, if it has one).",
    )
    observation: Literal["difference", "joints", "target"] = Field(
        "joints",
        description="What the policy sees: the way to the goal, as in the paper; or the joints and "
        "what stands around, too. Hands at their targets see the target.",
    )
    top: bool = Field(True, description="Whether the next board of the pantry is there.")
    reward: str | None = Field(None, description="The reward file.")
    starts: Shares = Field({"easy": 1.0}, description="Shares of the starts of episodes.")
    curriculum: list[StageSpec] = Field([], description="Stages before that, in order.")
    algorithm: AlgorithmSpec
    ends_on_touch: bool = Field(
        False,
        description="Whether a touch ends the episode; else the action is not executed, as in the "
        "paper.",
    )
    environments: int | None = Field(
        None,
        ge=1,
        le=4096,
        description="Episodes side by side (default: 64, in other environments 8 with `ppo`, "
        "else 1).",
    )
    steps: int = Field(1_000_000, ge=1, description="Steps of all environments together.")
    check_every: int = Field(200_000, ge=1, description="Steps between two trials of the policy.")
    good_enough: GoodEnoughSpec | None = None
    threads: int = Field(1, ge=1, description="Threads of torch.")
    seed: int = Field(0, ge=0)
    binds: dict[str, str] = Field(
        {}, description="The argument of the skill that each argument of the reward is."
    )
    judged: list[JudgedSpec] = Field(
        [], description="Of hands: the sub-tasks by which the policy is judged with physics."
    )

    @property
    def is_ours(self) -> bool:
        """Whether it is one of treec's two environments, which draw starts and take rewards."""
        return self.environment in (STRETCH_PANTRY, HAND_AT_TARGET)

    @property
    def environment_class(self) -> str | None:
        """`package.module:Class`; None for a name that Gymnasium knows."""
        return self.environment if _CLASS.fullmatch(self.environment) else None

    @property
    def side_by_side(self) -> int:
        """The number of episodes that are stepped together."""
        many = 64 if self.is_ours else 8 if self.algorithm.ppo is not None else 1
        return self.environments or many

    @model_validator(mode="after")
    def _says_what_is_of_its_environment(self) -> Self:
        given = self.model_fields_set
        if self.is_ours:
            for key in ("reward", "starts"):
                if key not in given:
                    raise ValueError(f"{self.environment} needs '{key}'")
            for key in ("options", "max_episode_steps", "reward_threshold"):
                if key in given:
                    raise ValueError(f"'{key}' is of environments that are not treec's")
            return self
        for key in _OURS:
            if key in given:
                raise ValueError(f"'{key}' is of treec's environments, not of {self.environment}")
        ppo = self.algorithm.ppo
        if self.algorithm.cloning is not None or (ppo is not None and ppo.begin_with is not None):
            raise ValueError(f"no planner demonstrates in {self.environment}: ppo, sac, td3, dqn")
        return self

    @model_validator(mode="after")
    def _sees_what_is_there(self) -> Self:
        if self.is_ours and (self.environment == HAND_AT_TARGET) != (self.observation == "target"):
            sees = "target" if self.environment == HAND_AT_TARGET else "difference or joints"
            raise ValueError(f"{self.environment} shows no '{self.observation}', but {sees}")
        return self

    @model_validator(mode="after")
    def _acts_as_it_can(self) -> Self:
        unfit = {STRETCH_PANTRY: ("sac", "td3"), HAND_AT_TARGET: ("dqn",)}
        for name in unfit.get(self.environment, ()):
            if name in self.algorithm.given:
                kind = "numbers" if name == "dqn" else "counted"
                raise ValueError(f"the actions of {self.environment} are {kind}: not for {name}")
        off = self.algorithm.off_policy
        if off is not None and off.hindsight and self.is_ours:
            raise ValueError(f"{self.environment} has no goals for 'hindsight'")
        return self

    @model_validator(mode="after")
    def _enough_to_normalise(self) -> Self:
        ppo = self.algorithm.ppo
        if ppo is not None and ppo.n_steps * self.side_by_side < 2:
            raise ValueError("an update needs 2 steps: n_steps times environments is 1")
        return self

    def starts_at(self, share: float) -> dict[str, float]:
        """Return the shares of starts when a share of all steps has been taken."""
        for stage in self.curriculum:
            if share < stage.until:
                return stage.starts
        return self.starts

    def all_starts(self) -> dict[str, Any]:
        """Return every start that is named, in order; other environments have one of their own."""
        named = (*(stage.starts for stage in self.curriculum), self.starts)
        return dict.fromkeys(name for starts in named for name in starts)
