"""The parts of a kind's JSON schema that hold at a place of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from treec.extensions import depends_on_extensions
from treec.files.kinds import MODELS
from treec.files.schema import schema_of

Part = Mapping[str, Any]


@lru_cache(maxsize=64)
def _schema(kind: str) -> Part:
    return schema_of(kind)


depends_on_extensions(_schema.cache_clear)


class SchemaWalk:
    """The schema of a kind, and the way to its parts. Raises KeyError for an unknown kind."""

    def __init__(self, kind: str) -> None:
        if kind not in MODELS:
            raise KeyError(kind)
        self._root = _schema(kind)

    def parts(self, data: object, loc: Sequence[str | int]) -> list[Part]:
        """Return the alternatives at a place; the data on the way there tells which hold."""
        here = self._fitting(self._expanded([self._root]), data)
        for step in loc:
            inside = self._expanded(part for one in here for part in _below(one, step))
            data = _data_below(data, step)
            here = self._fitting(inside, data)
        return here

    def _expanded(self, parts: Iterable[Part]) -> list[Part]:
        """Follow references, and take unions apart."""
        found: list[Part] = []
        todo = [*parts][::-1]
        seen: set[str] = set()
        while todo:
            part = todo.pop()
            about = part.get("description")
            below: list[Part] = []
            if "$ref" in part:
                name = str(part["$ref"]).rpartition("/")[2]
                if name in seen:
                    continue
                seen.add(name)
                target = self._root.get("definitions", {}).get(name, {})
                below = [{**target, "description": about} if about else target]
            elif "anyOf" in part:
                below = part["anyOf"]
            elif "allOf" in part:
                below = part["allOf"]
            else:
                found.append(part)
            todo.extend(below[::-1])
        return found

    def _fitting(self, parts: list[Part], data: object) -> list[Part]:
        """Of several kinds of mappings, those that have most of the keys that are there."""
        if not isinstance(data, Mapping) or not data:
            return parts
        keys = set(data)
        counts = [len(keys & set(part.get("properties", {}))) for part in parts]
        most = max(counts, default=0)
        return [part for part, count in zip(parts, counts, strict=True) if count == most]


def keys(parts: Iterable[Part]) -> Mapping[str, Part]:
    """Return the keys that a mapping may have, with what the schema says of each."""
    found: dict[str, Part] = {}
    for part in parts:
        for name, below in part.get("properties", {}).items():
            found.setdefault(name, below)
    return found


def choices(parts: Iterable[Part]) -> list[str]:
    """Return the values that a place may have, where they are few and known."""
    found: list[str] = []
    for part in parts:
        values = [*part.get("enum", ()), *([part["const"]] if "const" in part else [])]
        values += ["true", "false"] * (part.get("type") == "boolean")
        found += [str(value) for value in values if isinstance(value, str | int)]
    return list(dict.fromkeys(found))


def _below(part: Part, step: str | int) -> Iterator[Part]:
    if isinstance(step, int):
        items = part.get("items")
        if isinstance(items, Mapping):
            yield items
        return
    properties = part.get("properties", {})
    if step in properties:
        yield properties[step]
        return
    for rest in (part.get("additionalProperties"), *part.get("patternProperties", {}).values()):
        if isinstance(rest, Mapping):
            yield rest


def _data_below(data: object, step: str | int) -> object:
    if isinstance(data, Mapping):
        return data.get(step)
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return data[step]
    return None
