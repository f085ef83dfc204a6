"""Interfaces of interfaces: of packages that are installed, else of files of interfaces.

A definition is what stands in a `.msg`, `.srv` or `.action` file: fields, a line each, in sections
that `---` separates. Only texts are read here; nothing of ROS is imported.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from treec.files.types import ANY, BOOL, INTEGER, NUMBER, TEXT, ListOf, Named, Type
from treec.files.view import View
from treec.frozen import frozen

SECTIONS = {
    "msg": ("message",),
    "srv": ("request", "response"),
    "action": ("goal", "result", "feedback"),
}
"""What a kind of interface consists of."""

WORDS = {"msg": "a message", "srv": "a service", "action": "an action"}
_LINE = re.compile(r"(?P<type>[A-Za-z][\w/]*)(?:<=\d+)?(?P<array>\[(?:<=)?\d*\])?\s+(?P<rest>\S.*)")
_REST = re.compile(r"(?P<name>[A-Za-z]\w*)\s*(?P<constant>=(?!=))?")
_NAME = re.compile(r"(?P<package>[a-z]\w*)/(?P<kind>msg|srv|action)/(?P<name>[A-Z]\w*)")
_PLAIN: Mapping[str, Type] = {
    "bool": BOOL,
    **dict.fromkeys(("float32", "float64"), NUMBER),
    **dict.fromkeys(("string", "wstring"), TEXT),
    **dict.fromkeys(("byte", "char"), INTEGER),
    **{f"{sign}int{size}": INTEGER for sign in ("", "u") for size in (8, 16, 32, 64)},
}


class InvalidDefinition(Exception):
    """A line of a definition is none."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"'{text}' is not a field: write a type and a name, such as 'float64 x'")
        self.line = line


@frozen
class MessageField:
    """A field of a message: its ROS type, whether it is a list, whether it is a constant."""

    name: str
    type: str
    is_list: bool = False
    is_constant: bool = False


Section = Mapping[str, MessageField]


def split_name(name: str) -> tuple[str, str, str] | None:
    """Return package, kind and name of a type such as `nav2_msgs/action/NavigateToPose`."""
    match = _NAME.fullmatch(name)
    return None if match is None else (match["package"], match["kind"], match["name"])


def parse(text: str, name: str) -> tuple[Section, ...]:
    """Parse the definition of a type. Raises InvalidDefinition."""
    package = name.partition("/")[0]
    sections: list[dict[str, MessageField]] = [{}]
    for number, line in enumerate(text.splitlines()):
        line = line.split("#")[0].strip()
        if line == "---":
            sections.append({})
        elif line:
            field = _field(number, line, package)
            sections[-1][field.name] = field
    return tuple(sections)


def _field(number: int, line: str, package: str) -> MessageField:
    match = _LINE.fullmatch(line)
    rest = None if match is None else _REST.match(match["rest"])
    if match is None or rest is None:
        raise InvalidDefinition(number, line)
    type_ = match["type"]
    if type_ not in _PLAIN:
        *of, own = type_.split("/")
        if type_ in ("time", "duration"):
            of, own = ["builtin_interfaces"], type_.capitalize()
        of = of if len(of) == 2 else [*(of or [package]), "msg"]
        type_ = "/".join((*of, own))
    return MessageField(
        rest["name"], type_, match["array"] is not None, rest["constant"] is not None
    )


@cache
def installed(name: str) -> str | None:
    """Return the definition of a type of an installed package."""
    parts = split_name(name)
    if parts is None:
        return None
    package, kind, own = parts
    for share in _shares():
        file = share / package / kind / f"{own}.{kind}"
        if file.is_file():
            return file.read_text("utf-8")
    return None


def _shares() -> Iterator[Path]:
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    for prefix in dict.fromkeys((*filter(None, prefixes), sys.prefix)):
        yield Path(prefix) / "share"


class Interfaces:
    """The definitions that a view knows: installed ones, and those of its files."""

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = own
        self._parsed: dict[str, tuple[Section, ...] | None] = {}

    @classmethod
    def of(cls, view: View) -> Interfaces:
        """Return the definitions of a view."""
        key = (cls, tuple(view.all("interfaces")))
        if key not in view.library.results:
            files = view.all("interfaces").values()
            own = {name: text for entry in files for name, text in entry.model.types.items()}
            view.library.results[key] = cls(own)
        found = view.library.results[key]
        assert isinstance(found, cls)
        return found

    def sections(self, name: str) -> tuple[Section, ...] | None:
        """Return the sections of a type; None if nothing defines it."""
        if name not in self._parsed:
            text = installed(name) or self._own.get(name)
            try:
                self._parsed[name] = None if text is None else parse(text, name)
            except InvalidDefinition:  # reported in its file
                self._parsed[name] = None
        return self._parsed[name]

    def section(self, name: str, part: str) -> Section | None:
        """Return a part of a type: the goal of an action."""
        parts = split_name(name)
        sections = self.sections(name)
        if parts is None or sections is None or part not in SECTIONS[parts[1]]:
            return None
        index = SECTIONS[parts[1]].index(part)
        return sections[index] if index < len(sections) else {}

    def known(self, kind: str) -> list[str]:
        """Return the names of all types of a kind."""
        found = {name for name in self._own if f"/{kind}/" in name}
        for share in _shares():
            for file in share.glob(f"*/{kind}/*.{kind}"):
                found.add(f"{file.parent.parent.name}/{kind}/{file.stem}")
        return sorted(found)

    def type_of(self, field: MessageField) -> Type:
        """Return the type of a field's value in expressions."""
        item = _PLAIN.get(field.type)
        if item is None:
            item = ANY if self.sections(field.type) is None else Named(field.type)
        return ListOf(item) if field.is_list else item

    def records(self, types: Mapping[str, str]) -> dict[str, Mapping[str, Type]]:
        """Return the fields of parts of types (`result of …` → …), and of all that is in them."""
        found: dict[str, Mapping[str, Type]] = {}
        todo = [(name, section) for name, section in self._parts(types)]
        while todo:
            name, section = todo.pop()
            found[name] = {field.name: self.type_of(field) for field in section.values()}
            for field in section.values():
                inner = None if field.type in found else self.sections(field.type)
                if inner is not None:
                    todo.append((field.type, inner[0]))
        return found

    def _parts(self, types: Mapping[str, str]) -> Iterator[tuple[str, Section]]:
        for record, name in types.items():
            section = self.section(name, record.partition(" of ")[0])
            if section is not None:
                yield record, section
