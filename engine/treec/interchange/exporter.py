"""Writes trees as XML that BehaviorTree.CPP 4 (and Groot) or py_trees read.

What they have no element for is written as an element of its own, ``Treec…``, and reported: it
needs a node of that name there. Reading the file gives the same trees back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from treec.files.entry import AnyEntry
from treec.files.nodes import MODIFIERS, NODE_MODELS, NodeBase, node_key
from treec.files.view import View
from treec.interchange.attributes import encode_text, encode_value
from treec.interchange.private_entries import close_private
from treec.interchange.scripts import from_assignments, to_script
from treec.interchange.vocabulary import (
    COMPOSITES,
    COUNTS,
    FLAGS,
    GENERIC,
    NODE,
    ON_SUCCESS,
    ORDER,
    PY_TREES_COUNTS,
    PY_TREES_FLAGS,
    REMAPS,
    element_of,
    is_own_type,
    is_xml_name,
)
from treec.interchange.xml_reader import XmlElement, write_xml
from treec.source.diagnostics import Diagnostic
from treec.source.values import is_reference

CODE = "export"
"""Stands in the place of a rule's code."""

Target = Literal["btcpp", "py_trees"]
Loc = tuple[str | int, ...]

_NAMES = {"btcpp": "BehaviorTree.CPP", "py_trees": "py_trees"}
_PORTS = {"in": "input_port", "out": "output_port", "inout": "inout_port"}
_MEMORY = {"sequence": "Sequence", "selector": "Selector"}
_CONDITIONS = ("_successIf", "_failureIf")
_OWN_WORDS = frozenset({"ID", "name", "type", "xmlns"})


@dataclass
class Exported:
    """The text of a file, and what has no counterpart in it."""

    text: str
    findings: list[Diagnostic] = field(default_factory=list)


class CannotExport(Exception):
    """There is no such tree."""


def export_trees(view: View, name: str, target: Target) -> Exported:
    """Write a tree and all that it inserts. Raises CannotExport."""
    entries: dict[str, AnyEntry] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop(0)
        entry = view.find("tree", one)
        if entry is None or one in entries:
            continue
        entries[one] = entry
        waiting += _inserted(node_data(entry.model.root))
    if name not in entries:
        raise CannotExport(f"there is no tree '{name}'")
    writer = _Writer(target)
    trees = [writer.tree(one, entry) for one, entry in entries.items()]
    root = XmlElement("root", {"main_tree_to_execute": encode_text(name)}, trees)
    if target == "btcpp":
        root.attributes = {"BTCPP_format": "4", **root.attributes}
    models = [_header(one, entry) for one, entry in entries.items()]
    root.children.append(XmlElement("TreeNodesModel", {}, [*models, *writer.models()]))
    return Exported(write_xml(root), writer.findings)


