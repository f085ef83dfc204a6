"""The kinds that bind and judge: system, contract, scenario."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from treec.files.fields import Duration, Expr, Model, Text, Value


class LimitsSpec(Model):
    """What a run may spend on models; then offline rules answer."""

    time: Duration | None = Field(None, description="Waiting for answers, all of them together.")
    tokens: int | None = Field(None, ge=0, description="Of prompts and answers.")
    cost: float | None = Field(None, ge=0, description="US dollars, by LiteLLM's list of prices.")


class SystemFile(Model):
    """What belongs together and runs as one."""

    system: str
    about: str
    uses: list[str] = Field(
        description="Folders of the library (./prompts); packs or parts of them (treec/depot)."
    )
    root: str = Field(description="The tree that runs.")
    domain: str
    scene: str
    agents: list[str] | None = Field(None, description="All in its packs if absent.")
    contracts: list[str] | None = Field(None, description="All in its packs if absent.")
    runs_on: dict[str, str] = Field(
        {"default": "symbolic"}, description="An environment for each agent."
    )
    model: str | None = Field(None, description="provider/model that is asked; none if absent.")
    limits: LimitsSpec | None = Field(None, description="What a run may spend on models.")
    overrides: dict[str, dict[str, Any]] = Field(
        {},
        description="Keys of prompts that are different in this system: "
        "{Confirm_Subtask: {examples: […]}}.",
    )
    sentences: dict[str, Text] = Field(
        {},
        description="Sentences instead of treec's: acknowledgements by high-level action "
        "(propose, assign, …), and why a subtask failed (too_late, unknown, not_ready).",
    )


def _one_or_many(value: object) -> object:
    return [value] if isinstance(value, str) else value


class Eventually(Model):
    """Something that must come to hold for each of a kind of event."""

    each: str = Field(description="utterance, subtask or proposal; names the bound value.")
    require: Expr
    within: Duration


class ContractFile(Model):
    """A promise every action or the whole run keeps."""

    contract: str
    about: str | None = None
    each: Annotated[
        list[str],
        BeforeValidator(_one_or_many),
        WithJsonSchema({"type": ["string", "array"], "items": {"type": "string"}}),
    ] = Field(
        [], description="Actions it judges, with the arguments it binds: assign(agent, because)."
    )
    when: Expr = "true"
    require: Expr | None = None
    tell: Text | None = Field(None, description="What is said to whoever broke it.")
    eventually: Eventually | None = None


class UserStep(Model):
    """Something the scripted user says."""

    says: str
    when: Expr | None = Field(None, description="Said once, when it is this step's turn and true.")
    whenever: Expr | None = Field(
        None, description="Said each time this has a new value that is not empty, false or none."
    )
    after: Duration = Field(1.0, description="How long the user waits before saying it.")
    means: list[Any] = Field([], description="The acts that are meant; for the judge only.")


class Fault(Model):
    """A skill that fails."""

    skill: str
    args: dict[str, Value] = {}
    reason: str
    chance: float = Field(1.0, ge=0, le=1, description="How likely; drawn with the run's seed.")
    times: int | None = Field(1, ge=1, description="How often at most; none for ever.")
    at: float = Field(1.0, ge=0, le=1, description="How far the skill gets: part of its time.")


class Happening(Model):
    """Something that happens to the team or in the scene; one after the other."""

    when: Expr | None = Field(None, description="It begins to be waited for when this is true.")
    after: Duration = Field(default=0.0, description="So long after that it happens.")
    out: str | None = Field(None, description="An agent that drops out.")
    back: str | None = Field(None, description="An agent that works again.")
    facts: list[Expr] = Field([], description="What is so from then on: at(tin) == table.")
    reason: str = ""


class Expect(Model):
    """What must be so in the end."""

    finally_: Expr = Field("true", alias="finally")
    within: Duration | None = None


class ScenarioFile(Model):
    """A run that is a test: a user, faults, what to expect."""

    scenario: str
    about: str | None = None
    system: str
    seed: int = 0
    task: str | None = Field(None, description="What is to be done, in a system that has `task`.")
    scene: str | None = Field(None, description="Where; the system's scene if absent.")
    user: list[UserStep] = []
    happens: list[Happening] = []
    faults: list[Fault] = []
    expect: Expect = Field(default_factory=lambda: Expect.model_validate({}))
