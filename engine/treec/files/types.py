"""Types as they are written in files: parsing, coercion, misfits and JSON Schemas.

A type is text such as ``text``, ``Item``, ``list of Subtask`` or ``Agent or none``: a
:class:`Named`, a :class:`ListOf` or a :class:`OneOf`; equal types are one object.

- :func:`parse_type` parses it, ``str`` prints it (``parse_type(str(kind)) == kind``);
- :func:`coerce` converts plain data to a value of it, or returns why not; :func:`misfit` returns
  only why not, :func:`misfits` for each part of the data;
- :func:`json_schema` is the schema sent to a model: it accepts exactly what ``coerce`` accepts;
- :class:`TypeTree` holds the names that a domain declares, which form a tree by ``is``: whether
  one type fits where another is expected, and whether values of two types can be equal.

:class:`Names` resolves names, which stand for different things in files, programs and runs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Self, cast

from treec.frozen import frozen
from treec.source.diagnostics import suggestion
from treec.source.objects import name_of

PLAIN = ("text", "number", "integer", "bool", "any", "mapping")
"""Plain types, whose values are data."""

TEAM = ("Agent", "Robot", "Person", "Subtask", "Proposal", "Task", "Recipe", "Act", "Utterance")
"""Built-in types, from ``treec.team``, that every domain has."""

TEAM_PARENTS = {"Robot": "Agent", "Person": "Agent"}

MADE_WHILE_RUNNING = ("Subtask", "Proposal", "Act", "Utterance")
"""Types whose values are created during a run, so that files cannot list them."""

_NO_THINGS = frozenset({*PLAIN, *MADE_WHILE_RUNNING, "Task", "Recipe", "Acts", "none"})
_COMPARABLE = frozenset({"number", "integer", "bool"})
_JSON = {"text": "string", "bool": "boolean", "number": "number", "integer": "integer"}
_JSON |= {"none": "null", "mapping": "object"}


class _Unique:
    """A type of some parts. Equal types are one object, so that they are compared by identity."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def __new__(cls, of: Any) -> Self:
        made = _made.get((cls, of))
        if made is None:
            new = super().__new__(cls)
            setattr(new, cls.__match_args__[0], of)
            made = _made.setdefault((cls, of), new)
        return cast(Self, made)

    def __reduce__(self) -> tuple[type[Self], tuple[object]]:
        return type(self), (getattr(self, self.__match_args__[0]),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({getattr(self, self.__match_args__[0])!r})"


_made: dict[tuple[type[_Unique], object], _Unique] = {}


class Named(_Unique):
    """A plain type, a built-in type or one that the domain declares."""

    __match_args__ = __slots__ = ("name",)
    name: str

    def __str__(self) -> str:
        return self.name


class ListOf(_Unique):
    """``list of T``."""

    __match_args__ = __slots__ = ("item",)
    item: Type

    def __str__(self) -> str:
        return f"list of ({self.item})" if isinstance(self.item, OneOf) else f"list of {self.item}"


class OneOf(_Unique):
    """``A or B``."""

    __match_args__ = __slots__ = ("options",)
    options: tuple[Type, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.options))


Type = Named | ListOf | OneOf


def own_values(name: str) -> Named:
    """Return the type of the texts that one name can have: of state, a fact, or a team's name."""
    return Named(f"value of {name}")


NONE = Named("none")
ANY = Named("any")
TEXT = Named("text")
BOOL = Named("bool")
NUMBER = Named("number")
INTEGER = Named("integer")
MAPPING = Named("mapping")


# Reading types

_TOKEN = re.compile(r"[()]|[^\s()]+")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@lru_cache(maxsize=1024)
def parse_type(text: str) -> Type:
    """Parse a type. Raises ValueError with a help text."""
    words = _TOKEN.findall(text)
    if not words:
        raise ValueError("a type is missing: text, number, Item, list of Item, Agent or none")
    found = _parse_options(words, text)
    if words:
        raise _no_type(text)
    return found


def _parse_options(words: list[str], whole: str) -> Type:
    """Parse one type from the front of ``words``."""
    found = [_parse_part(words, whole)]
    while words[:1] == ["or"]:
        del words[0]
        found.append(_parse_part(words, whole))
    return found[0] if len(found) == 1 else OneOf(tuple(found))


