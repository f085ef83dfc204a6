"""The arguments under `with:` of a tree's node, and the names that values refer to by `$`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treec.files.entry import AnyEntry
from treec.files.fields import LoopHead
from treec.files.nodes import node_spec
from treec.files.view import View
from treec_editor.declarations import Declaration, declarations

Loc = Sequence[str | int]

_DECLARED = ("argument", "port")


def called_file(view: View, data: object, loc: Loc) -> AnyEntry | None:
    """The file whose arguments stand at a way into a file's data; None if none do."""
    if len(loc) < 2 or loc[-2] != "with":
        return None
    node = _below(data, loc[:-2])
    for key, name in node.items() if isinstance(node, dict) else ():
        spec = node_spec(str(key))
        if spec is not None and spec.refers and isinstance(name, str):
            return view.find(spec.refers, name)
    return None


def arguments(entry: AnyEntry) -> dict[str, Declaration]:
    """The arguments of a skill, program or action, and the ports of a tree, by name."""
    return {one.name: one for one in declarations(entry) if one.what in _DECLARED}


def argument_at(view: View, data: object, loc: Loc) -> tuple[AnyEntry, Declaration] | None:
    """The argument whose name is the last step of a way, and the file that has it."""
    entry = called_file(view, data, loc)
    found = None if entry is None else arguments(entry).get(str(loc[-1]))
    return None if entry is None or found is None else (entry, found)


def type_name(entry: AnyEntry, argument: Declaration) -> str:
    """The type of an argument in words: `Place`."""
    declared = {**getattr(entry.model, "args", {}), **getattr(entry.model, "ports", {})}
    found = declared.get(argument.name, "any")
    text = found if isinstance(found, str) else str(getattr(found, "type", found))
    return text.rpartition(" ")[2] if argument.what == "port" else text


def bound_names(view: View, path: str, data: object, loc: Loc) -> Iterator[tuple[str, str]]:
    """Names that a value may refer to by `$` at a way into a file, with what each is."""
    for entry in view.entries:
        if entry.path == path:
            for one in declarations(entry):
                if one.what in (*_DECLARED, "variable"):
                    yield one.name, one.what
    for depth in range(len(loc)):
        node = _below(data, loc[:depth])
        if not isinstance(node, dict):
            continue
        each, item = node.get("for"), node.get("item")
        if isinstance(each, str) and (loop := LoopHead.parse(each)).is_valid:
            yield loop.name, f"each of {loop.items}"
        if isinstance(item, str) and "in" in node:
            yield item, f"each of {node['in']}"


def _below(data: object, loc: Loc) -> object:
    for step in loc:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data
