"""Whether trees of BehaviorTree.CPP come back as they were: read, written again, and compared.

Compared are elements, their order, and attributes. The same are numbers of one value (``0.30`` and
``0.3``), scripts that set or check the same, ``<Action ID="X"/>`` and ``<X/>``, and ``_autoremap``
and the ports that it stands for. Comments and models of nodes are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from treec.files.library import Library, load_file
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.text import Span
from treec_interchange.attributes import decode_value
from treec_interchange.exporter import export_trees
from treec_interchange.importer import Imported
from treec_interchange.includes import ReadFile, read_files
from treec_interchange.private_entries import SCRIPTS, open_script
from treec_interchange.scripts import NoCounterpart, to_assignments, to_expression
from treec_interchange.tree_yaml import to_tree_file
from treec_interchange.vocabulary import GENERIC, kind_of
from treec_interchange.xml_reader import XmlElement, read_xml

CODE = "compare"
"""Stands in the place of a rule's code."""

_REMAPS = ("_autoremap", "__shared_blackboard")


def differences(
    done: Imported, data: bytes, path: str, read: ReadFile | None = None
) -> tuple[int, list[Diagnostic]]:
    """Compare a file that was imported with what its trees are written as.

    ``data``, ``path`` and ``read`` are what ``import_trees`` was given. Returns how many elements
    were compared, and what does not come back, at the elements of the file.
    """
    text = to_tree_file(done.trees)
    library = Library(Path("/nowhere"), edited={"t.tree.yaml": text})
    load_file(library, Path("/nowhere/t.tree.yaml"), "t.tree.yaml")
    view = View(library)
    back: dict[str, XmlElement] = {}
    for tree in done.trees:
        if tree["tree"] not in back and view.find("tree", tree["tree"]):
            written = export_trees(view, tree["tree"], "btcpp").text
            back |= {_name(one): one for one in _trees(read_xml(written.encode()))}
    count, found = 0, []
    for root in read_files(data, path, read).roots:
        for there in _trees(root):
            count += sum(1 for _ in there.walk()) - 1
            here = back.get(_name(there))
            if here is None:
                found.append(_finding(there, f"the tree '{_name(there)}' does not come back"))
            else:
                found += _compare(there, here)
    return count, sorted(found)


def _trees(root: XmlElement) -> list[XmlElement]:
    elements = [root] if root.tag == "BehaviorTree" else root.children
    return [one for one in elements if one.tag == "BehaviorTree"]


def _name(tree: XmlElement) -> str:
    return tree.attributes.get("ID", "main")


def _compare(there: XmlElement, here: XmlElement) -> Iterator[Diagnostic]:
    """What differs between an element of the file and what it comes back as."""
    if kind_of(there) != kind_of(here):
        yield _finding(there, f"<{kind_of(there)}> comes back as <{kind_of(here)}>")
        return
    old, new = _attributes(there), _attributes(here)
    if any(there.attributes.get(key) in ("true", "1") for key in _REMAPS):
        taken = {key for key, value in new.items() if value == f"${key}"}
        new = {key: value for key, value in new.items() if key in old or key not in taken}
        if taken or here.attributes.get("_autoremap") == "true":
            old = {key: value for key, value in old.items() if key not in _REMAPS}
            new.pop("_autoremap", None)
    for key in sorted(old.keys() | new.keys()):
        if key not in new:
            yield _finding(there, f'{key}="{there.attributes[key]}" does not come back')
        elif key not in old:
            yield _finding(there, f'{key}="{here.attributes[key]}" comes back in addition')
        elif old[key] != new[key]:
            a, b = there.attributes[key], here.attributes[key]
            yield _finding(there, f'{key}="{a}" comes back as "{b}"')
    if len(there.children) != len(here.children):
        counts = f"{len(there.children)} elements in it come back as {len(here.children)}"
        yield _finding(there, f"<{kind_of(there)}>: {counts}")
        return
    for one, other in zip(there.children, here.children, strict=True):
        yield from _compare(one, other)


def _attributes(element: XmlElement) -> dict[str, object]:
    """Attributes by what they mean."""
    left = ["_description"]  # with comments in it
    if element.tag in GENERIC or element.tag == "BehaviorTree":
        left.append("ID")
    return {
        key: _script(text) if key in SCRIPTS else _value(text)
        for key, text in element.attributes.items()
        if key not in left
    }


def _value(text: str) -> object:
    value = decode_value(text)
    return text if isinstance(value, bool) else value  # True is 1 in Python, and not here


def _script(text: str) -> object:
    """A script by what it does: spaces and brackets may be others."""
    for read in (to_expression, to_assignments):
        try:
            return repr(read(open_script(text)))
        except NoCounterpart:
            continue
    return text.strip()


def _finding(at: XmlElement, message: str) -> Diagnostic:
    span = Span(at.path, at.line, at.column, at.line, at.column + len(at.tag) + 1)
    return Diagnostic(CODE, "warning", span, message)
