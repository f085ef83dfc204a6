"""What a new node of a type looks like, and what a node can be wrapped in: from its specification.

The keys that a type's model requires are filled: with the first of a field's ``examples``
(pydantic's), which a type whose keys allow few values gives, else with what fits its type. So a
stranger's type is offered as the engine's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, ForwardRef, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from treec.extensions import depends_on_extensions
from treec.files.fields import Field, LoopHead
from treec.files.node_spec import NodeSpec
from treec.files.nodes import NodeBase, node_specs

TO_DO: dict[str, object] = {"log": "to do"}
"""A node that is still to be written."""

_BY_KIND: dict[str, object] = {
    "expression": "true",
    "text": "to do",
    "type": "text",
    "import": "package.module:Name",
    "duration": "1s",
    "steps": "wait",
}
_BY_TYPE: dict[object, object] = {bool: True, int: 1, float: 1.0, LoopHead: "item in []"}
_BY_VALUE = {"Agent": "$agent", "Subtask": "$subtask", "number": 0, "text or none": "to do"}


class _Unknown(Exception):
    """No value of a type is known."""


@dataclass(frozen=True)
class Around:
    """A type of nodes around another one: the keys to it, and those beside the last of them."""

    keys: tuple[str, ...]
    beside: Mapping[str, object]
    listed: bool
    """Whether it is in a list there."""


@lru_cache(maxsize=256)
def _made(spec: NodeSpec) -> dict[str, Any] | None:
    try:
        made = _required(spec.model)
        spec.model.model_validate(made)
    except (_Unknown, ValidationError):
        return None
    return {spec.key: made.pop(spec.key), **made}


depends_on_extensions(_made.cache_clear)


def new_node(spec: NodeSpec) -> dict[str, Any] | None:
    """A node of a type with the keys that it needs; None if they cannot be told."""
    return _made(spec)


def around() -> dict[str, Around]:
    """What a node can be wrapped in, by the type's key; those with a list of nodes first."""
    found = {spec.key: _around(made) for spec in node_specs() if (made := new_node(spec))}
    known = {key: one for key, one in found.items() if one is not None}
    return dict(sorted(known.items(), key=lambda item: (not item[1].listed, item[0])))


def _around(made: Mapping[str, Any]) -> Around | None:
    """The way to the first node of a new one, if nothing but that way is beside its keys."""
    keys: list[str] = []
    here: Any = made
    while isinstance(here, Mapping):
        key = next((key for key, inner in here.items() if _leads(inner)), None)
        if key is None:
            return None
        inner, beside = here[key], {name: one for name, one in here.items() if name != key}
        keys.append(str(key))
        if inner in (TO_DO, [TO_DO]):
            return Around(tuple(keys), beside, isinstance(inner, list))
        if beside:
            return None
        here = inner
    return None


def _leads(value: object) -> bool:
    if isinstance(value, Mapping):
        return value == TO_DO or any(map(_leads, value.values()))
    return value == [TO_DO]


def _required(model: type[BaseModel]) -> dict[str, Any]:
    return {
        info.alias or name: _of_field(name, info)
        for name, info in model.model_fields.items()
        if info.is_required()
    }


def _of_field(name: str, info: FieldInfo) -> object:
    if info.examples:
        return info.examples[0]
    return _of_type(name, info.annotation, info.metadata)


def _of_type(name: str, kind: Any, metadata: Sequence[Any] = ()) -> object:
    """A value of a type, with what is said of it beside it. Raises _Unknown."""
    for one in reversed(metadata):
        if isinstance(one, FieldInfo) and one.examples:
            return one.examples[0]
        if isinstance(one, Field):
            value = _BY_VALUE.get(one.of, 0) if one.kind == "value" else _BY_KIND.get(one.kind)
            if value is not None:
                return value
    if _is_node(kind):
        return TO_DO
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _of_type(name, args[0], args[1:])
    if origin in (Union, UnionType):
        return next(_of_any(name, args))
    if origin is Literal:
        return args[0]
    if origin in (list, tuple):
        return [_of_type(name, args[0])] if args else []
    if origin in (dict, Mapping):
        return {"name": _of_type(name, args[1])} if args else {}
    if isinstance(kind, type) and issubclass(kind, NodeBase):
        return TO_DO
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _required(kind)
    if kind in (str, Any):
        return name.strip("_")
    if kind in _BY_TYPE:
        return _BY_TYPE[kind]
    raise _Unknown(name)


def _of_any(name: str, kinds: tuple[Any, ...]) -> Iterator[object]:
    """Values of a union, the short forms first."""
    later = []
    for kind in kinds:
        try:
            value = None if kind is NoneType else _of_type(name, kind)
        except _Unknown:
            continue
        if value is None or isinstance(value, Mapping):
            later.append(value)
        else:
            yield value
    yield from later
    raise _Unknown(name)


def _is_node(kind: Any) -> bool:
    name = kind.__forward_arg__ if isinstance(kind, ForwardRef) else getattr(kind, "__name__", "")
    return kind == "Node" or name == "Node"
