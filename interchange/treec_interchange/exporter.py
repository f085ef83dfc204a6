"""Writes trees as XML that BehaviorTree.CPP 4 (and Groot) or py_trees read.

What they have no element for is written as an element of its own, ``Treec…``, and reported: it
needs a node of that name there. Reading the file gives the same trees back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.fields import LoopHead
from treec.files.node_spec import Data, Loc, ModifierSpec, NodeSpec, Target, XmlText
from treec.files.nodes import MODIFIERS, NodeBase, node_key, node_spec
from treec.files.view import View
from treec.nodes.control.sequence import OPTIONS
from treec.source.diagnostics import Diagnostic
from treec.source.values import computed
from treec_interchange.attributes import decode_value, encode_text, encode_value
from treec_interchange.key_paths import is_list_at, nodes_at, value_at
from treec_interchange.private_entries import SCRIPTS, close_private, guards_checked_once
from treec_interchange.queues import write_loop
from treec_interchange.scripts import from_assignments, to_assignments, to_script
from treec_interchange.vocabulary import (
    CONDITIONS,
    ENDS,
    GENERIC,
    NODE,
    ORDER,
    POST,
    PREFIX,
    REMAPS,
    WRAPPER,
    can_be_named,
    element_of,
    is_named_alone,
    is_own_type,
    is_xml_name,
)
from treec_interchange.xml_reader import XmlElement, write_xml

CODE = "export"
"""Stands in the place of a rule's code."""

_NAMES = {"btcpp": "BehaviorTree.CPP", "py_trees": "py_trees"}
_PORTS = {"in": "input_port", "out": "output_port", "inout": "inout_port"}
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
        raise CannotExport(f"unknown tree '{name}'")
    writer = _Writer(target)
    written = {one: writer.tree(one, entry) for one, entry in entries.items()}
    trees = list(written.values())
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
    if isinstance(node, LoopHead):
        return str(node)
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
        whole = encode_text(_with_default(entry, name, text))
        stored.children.append(XmlElement("Metadata", {f"port.{name}": whole}))
    for name, text in entry.model.vars.items():
        whole = encode_text(_with_default(entry, name, text))
        stored.children.append(XmlElement("Metadata", {f"var.{name}": whole}))
    element.children.append(stored)
    return element


def _with_default(entry: AnyEntry, name: str, text: str) -> str:
    default = entry.model.defaults.get(name)
    return text if default is None else f"{text} = {default}"


