"""Reads trees from XML: BehaviorTree.CPP 3 and 4 (Groot, Nav2) and py_trees.

A node type that treec does not know is a node class of one's own under its name, with its ports,
and with its children if it has any. What cannot be kept is an error: a tree without it would do
something else. ``lossy`` writes a node that fails in its place, see :mod:`.losses`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from pydantic import ValidationError

from treec.files.node_spec import Data, ModifierSpec, NodeSpec, XmlReader, XmlTag
from treec.files.nodes import MODIFIERS, NodeBase, node_spec
from treec.files.types import PLAIN
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.text import Span
from treec.source.values import is_reference, references
from treec_interchange.attributes import decode_text, decode_value
from treec_interchange.entries import entry_of, with_entry
from treec_interchange.includes import CODE, ReadFile, XmlFiles, read_files
from treec_interchange.key_paths import is_list_at, put_at
from treec_interchange.losses import failing
from treec_interchange.private_entries import (
    guards_checked_once,
    is_script,
    names_of,
    open_private,
)
from treec_interchange.queues import ITEM, queue_of, read_loop, value_of
from treec_interchange.scripts import NoCounterpart, to_assignments, to_expression
from treec_interchange.stubs import CHILDREN, OPTIONAL
from treec_interchange.vocabulary import (
    CONDITIONS,
    ENDS,
    GENERIC,
    LOOPS,
    NODE,
    ORDER,
    PASS_THROUGH,
    POST,
    REMAPS,
    SUBTREES,
    WRAPPER,
    AnySpec,
    can_be_named,
    is_named_alone,
    is_own_type,
    kind_of,
    own_elements,
    read_elements,
    specs,
)
from treec_interchange.xml_reader import XmlElement

Node = Data | list[Any]

_TYPES = {
    "bool": "bool",
    "double": "number",
    "float": "number",
    "int": "integer",
    "unsigned": "integer",
    "std::string": "text",
    "string": "text",
}
_DIRECTIONS = {"input_port": "in", "output_port": "out", "inout_port": "inout"}
_LOSSY = "`treec import --lossy` writes a node in its place that fails with this reason"


@dataclass
class Imported:
    """The trees of a file, the main one first, and what is to be said of them."""

    trees: list[Data] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    own_types: dict[str, Span] = field(default_factory=dict)
    """Node types that are to be written as classes, and where they are used first."""
    own_ports: dict[str, dict[str, str]] = field(default_factory=dict)
    """Their ports with direction and type; ``children`` if nodes are below one."""
    sources: dict[str, bytes] = field(default_factory=dict)
    """What is in the files that were read, by their paths."""

    @property
    def failed(self) -> bool:
        """Whether the file could not be read."""
        return any(finding.severity == "error" for finding in self.findings)


def import_trees(
    data: bytes, path: str, read: ReadFile | None = None, lossy: bool = False
) -> Imported:
    """Read all trees of an XML file, and of those that it includes if ``read`` reads them.

    ``path`` is its path as it is shown to the user. ``lossy``: what cannot be kept is a warning,
    and the tree fails there.
    """
    files = read_files(data, path, read)
    if any(finding.severity == "error" for finding in files.findings):
        return Imported(findings=files.findings, sources=files.sources)
    return _Importer(files, lossy).read()


class _Importer:
    def __init__(self, files: XmlFiles, lossy: bool) -> None:
        self._root = files.roots[0]
        self._lossy = lossy
        self._losses: dict[int, str] = {}
        """Elements of which something cannot be kept, and what."""
        self._fails: dict[int, str] = {}
        """Elements in whose place a node fails, and why."""
        self._own = own_elements()
        self._parents = {s.key for s in specs() if s.drawing.group == "control"} | {"children"}
        """Keys with nodes below them: modifiers stand before these, where they are seen."""
        self._done = Imported(findings=files.findings, sources=files.sources)
        self._elements: list[XmlElement] = []
        self._models: dict[str, XmlElement] = {}
        for root in files.roots:
            elements = [root] if root.tag == "BehaviorTree" else root.children
            self._elements += [one for one in elements if one.tag == "BehaviorTree"]
            models = [one for one in root.children if one.tag == "TreeNodesModel"]
            self._models |= {_id(m): m for all in models for m in all.children}
        self._private: set[str] = set()
        self._free: dict[str, set[str]] = {}

    def read(self) -> Imported:
        done = self._done
        if self._root.tag not in ("root", "BehaviorTree"):
            self.say(self._root, f"'{self._root.tag}' is not a behaviour tree", "error", "<root>")
            return done
        if not self._elements:
            self.say(self._root, "the file has no <BehaviorTree>", "error")
        for element in self._elements:
            self._open_private(element)
        named: dict[str, XmlElement] = {}
        for element in self._elements:
            name = decode_text(element.attributes.get("ID", "main"))
            if name in named:
                self.say(element, f"there is a tree '{name}' already", "error")
            named[name] = element
        self._constants = _enumerated(self._elements, self._models.values())
        self._find_free(named)
        main = self._root.attributes.get("main_tree_to_execute")
        named = dict(sorted(named.items(), key=lambda one: one[0] != main))
        done.trees = [self._tree(name, element) for name, element in named.items()]
        if self._lossy and self._losses:
            said = done.findings.copy()
            while (fails := failing(named, self._losses)) != self._fails:
                self._fails = fails
                done.trees = [self._tree(name, element) for name, element in named.items()]
            done.findings = said
        for name, span in done.own_types.items():
            message = f"unknown node '{name}'"
            help = f'write a class and name it in treec.toml: [nodes] {name} = "package.nodes:…"'
            done.findings.append(Diagnostic(CODE, "warning", span, message, help))
        done.findings.sort()
        return done

    def say(
        self, at: XmlElement, message: str, severity: Severity = "warning", help: str | None = None
    ) -> None:
        """Report something at an element."""
        span = Span(at.path, at.line, at.column, at.line, at.column + len(at.tag) + 1)
        self._done.findings.append(Diagnostic(CODE, severity, span, message, help))

    def lose(self, at: XmlElement, message: str) -> None:
        """Report what cannot be kept of an element."""
        if self._losses.get(id(at)) == message:
            return
        self._losses.setdefault(id(at), message)
        if self._lossy:
            self.say(at, f"{message}: it fails here")
        else:
            self.say(at, message, "error", _LOSSY)

    def _note_own(self, name: str, at: XmlElement) -> None:
        """A node type that is to be written as a class is used there."""
        place = Span(at.path, at.line, at.column, at.line, at.column + len(at.tag) + 1)
        self._done.own_types.setdefault(name, place)

    def _open_private(self, tree: XmlElement) -> None:
        """Call private entries by names that treec knows."""
        before = names_of(tree)
        new = set(open_private(tree))
        for name in sorted(new & before):
            self.say(tree, f"'{name}' is also what its private entry is called here")
        self._private |= new

    # Trees, their ports and variables

    def _tree(self, name: str, element: XmlElement) -> Data:
        data: Data = {"tree": name}
        about = _about(element)
        if about is not None:
            data["about"] = about
        ports, vars = self._ports, self._vars = self._header(name, element)
        if ports:
            data["ports"] = ports
        data["vars"] = vars
        children = element.children
        if len(children) != 1:
            self.say(element, f"a tree has one root; this has {len(children)}", "error")
            return {**data, "root": []}
        root = children[0]
        repeats = self._own.get(root.tag) == "then" and len(root.children) == 1
        data["root"] = self.node(root.children[0] if repeats else root)
        if repeats:
            data["then"] = "repeat"
        return {key: value for key, value in data.items() if value != {}}

    def _header(self, name: str, element: XmlElement) -> tuple[dict[str, str], dict[str, str]]:
        """The ports and variables: those that treec wrote, or else those that are used."""
        model = self._models.get(name)
        declared = {} if model is None else dict(_declared_ports(model))
        stored = dict(_stored(model)) if model is not None else {}
        if stored:
            return (
                {k.removeprefix("port."): v for k, v in stored.items() if k.startswith("port.")},
                {k.removeprefix("var."): v for k, v in stored.items() if k.startswith("var.")},
            )
        passed = set(self._passed(name))
        own = {k for k in element.attributes if k not in ("ID", "name") and not k.startswith("_")}
        ports = dict(declared)
        for key in sorted((self._free[name] & passed) | passed | own):
            ports.setdefault(key, "inout any")
        if not any(_is_subtree(e) and _id(e) == name for t in self._elements for e in t.walk()):
            read = self._free[name] - self._private - ports.keys() - self._given(element)
            for key in sorted(read):
                ports[key] = "in any"  # nothing in the file sets it
        return ports, dict.fromkeys(sorted(self._free[name] - ports.keys()), "any")

    def _given(self, tree: XmlElement) -> set[str]:
        """The entries of a tree that a script sets, or that a node is given and may set."""
        given = set[str]()
        for element in tree.walk():
            for key, text in element.attributes.items():
                if is_script(element, key):
                    given |= set(_ASSIGNED.findall(_QUOTED.sub("''", text)))
                elif not element.tag.startswith("Switch") and (element.tag, key) != _VALUE:
                    given.add(text.strip("{}"))
            if _is_subtree(element) and _remaps(element):
                given |= self._free.get(_id(element), set())
        return given

    def _passed(self, name: str) -> Iterator[str]:
        """The ports that some instance of a tree wires."""
        for element in (one for tree in self._elements for one in tree.walk()):
            if _is_subtree(element) and _id(element) == name:
                yield from _wired(element)
                if _remaps(element):
                    yield from self._free.get(name, set()) - self._private

    def _find_free(self, named: Mapping[str, XmlElement]) -> None:
        """Find the blackboard entries of each tree, with those that subtrees take over by name."""
        self._free = {
            name: set(_keys(element)) - self._constants for name, element in named.items()
        }
        inner = {
            name: [_id(one) for one in element.walk() if _is_subtree(one) and _remaps(one)]
            for name, element in named.items()
        }
        changed = True
        while changed:
            changed = False
            for name, below in inner.items():
                for one in below:
                    new = self._free.get(one, set()) - self._private - self._free[name]
                    if new:
                        self._free[name] |= new
                        changed = True

    # Nodes

    def node(self, element: XmlElement) -> Node:
        """An element with the conditions and scripts of its attributes.

        In BehaviorTree.CPP `_failureIf` comes first, then `_successIf`, `_skipIf` and `_while`.
        Scripts follow the status that the first two give, too, and not SKIPPED.
        """
        if id(element) in self._fails:
            why = f"not imported: <{element.tag}>: {self._fails[id(element)]}"
            return {"check": False, "about": why}
        given = element.attributes
        node = self._handled(element, self._bare(element), "on_halted")
        ends = not given.keys().isdisjoint(ENDS)
        if not ends:
            node = self._handled(element, node, "on_success", "on_failure")
        for spec in reversed(CONDITIONS):
            text = self.expression(element, spec.xml.condition)
            if text is not None:
                node = self._around(spec.key, text, node)
        return self._handled(element, node, "on_success", "on_failure") if ends else node

    def _handled(self, element: XmlElement, node: Node, *keys: str) -> Node:
        """A node with the scripts that follow its end."""
        for key in keys:
            sets = self._sets(element, MODIFIERS[key].xml.script)
            if key != "on_halted":
                sets += self._sets(element, POST)
            if sets:
                node = self._around(key, sets if len(sets) > 1 else sets[0], node)
        return node

    def _sets(self, element: XmlElement, attribute: str) -> list[Data]:
        """The nodes that do what a script does."""
        if not element.attributes.get(attribute):
            return []
        return [{"set": one} for one in self.assignments(element, attribute) or ()]

    def assignments(self, element: XmlElement, attribute: str) -> list[Data] | None:
        """The names and values that a script sets, in order; None if it has no counterpart."""
        try:
            script = decode_text(element.attributes.get(attribute, ""))
            return to_assignments(script, self._constants)
        except NoCounterpart as error:
            self.lose(element, f"{attribute}: {error}")
            return None

    def expression(self, element: XmlElement, attribute: str, negated: bool = False) -> str | None:
        """A script that is a condition; None if there is none, or it has no counterpart."""
        text = element.attributes.get(attribute)
        if text is None:
            return None
        return self._condition(element, attribute, f"!({text})" if negated else text)

    def _condition(self, element: XmlElement, attribute: str, script: str) -> str | None:
        try:
            return to_expression(script, self._constants)
        except NoCounterpart as error:
            self.lose(element, f"{attribute}: {error}")
            return None

    def _around(self, key: str, value: object, node: Node) -> Data:
        """A node with one more modifier around it.

        A name in a sequence with one node is that of its innermost modifier.
        """
        if isinstance(node, list):
            return {key: value, "sequence": node}
        inside = {ORDER[one] for one in node if one in ORDER}
        alone = not inside and can_be_named(key) and is_named_alone(node)
        if alone or any(one <= ORDER[key] for one in inside):
            node = {"sequence": [node]}
        if isinstance(value, dict | list) or self._parents.isdisjoint(node):
            return {**node, key: value}
        return {key: value, **node}

    def nodes(self, element: XmlElement) -> list[Node]:
        """The nodes of the elements inside."""
        return [self.node(child) for child in element.children]

    def _only_child(self, element: XmlElement) -> Node:
        if len(element.children) != 1:
            count = len(element.children)
            self.say(element, f"<{element.tag}> has one child; this has {count}", "error")
            return []
        return self.node(element.children[0])

    def _shaped(self, element: XmlElement) -> Node | None:
        """The node of an element that is written for a modifier, by its name; None if it is not."""
        name = element.attributes.get("name", "")
        if name == WRAPPER and element.tag == "Sequence" and len(element.children) == 1:
            return self.node(element.children[0])
        spec = MODIFIERS.get(name)
        if spec is None or spec.xml.shape != element.tag or len(element.children) != 2:
            return None
        data = spec.xml.read[""](_ElementReader(self, element, element.tag))
        return None if data is None else self._around(name, data[name], data["node"])

    def _bare(self, element: XmlElement) -> Node:
        shaped = self._shaped(element)
        if shaped is not None:
            return shaped
        tag = element.tag
        if tag in GENERIC and "ID" in element.attributes:
            tag = element.attributes["ID"]
        if tag in self._own:
            return self._own_node(element, self._own[tag])
        if tag == NODE and "type" in element.attributes:
            name = decode_text(element.attributes["type"])
            self._note_own(name, element)
            return self._class_node(element, name)
        known = read_elements()
        if tag not in known and tag[:1].islower() and tag.capitalize() in known:
            tag = tag.capitalize()  # py_trees takes either
        entry = entry_of(element)
        if entry is not None:
            child = None if tag == "Sleep" else self._only_child(element)
            return self._named(element, with_entry(tag, entry, child, self.variable))
        if tag in LOOPS:
            return self._loop(element, tag)
        for key in sorted(guards_checked_once(element)):
            self.lose(element.children[0], f"{key} has no counterpart: it is checked once here")
        for spec, form in _forms(known.get(tag, ()), element):
            node = self._read(element, tag, spec, form)
            if node is not None:
                return node
        if tag in SUBTREES:
            return self._subtree(element)
        if tag == PASS_THROUGH:
            return self._named(element, {"sequence": [self._only_child(element)]})
        return self._own_type(element, tag)

    def _read(
        self, element: XmlElement, tag: str, spec: AnySpec, form: XmlTag | None
    ) -> Node | None:
        """The node or modifier that an element is by a specification; None if it is not."""
        if form is None:
            data = spec.xml.read[tag](_ElementReader(self, element, tag))
            if data is None:
                return None
            if isinstance(spec, ModifierSpec):
                return self._decorate(element, spec.key, data[spec.key], self._only_child(element))
            return self._named(element, data)
        if isinstance(spec, ModifierSpec):
            value = True if not form.value else decode_value(element.attributes[form.value])
            if form.value and not (is_reference(value) and spec.key in ("repeat", "retry")):
                value = self.number(element, form.value)
            return self._decorate(element, spec.key, value, self._only_child(element))
        node = self._by_table(element, spec, {*form.with_, form.value})
        if form.value:
            node[spec.key] = decode_value(element.attributes[form.value])
        is_list = spec.key == "sequence" and len(node) == 1
        return node["sequence"] if is_list else node

    def _decorate(self, element: XmlElement, key: str, value: object, node: Node) -> Data:
        """A node with the modifier that an element is, and with its name."""
        name, about = element.attributes.get("name"), _about(element)
        if about is None and (name is None or decode_text(name) == element.tag):
            return self._around(key, value, node)
        return self._named(element, {key: value, "sequence": [node]})

    def _loop(self, element: XmlElement, tag: str) -> Node:
        """A loop over a queue; a queue that is an entry is a list of the loop's type."""
        child = self._only_child(element)
        try:
            value, queue = value_of(element.attributes), queue_of(element.attributes)
            item = element.attributes.get(ITEM) or self._unused(f"next_{value or 'item'}")
            node = read_loop(tag, element.attributes, child, item)
        except NoCounterpart as error:
            self.lose(element, str(error))
            return {"check": False}
        for table in (self._ports, self._vars):
            if queue in table:
                table[queue] = table[queue].replace("any", f"list of {LOOPS[tag]}")
        return self._named(element, node)

    def _unused(self, name: str) -> str:
        """A name that no port or variable of the tree has."""
        names = (name if number == 1 else f"{name}_{number}" for number in count(1))
        return next(one for one in names if one not in self._vars and one not in self._ports)

    def variable(self, name: str, kind: str = "bool = false") -> str:
        """A new variable of the tree that is read."""
        new = self._unused(name)
        self._vars[new] = kind
        return new

    def number(self, element: XmlElement, attribute: str) -> int | float:
        """A number of an attribute, or 1 if it is none."""
        text = element.attributes.get(attribute, "")
        value = decode_value(text)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.lose(element, f"{attribute}: '{text}' is not a number")
            return 1
        return value

    def _named(self, element: XmlElement, node: Data) -> Data:
        """A node with the name and description of its element."""
        name = element.attributes.get("name")
        if name is not None:
            node["name"] = decode_text(name)
        about = _about(element)
        if about is not None:
            node["about"] = about
        return node

    def _subtree(self, element: XmlElement) -> Node:
        name = _id(element)
        if not name:
            self.say(element, "a subtree has an ID", "error")
        wired: Data = {key: decode_value(element.attributes[key]) for key in _wired(element)}
        if "_with" in element.attributes:
            more = decode_value(element.attributes["_with"])
            wired |= more if isinstance(more, dict) else {}
        if _remaps(element):
            free = sorted(self._free.get(name, set()) - self._private)
            wired |= {key: f"${key}" for key in free if key not in wired}
            if name not in self._free:
                wired[REMAPS] = True
                message = (
                    f"its ports are not known: unknown tree '{name}' in the files that were read"
                )
                self.say(element, message, help="include its file, or write under `with` its ports")
        node: Data = {"tree": name}
        if wired:
            node["with"] = wired
        return self._named(element, node)

    def _own_type(self, element: XmlElement, tag: str) -> Node:
        """A node class of one's own: its ports, and its children if it has any."""
        name = tag
        if tag in read_elements():
            if id(element) not in self._losses:
                self.lose(element, f"this <{tag}> has no counterpart")
            return {"check": False}
        if not is_own_type(tag):
            name = f"{tag}_node"
            self.say(element, f"'{tag}' means something else in treec: it is called '{name}'")
        self._note_own(name, element)
        return self._class_node(element, name)

    def _class_node(self, element: XmlElement, name: str) -> Data:
        left = ("name", "ID") if element.tag in GENERIC else ("name",)
        ports: Data = {}
        for key, text in element.attributes.items():
            if key in left or key.startswith("_") or (key == "type" and element.tag == NODE):
                continue
            value = decode_value(text)
            if text.startswith("{") and not is_reference(value):
                self.lose(element, f"{key}: '{text}' is not a variable of treec")
            ports[key] = value
        is_new = name not in self._done.own_ports
        known = self._done.own_ports.setdefault(name, {})
        model = self._models.get(kind_of(element))
        for port in () if model is None else model.children:
            if port.tag in _DIRECTIONS and "name" in port.attributes:
                key, default = port.attributes["name"], port.attributes.get("default")
                if default is not None:
                    ports.setdefault(key, decode_value(default))
        if model is None and not is_new and known.keys() - {CHILDREN} != ports.keys():
            known[OPTIONAL] = ""
        known |= {} if model is None else dict(_declared_ports(model))
        for key, value in ports.items():
            direction = "inout" if is_reference(value) else "in"
            if known.setdefault(key, f"{direction} any") == "inout any":
                known[key] = f"{direction} any"
        if element.children:
            known[CHILDREN] = ""
        if "_ports" in element.attributes:
            more = decode_value(element.attributes["_ports"])
            ports |= more if isinstance(more, dict) else {}
        node: Data = {name: ports}
        if element.children:
            node["children"] = self.nodes(element)
        return self._named(element, node)

    # Nodes and modifiers of treec

    def _own_node(self, element: XmlElement, key: str) -> Node:
        modifier = MODIFIERS.get(key)
        if modifier is not None and len(element.children) == 2:  # its value is a node
            handler = self.node(element.children[1])
            return self._decorate(element, key, handler, self.node(element.children[0]))
        if key in ORDER:
            value = decode_value(element.attributes.get("value", "true"))
            return self._decorate(element, key, value, self._only_child(element))
        spec = node_spec(key)
        assert spec is not None, "own elements are those of specifications"
        read = spec.xml.read.get("")
        if read is not None:
            data = read(_ElementReader(self, element, element.tag))
            if data is not None:
                return self._named(element, data)
        return self._by_table(element, spec)

    def _by_table(self, element: XmlElement, spec: NodeSpec, left: Collection[str] = ()) -> Data:
        """A node of an element whose attributes and children are those of a specification."""
        xml, node = spec.xml, Data()
        if not xml.attributes and not xml.children:
            return self._leaf(element, spec, left)
        for name, text in element.attributes.items():
            if name in xml.attributes:
                put_at(node, xml.attributes[name], decode_value(text))
            elif name not in ("name", "ID", *left) and not name.startswith("_"):
                self.lose(element, f"{name} has no counterpart")
        nodes = self.nodes(element)
        for path in xml.children:
            if is_list_at(spec.model, path):
                put_at(node, path, nodes)
            elif nodes:
                put_at(node, path, nodes.pop(0))
                if path == xml.children[-1] and nodes:
                    self.lose(element, f"<{element.tag}> has {len(xml.children)} children at most")
        if spec.key not in self._own.values() or element.tag not in self._own:
            self._validate(element, spec, node)
        return self._named(element, node)

    def _validate(self, element: XmlElement, spec: NodeSpec, node: Data) -> None:
        """Report what a node cannot have: an entry in the place of a number, too few children."""
        try:
            spec.model.model_validate(node)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"] if part not in ("mapping", "list"))
            self.lose(element, f"<{element.tag}>: {where}: {first['msg']}")

    def _leaf(self, element: XmlElement, spec: NodeSpec, left: Collection[str] = ()) -> Data:
        key = spec.key
        given = {
            name: decode_value(text)
            for name, text in element.attributes.items()
            if name != "name" and name not in left and not name.startswith("_")
        }
        fields = spec.model.model_fields
        names = {info.alias or name for name, info in fields.items()} - _base_names()
        node = {name: value for name, value in given.items() if name in names}
        rest = {name: value for name, value in given.items() if name not in names}
        if key not in given and key not in left:
            node = {key: rest, **node}
        elif rest:
            node["with"] = rest
        return self._named(element, node)


