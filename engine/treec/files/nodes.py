"""The models of a tree's nodes.

A node is a mapping with one key that is its type, further keys of that type, and modifiers; a bare
list is a sequence. The type key selects the model that a mapping is validated by, so that errors
refer to the right node type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, cast, get_args

from pydantic import (
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    ValidationError,
)
from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    core_schema,
)
from typing_extensions import TypeAliasType

from treec.core import CORE
from treec.extensions import ExtensionError, registry
from treec.files.fields import (
    AgentValue,
    Duration,
    Expr,
    Model,
    SubtaskValue,
    Text,
    TextValue,
    Value,
)

MAX_NODES = 50_000
"""Of how many nodes a tree may consist once its subtrees and `for` are expanded."""

MAX_LEVELS = 100
"""Of how many levels a tree may consist, with its subtrees; each is a call within a call."""

MODIFIERS = (
    "skip_if",
    "fail_if",
    "while",
    "on_failure",
    "timeout",
    "retry",
    "repeat",
    "invert",
    "force_success",
    "force_failure",
    "once",
    "keep_running_until_failure",
    "cooldown",
)
"""Modifiers in the order in which they are applied, from the outside in."""

COMMON = ("name", "about", "for")


def _mapping_or(other: str) -> Callable[[object], str]:
    """Return the tag of a body: a mapping, or its short form."""
    return lambda data: "mapping" if isinstance(data, Mapping | Model) else other


class NodeBase(Model):
    """Keys of every node: a name for its path, a loop expanded at compile time, modifiers."""

    name: str | None = Field(None, description="The node's name in its path; made if absent.")
    about: str | None = Field(None, description="What the node is for.")
    for_: str | None = Field(
        None,
        alias="for",
        description="'agent in robots': one node for each, made at compile time.",
    )
    skip_if: Expr | None = Field(None, description="True: SUCCESS without ticking the node.")
    fail_if: Expr | None = Field(None, description="True: FAILURE without ticking the node.")
    while_: Expr | None = Field(
        None, alias="while", description="False: the node is stopped this tick, FAILURE."
    )
    on_failure: Node | None = Field(
        None, description="Run after the node's FAILURE or timeout; the result stays FAILURE."
    )
    timeout: Duration | None = Field(
        None, gt=0, description="The node is stopped after this time: FAILURE."
    )
    retry: int | None = Field(None, ge=-1, description="Attempts until SUCCESS; -1: unlimited.")
    repeat: int | None = Field(
        None, ge=-1, description="Number of times it must succeed; -1: unlimited."
    )
    invert: bool = Field(False, description="SUCCESS becomes FAILURE, and FAILURE SUCCESS.")
    force_success: bool = Field(False, description="FAILURE becomes SUCCESS.")
    force_failure: bool = Field(False, description="SUCCESS becomes FAILURE.")
    once: bool = Field(False, description="Run to completion once; later ticks return that result.")
    keep_running_until_failure: bool = Field(False, description="SUCCESS becomes RUNNING.")
    cooldown: Duration | None = Field(
        None, description="FAILURE without ticking for this time after it finished."
    )


class SequenceNode(NodeBase):
    """Ticks children in order until one fails; resumes at the running child."""

    sequence: list[Node]


class SelectorNode(NodeBase):
    """Ticks children in order until one succeeds; resumes at the running child."""

    selector: list[Node]


class ReactiveSequenceNode(NodeBase):
    """A sequence that starts at its first child at every tick."""

    reactive_sequence: list[Node]


class ReactiveSelectorNode(NodeBase):
    """A selector that starts at its first child at every tick."""

    reactive_selector: list[Node]


class SequenceWithMemoryNode(NodeBase):
    """A sequence that, after a failure, resumes at the child that failed."""

    sequence_with_memory: list[Node]


class ParallelBody(Model):
    """Thresholds and children of a parallel."""

    children: list[Node]
    success: int = Field(-1, description="Successes for SUCCESS; negative counts from the end.")
    failure: int = Field(1, description="Failures for FAILURE; negative counts from the end.")
    until: Literal["never"] | None = Field(None, description="never: RUNNING forever.")


class ParallelNode(NodeBase):
    """Ticks all children at every tick."""

    parallel: Annotated[
        Annotated[ParallelBody, Tag("mapping")] | Annotated[list[Node], Tag("list")],
        Discriminator(_mapping_or("list")),
    ]


class SwitchBody(Model):
    """An expression, and a node for each of its values."""

    of: Expr
    cases: dict[str, Node]
    default: Node | None = None


class SwitchNode(NodeBase):
    """Ticks the child whose key equals the value."""

    switch: SwitchBody


class IfNode(NodeBase):
    """Ticks one of two children, by a condition."""

    if_: Expr = Field(alias="if")
    then: Node
    else_: Node | None = Field(None, alias="else")


class ForEachBody(Model):
    """A name for the item, the list, and the child to run for each item."""

    item: str
    in_: Expr = Field(alias="in")
    do: Node


class ForEachNode(NodeBase):
    """Runs a child once for each item of a list, one after the other."""

    for_each: ForEachBody


class TreeNode(NodeBase):
    """Inserts another tree, its ports wired by `with`."""

    tree: str
    with_: dict[str, Value] = Field({}, alias="with")


class AskNode(NodeBase):
    """Asks a decision, whose options are its children."""

    ask: str


class ReadNode(NodeBase):
    """Reads the utterances that have not been read yet."""

    read: str


class DoNode(NodeBase):
    """Runs an action: its high-level actions are checked and committed together."""

    do: str
    with_: dict[str, Value] = Field({}, alias="with")


class SkillNode(NodeBase):
    """Runs one skill by an agent."""

    skill: str
    with_: dict[str, Value] = Field({}, alias="with")


class ProgramNode(NodeBase):
    """Runs a program of skills, step by step."""

    program: str
    with_: dict[str, Value] = Field({}, alias="with")
    into: str | None = Field(
        None, description="The state that is set to the program's text when it starts."
    )


class RememberBody(Model):
    """What is added to which memory."""

    in_: str = Field(alias="in", description="The memory's file: memory.db.")
    key: Text = Field(description="What was asked.")
    answer: Text = Field(description="What answered it, such as a program.")
    about: Text = ""


class RememberNode(NodeBase):
    """Adds a pair to a memory, in place of one with nearly the same key."""

    remember: RememberBody


class RecipeNode(NodeBase):
    """Adds a recipe's subtasks and runs until each is done or dropped."""

    recipe: Value