class _Writer:
    def __init__(self, target: Target) -> None:
        self.target = target
        self.findings: list[Diagnostic] = []
        self._models: dict[str, tuple[str, dict[str, None]]] = {}
        self._types: dict[str, str] | None = None
        """Those of the variables and ports of the tree, for BehaviorTree.CPP."""

    def models(self) -> list[XmlElement]:
        """The declarations of all elements that treec has added."""
        return [
            XmlElement(kind, {"ID": tag}, [XmlElement("inout_port", {"name": p}) for p in ports])
            for tag, (kind, ports) in self._models.items()
        ]

    def tree(self, name: str, entry: AnyEntry) -> XmlElement:
        """A tree file, under the name by which others insert it."""
        self._entry = entry
        if self.target == "btcpp":
            ports = {name: text.partition(" ")[2] for name, text in entry.model.ports.items()}
            self._types = {**ports, **entry.model.vars}
        root = self.node(node_data(entry.model.root), ("root",))
        if entry.model.then == "repeat":
            root = self.added("then", {}, [root], ("then",))
        given = {"ID": encode_text(name)}
        if entry.model.about is not None:
            given["_description"] = encode_text(entry.model.about)
        tree = XmlElement("BehaviorTree", given, [root])
        if self.target == "btcpp":
            close_private(tree, entry.model.vars)
        return tree

    def added(
        self, key: str, attributes: Mapping[str, object], children: list[XmlElement], loc: Loc
    ) -> XmlElement:
        """An element of treec's own, which is reported."""
        self._report(loc, f"'{key}' has no counterpart in {_NAMES[self.target]}", element_of(key))
        return self._declared(XmlElement(element_of(key), encoded(attributes), children))

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

    def _report_computed(self, values: Mapping[str, object], loc: Loc) -> None:
        help = (
            "it is written as a text; a variable that a 'set' before it computes is written as such"
        )
        for one in computed(values):
            span = self._entry.span(*loc, *one.loc)
            message = f"'= {one.text}' has no counterpart in {_NAMES[self.target]}"
            self.findings.append(Diagnostic(CODE, "warning", span, message, help))

    def node(self, data: Any, loc: Loc) -> XmlElement:
        """A node with its modifiers, from the inside out."""
        if isinstance(data, list):
            return self._core({"sequence": data}, loc, inside=loc)
        words = {"name": data.get("name"), "_description": data.get("about")}
        given = {key: encode_text(str(text)) for key, text in words.items() if text is not None}
        element = self._inner(data, loc)
        if element is None:
            element = self._core(data, loc)
            element.attributes |= given
            given = {}
        for key, spec in reversed(MODIFIERS.items()):
            if _has(data, key):
                element = self._modified(spec, data, element, loc)
                element.attributes |= given
                given = {}
        if _has(data, "for"):
            element = self.added("for", {"value": data["for"]}, [element], loc)
            element.attributes |= given
        return element

    def _inner(self, data: Mapping[str, Any], loc: Loc) -> XmlElement | None:
        """The node of a sequence that but lets modifiers stand in another order, or have a name."""
        children = data.get("sequence")
        if not children or not data.keys().isdisjoint(OPTIONS):
            return None
        named = data.get("name") is not None or data.get("about") is not None
        place = (*loc, "sequence")
        if len(children) > 1:
            return None
        around = [key for key in ORDER if _has(data, key)]
        if not around:
            return None
        child = children[0]
        if named:
            return self.node(child, (*place, 0)) if can_be_named(around[-1]) else None
        if not isinstance(child, dict):
            return None
        within = [ORDER[key] for key in ORDER if _has(child, key)]
        alone = is_named_alone(child) and can_be_named(around[-1])
        if not alone and (not within or min(within) > ORDER[around[-1]]):
            return None
        return self.node(child, (*place, 0))

    def _modified(
        self, spec: ModifierSpec, data: Mapping[str, Any], element: XmlElement, loc: Loc
    ) -> XmlElement:
        key, value, xml = spec.key, data[spec.key], spec.xml
        if xml.condition or xml.script:
            changed = self._as_attributes(spec, data, element)
            if changed is not None:
                return changed
        if xml.write is not None:
            written = xml.write({key: value}, _NodeWriter(self, key, loc, [element]))
            if isinstance(written, XmlElement):
                return written
        for tag in xml.tags:
            fits = tag.least is None or value >= tag.least
            if self.target in tag.targets and fits:
                given = {tag.value: value} if tag.value else {}
                return XmlElement(tag.tag, encoded({**tag.with_, **given}, tag.with_), [element])
        below = (*loc, key)
        if isinstance(value, dict | list):
            return self.added(key, {}, [element, self.node(value, below)], below)
        return self.added(key, {"value": value}, [element], below)

    def _as_attributes(
        self, spec: ModifierSpec, data: Mapping[str, Any], element: XmlElement
    ) -> XmlElement | None:
        """Write a modifier as a script of the element itself, or of a sequence around it."""
        if self.target != "btcpp":
            return None
        if spec.key in _AFTER:
            scripts = _end_scripts(data)
            if scripts is not None and spec.key == "on_success" and _has(data, "on_failure"):
                return element  # written with that
            taken = {*_AFTER.values(), POST}
            if element.attributes.keys().isdisjoint(ENDS):  # read as standing within the others
                taken |= {one.xml.condition for one in CONDITIONS}
        elif spec.xml.script:
            scripts, taken = _scripts({spec.xml.script: _sets(data[spec.key])}), {*SCRIPTS}
        else:
            if data.get("for") is not None:
                return None
            script = to_script(str(data[spec.key]))
            scripts = None if script is None else {spec.xml.condition: script}
            conditions = [one.xml.condition for one in CONDITIONS]
            outer = conditions[: conditions.index(spec.xml.condition) + 1]
            after = (*_AFTER.values(), POST) if spec.xml.condition in ENDS else ()
            taken = {*outer, *after}
        if scripts is None:
            return None
        if not element.attributes.keys().isdisjoint(taken):
            element = _wrapped(element)
        element.attributes |= scripts
        return element

    def nodes(self, nodes: Sequence[Any], loc: Loc) -> list[XmlElement]:
        """The elements of a list of nodes."""
        return [self.node(node, (*loc, index)) for index, node in enumerate(nodes)]

    def _core(self, data: Mapping[str, Any], loc: Loc, inside: Loc | None = None) -> XmlElement:
        """A node without modifiers; ``inside`` is the place of a bare list's nodes."""
        key = node_key(data) or ""
        spec = node_spec(key)
        if spec is None:
            return self._class_node(key, data, loc)
        if spec.refers == "tree":
            return self._subtree(data, loc)
        if key == "for_each" and self._types is not None:
            loop = write_loop(data, self._types)
            if loop is not None:
                return XmlElement(loop.tag, loop.given, [self.node(loop.child, (*loc, *loop.loc))])
        xml = spec.xml
        if xml.write is not None:
            written = xml.write(dict(data), _NodeWriter(self, key, loc))
            if isinstance(written, XmlElement):
                if guards_checked_once(written):
                    written.children[0] = _wrapped(written.children[0])
                return written
        if xml.attributes or xml.children:
            found = {name: value_at(data, path) for name, path in xml.attributes.items()}
            given = {name: value for name, value in found.items() if value is not None}
            children = [
                self.node(node, (*loc, *place) if inside is None else (*inside, *place[1:]))
                for path in xml.children
                for node, place in nodes_at(data, path, is_list_at(spec.model, path))
            ]
        else:
            given, children = _leaf(spec, data), []
        tag = next((tag for tag in xml.tags if self.target in tag.targets), None)
        if tag is None:
            return self.added(key, given, children, (*loc, key) if inside is None else loc)
        if tag.value:
            given = {tag.value: data[key], **given}
        given = {name: _number(value) for name, value in given.items()}
        element = XmlElement(tag.tag, encoded({**tag.with_, **given}, tag.with_), children)
        is_ours = registry().owner(registry().nodes[key]).name == "treec"
        return element if is_ours else self._declared(element)

    def _subtree(self, data: Mapping[str, Any], loc: Loc) -> XmlElement:
        wired = dict(data.get("with") or {})
        self._report_computed(wired, (*loc, "with"))
        given = {"ID": encode_text(str(data["tree"]))}
        if self.target == "btcpp" and wired.get(REMAPS) is True:
            given[REMAPS] = encode_value(wired.pop(REMAPS))
        more = {k: wired.pop(k) for k in list(wired) if not _is_attribute(k)}
        given |= {name: encode_value(value) for name, value in wired.items()}
        if more:
            given["_with"] = encode_value(more)
        return XmlElement("SubTree", given)

    def _class_node(self, key: str, data: Mapping[str, Any], loc: Loc) -> XmlElement:
        ports = dict(data.get(key) or {})
        self._report_computed(ports, (*loc, key))
        children = self.nodes(data.get("children") or [], (*loc, "children"))
        plain = is_xml_name(key) and is_own_type(key) and key not in GENERIC
        element = XmlElement(key if plain else NODE, {} if plain else {"type": encode_text(key)})
        more = {k: ports.pop(k) for k in list(ports) if not _is_attribute(k)}
        element.attributes |= {name: encode_value(value) for name, value in ports.items()}
        if more:
            element.attributes["_ports"] = encode_value(more)
        element.children = children
        if self.target == "btcpp" or not plain:
            return self._declared(element)
        return element