def _forms(
    known: Sequence[tuple[AnySpec, XmlTag | None]], element: XmlElement
) -> list[tuple[AnySpec, XmlTag | None]]:
    """Of the specifications that have an element's name those that it can be, best first."""
    given = {name: text.lower() for name, text in element.attributes.items()}

    def fits(form: XmlTag | None) -> bool:
        if form is None:
            return True
        has = all(given.get(name) == text for name, text in form.with_.items())
        return has and (not form.value or form.value in given)

    found = [(spec, form) for spec, form in known if fits(form)]
    return sorted(found, key=lambda one: -1 if one[1] is None else -len(one[1].with_) - 2)


class _ElementReader:
    """What a specification's `read` is given: an element of the file that is read."""

    def __init__(self, importer: _Importer, element: XmlElement, tag: str) -> None:
        self._importer = importer
        self._element = element
        self.tag = tag
        self.attributes: Mapping[str, str] = element.attributes
        self.size = len(element.children)

    def text(self, attribute: str) -> str | None:
        text = self.attributes.get(attribute)
        return None if text is None else decode_text(text)

    def value(self, attribute: str, otherwise: object = None) -> Any:
        text = self.attributes.get(attribute)
        return otherwise if text is None else decode_value(text)

    def number(self, attribute: str) -> int | float:
        return self._importer.number(self._element, attribute)

    def duration(self, attribute: str) -> str:
        msec = self.number(attribute)
        for unit, size in (("m", 60_000), ("s", 1000)):
            if msec % size == 0 and msec >= size:
                return f"{int(msec // size)}{unit}"
        return f"{msec}ms"

    def expression(self, attribute: str, negated: bool = False) -> str | None:
        return self._importer.expression(self._element, attribute, negated)

    def assignments(self, attribute: str) -> list[Data] | None:
        return self._importer.assignments(self._element, attribute)

    def parts(self) -> list[XmlReader]:
        children = self._element.children
        return [_ElementReader(self._importer, child, child.tag) for child in children]

    def node(self) -> Any:
        return self._importer.node(self._element)

    def nodes(self) -> list[Any]:
        return self._importer.nodes(self._element)

    def variable(self, name: str) -> str:
        return self._importer.variable(name)

    def lose(self, message: str) -> None:
        self._importer.lose(self._element, message)