class CheckNode(NodeBase):
    """SUCCESS when the expression is true, else FAILURE."""

    check: Expr


class SetNode(NodeBase):
    """Sets variables or state."""

    set: dict[str, Value]


class WaitBody(Model):
    """What to wait for: a condition, or a time."""

    until: Expr | None = None
    for_: Duration | None = Field(None, alias="for")


class WaitNode(NodeBase):
    """RUNNING until a condition holds or a time has passed."""

    wait: Annotated[
        Annotated[WaitBody, Tag("mapping")] | Annotated[Duration, Tag("duration")],
        Discriminator(_mapping_or("duration")),
    ]


class TakeBody(Model):
    """Whose queue, and the variable that receives the subtask."""

    queue: AgentValue
    into: str


class TakeNode(NodeBase):
    """Takes the first subtask of a queue that can begin."""

    take: TakeBody


class ReportBody(Model):
    """The outcome of a subtask."""

    subtask: SubtaskValue
    done: bool | None = None
    failed: TextValue = None


class ReportNode(NodeBase):
    """Reports that a subtask is done, or has failed and why."""

    report: ReportBody


class OnChangeNode(NodeBase):
    """SUCCESS when a value differs from what it was at the last SUCCESS, else RUNNING."""

    on_change: Expr


class LogNode(NodeBase):
    """Writes a line to the journal."""

    log: Text


class ProbeBody(Model):
    """A scripted leaf: one letter a tick."""

    name: str
    script: str = Field(pattern="^[SFR]+$")


class ProbeNode(NodeBase):
    """A leaf that returns the statuses of a script; for tests and traces."""

    probe: ProbeBody


def _only_unknown_keys(schema: dict[str, Any]) -> None:
    """Keep misspelt nodes from passing as nodes of another package in editors."""
    schema["additionalProperties"] = {"type": ["object", "null"]}
    schema["propertyNames"] = {"not": {"enum": list(NODE_MODELS)}}


class PythonNode(NodeBase):
    """A node class of an extension or of the library itself, with its ports.

    A class that ticks other nodes, such as a composite of py_trees, has ``children``.
    """

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        defer_build=True,
        json_schema_extra=_only_unknown_keys,
    )

    children: list[Node] = Field([], description="The nodes that the class ticks.")


CORE_MODELS: Mapping[str, type[NodeBase]] = {
    node.name: globals()[node.model.partition(":")[2]] for node in CORE.nodes
}


class _NodeModels(Mapping[str, type[NodeBase]]):
    """Every node type with its model; those of extensions are imported on first use."""

    def __getitem__(self, key: str) -> type[NodeBase]:
        found = CORE_MODELS.get(key)
        return _extension_model(key) if found is None else found

    def __contains__(self, key: object) -> bool:
        if key in CORE_MODELS:
            return True
        node = registry().nodes.get(cast(str, key))
        return node is not None and bool(node.model)

    def __iter__(self) -> Iterator[str]:
        return (name for name, node in registry().nodes.items() if node.model)

    def __len__(self) -> int:
        return len(list(iter(self)))


