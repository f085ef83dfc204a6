"""The kinds around a run: system, contract, scenario."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, WithJsonSchema

from treec.files.fields import Before, Duration, Expr, FaultLine, Model, ModelName, Text
from treec.files.places import PersonMotion

SYMBOLIC = "symbolic"
"""The environment that consists of its workers."""


class LimitsSpec(Model):
    """Limits on the use of models in a run; beyond them, offline rules answer."""

    time: Duration | None = Field(None, description="Total time spent waiting for answers.")
    tokens: int | None = Field(None, ge=0, description="Tokens of prompts and answers.")
    cost: float | None = Field(None, ge=0, description="US dollars, by LiteLLM's price list.")


class ReopenSpec(Model):
    """How often a lost environment is opened again."""

    every: Annotated[Duration, Field(gt=0)] = Field(
        5.0, description="Time between two attempts, and from the loss to the first."
    )
    attempts: int = Field(3, ge=1, description="After so many in vain it stays lost.")


class SystemFile(Model):
    """Everything that runs together: a root tree, a domain, a scene, agents, contracts."""

    system: str
    about: str
    uses: list[str] = Field(
        description="Folders of the library (./prompts); packs or parts of them (treec/depot)."
    )
    root: str = Field(description="The tree that runs.")
    domain: str
    scene: str
    agents: list[str] | None = Field(None, description="Default: all in its packs.")
    contracts: list[str] | None = Field(None, description="Default: all in its packs.")
    runs_on: dict[str, str] = Field(
        {"default": "symbolic"}, description="An environment for each agent."
    )
    reopen: ReopenSpec | None = Field(
        None,
        description="A lost environment is opened again: {every: 5s, attempts: 3} (default: it "
        "stays lost). Skills wait meanwhile, and until what its robots do has been asked.",
    )
    at_end: Literal["wait", "restart", "stop"] = Field(
        "wait",
        description="When the root has returned SUCCESS or FAILURE, it starts again with the next "
        "words, change or timer (wait), it starts again after `tick_period` (restart), or the run "
        "ends (stop).",
    )
    tick_period: Duration = Field(
        0.1,
        gt=0,
        description="Time between two ticks while a node class of one's own is RUNNING. treec's "
        "nodes need no such ticks: they are ticked when something happens.",
    )
    tick_budget: Duration = Field(
        0.25,
        gt=0,
        description="Real time that a tick may take in a run in real time; one that takes longer "
        "is told (`loop.late`), with the node or the line that took it.",
    )
    preconditions: Literal["repair", "check", "ignore"] = Field(
        "repair",
        description="What is done about a skill's `before` that does not hold: its repair "
        "(repair); the skill fails (check); nothing, so that the environment has to refuse it "
        "(ignore). With `ignore`, a skill whose `after` holds already is executed all the same.",
    )
    model: ModelName | None = Field(None, description="provider/model (default: none).")
    limits: LimitsSpec | None = Field(None, description="Limits on the use of models in a run.")
    asks: list[str] | Literal["always"] | None = Field(
        None,
        description="The prompts that ask a model; all others are decided by their rules and "
        "parsers (default: all prompts ask). `always`: all ask, as with `ask: always` in each.",
    )
    with_model: str | None = Field(
        None,
        description="The system that `treec run` takes in its place where `--model` names a model, "
        "unless `--system` says which: one that asks at fewer nodes.",
    )
    chooses: dict[str, str] = Field(
        {},
        description="Which file runs use of a kind of which they use one, if the system has "
        "several (default: the first, its own before those of packs): {localizer: sharp_eyes}.",
    )
    overrides: dict[str, dict[str, Any]] = Field(
        {},
        description="Keys of prompts, agents and cameras that are different in this system: "
        "{Confirm_Subtask: {examples: […]}}.",
    )
    sentences: dict[str, Text] = Field(
        {},
        description="Sentences instead of treec's: acknowledgements by high-level action "
        "(propose, assign, …); why a subtask failed (too_late, unknown, not_ready, goal_missed); "
        "that words changed nothing (refused), a contract stops a skill (forbidden), a stopped "
        "agent moves (not_at_rest), an environment is lost (lost) or there again (back), something "
        "outside the run does not answer (overdue).",
    )


def _one_or_many(value: object) -> object:
    return [value] if isinstance(value, str) else value


class Eventually(Model):
    """A condition that must become true within a time after each event of a kind."""

    each: str = Field(description="utterance, subtask or proposal; names the bound value.")
    require: Expr
    within: Annotated[Duration, Field(gt=0)]


class ContractFile(Model):
    """A condition that every action or the whole run must satisfy."""

    contract: str
    about: str | None = None
    each: Annotated[
        list[str],
        Before(_one_or_many),
        WithJsonSchema({"type": ["string", "array"], "items": {"type": "string"}}),
    ] = Field(
        [],
        description="Actions it applies to, with the arguments it binds: assign(agent, because); "
        "or skill(agent, skill, args, subtask): every skill, as long as it runs.",
    )
    when: Expr = Field("true", description="When it applies.")
    require: Expr | None = Field(None, description="What must hold then.")
    tell: Text | None = Field(
        None,
        description="Why an action is refused: told to the model that answered so, or the person "
        "whose order it was, where `action` is 'that' (default for people: `about`).",
    )
    eventually: Eventually | None = Field(None, description="What must come to hold, and when.")


class UserStep(Model):
    """Something the scripted user says."""

    says: str
    when: Expr | None = Field(
        None, description="Said once, when it is this step's turn and this holds."
    )
    whenever: Expr | None = Field(
        None, description="Said whenever the value changes, unless it is empty, false or none."
    )
    after: Duration = Field(1.0, description="How long the user waits before saying it.")
    means: list[Any] = Field([], description="The intended acts; used only in evaluations.")


class Expect(Model):
    """What must hold at the end of the run."""

    finally_: Expr = Field("true", alias="finally")
    within: Duration | None = Field(None, gt=0)


class ScenarioFile(Model):
    """A scripted run: a user, faults, events, and what to expect."""

    former_keys: ClassVar[Mapping[str, str]] = {"happens": "faults"}

    scenario: str
    about: str | None = None
    system: str = Field(description="The system that runs.")
    seed: int = Field(0, description="Of what is drawn: faults, times, jitter.")
    task: str | None = Field(None, description="The instruction, in a system that has `task`.")
    scene: str | None = Field(None, description="The scene (default: the system's).")
    people: dict[str, PersonMotion] = Field(
        {}, description="Agents who move as recorded, in addition to the scene's."
    )
    user: list[UserStep] = Field([], description="What the scripted person says, and when.")
    faults: list[FaultLine] = Field(
        [], description="What goes wrong, a line each: 20s: fail pick(parcel). See `--inject`."
    )
    answers: list[dict[str, Any]] = Field(
        [], description="What a model answers: {node: Dispatch, after: 2s, answer: {choose: Wait}}."
    )
    expect: Expect = Field(
        default_factory=dict, validate_default=True, description="What the run must show."
    )
