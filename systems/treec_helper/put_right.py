"""Programs that put right what a user finds wrong: "the plate is dirty". Rules, no model.

`faults` of words.yaml has what people say is wrong, and the steps against it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from treec_helper.mentions import ThingMention, mentions, words

_SENTENCE = re.compile(r"(?<=[a-z])[.!?;]\s+|\n")
_NAME = re.compile(r"[A-Z]?[a-z]+")


def put_right(said: str, kinds: Collection[str]) -> str | None:
    """A program for what is said to be wrong; None if these words say nothing of the kind.

    ``kinds`` are the household's classes.
    """
    program = _Program(kinds)
    for sentence in _SENTENCE.split(said):
        for fault in words()["faults"]:
            match = re.search(rf"\b(?:{fault['says']})", sentence.lower())
            if match is not None:
                before = mentions(sentence[: match.start()], kinds)
                after = mentions(sentence[match.start() :], kinds)
                program.add(fault, before, after)
                break
    return str(program) if program.lines else None


class _Program:
    """Lines for one fault after another; a class has one variable in all of them."""

    def __init__(self, kinds: Collection[str]) -> None:
        self.kinds = kinds
        self.lines: list[str] = []
        self._of: dict[str, str] = {}

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def add(
        self, fault: Mapping[str, object], before: list[ThingMention], after: list[ThingMention]
    ) -> None:
        """The steps against one fault of a thing; nothing if they need a thing that is not said."""
        steps = str(fault["steps"])
        thing = before[-1].kind if before else None
        place = next((one.kind for one in after if one.kind != thing), None)
        said = {"thing": thing, "whole": self._whole(thing), "place": place}
        needs = {name: kind for name, kind in said.items() if f"{{{name}}}" in steps}
        if any(kind not in self.kinds for kind in needs.values()):
            return
        named = {name: self._name(kind) for name, kind in needs.items()}
        others = {kind: self._name(kind) for kind in _constructed(steps)}
        for line in steps.splitlines():
            for name, variable in {**named, **others}.items():
                line = line.replace(f"{{{name}}}", variable)
            self.lines.append(line)

    def _whole(self, kind: str | None) -> str | None:
        if kind == "EggCracked":
            return "Egg"
        return None if kind is None else kind.removesuffix("Sliced")

    def _name(self, kind: str | None) -> str:
        """The variable of a class, made on first use; a piece is one of what was cut here."""
        assert kind is not None
        if kind not in self._of:
            name = "_".join(_NAME.findall(kind)).lower()
            self._of[kind] = name
            whole = self._whole(kind)
            of = ""
            if whole != kind and whole in self._of and f"{self._of[whole]}.slice()" in self.lines:
                of = f", parent_object = {self._of[whole]}"
            self.lines.append(f'{name} = InteractionObject("{kind}"{of})')
        return self._of[kind]


def _constructed(steps: str) -> Iterator[str]:
    """The classes that steps name themselves: {Cup}."""
    return (name for name in dict.fromkeys(re.findall(r"\{(\w+)\}", steps)) if name[0].isupper())
