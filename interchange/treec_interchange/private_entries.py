"""Private entries of BehaviorTree.CPP's blackboard, ``{_x}``, as variables ``private_x``, and back.

No subtree takes a private entry over by its name. Names of treec's variables begin with a letter,
and no tree sees those of another, so that a variable is private by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from treec_interchange.xml_reader import XmlElement

PREFIX = "private_"

GUARDS = frozenset({"_skipIf", "_while", "_failureIf", "_successIf"})
"""Attributes that hold a condition."""

_EFFECTS = ("_post", "_onHalted", "_onSuccess", "_onFailure")
SCRIPTS = frozenset({"code", *GUARDS, *_EFFECTS})
"""Attributes of any element that hold a script."""

_ENTRY = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"'[^']*'|(?<![\w.])[A-Za-z_]\w*")


def guards_checked_once(element: XmlElement) -> set[str]:
    """The guards of an element's first child that BehaviorTree.CPP does not check again.

    These elements tick it anew without a reset, and a guard is checked as its node leaves IDLE.
    """
    is_if = element.tag == "IfThenElse" and len(element.children) == 2
    if not element.children or not (is_if or element.tag == "WhileDoElse"):
        return set()
    return element.children[0].attributes.keys() & GUARDS


def open_private(tree: XmlElement) -> Iterator[str]:
    """Give private entries of a tree names of treec's; yields those names, each once or more."""
    found: list[str] = []

    def rename(name: str) -> str:
        if not name.startswith("_"):
            return name
        found.append(PREFIX + name[1:])
        return found[-1]

    _rename(tree, rename)
    yield from found


def close_private(tree: XmlElement, variables: Collection[str]) -> None:
    """Make private entries again of a tree's variables that have such names."""
    private = {name for name in variables if re.fullmatch(PREFIX + r"\w+", name)}
    if private:
        _rename(tree, lambda name: f"_{name[len(PREFIX) :]}" if name in private else name)


def open_script(text: str) -> str:
    """Return a script in which private entries have names of treec's."""
    return _in_script(text, lambda name: PREFIX + name[1:] if name.startswith("_") else name)


def is_script(element: XmlElement, attribute: str) -> bool:
    """Whether an attribute holds a script."""
    return attribute in SCRIPTS or (attribute == "if" and element.tag == "Precondition")


def names_of(tree: XmlElement) -> set[str]:
    """All entries that a tree names, in references and in scripts."""
    found: set[str] = set()

    def note(name: str) -> str:
        found.add(name)
        return name

    _rename(tree, note)
    return found


def _in_script(text: str, new: Callable[[str], str]) -> str:
    return _NAME.sub(lambda match: match[0] if match[0][0] == "'" else new(match[0]), text)


def _rename(tree: XmlElement, new: Callable[[str], str]) -> None:
    for element in tree.walk():
        for key, text in element.attributes.items():
            if element is tree:
                continue
            if is_script(element, key):
                element.attributes[key] = _in_script(text, new)
            elif match := _ENTRY.fullmatch(text):
                element.attributes[key] = f"{{{new(match[1])}}}"
            elif key == "output_key" and re.fullmatch(r"\w+", text):
                element.attributes[key] = new(text)