def _parse_part(words: list[str], whole: str) -> Type:
    if words[:2] == ["list", "of"]:
        del words[:2]
        if words[:1] != ["("]:
            return ListOf(_parse_part(words, whole))
        del words[0]
        item = _parse_options(words, whole)
        if words[:1] == [")"]:
            del words[0]
            return ListOf(item)
    elif words and words[0] != "or" and _WORD.fullmatch(words[0]):
        return Named(words.pop(0))
    raise _no_type(whole)


def _no_type(whole: str) -> ValueError:
    return ValueError(f"{whole!r} is not a type: write text, Item, list of Item, Agent or none")


def read_type(text: object) -> Type:
    """Parse a type in a file; a mapping of types is ``mapping``, an invalid type ``any``."""
    if not isinstance(text, str):
        return MAPPING if isinstance(text, Mapping) else ANY
    try:
        return parse_type(text)
    except ValueError:  # reported by TC208
        return ANY


def annotation_type(annotation: str) -> Type:
    """Convert a Python annotation of a registered function to a type.

    ``list[Subtask]``, ``Agent | None``, ``str``, ``bool``, ``float``, ``Mapping[…]`` and the
    built-in names.
    """
    text = annotation.strip()
    if "|" in text:
        return OneOf(tuple(annotation_type(part) for part in text.split("|")))
    match = re.fullmatch(r"(?:list|tuple|Sequence)\[(.+?)(?:, *\.\.\.)?\]", text)
    if match:
        return ListOf(annotation_type(match.group(1)))
    plain = {"str": "text", "float": "number", "int": "integer", "object": "any", "None": "none"}
    if text.startswith("Mapping["):
        return MAPPING
    return Named(plain.get(text, text))


# Taking types apart, and putting them together


def type_names(type_: Type) -> Iterator[str]:
    """Yield the names in a type."""
    match type_:
        case Named(name):
            yield name
        case ListOf(item):
            yield from type_names(item)
        case OneOf(options_):
            for option in options_:
                yield from type_names(option)


def options(type_: Type) -> Iterator[Type]:
    """Return the alternatives of a type: of ``Agent or none``, both."""
    if isinstance(type_, OneOf):
        for option in type_.options:
            yield from options(option)
    else:
        yield type_


def union(*types: Type | None) -> Type:
    """Return the union of types; ``any`` if there are none."""
    found: dict[Type, None] = {}
    for type_ in types:
        if isinstance(type_, OneOf):
            found.update(dict.fromkeys(options(type_)))
        elif type_ is not None:
            found[type_] = None
    if not found or ANY in found:
        return ANY
    return next(iter(found)) if len(found) == 1 else OneOf(tuple(found))


def without_none(type_: Type) -> Type:
    """Return ``Agent`` of ``Agent or none``."""
    if not isinstance(type_, OneOf):
        return type_
    rest = [option for option in options(type_) if option != NONE]
    return union(*rest) if rest else type_


def type_of(value: object) -> Type | None:
    """Return the type of plain data; None for anything else."""
    match value:
        case None:
            return NONE
        case bool():
            return BOOL
        case int():
            return INTEGER
        case float():
            return NUMBER
        case str():
            return TEXT
        case Mapping():
            return MAPPING
        case list() | tuple():
            items = [type_of(item) for item in value]
            return ListOf(ANY if None in items or not items else union(*items))
    return None


def a(type_: Type) -> str:
    """Return a type with its article: ``an Agent``, ``a list of Subtask``, ``none``."""
    if isinstance(type_, OneOf):
        return " or ".join(map(a, type_.options))
    text = str(type_)
    special = {"none": "none", "any": "anything", "bool": "true or false", "Acts": "acts"}
    if text in special:
        return special[text]
    return f"an {text}" if text[:1].lower() in "aeiou" else f"a {text}"


