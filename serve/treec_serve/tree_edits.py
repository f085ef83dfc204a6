"""Edits of a tree's file as the page gives them: a node beside, into or around another one.

A node is named by its place in the file, ``root/selector/0``. What an edit means for lists and for
keys that hold one node is decided here; the text itself is changed by :mod:`treec_editor.edits`,
which keeps all the rest to the byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any, Literal

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from treec.files.entry import AnyEntry
from treec.files.nodes import (
    ChildNode,
    NodeBase,
    attribute_of,
    child_nodes,
    node_key,
    spec_of,
    type_key,
)
from treec.render.from_files import node_detail, node_label
from treec.source.yaml import read_documents
from treec_editor.edits import CannotEdit, add, delete, move, set_key, unwrap, wrap
from treec_serve.new_nodes import around

Loc = tuple[str | int, ...]
Where = Literal["before", "after", "into"]
ONLY_ONE = "an edit of a file with several documents is made in an editor"


@dataclass(frozen=True, slots=True)
class FileNode:
    """A node as it stands in a file."""

    loc: Loc
    node: Any
    parent: int
    """The number of the node above it; -1: none."""
    edge: str
    in_list: bool
    list_loc: Loc | None
    """The list that nodes are put into, if there is one."""

    @property
    def id(self) -> str:
        """Its place in the file as one text."""
        return "/".join(map(str, self.loc))

    @property
    def kind(self) -> str:
        """Its type's key."""
        return "sequence" if isinstance(self.node, list) else type_key(self.node) or ""


def file_nodes(entry: AnyEntry) -> list[FileNode]:
    """The nodes of a tree's file, parents before children."""
    found: list[FileNode] = []

    def walk(child: ChildNode, loc: Loc, parent: int, edge: str) -> None:
        number, below = len(found), list(child_nodes(child.node))
        held = next((one.loc[:-1] for one in below if one.in_list and one.modifier is None), None)
        if isinstance(child.node, list):
            held = ()
        elif held is None:
            held = _empty_list(child.node)
        into = None if held is None else (*loc, *held)
        found.append(FileNode(loc, child.node, parent, edge, child.in_list, into))
        spec = spec_of(child.node)
        for one in below:
            place = ".".join(map(str, one.loc))
            words = "" if spec is None else spec.branches.get(place, one.case)
            if one.modifier is not None:
                words = one.modifier.key.replace("_", " ")
            walk(one, (*loc, *one.loc), number, words)

    walk(ChildNode(entry.model.root, ()), ("root",), -1, "")
    return found


def _empty_list(node: NodeBase) -> Loc | None:
    """Where a node that holds nodes but has none has its list."""
    spec = spec_of(node)
    if spec is None or spec.drawing.group != "control":
        return None
    value = getattr(node, attribute_of(type(node), spec.key))
    if isinstance(value, list):
        return (spec.key,)
    return (spec.key, "children") if isinstance(getattr(value, "children", None), list) else None


def node_data(nodes: list[FileNode]) -> list[dict[str, object]]:
    """The nodes as the page draws them."""
    return [
        {
            "id": one.id,
            "parent": one.parent,
            "kind": one.kind,
            "label": "sequence" if isinstance(one.node, list) else node_label(one.node, one.kind),
            "detail": "" if isinstance(one.node, list) else node_detail(one.node),
            "edge": one.edge,
            "fixed": one.parent < 0,
            "holds": one.list_loc is not None,
        }
        for one in nodes
    ]


def edited(text: str, nodes: list[FileNode], op: dict[str, Any]) -> tuple[str, str]:
    """A file's text with an edit of the page made, and the node that it is about then.

    Raises CannotEdit.
    """
    by_id = {one.id: one for one in nodes}

    def named(key: str) -> FileNode:
        found = by_id.get(str(op.get(key)))
        if found is None:
            raise CannotEdit("that node is no longer there: choose it anew")
        return found

    match op.get("op"):
        case "add":
            made = read_value(str(op.get("make", "")))
            if not isinstance(made, dict) or node_key(made) is None:
                raise CannotEdit("a node is a mapping with its type: {log: to do}")
            text, target, _ = _target(text, named("target"), str(op.get("where")), None)
            return add(text, target, made), _id(target)
        case "move":
            source = named("id")
            if source.parent < 0:
                raise CannotEdit("the root stays where it is: wrap it, or move its children")
            text, target, loc = _target(text, named("target"), str(op.get("where")), source.loc)
            assert loc is not None
            if loc in (target, _after_move(loc, target)):
                return text, _id(loc)
            return move(text, loc, target), _id(_after_move(loc, target))
        case "delete":
            if named("id").parent < 0:
                raise CannotEdit("a tree has a root: delete its file, or change the root")
            return delete(text, named("id").loc), nodes[named("id").parent].id
        case "wrap":
            kind = str(op.get("key", "sequence"))
            known = around()
            if kind not in known:
                raise CannotEdit(f"a node can be wrapped in: {', '.join(known)}")
            loc, new = named("id").loc, known[kind]
            return wrap(text, loc, new.keys, first=new.beside, listed=new.listed), _id(loc)
        case "unwrap":
            return _unwrapped(text, nodes, named("id")), named("id").id
        case "set":
            key, value = str(op.get("key", "")), str(op.get("value", ""))
            made = value.strip() if op.get("as_text") else read_value(value)
            made = made if value.strip() else None
            return _set(text, named("id"), key, made), named("id").id
    raise CannotEdit("unknown edit: add, move, delete, wrap, unwrap or set")


