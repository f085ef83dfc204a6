"""Nodes of tree files: what all have in common, and the types by their keys.

A node is a mapping with one key that is its type; a bare list is a sequence. Each type is a module
with a specification (see :mod:`treec.files.node_spec`), loaded when a file has such a node; each
modifier is a module, too, and gives the base of all nodes its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    create_model,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from typing_extensions import TypeAliasType

from treec.core import MODIFIER_MODULES
from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files.fields import LoopText, Model, Shared
from treec.files.node_spec import Loc, ModifierSpec, NodeSpec
from treec.frozen import frozen

MAX_NODES = 150_000
"""Of how many nodes a tree may consist once its subtrees and `for` are expanded."""

MAX_LEVELS = 100
"""Of how many levels a tree may consist, with its subtrees; each is a call within a call."""


def _modifiers() -> Iterator[ModifierSpec]:
    for module in MODIFIER_MODULES:
        spec = import_module(module).MODIFIER
        assert isinstance(spec, ModifierSpec)
        yield spec


MODIFIERS: dict[str, ModifierSpec] = {
    spec.key: spec for spec in sorted(_modifiers(), key=lambda spec: spec.order)
}
"""Modifiers in the order in which they are applied, from the outside in."""

_MODIFIES = {spec.attribute: key for key, spec in MODIFIERS.items()}
"""The attributes of a node that are modifiers, and their keys."""

COMMON = ("name", "about", "for")


def mapping_or(other: str) -> Callable[[object], str]:
    """Return the tag of a body: a mapping, or its short form."""
    return lambda data: "mapping" if isinstance(data, Mapping | Model) else other


class _Node(Model):
    name: str | None = Field(None, description="The node's name in its path; made if absent.")
    about: str | None = Field(None, description="What the node is for.")
    for_: LoopText | None = Field(
        None,
        alias="for",
        description="'agent in robots': one node for each, made at compile time.",
    )

    @property
    def modifiers(self) -> dict[str, Any]:
        """The modifiers that it has, with their values, from the outside in."""
        given = self.model_fields_set
        if given.isdisjoint(_MODIFIES):
            return {}
        found = {k: getattr(self, name) for name, k in _MODIFIES.items() if name in given}
        return {k: v for k, v in found.items() if v is not None and v is not False}


_ABOUT = "Keys of every node: a name for its path, a loop expanded at compile time, modifiers."


def _shared(kind: Any) -> Any:
    """The type of a modifier's field; of nodes, whose type is not there yet, its name."""
    return kind if isinstance(kind, str) else Annotated[kind, Shared()]


if TYPE_CHECKING:

    class NodeBase(_Node):
        """Keys of every node: a name for its path, a loop expanded at compile time, modifiers."""
else:
    NodeBase = create_model(
        "NodeBase",
        __base__=_Node,
        __module__=__name__,
        __doc__=_ABOUT,
        **{spec.attribute: (_shared(spec.type), spec.field) for spec in MODIFIERS.values()},
    )


def _only_unknown_keys(schema: dict[str, Any]) -> None:
    """Keep misspelt nodes from passing as nodes of another package in editors."""
    schema["additionalProperties"] = {"type": ["object", "null"]}
    schema["propertyNames"] = {"not": {"enum": list(registry().nodes)}}


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


# Types


_specs: dict[str, NodeSpec] = {}
_by_model: dict[type, NodeSpec] = {}
depends_on_extensions(_specs.clear)
depends_on_extensions(_by_model.clear)


def node_spec(key: str | None) -> NodeSpec | None:
    """The specification of a type of nodes; None if there is none that can be used."""
    try:
        return load_spec(key or "")
    except ExtensionError as error:
        registry().problem(error)
        return None


def load_spec(key: str) -> NodeSpec | None:
    """The specification of a type of nodes; None if there is none. Raises ExtensionError."""
    found = _specs.get(key)
    if found is None and (target := registry().nodes.get(key)) is not None:
        found = _specs[key] = _load(key, target)
        _by_model[found.model] = found
    return found


def _load(key: str, target: str) -> NodeSpec:
    tables = registry()
    spec = tables.load(target)
    problem = ""
    if not isinstance(spec, NodeSpec):
        raise ExtensionError(f"{tables.owner(target)}: {target} is not a treec.NodeSpec")
    if not (isinstance(spec.model, type) and issubclass(spec.model, NodeBase)):
        problem = "its model is not a treec.files.nodes.NodeBase"
    elif key not in {info.alias or name for name, info in spec.model.model_fields.items()}:
        problem = f"{spec.model.__name__} has no field '{key}'"
    elif spec.key != key:
        problem = f"its key is '{spec.key}', not '{key}'"
    if problem:
        raise ExtensionError(f"{tables.owner(target)}: {target}: {problem}")
    if not spec.model.__pydantic_complete__:
        spec.model.model_rebuild(_types_namespace={"Node": Node})  # its module need not know it
    return spec


def node_specs() -> Iterator[NodeSpec]:
    """All types of nodes that can be used; the registry is told of others."""
    return filter(None, map(node_spec, registry().nodes))