def _base_names() -> set[str]:
    return {info.alias or name for name, info in NodeBase.model_fields.items()}


def _id(element: XmlElement) -> str:
    return decode_text(element.attributes.get("ID", ""))


def _about(element: XmlElement) -> str | None:
    """What is said of an element: its description, and the comments at it."""
    words = [*element.comments]
    if "_description" in element.attributes:
        words.append(decode_text(element.attributes["_description"]))
    return "\n".join(words) if words else None


def _is_subtree(element: XmlElement) -> bool:
    return element.tag in SUBTREES


def _wired(element: XmlElement) -> list[str]:
    """The ports that an instance of a tree wires."""
    left = ("ID", "name", "__shared_blackboard")
    return [key for key in element.attributes if key not in left and not key.startswith("_")]


def _remaps(element: XmlElement) -> bool:
    """Whether an instance of a tree takes over entries of the same names."""
    both = (element.attributes.get(key) for key in ("_autoremap", "__shared_blackboard"))
    return any(value in ("true", "1") for value in both)


def _keys(tree: XmlElement) -> Iterator[str]:
    """The blackboard entries that the nodes of a tree use."""
    for element in tree.walk():
        if element is tree:
            continue
        for key, text in element.attributes.items():
            if key in ("name", "ID", "_description"):
                continue
            if key == "output_key":
                text = f"{{{text.strip('{}')}}}"
            yield from (reference.name for reference in references(decode_value(text)))
            if is_script(element, key):
                yield from _NAMES.findall(_QUOTED.sub("''", decode_text(text)))
        if element.tag.startswith("Switch") and is_reference(
            f"${element.attributes.get('variable', '')}"
        ):
            yield element.attributes["variable"]