class SingleWriter(_Writer):
    """Writes nodes one by one for BehaviorTree.CPP, without those below them."""

    def __init__(self) -> None:
        super().__init__("btcpp")

    def element(self, kind: str, value: object, modifier: ModifierSpec | None) -> XmlElement:
        """The element of a node, or of a modifier of this value: the other program's, if it has
        one that is a single node, too, else one of treec's own.
        """
        data = node_data(value)
        if modifier is not None:
            element = self._modified(modifier, {modifier.key: data}, self.node(data, ()), ())
            own = {} if isinstance(data, dict | list) else {"value": encode_value(data)}
        elif kind == "sequence" and not isinstance(data, dict):
            return self._core({kind: []}, ())
        else:
            is_there = isinstance(data, dict) and node_key(data) is not None
            element = self._core(data, ()) if is_there else self.node(data, ())
            own = {key: text for one in element.walk() for key, text in one.attributes.items()}
        is_single = element.tag and not any(one.tag for one in element.children)
        if is_single and not element.tag.startswith(PREFIX):
            return XmlElement(element.tag, element.attributes)
        return XmlElement(element_of(kind), own)

    def node(self, data: Any, loc: Loc) -> XmlElement:
        """The place of a node that is written by itself."""
        return XmlElement("", {})

    def skipped(self, element: XmlElement, status: str, loc: Loc) -> XmlElement:
        """The element as it is."""
        return element

    def _report(self, loc: Loc, message: str, tag: str) -> None:
        """Nobody exports this tree."""

    def _report_computed(self, values: Mapping[str, object], loc: Loc) -> None:
        """The same."""


def _wrapped(element: XmlElement) -> XmlElement:
    """An element in a sequence that is none of the tree: it has other attributes, and it resets."""
    return XmlElement("Sequence", {"name": WRAPPER}, [element])


def _name_of(element: XmlElement) -> dict[str, str]:
    return {key: text for key, text in element.attributes.items() if key == "name" or key[0] == "_"}


