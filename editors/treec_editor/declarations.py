"""The names that files declare: definitions, facts, things, ports, options, subtasks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treec.files.entry import AnyEntry
from treec.files.kinds import behaviours
from treec.source.text import Span
from treec.source.yaml import Mapping as MappingNode
from treec.source.yaml import Scalar, Sequence, YamlNode

OUTSIDE = {
    "domain": {"types": "type", "facts": "fact", "state": "state", "derived": "derived name"},
    "scene": {"objects": "thing"},
    "reading": {"acts": "kind of act"},
    "recipe": {"subtasks": "subtask"},
}
"""Keys whose mappings declare names that other files use, by the kind of file."""
INSIDE = {
    "tree": {"ports": "port", "vars": "variable"},
    "decision": {"options": "option"},
    "action": {"args": "argument"},
    "program": {"args": "argument", "functions": "function"},
    "judge": {"for": "argument", "sees": "name"},
    "task": {"args": "argument"},
    "skill": {"args": "argument"},
    "contract": {"each": "name"},
}
"""Those of names that only their own file uses."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A name, what it is, where it is declared, and what is said about it."""

    name: str
    what: str
    span: Span
    about: str
    path: str = ""
    """The file that alone uses it; empty if others do."""


def declarations(entry: AnyEntry) -> Iterator[Declaration]:
    """Return the names that an entry declares, its own first."""
    about = getattr(entry.model, "about", None) or ""
    yield Declaration(entry.name, entry.kind, entry.span(entry.kind), " ".join(about.split()))
    for table, path in ((OUTSIDE, ""), (INSIDE, entry.path)):
        for key, what in table.get(entry.kind, {}).items():
            node = entry.node.get(key)
            for name, value in named(node):
                yield Declaration(name.text, what, name.span, _about(value), path)


def find_declarations(
    entries: Iterator[AnyEntry] | list[AnyEntry], name: str, path: str
) -> list[Declaration]:
    """Return where a name may be declared, as it is used in a file: in that file, else anywhere."""
    own: list[Declaration] = []
    others: list[Declaration] = []
    behaviour: list[Declaration] = []
    for entry in entries:
        for one in declarations(entry):
            if one.name == name and one.path in ("", path):
                (own if one.path else others).append(one)
                behaviour += [one] if one.what in behaviours() else []
    if behaviour and all(one.what == "option" for one in own):
        return behaviour  # an option is the name of what it chooses
    return own or others


def meant(found: list[Declaration], word: Span, loc: tuple[str | int, ...]) -> list[Declaration]:
    """Return those of a name's declarations that a word at a place of a file means.

    That is what it declares there, or what the key says: `domain: warehouse` is no scene.
    """
    for one in found:
        if one.span == word and one.what != "option":
            return [one]
    for key in reversed([key for key in loc if isinstance(key, str)][-2:]):
        if same := [one for one in found if one.what == _KEYS.get(key, key.removesuffix("s"))]:
            return same
    return found


_KEYS = {"can": "task", "root": "tree"}
"""What keys name that do not say it."""


def named(node: YamlNode | None) -> Iterator[tuple[Scalar, YamlNode]]:
    """Return the names below a key: those of a mapping, or of a list of mappings or names."""
    if isinstance(node, MappingNode):
        yield from node.entries
    elif isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Scalar):
                yield item, item
            elif isinstance(item, MappingNode) and item.entries:
                yield item.entries[0]


def _about(node: YamlNode) -> str:
    """What is said about a name: its `about`, else how it is declared, on one line."""
    if isinstance(node, MappingNode):
        about = node.get("about")
        if isinstance(about, Scalar):
            return " ".join(about.text.split())
    text = " ".join(node.file.text[node.start : node.end].split())
    return text if len(text) <= _LONGEST else ""


_LONGEST = 120
