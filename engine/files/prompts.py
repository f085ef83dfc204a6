"""The kinds that ask: decision, action, reading, program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from treec.files.fields import (
    ArgTypes,
    Duration,
    EmptyIsMapping,
    Expr,
    ImportOrName,
    Model,
    OrNull,
    Text,
    TypeText,
    Value,
)


class ModelSettings(Model):
    """How a model is asked."""

    name: str | None = Field(None, description="provider/model; the system's if absent.")
    temperature: float | None = Field(None, ge=0)
    retries: int = Field(2, ge=0, description="How often a refused answer is asked for again.")
    timeout: Duration = Field(default=20.0, description="How long an answer may take.")


class Offer(Model):
    """How a behaviour puts itself forward to a decision, from its own file."""

    to: str = Field(description="The decision that may choose it.")
    when: Expr = Field(description="When it is chosen without a model; tried in order of file.")
    because: Text = Field("", description="What a model is told about it.")


class ChooseRule(Model):
    """A rule of a decision: the first whose condition holds chooses."""

    when: Expr
    choose: str


class Prompt(Model):
    """What every kind that asks has in common."""

    gives: ClassVar[Mapping[str, str]] = {}
    """The names, with their types, that its texts are given besides arguments and what it sees."""
    offline_gives: ClassVar[Mapping[str, str] | None] = None
    """Those of its expression `offline`, which sees all; None if `offline` is rules."""

    about: str
    sees: list[str] = Field([], description="State in the observation; a change asks anew.")
    recalls: list[str] = Field([], description="In the prompt; a change alone asks nothing.")
    knows: list[str] = Field([], description="From the library; fingerprinted apart.")
    system: Text | None = None
    observation: Text | None = None
    instructions: Text | None = None
    model: ModelSettings = Field(default_factory=lambda: ModelSettings.model_validate({}))


class DecisionAnswer(Model):
    """A decision's answer in an example."""

    reasoning: str = ""
    choose: str


class DecisionExample(Model):
    """A situation and what is chosen in it."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: DecisionAnswer


class DecisionFile(Prompt):
    """Choose the next node."""

    gives = {"options": "list of text", "about": "mapping"}

    decision: str
    options: dict[str, Text] = Field({}, description="A child's name, and when it is right.")
    always: list[ChooseRule] = Field([], description="Certain: before any model is asked.")
    offline: list[ChooseRule] = Field([], description="Good guesses: when no model answers.")
    fallback: str | None = Field(None, description="When no valid answer came.")
    reactive: bool = Field(False, description="A change asks again while the child runs.")
    ahead: Expr = Field("false", description="While it holds, the nodes below are asked at once.")
    offer: Offer | None = None
    examples: list[DecisionExample] = []


ActionCall = Annotated[
    Any,
    Field(
        description="A high-level action: {assign: {agent: $p.agent, …}}, {say: …}, or a name.",
    ),
]


class DoRule(Model):
    """High-level actions, once or for each of a list."""

    for_: str | None = Field(None, alias="for", description="p in acts.accept.proposals")
    when: Expr = "true"
    do: list[ActionCall]


class ActionAnswer(Model):
    """An action's answer in an example."""

    reasoning: str = ""
    actions: list[Value] = []


class ActionExample(Model):
    """A situation and what is done in it."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: ActionAnswer


class ActionFile(Prompt):
    """Do something, by high-level actions."""

    gives = {"actions": "list of text"}

    action: str
    may: list[str] = Field([], description="The high-level actions it may take.")
    args: ArgTypes = {}
    answers: list[str] | None = Field(
        None, description="The kinds of acts its commit settles; all that it saw if absent."
    )
    always: list[DoRule] = Field([], description="Certain: before any model is asked.")
    offline: list[DoRule] = Field([], description="Good guesses: when no model answers.")
    acknowledge: dict[str, Text] = Field(
        {},
        description="What is said of an action once it is committed, by the action's name: plain "
        "words of the engine's if absent, nothing if empty.",
    )
    offer: Offer | None = None
    examples: list[ActionExample] = []


class ReadingAnswer(Model):
    """A reading's answer in an example."""

    reasoning: str = ""
    acts: list[Value] = []


class ReadingExample(Model):
    """Words and the acts in them."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: ReadingAnswer


class ReadingFile(Prompt):
    """What the user did with their words."""

    gives = {"kinds": "list of text"}

    reading: str
    acts: dict[str, Annotated[dict[str, TypeText | dict[str, Value]], EmptyIsMapping, OrNull]]
    parser: ImportOrName | None = Field(
        None, description="Deterministic: text and context to acts."
    )
    veto: list[str] = Field([], description="Acts of the parser that a model never takes away.")
    examples: list[ReadingExample] = []


class ProgramAnswer(Model):
    """A program in an example."""

    reasoning: str = ""
    program: str


class ProgramExample(Model):
    """A situation and the program for it."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: ProgramAnswer


class ProgramFile(Prompt):
    """Steps of skills for something that is to be done; with `instructions` a model writes them."""

    gives = dict.fromkeys(("skills", "facts", "things", "constructors", "so_far"), "list of text")
    offline_gives = {"agent": "Agent"}

    program: str
    args: ArgTypes = {}
    style: Literal["functions", "objects"] = Field(
        "functions", description="How a model calls skills: pick(mug), or mug.pick()."
    )
    objects: dict[str, TypeText] = Field(
        {}, description="Constructors and what they name: InteractionObject: Item or Place."
    )
    functions: list[str] = Field(
        [], description="Functions that a program may call beside the facts: place_of."
    )
    offline: Expr | None = Field(
        None, description="Gives the steps when no model does: steps(subtask)"
    )
    max_steps: int = Field(100, ge=1, le=10_000, description="Skill calls before it is stopped.")
    examples: list[ProgramExample] = []
