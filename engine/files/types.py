"""Types as people write them in files: ``text``, ``Item``, ``list of Subtask``, ``Agent or none``.

A type is one of :class:`Named`, :class:`ListOf`, :class:`OneOf` or :data:`NONE`. The names a
domain declares form a tree by ``is``; :class:`TypeTree` answers whether one type fits another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

PLAIN = ("text", "number", "integer", "bool", "any", "mapping")
"""Types that are values themselves."""

TEAM = ("Agent", "Robot", "Person", "Subtask", "Proposal", "Task", "Recipe", "Act", "Utterance")
"""Types that ``treec.team`` brings to every domain."""

TEAM_PARENTS = {"Robot": "Agent", "Person": "Agent"}

_WORD = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Named:
    """A plain type, a team type or one that the domain declares."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ListOf:
    """``list of T``."""

    item: Type

    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """``A or B``."""

    options: tuple[Type, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.options))


Type = Named | ListOf | OneOf

NONE = Named("none")
ANY = Named("any")
TEXT = Named("text")
BOOL = Named("bool")
NUMBER = Named("number")


def parse_type(text: str) -> Type:
    """Read a type. Raises ValueError that says what would be right."""
    words = text.split()
    if not words:
        raise ValueError("a type is missing: text, number, Item, list of Item, Agent or none")
    options: list[Type] = []
    part: list[str] = []
    for word in [*words, "or"]:
        if word != "or":
            part.append(word)
            continue
        options.append(_parse_part(part, text))
        part = []
    return options[0] if len(options) == 1 else OneOf(tuple(options))


def _parse_part(words: list[str], whole: str) -> Type:
    if len(words) >= 3 and words[:2] == ["list", "of"]:
        return ListOf(_parse_part(words[2:], whole))
    if len(words) != 1 or not _WORD.fullmatch(words[0]):
        raise ValueError(f"{whole!r} is not a type: write text, Item, list of Item, Agent or none")
    return Named(words[0])


def named(type_: Type) -> Iterator[str]:
    """The names a type mentions."""
    match type_:
        case Named(name):
            yield name
        case ListOf(item):
            yield from named(item)
        case OneOf(options):
            for option in options:
                yield from named(option)


class TypeTree:
    """The types a domain knows, and which is which."""

    def __init__(self, declared: Mapping[str, str | None]) -> None:
        self.parents: dict[str, str | None] = dict.fromkeys((*PLAIN, *TEAM, "none"))
        self.parents.update(TEAM_PARENTS)
        self.parents.update(declared)

    def known(self, name: str) -> bool:
        """Whether a type of this name exists."""
        return name in self.parents

    @property
    def names(self) -> tuple[str, ...]:
        """All names, for suggestions."""
        return tuple(self.parents)

    def is_a(self, name: str, ancestor: str) -> bool:
        """Whether the type called ``name`` is, or descends from, ``ancestor``."""
        seen: set[str] = set()
        current: str | None = name
        while current is not None and current not in seen:
            if current == ancestor:
                return True
            seen.add(current)
            current = self.parents.get(current)
        return False

    def fits(self, given: Type, wanted: Type) -> bool:
        """Whether every value of type ``given`` may stand where ``wanted`` is asked for."""
        if wanted == ANY or given == ANY:
            return True
        if isinstance(given, OneOf):
            return all(self.fits(option, wanted) for option in given.options)
        if isinstance(wanted, OneOf):
            return any(self.fits(given, option) for option in wanted.options)
        if isinstance(given, ListOf) or isinstance(wanted, ListOf):
            return (
                isinstance(given, ListOf)
                and isinstance(wanted, ListOf)
                and self.fits(given.item, wanted.item)
            )
        if (given.name, wanted.name) == ("integer", "number"):
            return True
        if not self.known(wanted.name) or self._strange(given.name):
            return True  # that the type does not exist is said where it stands
        return self.is_a(given.name, wanted.name)

    def _strange(self, name: str) -> bool:
        """Whether a type, or one that it descends from, does not exist."""
        seen: set[str] = set()
        current: str | None = name
        while current is not None and current not in seen:
            if current not in self.parents:
                return True
            seen.add(current)
            current = self.parents[current]
        return False


def annotation_type(annotation: str) -> Type:
    """A Python annotation of a registered function as one of our types.

    ``list[Subtask]``, ``Agent | None``, ``str``, ``bool``, ``float`` and the team's names.
    """
    text = annotation.strip()
    if "|" in text:
        return OneOf(tuple(annotation_type(part) for part in text.split("|")))
    match = re.fullmatch(r"(?:list|tuple|Sequence)\[(.+?)(?:, *\.\.\.)?\]", text)
    if match:
        return ListOf(annotation_type(match.group(1)))
    plain = {"str": "text", "float": "number", "int": "integer", "object": "any", "None": "none"}
    return Named(plain.get(text, text))
