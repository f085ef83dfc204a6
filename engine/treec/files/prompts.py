"""The kinds that ask a model: decision, action, reading, program, plan."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from treec.files.fields import (
    ArgTypes,
    Duration,
    EmptyIsMapping,
    Expr,
    ImportOrName,
    LoopText,
    Model,
    ModelName,
    OrNull,
    Text,
    TypeText,
    Value,
)
from treec.files.hearing import Hears
from treec.source.diagnostics import unknown


class ModelSettings(Model):
    """How a model is asked."""

    name: ModelName | None = Field(None, description="provider/model (default: the system's).")
    temperature: float | None = Field(None, ge=0)
    retries: int = Field(2, ge=0, description="Maximum number of retries after a refused answer.")
    timeout: Duration | None = Field(
        None, gt=0, description="How long an answer may take (default: the library's, or 20s)."
    )


RULES, MODEL, DECISION_MODEL, DISTILLED, PERSON = ANSWERERS = (
    *("rules", "model", "decision_model", "distilled", "person"),
)
"""Who can answer."""


class AnswererSpec(Model):
    """Who answers, and from which confidence on: `rules` and `person` are whole by themselves."""

    rules: None = Field(None, description="The file's own rules, or parser, without a model.")
    model: ModelName | None = Field(None, description="provider/model (default: the run's).")
    decision_model: str | None = Field(
        None,
        description="A model that answers typed questions: systemone/NAME, or provider/NAME of "
        "those that LiteLLM asks (default: `decisions` of treec.toml, or the run's model).",
    )
    distilled: str | None = Field(
        None,
        description="A scorer that `treec distil` fitted, distilled/NAME.json (default: of the "
        "node's name). It answers at once, and passes on what it is not sure of.",
    )
    person: Duration | None = Field(
        None, gt=0, description="Who talks with the team is asked, and may take so long (1m)."
    )
    sure: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The confidence below which a model's answer is passed on to the next.",
    )

    @property
    def kind(self) -> str:
        """Which of `ANSWERERS` it is."""
        return next(name for name in ANSWERERS if name in self.model_fields_set)

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        names = [name for name in ANSWERERS if name in self.model_fields_set]
        if len(names) != 1:
            said = f"{' and '.join(names)} are several" if names else "none is given"
            raise ValueError(f"an answerer is one of {', '.join(ANSWERERS)}: {said}")
        if self.sure is not None and names[0] not in (MODEL, DECISION_MODEL, DISTILLED):
            raise ValueError(f"'sure' is for models: {names[0]} has no confidence")
        return self


def _answerer(value: object) -> object:
    """A bare word stands for an answerer without settings."""
    if not isinstance(value, str):
        return value
    if value not in ANSWERERS:
        raise ValueError(unknown("answerer", value, ANSWERERS))
    return {value: None}


Answerers = Annotated[
    list[Annotated[AnswererSpec, BeforeValidator(_answerer)]],
    Field(
        min_length=1,
        description="Who answers, in order: each answers, or passes on to the next. After the last "
        "the rules decide (default: the run's model).",
    ),
]


class Offer(Model):
    """An offer of a behaviour to be an option of a decision, in the behaviour's own file."""

    to: str = Field(description="The decision that may choose it.")
    when: Expr = Field(
        description="When it is an option; the first that holds, in order of file name, is chosen "
        "without a model."
    )
    because: Text = Field("", description="When it is the right choice, for the prompt.")


class ChooseRule(Model):
    """A rule of a decision; the first whose condition holds makes the choice."""

    when: Expr
    choose: str


MEMORIES = "memories"
"""The name of the quoted pairs in a prompt's texts."""
RECALLED = "recalled"
"""The name of the same pairs in a program's `offline`, with their key, answer and distance."""


class RecallSpec(Model):
    """A memory that the prompt quotes: the pairs nearest to a text, as `memories`."""

    from_: str | list[str] = Field(
        alias="from",
        description="The memory's file below the library's root, memory.db; or a YAML file of "
        "pairs beside this file; or several of them.",
    )
    key: Expr = Field(description="The text whose nearest pairs are meant: user_input.")
    k: int = Field(3, ge=1, le=20, description="How many pairs.")
    offline_k: int | None = Field(
        None, ge=1, le=100, description="How many of them `offline` sees (default: k)."
    )

    @property
    def offline_count(self) -> int:
        """How many pairs `offline` sees."""
        return self.k if self.offline_k is None else self.offline_k

    @property
    def sources(self) -> list[str]:
        """The files of `from`."""
        return [self.from_] if isinstance(self.from_, str) else self.from_


