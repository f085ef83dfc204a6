"""The answers that a schema admits, made finite in the open.

A text that is free is one text, a number one of few, a list has few items: what was left out so is
told as a note. All else, every option and every name that a schema lists, is tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WORDS = "…"
"""What stands for any text that a model may write."""

MOST = 4096
"""Answers to one question; what has more is cut, and nothing is proved then."""


class Answers:
    """Enumerates answers; ``notes`` says what stands for more than itself."""

    def __init__(self, items: int, most: int = MOST) -> None:
        self.items = items
        self.most = most
        self.notes: set[str] = set()
        self.was_cut = False

    def all(self, schema: Mapping[str, Any], texts: Sequence[str] = ()) -> list[Any]:
        """The answers that a schema admits; ``texts`` are those that a quote may be."""
        self._texts = tuple(texts)
        found = list(itertools.islice(self._values(schema, ""), self.most + 1))
        if len(found) > self.most:
            self.was_cut = True
            self.notes.add(f"of some question only the first {self.most:,} answers")
            found.pop()
        return found

    def _values(self, schema: Mapping[str, Any], name: str) -> Iterator[Any]:
        if "const" in schema:
            yield schema["const"]
        elif "enum" in schema:
            yield from schema["enum"]
        elif "anyOf" in schema:
            seen: list[Any] = []
            for one in schema["anyOf"]:
                for value in self._values(one, name):
                    if value not in seen:
                        seen.append(value)
                        yield value
        else:
            kinds = schema.get("type", "string")
            for kind in [kinds] if isinstance(kinds, str) else kinds:
                yield from self._of_kind(kind, schema, name)

    def _of_kind(self, kind: str, schema: Mapping[str, Any], name: str) -> Iterator[Any]:
        match kind:
            case "null":
                yield None
            case "boolean":
                yield from (False, True)
            case "integer" | "number":
                self.notes.add(f"'{name}' is 0 or 1 in answers, for any number")
                yield from (0, 1)
            case "string":
                yield from self._strings(name)
            case "array":
                yield from self._lists(schema, name)
            case "object":
                yield from self._objects(schema)

    def _strings(self, name: str) -> Iterator[str]:
        if name == "quote" and self._texts:
            yield from self._texts
            return
        if name != "reasoning":
            self.notes.add(f"'{name}' is one text in answers, for any")
        yield WORDS

    def _lists(self, schema: Mapping[str, Any], name: str) -> Iterator[list[Any]]:
        items = schema.get("items", {})
        if name == "claims":  # what is said changes nothing: one claim stands for all
            self.notes.add("one claim stands for all that a model may say")
            yield from ([one] for one in itertools.islice(self._values(items, name), 1))
            return
        if not schema.get("minItems"):
            yield []
        most = min(self.items, schema.get("maxItems", self.items))
        options = list(itertools.islice(self._values(items, name), self.most))
        if schema.get("maxItems", most + 1) > most:
            self.notes.add(f"lists in answers have at most {most} item{'s' * (most != 1)}")
        for length in range(1, most + 1):
            yield from map(list, itertools.product(options, repeat=length))

    def _objects(self, schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        properties: Mapping[str, Any] = schema.get("properties") or {}
        required = schema.get("required") or ()
        names = list(properties)
        choices: list[list[Any]] = []
        for name in names:
            values = list(itertools.islice(self._values(properties[name], name), self.most))
            choices.append(values if name in required else [_ABSENT, *values])
        for chosen in itertools.product(*choices):
            pairs = zip(names, chosen, strict=True)
            yield {name: value for name, value in pairs if value is not _ABSENT}


_ABSENT = object()