def spec_referring(kind: str) -> NodeSpec | None:
    """The type of nodes that run the files of a kind: `ask` for decisions.

    There is one; it is looked for among the types that files have needed before it is elsewhere.
    """
    needed = filter(None, (_specs.get(key) for key in registry().nodes))
    found = chain(needed, node_specs())
    return next((spec for spec in found if spec.refers == kind and kind), None)


def kind_of_nodes(spec: NodeSpec) -> str:
    """What nodes of a type are called in journals and pictures: their key, or what they ask."""
    kind = registry().kinds.get(spec.refers)
    return spec.key if kind is None or not kind.asks else kind.name


_KNOWN = frozenset((*MODIFIERS, *COMMON, "with", "then", "else", "children"))


def node_key(data: Mapping[str, Any]) -> str | None:
    """Return the type key of a mapping: a known type, else the first unknown key."""
    known = registry().nodes
    for key in data:
        if key in known:
            return key
    for key in data:
        if key not in _KNOWN:
            return key
    return None


def type_key(node: NodeBase) -> str | None:
    """Return the key that is a node's type; None if there is none."""
    spec = spec_of(node)
    return node_key(node.model_extra or {}) if spec is None else spec.key


def spec_of(node: object) -> NodeSpec | None:
    """The specification of a node; None for a list and a node class."""
    found = _by_model.get(type(node))
    if found is None and isinstance(node, NodeBase) and not isinstance(node, PythonNode):
        found = next((spec for spec in node_specs() if spec.model is type(node)), None)
    return found


def attribute_of(model: type[BaseModel], key: str) -> str:
    """The attribute of a model that has the value of a key: `if_` for `if`."""
    return next(name for name, info in model.model_fields.items() if (info.alias or name) == key)


# Children


@frozen
class ChildNode:
    """A node below another one: its place there, and what kind of place that is."""

    node: NodeBase | list[Any]
    loc: Loc
    in_list: bool = False
    """Whether it is in a list of nodes, where `for` may make several of it."""
    case: str = ""
    """Its key, if it is in a mapping of nodes."""
    modifier: ModifierSpec | None = None
    """The modifier whose value it is."""


@lru_cache(maxsize=512)
def keys_of(model: type[BaseModel]) -> tuple[tuple[str, str], ...]:
    """The fields of a model with their keys in a file."""
    return tuple((name, info.alias or name) for name, info in model.model_fields.items())


def child_nodes(node: NodeBase | list[Any]) -> Iterator[ChildNode]:
    """The nodes below a node, wherever its fields have them; those of modifiers last."""
    if isinstance(node, list):
        yield from _nodes_in(node, (), True)
        return
    for name, key in keys_of(type(node)):
        if name not in NodeBase.model_fields:
            yield from _nodes_in(getattr(node, name), (key,))
    for spec in MODIFIERS.values():
        value = getattr(node, spec.attribute)
        if isinstance(value, NodeBase | list):
            yield ChildNode(value, (spec.key,), modifier=spec)


def _nodes_in(value: object, loc: Loc, is_node: bool = False) -> Iterator[ChildNode]:
    match value:
        case NodeBase():
            yield ChildNode(value, loc)
        case BaseModel():
            for name, key in keys_of(type(value)):
                yield from _nodes_in(getattr(value, name), (*loc, key))
        case Mapping():
            for key, inner in value.items():
                for child in _nodes_in(inner, (*loc, key)):
                    yield ChildNode(child.node, child.loc, child.in_list, str(key))
        case list() if is_node or has_nodes(value):
            for index, inner in enumerate(value):
                yield ChildNode(inner, (*loc, index), in_list=True)


def has_nodes(value: object) -> bool:
    """Whether it is a node or a list of nodes, in which a list is a sequence."""
    if isinstance(value, list | tuple):
        return any(map(has_nodes, value))
    return isinstance(value, NodeBase)


# Validation


NODE = "node"
"""In a location of pydantic's: a mapping that is a node."""

NODES = {"description": "A node."}
"""In a schema of pydantic's: a placeholder that ``treec.files.schema`` replaces."""


class _NodeMapping:
    """In pydantic's union: a node, validated by the model of its type."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(_read_node)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(NODES)


def node_model(data: Mapping[str, Any]) -> type[NodeBase]:
    """The model that a mapping is validated by. Raises ExtensionError."""
    spec = load_spec(node_key(data) or "")
    return PythonNode if spec is None else spec.model


def _read_node(data: object) -> NodeBase:
    if isinstance(data, NodeBase):
        return data
    try:
        model = node_model(cast("Mapping[str, Any]", data))
    except ExtensionError as error:
        raise PydanticCustomError("extension", "{told}", {"told": str(error)}) from error
    return model.model_validate(data)


def _tag(data: object) -> str | None:
    if isinstance(data, list):
        return "list"
    return NODE if isinstance(data, Mapping | NodeBase) else None


if TYPE_CHECKING:
    Node: TypeAlias = "NodeBase | list[Node]"
else:
    Node = TypeAliasType(
        "Node",
        Annotated[
            Annotated[_NodeMapping, Tag(NODE)] | Annotated[list["Node"], Tag("list")],
            Discriminator(
                _tag,
                custom_error_type="node",
                custom_error_message="a node is a mapping such as {check: …} or a list of nodes",
            ),
        ],
    )
"""Any node, or a list of nodes, which is a sequence."""