class Prompt(Model):
    """The common keys of all kinds that ask a model."""

    overridable = True
    former_keys: ClassVar[Mapping[str, str]] = {"prompt": "instructions"}
    gives: ClassVar[Mapping[str, str]] = {}
    """Further names, with their types, that its texts can use."""
    answered_by: ClassVar[Collection[str]] = ()
    """Who can answer it, of those that its `answers` may list."""
    offline_gives: ClassVar[Mapping[str, str] | None] = None
    """The same for its expression `offline`, which sees everything; None if `offline` is rules."""

    about: str
    sees: list[str] = Field(
        [], description="State in the observation; when it changes, the node is asked again."
    )
    recalls: list[str] = Field(
        [], description="State in the prompt that does not cause a new request when it changes."
    )
    knows: list[str] = Field(
        [], description="Names fixed by the library; they have a fingerprint of their own."
    )
    system: Text | None = Field(None, description="The prompt's role (default: the engine's).")
    observation: Text | None = Field(None, description="What the model is told of the moment.")
    instructions: Text | None = Field(None, description="What the model is to do, in the prompt.")
    memory: RecallSpec | None = Field(
        None,
        description="Pairs of a memory, for the texts: `memories` is a list of texts, the nearest "
        "first; each has the request and its answer.",
    )
    ask: Literal["needed", "always"] = Field(
        "needed",
        description="Whether a model is asked where one answer is possible, or where the prompt is "
        "that of its last answer: only when needed, or always.",
    )
    model: ModelSettings = Field(
        default_factory=dict, validate_default=True, description="Which model, and how it is asked."
    )

    @property
    def visible(self) -> Sequence[str] | Mapping[str, str]:
        """What it sees and recalls; with names of its own for it, these with their expressions."""
        return self.sees if isinstance(self.sees, Mapping) else (*self.sees, *self.recalls)

    @property
    def assigns(self) -> Mapping[str, Sequence[str] | None]:
        """The facts and state that its answers set, with the texts that they can be, if known."""
        return {}

    @property
    def answerers(self) -> list[AnswererSpec]:
        """Who answers, in order; empty: the run's model."""
        listed = getattr(self, "answers", None)
        return listed if isinstance(listed, list) and self.answered_by else []


class DecisionAnswer(Model):
    """A decision's answer in an example."""

    reasoning: str = ""
    choose: str


class DecisionExample(Model):
    """A situation and the choice in it."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: DecisionAnswer


class PatientPrompt(Prompt):
    """The keys of the kinds whose rules decide where a model insists."""

    patience: int = Field(
        3,
        ge=0,
        description="How many answers of a model in a row may differ from the rules' without any "
        "work coming of them; then the rules decide where the two differ, until work comes of one.",
    )


class DecisionFile(PatientPrompt):
    """Chooses the next node."""

    gives = {"options": "list of text", "about": "mapping"}

    answered_by = ANSWERERS

    decision: str
    answers: Answerers | None = Field(None, description="Who answers, in order (default: a model).")
    options: dict[str, Text] = Field({}, description="A child's name, and when it is right.")
    only_when: dict[str, Expr] = Field(
        {},
        description="When an option can be right at all; otherwise it is not offered to a model, "
        "and a last one is taken without asking. With `ask: always` all are offered.",
    )
    always: list[ChooseRule] = Field([], description="Rules tried before any model is asked.")
    offline: list[ChooseRule] = Field([], description="Rules tried when no model answers.")
    fallback: str | None = Field(None, description="The choice when there is no valid answer.")
    reactive: bool = Field(False, description="A change asks again while the child runs.")
    ahead: Expr = Field("false", description="While it holds, the nodes below are asked at once.")
    offer: Offer | None = Field(None, description="The decision of which it is an option.")
    examples: list[DecisionExample] = Field([], description="Shown to the model, and tested.")


ActionCall = Annotated[
    Any,
    Field(
        description="A high-level action: {assign: {agent: $p.agent, …}}, {say: …}, or a name.",
    ),
]


class DoRule(Model):
    """High-level actions, once or for each of a list."""

    for_: LoopText | None = Field(None, alias="for", description="p in acts.accept.proposals")
    when: Expr = "true"
    do: list[ActionCall]


class ActionAnswer(Model):
    """An action's answer in an example."""

    reasoning: str = ""
    actions: list[Value] = []


class ActionExample(Model):
    """A situation and the actions in it."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: ActionAnswer


class ActionFile(PatientPrompt):
    """Does something by high-level actions."""

    gives = {"actions": "list of text"}

    action: str
    may: list[str] = Field([], description="The high-level actions it may take.")
    claims: list[str] | None = Field(
        None, description="The kinds of claims that a model may `say` here (default: all)."
    )
    args: ArgTypes = Field({}, description="What the tree gives it, by `with`.")
    answers: list[str] | None = Field(
        None, description="The kinds of acts its commit settles (default: all that it saw)."
    )
    always: list[DoRule] = Field([], description="Rules tried before any model is asked.")
    offline: list[DoRule] = Field([], description="Rules tried when no model answers.")
    acknowledge: dict[str, Text] = Field(
        {},
        description="What is said of an action once it is committed, by the action's name: plain "
        "words of the engine's if absent, nothing if empty.",
    )
    offer: Offer | None = Field(None, description="The decision of which it is an option.")
    examples: list[ActionExample] = Field([], description="Shown to the model, and tested.")


class ReadingAnswer(Model):
    """A reading's answer in an example."""

    reasoning: str = ""
    acts: list[Value] = []


