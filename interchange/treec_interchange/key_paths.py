"""Ways to keys of a node's data, as a specification writes them: ``for_each.item``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from treec.files.node_spec import Data, Loc


def value_at(data: Mapping[str, Any], path: str) -> Any:
    """The value at a way; None if there is none."""
    here: Any = data
    for key in path.split("."):
        here = here.get(key) if isinstance(here, Mapping) else None
    return here


def put_at(data: Data, path: str, value: object) -> None:
    """Put a value at a way."""
    *outer, last = path.split(".")
    for key in outer:
        data = data.setdefault(key, {})
    data[last] = value


def nodes_at(data: Mapping[str, Any], path: str, is_list: bool) -> Iterator[tuple[Any, Loc]]:
    """The nodes at a way, each with its place: one, or those of a list."""
    found, loc = value_at(data, path), tuple(path.split("."))
    if is_list:
        for index, node in enumerate(found or ()):
            yield node, (*loc, index)
    elif found is not None:
        yield found, loc


def is_list_at(model: type[BaseModel], path: str) -> bool:
    """Whether there is a list of nodes at a way, and not one node, which may be a list."""
    annotation: Any = model
    for key in path.split("."):
        inner = [part for part in _parts(annotation) if _has(part, key)]
        fields = inner[0].model_fields if inner else {}
        annotation = next((i.annotation for n, i in fields.items() if (i.alias or n) == key), None)
    return any(get_origin(part) is list for part in _parts(annotation))


def _parts(annotation: Any) -> Iterator[Any]:
    """A type and the alternatives in it."""
    yield annotation
    if get_origin(annotation) is not list:
        for part in get_args(annotation):
            yield from _parts(part)


def _has(part: Any, key: str) -> bool:
    is_model = isinstance(part, type) and issubclass(part, BaseModel)
    return is_model and any((i.alias or n) == key for n, i in part.model_fields.items())