def node_data(node: object) -> Any:
    """Return a node as the data of a tree file: the keys that were written, in their order."""
    if isinstance(node, BaseModel):
        fields = type(node).model_fields
        written = {
            info.alias or name: node_data(getattr(node, name))
            for name, info in fields.items()
            if name in node.model_fields_set
        }
        return {**written, **{k: node_data(v) for k, v in (node.model_extra or {}).items()}}
    if isinstance(node, Mapping):
        return {key: node_data(value) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [node_data(one) for one in node]
    return node


def _inserted(data: Any) -> list[str]:
    """The names of the trees that a node inserts."""
    found: list[str] = []
    if isinstance(data, dict):
        if isinstance(data.get("tree"), str):
            found.append(data["tree"])
        for value in data.values():
            found += _inserted(value)
    elif isinstance(data, list):
        for value in data:
            found += _inserted(value)
    return found


def _header(name: str, entry: AnyEntry) -> XmlElement:
    """The model of a tree: its ports for others, its ports and variables for treec."""
    element = XmlElement("SubTree", {"ID": encode_text(name)})
    stored = XmlElement("MetadataFields", {}, [XmlElement("Metadata", {"treec": "1"})])
    for name, text in entry.model.ports.items():
        direction, _, kind = text.partition(" ")
        given = {"name": name, "type": encode_text(kind.strip())}
        element.children.append(XmlElement(_PORTS.get(direction, "inout_port"), given))
        stored.children.append(XmlElement("Metadata", {f"port.{name}": encode_text(text)}))
    for name, text in entry.model.vars.items():
        stored.children.append(XmlElement("Metadata", {f"var.{name}": encode_text(text)}))
    element.children.append(stored)
    return element


class _Writer:
    def __init__(self, target: Target) -> None:
        self._target = target
        self.findings: list[Diagnostic] = []
        self._models: dict[str, tuple[str, dict[str, None]]] = {}
        self._flags = {v: k for k, v in (FLAGS if target == "btcpp" else PY_TREES_FLAGS).items()}
        counts = COUNTS if target == "btcpp" else PY_TREES_COUNTS
        self._counts = {key: (tag, attribute) for tag, (key, attribute) in counts.items()}

    def models(self) -> list[XmlElement]:
        """The declarations of all elements that treec has added."""
        return [
            XmlElement(kind, {"ID": tag}, [XmlElement("inout_port", {"name": p}) for p in ports])
            for tag, (kind, ports) in self._models.items()
        ]

    def tree(self, name: str, entry: AnyEntry) -> XmlElement:
        """A tree file, under the name by which others insert it."""
        self._entry = entry
        root = self._node(node_data(entry.model.root), ("root",))
        if entry.model.then == "repeat":
            root = self._added("then", {}, [root], ("then",))
        given = {"ID": encode_text(name)}
        if entry.model.about is not None:
            given["_description"] = encode_text(entry.model.about)
        tree = XmlElement("BehaviorTree", given, [root])
        if self._target == "btcpp":
            close_private(tree, entry.model.vars)
        return tree

    def _added(
        self, key: str, attributes: dict[str, str], children: list[XmlElement], loc: Loc
    ) -> XmlElement:
        """An element of treec's own."""
        self._report(loc, f"'{key}' has no counterpart in {_NAMES[self._target]}", element_of(key))
        return self._declared(XmlElement(element_of(key), attributes, children))

    def _declared(self, element: XmlElement) -> XmlElement:
        kinds = {0: "Action", 1: "Decorator"}
        kind = kinds.get(len(element.children), "Control")
        old, ports = self._models.get(element.tag, (kind, {}))
        names = [key for key in element.attributes if key != "name" and not key.startswith("_")]
        self._models[element.tag] = (
            "Control" if old != kind else kind,
            {**ports, **dict.fromkeys(names)},
        )
        return element

    def _report(self, loc: Loc, message: str, tag: str) -> None:
        span = self._entry.span(*loc, key=True)
        help = f"it is written as <{tag}>, which needs a node of that name there"
        self.findings.append(Diagnostic(CODE, "warning", span, message, help))

    def _node(self, data: Any, loc: Loc) -> XmlElement:
        """A node with its modifiers, from the inside out."""
        if isinstance(data, list):
            return self._on_success(data, loc) or self._composite("sequence", data, loc)
        element = self._inner(data, loc) or self._core(data, loc)
        if data.get("name") is not None:
            element.attributes["name"] = encode_text(str(data["name"]))
        if data.get("about") is not None:
            element.attributes["_description"] = encode_text(str(data["about"]))
        for key in reversed(MODIFIERS):
            if data.get(key) not in (None, False):
                element = self._modified(key, data, element, loc)
        if data.get("for") is not None:
            element = self._added("for", {"value": encode_value(data["for"])}, [element], loc)
        return element

    def _inner(self, data: Mapping[str, Any], loc: Loc) -> XmlElement | None:
        """The only child of a sequence that but lets modifiers stand in another order."""
        children = data.get("sequence")
        if data.get("name") is not None or data.get("about") is not None or not children:
            return None
        place = (*loc, "sequence")
        if len(children) > 1:
            return self._on_success(children, place)
        if not isinstance(children[0], dict):
            return None
        around = [ORDER[key] for key in data if key in ORDER and data[key] not in (None, False)]
        child = children[0]
        within = [ORDER[key] for key in child if key in ORDER and child[key] not in (None, False)]
        if not around or not within or min(within) > max(around):
            return None
        return self._node(child, (*place, 0))

    def _on_success(self, children: Sequence[Any], loc: Loc) -> XmlElement | None:
        """The first of two nodes, with the second as its script; None if that is none."""
        if self._target != "btcpp" or len(children) != 2:
            return None
        script = _script(children[1], ON_SUCCESS)
        if script is None:
            return None
        element = self._node(children[0], (*loc, 0))
        if ON_SUCCESS in element.attributes:
            return XmlElement("Sequence", {}, [element, self._node(children[1], (*loc, 1))])
        element.attributes[ON_SUCCESS] = script
        return element

    def _modified(
        self, key: str, data: Mapping[str, Any], element: XmlElement, loc: Loc
    ) -> XmlElement:
        value = data[key]
        below = (*loc, key)
        if key in self._flags:
            return XmlElement(self._flags[key], {}, [element])
        if key in self._counts and (value >= 0 or self._target == "btcpp"):
            tag, attribute = self._counts[key]
            return XmlElement(tag, {attribute: encode_value(value)}, [element])
        if key == "timeout" and self._target == "py_trees":
            return XmlElement("Timeout", {"duration": repr(float(value))}, [element])
        if key == "timeout" and (msec := _milliseconds(value)) is not None:
            return XmlElement("Timeout", {"msec": msec}, [element])
        if key == "once" and self._target == "btcpp":
            return XmlElement("RunOnce", {"then_skip": "false"}, [element])
        if key == "on_failure":
            script = _script(value) if self._target == "btcpp" else None
            others = ("_onFailure", ON_SUCCESS, "_successIf")
            if script is not None and element.attributes.keys().isdisjoint(others):
                element.attributes["_onFailure"] = script
                return element
            return self._added(key, {}, [element, self._node(value, below)], below)
        attribute = {"skip_if": "_successIf", "fail_if": "_failureIf"}.get(key, "")
        other = data.get("fail_if" if key == "skip_if" else "skip_if")
        if attribute and self._target == "btcpp" and other is None and data.get("for") is None:
            script = to_script(str(value))
            taken = {*_CONDITIONS, ON_SUCCESS, *(("_onFailure",) if key == "fail_if" else ())}
            if script is not None and element.attributes.keys().isdisjoint(taken):
                element.attributes[attribute] = script
                return element
        return self._added(key, {"value": encode_value(value)}, [element], below)

    def _children(self, nodes: Sequence[Any], loc: Loc) -> list[XmlElement]:
        return [self._node(node, (*loc, index)) for index, node in enumerate(nodes)]

    def _composite(self, key: str, nodes: Sequence[Any], loc: Loc) -> XmlElement:
        children = self._children(nodes, loc)
        if self._target == "btcpp":
            tag = next(tag for tag, own in COMPOSITES.items() if own == key)
            return XmlElement(tag, {}, children)
        tag = _MEMORY.get(key.removeprefix("reactive_"), "")
        if not tag:
            return self._added(key, {}, children, loc)
        memory = "false" if key.startswith("reactive_") else "true"
        return XmlElement(tag, {"memory": memory}, children)

    def _core(self, data: Mapping[str, Any], loc: Loc) -> XmlElement:
        key = node_key(data) or ""
        value: Any = data.get(key)
        if key in COMPOSITES.values():
            return self._composite(key, value or [], (*loc, key))
        match key:
            case "parallel":
                return self._parallel(value, loc)
            case "switch":
                return self._switch(value, loc)
            case "if":
                branches = [self._node(data["then"], (*loc, "then"))]
                if data.get("else") is not None:
                    branches.append(self._node(data["else"], (*loc, "else")))
                return self._added(key, {"condition": encode_value(value)}, branches, (*loc, key))
            case "for_each":
                given = {"item": encode_text(value["item"]), "in": encode_value(value["in"])}
                child = self._node(value["do"], (*loc, key, "do"))
                return self._added(key, given, [child], (*loc, key))
            case "tree":
                return self._subtree(data)
            case "check":
                return self._check(str(value), loc)
            case "wait" if self._target == "btcpp" and not isinstance(value, dict):
                if (msec := _milliseconds(value)) is not None:
                    return XmlElement("Sleep", {"msec": msec})
            case "set" if self._target == "btcpp":
                script = from_assignments(value)
                if script is not None:
                    return XmlElement("Script", {"code": encode_text(script)})
        if key in NODE_MODELS:
            return self._leaf(key, data, loc)
        return self._class_node(key, data, loc)

    def _parallel(self, value: Any, loc: Loc) -> XmlElement:
        body = value if isinstance(value, dict) else {"children": value}
        place = (*loc, "parallel", *(("children",) if isinstance(value, dict) else ()))
        children = self._children(body["children"], place)
        if body.get("until") == "never":
            return self._added("parallel_never", {}, children, (*loc, "parallel"))
        success, failure = body.get("success"), body.get("failure")
        both = {"success": success, "failure": failure}
        given = {k: encode_value(v) for k, v in both.items() if v is not None}
        if self._target == "btcpp":
            return XmlElement("Parallel", {f"{k}_count": v for k, v in given.items()}, children)
        policy = {1: "success_on_one", -1: "success_on_all"}.get(-1 if success is None else success)
        if policy is not None and failure in (1, None):
            return XmlElement("Parallel", {"policy": policy}, children)
        return self._added("parallel", given, children, (*loc, "parallel"))

    def _switch(self, body: Mapping[str, Any], loc: Loc) -> XmlElement:
        cases: Mapping[str, Any] = body["cases"]
        place = (*loc, "switch")
        children = [self._node(child, (*place, "cases", one)) for one, child in cases.items()]
        default = body.get("default")
        if default is not None:
            children.append(self._node(default, (*place, "default")))
        of = str(body["of"])
        fits = 2 <= len(cases) <= 6 and is_reference(f"${of}") and "." not in of
        if self._target == "btcpp" and default is not None and fits:
            given = {f"case_{n + 1}": encode_text(str(one)) for n, one in enumerate(cases)}
            given = {"variable": f"{{{of}}}", **given}
            return XmlElement(f"Switch{len(cases)}", given, children)
        given = {"of": encode_value(of), "cases": encode_value([str(one) for one in cases])}
        return self._added("switch", given, children, place)

    def _subtree(self, data: Mapping[str, Any]) -> XmlElement:
        wired = dict(data.get("with") or {})
        given = {"ID": encode_text(str(data["tree"]))}
        if self._target == "btcpp" and wired.get(REMAPS) is True:
            given[REMAPS] = encode_value(wired.pop(REMAPS))
        more = {k: wired.pop(k) for k in list(wired) if not _is_attribute(k)}
        given |= {name: encode_value(value) for name, value in wired.items()}
        if more:
            given["_with"] = encode_value(more)
        return XmlElement("SubTree", given)

    def _check(self, text: str, loc: Loc) -> XmlElement:
        if self._target == "btcpp":
            if text in ("true", "false"):
                return XmlElement("AlwaysSuccess" if text == "true" else "AlwaysFailure")
            script = to_script(text)
            if script is not None:
                return XmlElement("ScriptCondition", {"code": script})
        return self._added("check", {"check": encode_value(text)}, [], (*loc, "check"))

    def _leaf(self, key: str, data: Mapping[str, Any], loc: Loc) -> XmlElement:
        """A node of treec or of an extension, by its fields."""
        fields = NODE_MODELS[key].model_fields
        common = {info.alias or name for name, info in NodeBase.model_fields.items()}
        own = {info.alias or name for name, info in fields.items()} - common
        given: dict[str, str] = {}
        for name, value in data.items():
            if name in common:
                continue
            inner = name in ("with", key) and isinstance(value, Mapping)
            fits = inner and all(_is_attribute(one) and one not in own | common for one in value)
            if fits and (name == "with" or "with" not in data) and value:
                given |= {one: encode_value(part) for one, part in value.items()}
            else:
                given[name] = encode_value(value)
        return self._added(key, given, [], (*loc, key))

    def _class_node(self, key: str, data: Mapping[str, Any], loc: Loc) -> XmlElement:
        ports = dict(data.get(key) or {})
        children = self._children(data.get("children") or [], (*loc, "children"))
        plain = is_xml_name(key) and is_own_type(key) and key not in GENERIC
        element = XmlElement(key if plain else NODE, {} if plain else {"type": encode_text(key)})
        more = {k: ports.pop(k) for k in list(ports) if not _is_attribute(k)}
        element.attributes |= {name: encode_value(value) for name, value in ports.items()}
        if more:
            element.attributes["_ports"] = encode_value(more)
        element.children = children
        if self._target == "btcpp" or not plain:
            return self._declared(element)
        return element


def _script(data: Any, name: str | None = None) -> str | None:
    """The script of a node that but sets values and has that name; None if it is another."""
    keys = {"set"} if name is None else {"set", "name"}
    if not isinstance(data, dict) or data.keys() != keys or data.get("name") != name:
        return None
    script = from_assignments(data["set"])
    return None if not script else encode_text(script)


def _milliseconds(seconds: Any) -> str | None:
    """A time in whole milliseconds; None if it is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    msec = round(seconds * 1000)
    return str(msec) if msec / 1000 == seconds else None


def _is_attribute(name: str) -> bool:
    return is_xml_name(name) and name not in _OWN_WORDS and not name.startswith("_")