class ReadingExample(Model):
    """An utterance and the acts in it."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: ReadingAnswer


class ReadingFile(PatientPrompt):
    """Finds the acts in what the user said."""

    gives = {"kinds": "list of text"}

    answered_by = (RULES, MODEL, DECISION_MODEL, DISTILLED)

    reading: str
    answers: Answerers | None = Field(None, description="Who answers, in order (default: a model).")
    acts: dict[str, Annotated[dict[str, TypeText | dict[str, Value]], EmptyIsMapping, OrNull]] = (
        Field(description="The kinds of acts that it finds, each with its arguments' types.")
    )
    parser: ImportOrName | None = Field(
        None, description="A function from text and context to acts."
    )
    hearing: str | None = Field(
        None, description="The hearing file whose shared templates are heard, too."
    )
    hears: Hears = Field(
        {}, description="Sentence templates for each kind of act, heard where no model answers."
    )
    veto: list[str] = Field([], description="Acts of the parser that a model must not drop.")
    examples: list[ReadingExample] = Field([], description="Shown to the model, and tested.")


class ProgramAnswer(Model):
    """A program in an example."""

    reasoning: str = ""
    program: str


class ProgramExample(Model):
    """A situation and the program for it."""

    about: str = ""
    given: dict[str, Value] = {}
    answer: ProgramAnswer


class ConstructorSpec(Model):
    """A constructor of things with arguments: what describes the thing that it names."""

    gives: TypeText = Field(description="The type of the things that it names.")
    args: ArgTypes = Field(
        {}, description="Its arguments in order; those that may be none can be left out."
    )
    kind: str | None = Field(
        None, description="The argument that names the thing's type: object_class."
    )
    whole: str | None = Field(
        None, description="The argument that names what the thing is a piece of: parent_object."
    )
    finds: Expr | None = Field(
        None,
        description="The thing that is meant, found when it is first used: an expression of the "
        "arguments, of `taken`, the things that others of the program name already, and of "
        "`skills`, the names of those that it calls.",
    )
    fields: list[str] = Field(
        [],
        description="Words after a dot: an argument that is a text gives that (mug.object_class), "
        "another one stands for the thing itself (mug.object_instance).",
    )


class CorrectionSpec(Model):
    """What is done about a step that failed: a program that corrects it, and the step again."""

    gives: ClassVar[tuple[str, ...]] = ("failed_step", "failure", "remaining")

    program: str = Field(
        description="The program file whose program is run. Its arguments are those of this one, "
        "and the texts `failed_step` (the step's line), `failure` (why it failed), `remaining` "
        "(the lines after it)."
    )
    remember: bool = Field(
        False,
        description="Add what a model has corrected to the memory of its file, once the step has "
        "succeeded after it.",
    )
    times: int = Field(
        1, ge=1, le=10, description="How often for one step, before the step has failed for good."
    )


class ProgramFile(Prompt):
    """Steps of skills for something that is to be done; with `instructions` a model writes them."""

    gives = dict.fromkeys(
        ("skills", "facts", "things", "classes", "constructors", "so_far"), "list of text"
    )
    offline_gives = {"agent": "Agent"}

    answered_by = (RULES, MODEL)

    program: str
    answers: Answerers | None = Field(None, description="Who answers, in order (default: a model).")
    args: ArgTypes = Field({}, description="What the tree gives it, by `with`.")
    style: Literal["functions", "objects", "both"] = Field(
        "functions", description="How a model writes calls of skills: pick(mug), or mug.pick()."
    )
    objects: dict[str, TypeText | ConstructorSpec] = Field(
        {}, description="Constructors and what they name: InteractionObject: Item or Place."
    )
    values: dict[str, list[str]] = Field(
        {},
        description="The texts that arguments of a name may have, whatever is called: "
        "attribute: [dirty, open].",
    )
    asserts: list[str] = Field(
        [],
        description="Skills that state what should hold by now. If it does not, that is recorded "
        "and the program goes on.",
    )
    may_fail: int = Field(
        0, ge=0, le=1_000, description="Number of steps that may fail before the program fails."
    )
    correction: CorrectionSpec | None = Field(
        None,
        description="What is done about a step that failed. Without it the step has failed; "
        "`may_fail` says how many may.",
    )
    functions: list[str] = Field(
        [], description="Functions that a program may call beside the facts: place_of."
    )
    offline: Expr | None = Field(
        None,
        description="The steps when no model answers: steps(subtask); or the text of a program.",
    )
    max_steps: int = Field(100, ge=1, le=10_000, description="Maximum number of skill calls.")
    examples: list[ProgramExample] = Field([], description="Shown to the model, and tested.")


class PlanFile(Prompt):
    """Asks for a text in a form of its own, which is checked and sent back with the findings.

    Packages declare the forms, each with a subclass of this model and further keys.
    """

    former_keys = {**Prompt.former_keys, "form": "answers"}

    plan: str
    answers: str = Field("graph", description="What a model is asked for.")
    reflection: Text | None = Field(
        None, description="Feedback to a model on a wrong answer: {{ findings }}."
    )