def _enumerated(trees: Iterable[XmlElement], models: Iterable[XmlElement]) -> set[str]:
    """Names in capitals that scripts read and nothing sets: values of enumerations.

    Their numbers are in programs; here they are texts, which are equal where those are.
    """
    read, given = set[str](), {p.attributes.get("name", "") for m in models for p in m.children}
    for element in (one for tree in trees for one in tree.walk()):
        if _is_subtree(element) or element.tag == "BehaviorTree":
            given |= element.attributes.keys()
        for key, text in element.attributes.items():
            if is_script(element, key):
                read |= set(_CAPITALS.findall(_QUOTED.sub("''", text)))
                given |= set(_ASSIGNED.findall(text))
            else:
                given.add(text.strip("{}"))
    return read - given


_VALUE = ("SetBlackboard", "value")
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9_]*\b")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAMES = re.compile(r"(?<![\w.])(?!(?:true|false)\b)[A-Za-z]\w*")
_ASSIGNED = re.compile(r"\b(\w+)\s*(?::|[-+*/])?=(?!=)")


def _declared_ports(model: XmlElement) -> Iterable[tuple[str, str]]:
    for port in model.children:
        if port.tag in _DIRECTIONS and is_reference(f"${port.attributes.get('name', '')}"):
            given = port.attributes.get("type", "")
            kind = given if given in PLAIN else _TYPES.get(given, "any")
            yield port.attributes["name"], f"{_DIRECTIONS[port.tag]} {kind}"


def _stored(model: XmlElement) -> Iterable[tuple[str, str]]:
    """The ports and variables that treec wrote beside those that others read."""
    for fields in model.children:
        if fields.tag == "MetadataFields":
            for one in fields.children:
                for key, text in one.attributes.items():
                    if key.startswith(("port.", "var.", "treec")):
                        yield key, decode_text(text)