def _id(loc: Loc) -> str:
    return "/".join(map(str, loc))


def _after_move(source: Loc, target: Loc) -> Loc:
    """Where a node is that was moved before what stood at ``target``."""
    step = len(source) - 1
    if isinstance(source[-1], int) and target[:step] == source[:-1] and len(target) > step:
        there = target[step]
        if isinstance(there, int) and there > source[-1]:
            return (*target[:step], there - 1, *target[step + 1 :])
    return target


def _target(
    text: str, there: FileNode, where: str, source: Loc | None
) -> tuple[str, Loc, Loc | None]:
    """The text, the place in a list where something is put, and where its source then is.

    A node that is in no list gets a sequence around it first.
    """
    if where == "into":
        if there.list_loc is None:
            raise CannotEdit(f"{there.kind} holds no list of nodes: put it before or after")
        held = there.node if isinstance(there.node, list) else None
        count = sum(1 for one in child_nodes(there.node) if one.in_list and not one.modifier)
        return text, (*there.list_loc, len(held) if held is not None else count), source
    if where not in ("before", "after"):
        raise CannotEdit("a node is put before, after or into another one")
    beside = int(where == "after")
    if there.in_list:
        return text, (*there.loc[:-1], int(there.loc[-1]) + beside), source
    if there.list_loc == there.loc:  # a bare list: in front of all, or after them
        return text, (*there.loc, 0 if where == "before" else len(there.node)), source
    around: Loc = (*there.loc, "sequence")
    if source is not None and source[: len(there.loc)] == there.loc:
        source = (*around, 0, *source[len(there.loc) :])
    return wrap(text, there.loc, ("sequence",)), (*around, beside), source


def _unwrapped(text: str, nodes: list[FileNode], outer: FileNode) -> str:
    number = nodes.index(outer)
    below = [one for one in nodes if one.parent == number]
    if len(below) != 1:
        raise CannotEdit(
            f"{outer.kind} has {len(below)} nodes below it: only one can take its place"
        )
    return unwrap(text, outer.loc, below[0].loc[len(outer.loc) :])


def _set(text: str, there: FileNode, key: str, made: object) -> str:
    """Give a key, or a key of one (`with/agent`), a value; None takes it away."""
    *above, last = key.split("/")
    if not last or isinstance(there.node, list):
        raise CannotEdit("a list has no keys: wrap it in a sequence first")
    loc = (*there.loc, *above)
    if made is None:
        if above and len(_mapping(text, loc)) == 1:
            return delete(text, loc)
        return delete(text, (*loc, last))
    if above and not _has(text, loc):
        return set_key(text, loc[:-1], str(above[-1]), {last: made})
    return set_key(text, loc, last, made)


def _data(text: str, loc: Loc) -> Any:
    data = YAML(typ="safe").load(text)
    for step in loc:
        data = data[step]
    return data


def _has(text: str, loc: Loc) -> bool:
    try:
        return isinstance(_data(text, loc), dict)
    except (KeyError, IndexError, TypeError):
        return False


def _mapping(text: str, loc: Loc) -> dict[str, Any]:
    try:
        found = _data(text, loc)
    except (KeyError, IndexError, TypeError):
        found = None
    if not isinstance(found, dict):
        raise CannotEdit("there is no such key")
    return found


def read_value(text: str) -> Any:
    """A value as it is written in YAML; mappings and lists in brackets, all else is a text.

    Quotes count around the whole alone: ``phase == "lift"`` keeps its own.
    """
    lines = text.strip()
    try:
        value = YAML(typ="safe").load(text)
    except YAMLError:
        value = None
    is_whole = isinstance(value, dict | list) and lines[0] in "{["  # not "Note: then home"
    is_quoted = isinstance(value, str) and lines[0] in _QUOTES
    if is_whole or is_quoted or isinstance(value, bool | int | float):
        return value
    return f"{lines}\n" if "\n" in lines and text.endswith("\n") else lines


def write_value(value: object) -> str:
    """A value as somebody types it into a field: a text as it is, all else as YAML on a line."""
    if isinstance(value, str) and (value[:1] not in _QUOTES or read_value(value) == value):
        return value
    writer, out = YAML(), StringIO()
    writer.width = 10**9
    writer.default_flow_style = True
    writer.dump(value, out)
    return out.getvalue().removesuffix("\n").removesuffix("\n...")


_QUOTES = ("'", '"')


def one_document(entry: AnyEntry) -> bool:
    """Whether a file has this entry alone."""
    return len(read_documents(entry.file)[0]) == 1


def keys_of_node(node: NodeBase, data: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """The keys of a node that hold no nodes, those of `with` one by one."""
    held = {one.loc[0] for one in child_nodes(node)}
    for key, value in data.items():
        if key in held:
            continue
        if isinstance(value, dict) and key == "with":
            yield from ((f"{key}/{name}", inner) for name, inner in value.items())
        else:
            yield key, value