def _extension_model(key: str) -> type[NodeBase]:
    """Return the model of an extension's node. Raises KeyError, ExtensionError."""
    tables = registry()
    target = tables.nodes[key].model
    if not target:
        raise KeyError(key)
    model = tables.load(target)
    problem = ""
    if not (isinstance(model, type) and issubclass(model, NodeBase)):
        problem = f"{target} is not a treec.files.nodes.NodeBase"
    elif key not in {info.alias or name for name, info in model.model_fields.items()}:
        problem = f"{target} has no field '{key}'"
    if problem:
        raise ExtensionError(f"{tables.owner(target)}: {problem}")
    found = cast(type[NodeBase], model)
    if not found.__pydantic_complete__:
        found.model_rebuild(_types_namespace={"Node": Node})  # its module need not know the name
    return found


NODE_MODELS: Mapping[str, type[NodeBase]] = _NodeModels()
"""Node types by key; a lookup raises ExtensionError for a broken one."""

EXTENSION = "extension"
"""In a location of pydantic's: a node of an extension, whose key follows."""


EXTENSION_NODES = {"description": "A node of an extension."}
"""In a schema of pydantic's: a placeholder that ``treec.files.schema`` replaces."""


class _ExtensionNode:
    """In pydantic's union: an extension's node, validated by the extension's model."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(_read_extension_node)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(EXTENSION_NODES)


def _read_extension_node(data: object) -> NodeBase:
    if isinstance(data, NodeBase):
        return data
    key = node_key(cast("Mapping[str, Any]", data)) or ""
    try:
        return NODE_MODELS[key].model_validate(data)
    except ExtensionError as error:
        raise PydanticCustomError("extension", "{told}", {"told": str(error)}) from error
    except ValidationError as error:
        found: list[InitErrorDetails] = []
        for item in error.errors(include_url=False):
            kind: Any = item["type"]
            if kind not in _PYDANTIC:
                kind = PydanticCustomError(kind, "{told}", {"told": item["msg"]})
            found.append(
                InitErrorDetails(
                    type=kind,
                    loc=(key, *item["loc"]),
                    input=item["input"],
                    ctx=item.get("ctx", {}),
                )
            )
        raise ValidationError.from_exception_data(error.title, found) from None


_PYDANTIC = frozenset(get_args(core_schema.ErrorType))

_KNOWN = frozenset((*MODIFIERS, *COMMON, "with", "then", "else", "children"))


def node_key(data: Mapping[str, Any]) -> str | None:
    """Return the type key of a mapping: a known type, else the first unknown key."""
    for key in data:
        if key in NODE_MODELS:
            return key
    for key in data:
        if key not in _KNOWN:
            return key
    return None


def type_key(node: NodeBase) -> str | None:
    """Return the key that is a node's type; None if there is none."""
    known = _KEYS.get(type(node))
    if known is not None:
        return known
    names = {info.alias or name for name, info in type(node).model_fields.items()}
    own = next((key for key in registry().nodes if key in names and key not in CORE_MODELS), None)
    return own or node_key(node.model_extra or {})


_KEYS = {model: key for key, model in CORE_MODELS.items()}


def _tag(data: object) -> str | None:
    if isinstance(data, list):
        return "list"
    if isinstance(data, Mapping):
        key = node_key(data)
        if key in CORE_MODELS:
            return key
        return EXTENSION if key in NODE_MODELS else "python"
    if isinstance(data, PythonNode):
        return "python"
    if isinstance(data, NodeBase):
        return next((k for k, m in CORE_MODELS.items() if type(data) is m), EXTENSION)
    return None


if TYPE_CHECKING:
    Node: TypeAlias = "NodeBase | list[Node]"
else:
    _tagged = [Annotated[model, Tag(key)] for key, model in CORE_MODELS.items()]
    _others = [
        Annotated[_ExtensionNode, Tag(EXTENSION)],
        Annotated[PythonNode, Tag("python")],
        Annotated[list["Node"], Tag("list")],
    ]
    Node = TypeAliasType(
        "Node",
        Annotated[
            Union[tuple(_tagged + _others)],  # noqa: UP007
            Discriminator(
                _tag,
                custom_error_type="node",
                custom_error_message="a node is a mapping such as {check: …} or a list of nodes",
            ),
        ],
    )
"""Any node, or a list of nodes, which is a sequence."""