class TypeTree:
    """The types of a domain, and their inheritance."""

    def __init__(self, declared: Mapping[str, str | None]) -> None:
        self.parents: dict[str, str | None] = dict.fromkeys((*PLAIN, *TEAM, "none"))
        self.parents.update(TEAM_PARENTS)
        self.parents.update(declared)
        self._fitting: tuple[Mapping[str, Type], dict[Type, tuple[str, ...]]] = ({}, {})
        self._lines: dict[str, tuple[str, ...]] = {}
        self._fits: dict[tuple[Type, Type], bool] = {}
        self._equals: dict[tuple[Type, Type], bool] = {}

    def fitting(self, things: Mapping[str, Type], kind: Type) -> tuple[str, ...]:
        """Return the names of the things of a type; kept for the last things that were given."""
        if self._fitting[0] is not things:
            self._fitting = (things, {})
        found = self._fitting[1]
        if kind not in found:
            of = {own for own in set(things.values()) if self.fits(own, kind)}
            found[kind] = tuple(name for name, own in things.items() if own in of)
        return found[kind]

    def has(self, name: str) -> bool:
        """Whether a type of this name exists."""
        return name in self.parents

    @property
    def names(self) -> tuple[str, ...]:
        """All names, for suggestions."""
        return tuple(self.parents)

    def line(self, name: str) -> tuple[str, ...]:
        """Return a type and its ancestors, each once."""
        line = self._lines.get(name)
        if line is None:
            above: dict[str, None] = {}
            current: str | None = name
            while current is not None and current not in above:
                above[current] = None
                current = self.parents.get(current)
            line = self._lines[name] = tuple(above)
        return line

    def is_a(self, name: str, ancestor: str) -> bool:
        """Whether the type called ``name`` is, or descends from, ``ancestor``."""
        return ancestor in self.line(name)

    def is_thing(self, type_: Type) -> bool:
        """Whether a type's values are things of the scene or agents."""
        return (
            isinstance(type_, Named)
            and self.has(type_.name)
            and _NO_THINGS.isdisjoint(self.line(type_.name))
        )

    def fits(self, given: Type, expected: Type) -> bool:
        """Whether every value of type ``given`` is valid where ``expected`` is expected."""
        fits = self._fits.get((given, expected))
        if fits is None:
            fits = self._fits[given, expected] = self._fit(given, expected)
        return fits

    def _fit(self, given: Type, expected: Type) -> bool:
        if expected == ANY or given == ANY:
            return True
        if isinstance(given, OneOf):
            return all(self.fits(option, expected) for option in given.options)
        if isinstance(expected, OneOf):
            return any(self.fits(given, option) for option in expected.options)
        if isinstance(given, ListOf) or isinstance(expected, ListOf):
            return (
                isinstance(given, ListOf)
                and isinstance(expected, ListOf)
                and self.fits(given.item, expected.item)
            )
        if (given.name, expected.name) == ("integer", "number"):
            return True
        if not self.has(expected.name) or not all(map(self.has, self.line(given.name))):
            return True  # an unknown type is reported where it is written
        return self.is_a(given.name, expected.name)

    def can_be_equal(self, one: Type, other: Type) -> bool:
        """Whether values of two types may be equal; entities equal their names.

        Everything may be none, where it is compared with that alone.
        """
        equal = self._equals.get((one, other))
        if equal is None:
            pairs = [(x, y) for x in options(one) for y in options(other)]
            if len(pairs) > 1:
                pairs = [(x, y) for x, y in pairs if (x == NONE) == (y == NONE) or ANY in (x, y)]
            equal = any(self._equal(x, y) for x, y in pairs)
            self._equals[one, other] = equal
        return equal

    def could_be(self, given: Type, expected: Type) -> bool:
        """Whether a value of one type can be of another; false only if that is certain.

        A text may be the name of a thing; of an optional type, only the other alternatives count.
        """
        if given == NONE and NONE in options(expected):
            return True
        given, expected = without_none(given), without_none(expected)
        kinds = {kind.name for kind in (given, expected) if isinstance(kind, Named)}
        if "bool" in kinds and kinds & {"number", "integer"}:  # they can be equal, as 1 and true
            return False
        return self.can_be_equal(given, expected)

    def _equal(self, one: Type, other: Type) -> bool:
        if ANY in (one, other) or NONE in (one, other):
            return True
        if not isinstance(one, Named) or not isinstance(other, Named):
            return (
                isinstance(one, ListOf)
                and isinstance(other, ListOf)
                and self.can_be_equal(one.item, other.item)
            )
        if not self.has(one.name) or not self.has(other.name):
            return True
        if self.fits(one, other) or self.fits(other, one):
            return True
        names = {one.name, other.name}
        if names & _COMPARABLE:
            return names <= _COMPARABLE
        if names & {"mapping", "Acts"}:
            return False
        return self.is_a(one.name, "text") or self.is_a(other.name, "text")