def _has(data: Mapping[str, Any], key: str) -> bool:
    """Whether a node has a modifier."""
    return data.get(key) is not None and data[key] is not False


_AFTER = {"on_success": "_onSuccess", "on_failure": "_onFailure"}


def _sets(data: Any) -> list[Data] | None:
    """What a handler sets, in order; None if it does anything else."""
    nodes = data if isinstance(data, list) else [data]
    if all(isinstance(one, dict) and one.keys() == {"set"} for one in nodes):
        return [one["set"] for one in nodes]
    return None


def _scripts(sets: Mapping[str, list[Data] | None]) -> dict[str, str] | None:
    """Scripts that set the same, and are read again as the same, by their attributes."""
    written: dict[str, str] = {}
    for attribute, values in sets.items():
        parts = None if values is None else [from_assignments(one) for one in values]
        if parts is None or None in parts:
            return None
        script = "; ".join(map(str, parts))
        if values:
            if to_assignments(script) != values:
                return None
            written[attribute] = encode_text(script)
    return written


def _end_scripts(data: Mapping[str, Any]) -> dict[str, str] | None:
    """The scripts after success and failure; what both have at their end is the script of both."""
    sets = {name: _sets(data[key]) for key, name in _AFTER.items() if _has(data, key)}
    if None in sets.values():
        return None
    one, other = (sets.get(name) or [] for name in _AFTER.values())
    for common in range(min(len(one), len(other)), -1, -1):
        split = {
            name: (values or [])[: len(values or []) - common] for name, values in sets.items()
        }
        both = one[len(one) - common :]
        if both == other[len(other) - common :]:
            scripts = _scripts({**split, POST: both})
            if scripts is not None:
                return scripts
    return None


def _number(value: object) -> object:
    """A number or truth value of an expression as it stands, for who reads the other program's."""
    if isinstance(value, str) and not isinstance(decode_value(value), str):
        return decode_value(value) if encode_value(decode_value(value)) == value else value
    return value


def encoded(attributes: Mapping[str, object], plain: Collection[str] = ()) -> dict[str, str]:
    """Attributes as texts; those in ``plain`` stand as they are."""
    return {
        name: str(value) if isinstance(value, XmlText) or name in plain else encode_value(value)
        for name, value in attributes.items()
    }


def _leaf(spec: NodeSpec, data: Mapping[str, Any]) -> dict[str, object]:
    """All keys of a node as attributes, those of a mapping too if none means something else."""
    common = {info.alias or name for name, info in NodeBase.model_fields.items()}
    own = {info.alias or name for name, info in spec.model.model_fields.items()} - common
    given: dict[str, object] = {}
    for name, value in data.items():
        if name in common:
            continue
        inner = name in ("with", spec.key) and isinstance(value, Mapping)
        fits = inner and all(_is_attribute(one) and one not in own | common for one in value)
        if fits and (name == "with" or "with" not in data) and value:
            given |= value
        else:
            given[name] = value
    return given


class _NodeWriter:
    """What a specification's `write` is given: the node's place, and for a modifier its node."""

    def __init__(
        self, writer: _Writer, key: str, loc: Loc, around: Sequence[XmlElement] = ()
    ) -> None:
        self._key = key
        self.target = writer.target
        self._writer = writer
        self._loc = loc
        self._around = around

    def text(self, words: str) -> XmlText:
        return XmlText(encode_text(words))

    def script(self, condition: str) -> XmlText | None:
        script = to_script(condition)
        return None if script is None else XmlText(script)

    def assignments(self, values: Mapping[str, object]) -> XmlText | None:
        script = from_assignments(dict(values))
        return None if script is None else self.text(script)

    def element(self, tag: str, attributes: Mapping[str, object], *inside: Any) -> XmlElement:
        return self.other(tag, attributes, *self._around, *inside)

    def other(self, tag: str, attributes: Mapping[str, object], *inside: Any) -> XmlElement:
        return XmlElement(tag, encoded(attributes), [*inside])

    @property
    def inner(self) -> XmlElement | None:
        return self._around[0] if self._around else None

    def added(self, key: str, attributes: Mapping[str, object], *inside: Any) -> XmlElement:
        place = (*self._loc, self._key)
        return self._writer.added(key, attributes, [*self._around, *inside], place)

    def node(self, data: object, *loc: str | int) -> XmlElement:
        return self._writer.node(data, (*self._loc, *loc))

    def nodes(self, data: Sequence[object], *loc: str | int) -> list[XmlElement]:
        return self._writer.nodes(data, (*self._loc, *loc))


def _is_attribute(name: str) -> bool:
    return is_xml_name(name) and name not in _OWN_WORDS and not name.startswith("_")