# Values

Loc = tuple[str | int, ...]


@frozen
class Misfit:
    """Why a value is not of a type, and how to correct it.

    ``loc`` is the path from the data to the wrong part; with ``key``, to that mapping's key.
    """

    message: str
    help: str | None = None
    loc: Loc = ()
    key: bool = False

    def __str__(self) -> str:
        return f"{self.message} ({self.help})" if self.help else self.message


class Names:
    """Resolves names of things, tasks, recipes and what a run has made.

    In this class names stand for themselves, as in files and programs; in a run they stand for
    entities (``treec.team``).
    """

    types: TypeTree
    things: Mapping[str, Type]
    """Objects of the scene and agents, with their types."""
    things_whole: bool = True
    """Whether ``things`` is complete; if not, an unknown name may be valid."""

    def listed_names(self, kind: str) -> Collection[str] | None:
        """Return the names of all values of a type other than things; None if unknown."""
        return None

    def all_names(self, kind: str) -> Collection[str] | None:
        """Names of all values of a type; None if unknown, so that any text may be one."""
        found = self.listed_names(kind)
        if found is None and self.things_whole and self.types.is_thing(Named(kind)):
            found = self.things_of(Named(kind))
        return found

    def things_of(self, kind: Type) -> tuple[str, ...]:
        """Return the names of the things of a type."""
        return self.types.fitting(self.things, kind)

    def entity(self, kind: str, value: object) -> object | None:
        """Return the value of a type that a name, or an entity, stands for, or None."""
        name = value if isinstance(value, str) else name_of(value)
        if name is None:
            return None
        if self.types.is_thing(Named(kind)):
            own = self.things.get(name)
            if own is not None:
                return value if self.types.fits(own, Named(kind)) else None
            if self.things_whole and self.listed_names(kind) is None:
                return None
        known = self.all_names(kind)
        return value if known is None or name in known else None

    def fields(self, kind: Type) -> Mapping[str, Type] | None:
        """Return the fields if an entity may be written as a mapping of them, else None."""
        return None


class Mismatch:
    """Raised inside :func:`coerce` when a value is not of a type."""


_UNFIT: Final = Mismatch()


def coerce(kind: Type, value: object, names: Names, *, shorthand: bool = False) -> object | Misfit:
    """Convert plain data to a value of a type; return a Misfit if that is impossible.

    Lists become tuples, 1.0 an integer, names what they stand for. With ``shorthand``, one item
    stands for a list of it, a number for its text, the word none for none.
    """
    found = _coerce(kind, value, names, shorthand)
    if found is _UNFIT:
        return next(_misfits(kind, value, names, shorthand, ()))
    return found


def misfit(kind: Type, value: object, names: Names, *, shorthand: bool = False) -> Misfit | None:
    """Return why plain data is not of a type; None exactly if :func:`coerce` returns a value."""
    return next(misfits(kind, value, names, shorthand=shorthand), None)


def misfits(
    kind: Type, value: object, names: Names, loc: Loc = (), *, shorthand: bool = False
) -> Iterator[Misfit]:
    """Yield everything in plain data that is not of a type, each with its path."""
    if _coerce(kind, value, names, shorthand) is _UNFIT:
        yield from _misfits(kind, value, names, shorthand, loc)


def _coerce(kind: Type, value: object, names: Names, shorthand: bool) -> object | Mismatch:
    if isinstance(kind, OneOf):
        if shorthand and value == "none" and NONE in options(kind):
            return None
        found = (_coerce(option, value, names, shorthand) for option in kind.options)
        return next((one for one in found if one is not _UNFIT), _UNFIT)
    if isinstance(kind, ListOf):
        if not isinstance(value, list | tuple):
            if not shorthand or value is None or isinstance(value, Mapping):
                return _UNFIT
            value = (value,)
        items = tuple(_coerce(kind.item, item, names, shorthand) for item in value)
        return _UNFIT if any(item is _UNFIT for item in items) else items
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind.name:
        case "any":
            return value
        case "none":
            return None if value is None else _UNFIT
        case "text":
            if shorthand and is_number:
                return str(value)
            return value if isinstance(value, str) else _UNFIT
        case "bool":
            return value if isinstance(value, bool) else _UNFIT
        case "integer":
            if isinstance(value, float) and value.is_integer():
                return int(value)
            return value if is_number and isinstance(value, int) else _UNFIT
        case "number":
            return value if is_number else _UNFIT
        case "mapping":
            return value if isinstance(value, Mapping) else _UNFIT
    if not names.types.has(kind.name):
        return value  # an unknown type is reported where it is written
    if isinstance(value, Mapping):
        fields = names.fields(kind)
        if fields is not None and any(
            key not in fields or _coerce(fields[key], item, names, shorthand) is _UNFIT
            for key, item in value.items()
        ):
            return _UNFIT
    entity = names.entity(kind.name, value)
    return _UNFIT if entity is None else entity


def _misfits(
    kind: Type, value: object, names: Names, shorthand: bool, loc: Loc
) -> Iterator[Misfit]:
    """Explain why a value is not of a type, part by part."""
    parts: list[tuple[str | int, Type, object]] = []
    found: list[Misfit] = []
    if isinstance(value, list | tuple):
        lists = [option for option in options(kind) if isinstance(option, ListOf)]
        if len(lists) == 1:
            parts = [(index, lists[0].item, item) for index, item in enumerate(value)]
    elif isinstance(value, Mapping):
        fields: dict[str, Type] = {}
        for option in options(kind):
            fields.update(names.fields(option) or {})
        for key, item in value.items():
            if key in fields:
                parts.append((key, fields[key], item))
            elif fields:
                help = suggestion(str(key), fields, "its fields")
                message = f"unknown field '{key}' of {a(kind)}"
                found.append(Misfit(message, help, (*loc, key), key=True))
    elif shorthand and isinstance(kind, ListOf) and value is not None:
        kind = kind.item
    for key, inner, item in parts:
        if _coerce(inner, item, names, shorthand) is _UNFIT:
            found += _misfits(inner, item, names, shorthand, (*loc, key))
    yield from found or [_why(without_none(kind) if value is not None else kind, value, names, loc)]


def _why(kind: Type, value: object, names: Names, loc: Loc) -> Misfit:
    """Return the misfit of one value, with the nearest name or a list of names as its help."""
    kinds = [option for option in options(kind) if isinstance(option, Named)]
    if isinstance(value, str) and any(map(names.types.is_thing, kinds)):
        own = names.things.get(value)
        if own is not None:
            return Misfit(f"'{value}' is {a(own)}, but {a(kind)} is expected here", None, loc)
        known = {name: None for one in kinds for name in names.all_names(one.name) or ()}
        help = suggestion(value, known)
        return Misfit(f"'{value}' is not {a(kind)} of the scene", help, loc)
    if isinstance(value, str) and len(kinds) == 1:
        name, listed_ = kinds[0].name, names.listed_names(kinds[0].name)
        if listed_ is not None and name in TEAM:
            word = name.lower()
            help = suggestion(value, listed_, f"{word}s")
            return Misfit(f"unknown {word} '{value}'", help, loc)
        if listed_ is not None:
            return Misfit(f"'{value}' is not {a(kind)}", suggestion(value, listed_, "one of"), loc)
    if isinstance(value, Mapping) and kinds:
        return Misfit(f"a mapping is not {a(kind)}", None, loc)
    example = "write a number" if kind in (NUMBER, INTEGER) else None
    if isinstance(kind, ListOf):
        example = "write a list: [a, b]"
    return Misfit(f"{_describe(value)} is not {a(kind)}", example, loc)


def _describe(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "a list"
    return "a mapping" if isinstance(value, Mapping) else f"'{value}'"


def json_schema(kind: Type, names: Names | None = None) -> dict[str, object]:
    """Return the JSON Schema of a type's values in answers, where entities are names.

    With ``names``, known names are listed; without, any text is valid.
    """
    if isinstance(kind, ListOf):
        return {"type": "array", "items": json_schema(kind.item, names)}
    if isinstance(kind, OneOf):
        return {"anyOf": [json_schema(option, names) for option in kind.options]}
    if kind.name == "any" or (names is not None and not names.types.has(kind.name)):
        return {}
    schema: dict[str, object] = {"type": _JSON.get(kind.name, "string")}
    if names is not None and kind.name not in _JSON:
        known = names.all_names(kind.name)
        if known is not None:
            schema["enum"] = list(known)
    return schema
