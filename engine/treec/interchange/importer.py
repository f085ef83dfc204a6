"""Reads trees from XML: BehaviorTree.CPP 3 and 4 (Groot, Nav2) and py_trees.

A node type that treec does not know is a node class of one's own under its name, with its ports,
and with its children if it has any. What has no counterpart is reported with its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from treec.files.nodes import NODE_MODELS, NodeBase
from treec.files.types import PLAIN
from treec.interchange.attributes import decode_text, decode_value
from treec.interchange.includes import CODE, ReadFile, XmlFiles, read_files
from treec.interchange.private_entries import names_of, open_private
from treec.interchange.scripts import NoCounterpart, to_assignments, to_expression
from treec.interchange.vocabulary import (
    COMPOSITES,
    COUNTS,
    FLAGS,
    GENERIC,
    NODE,
    ON_SUCCESS,
    ORDER,
    OTHER_COMPOSITES,
    PY_TREES_COUNTS,
    PY_TREES_FLAGS,
    READ,
    REMAPS,
    is_own_type,
    own_elements,
)
from treec.interchange.xml_reader import XmlElement
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.text import Span
from treec.source.values import is_reference, references

Data = dict[str, Any]
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
_PARENTS = frozenset({*COMPOSITES.values(), "parallel", "switch", "if", "for_each", "children"})
"""Keys with nodes below them: modifiers stand before these, where they are seen."""

_SCRIPTS = ("_skipIf", "_while", "_post", "_onHalted")
"""Conditions and scripts of BehaviorTree.CPP without a counterpart."""


@dataclass
class Imported:
    """The trees of a file, the main one first, and what is to be said of them."""

    trees: list[Data] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    own_types: dict[str, Span] = field(default_factory=dict)
    """Node types that are to be written as classes, and where they are used first."""
    sources: dict[str, bytes] = field(default_factory=dict)
    """What is in the files that were read, by their paths."""

    @property
    def failed(self) -> bool:
        """Whether the file could not be read."""
        return any(finding.severity == "error" for finding in self.findings)


def import_trees(data: bytes, path: str, read: ReadFile | None = None) -> Imported:
    """Read all trees of an XML file, and of those that it includes if ``read`` reads them.

    ``path`` is its path as it is shown to the user.
    """
    files = read_files(data, path, read)
    if any(finding.severity == "error" for finding in files.findings):
        return Imported(findings=files.findings, sources=files.sources)
    return _Importer(files).read()


class _Importer:
    def __init__(self, files: XmlFiles) -> None:
        self._root = files.roots[0]
        self._own = own_elements()
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
            self._say(self._root, f"'{self._root.tag}' is no behaviour tree", "error", "<root>")
            return done
        if not self._elements:
            self._say(self._root, "there is no <BehaviorTree>", "error")
        for element in self._elements:
            self._open_private(element)
        named: dict[str, XmlElement] = {}
        for element in self._elements:
            name = decode_text(element.attributes.get("ID", "main"))
            if name in named:
                self._say(element, f"there is a tree '{name}' already", "error")
            named[name] = element
        self._find_free(named)
        main = self._root.attributes.get("main_tree_to_execute")
        for name in sorted(named, key=lambda one: one != main):
            done.trees.append(self._tree(name, named[name]))
        for name, span in done.own_types.items():
            message = f"'{name}' is no node of treec"
            help = f'write a class and name it in treec.toml: [nodes] {name} = "package.nodes:…"'
            done.findings.append(Diagnostic(CODE, "warning", span, message, help))
        done.findings.sort()
        return done

    def _say(
        self, at: XmlElement, message: str, severity: Severity = "warning", help: str | None = None
    ) -> None:
        span = Span(at.path, at.line, at.column, at.line, at.column + len(at.tag) + 1)
        self._done.findings.append(Diagnostic(CODE, severity, span, message, help))

    def _note_own(self, name: str, at: XmlElement) -> None:
        """A node type that is to be written as a class is used there."""
        self._done.own_types.setdefault(name, Span(at.path, at.line, 1, at.line, 2))

    def _open_private(self, tree: XmlElement) -> None:
        """Call private entries by names that treec knows."""
        before = names_of(tree)
        new = set(open_private(tree))
        for name in sorted(new & before):
            self._say(tree, f"'{name}' is also what its private entry is called here")
        self._private |= new

    # Trees, their ports and variables

    def _tree(self, name: str, element: XmlElement) -> Data:
        data: Data = {"tree": name}
        if "_description" in element.attributes:
            data["about"] = decode_text(element.attributes["_description"])
        ports, vars = self._header(name, element)
        if ports:
            data["ports"] = ports
        if vars:
            data["vars"] = vars
        children = element.children
        if len(children) != 1:
            self._say(element, f"a tree has one root; this has {len(children)}", "error")
            return {**data, "root": []}
        root = children[0]
        repeats = self._own.get(root.tag) == "then" and len(root.children) == 1
        data["root"] = self._node(root.children[0] if repeats else root)
        if repeats:
            data["then"] = "repeat"
        return data

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
        return ports, dict.fromkeys(sorted(self._free[name] - ports.keys()), "any")

    def _passed(self, name: str) -> Iterator[str]:
        """The ports that some instance of a tree wires."""
        for element in (one for tree in self._elements for one in tree.walk()):
            if _is_subtree(element) and _id(element) == name:
                yield from _wired(element)
                if _remaps(element):
                    yield from self._free.get(name, set()) - self._private

    def _find_free(self, named: Mapping[str, XmlElement]) -> None:
        """Find the blackboard entries of each tree, with those that subtrees take over by name."""
        self._free = {name: set(_keys(element)) for name, element in named.items()}
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

    def _node(self, element: XmlElement) -> Node:
        """An element with the conditions and scripts of its attributes."""
        node = self._bare(element)
        for key in _SCRIPTS:
            if key in element.attributes:
                self._say(element, f"{key} has no counterpart, and is left out")
        fails = "_failureIf" in element.attributes
        if not fails:
            node = self._on_failure(element, node)
        for attribute, key in (("_failureIf", "fail_if"), ("_successIf", "skip_if")):
            if attribute in element.attributes:
                text = self._expression(element, attribute)
                if text is not None:
                    node = self._around(key, text, node)
        if fails:  # that failure, too, is followed by the script
            node = self._on_failure(element, node)
        if script := element.attributes.get("_onSuccess"):
            with_script = self._script(element, "_onSuccess", script)
            if with_script is not None:
                node = {"sequence": [node, {**with_script, "name": ON_SUCCESS}]}
        return node

    def _on_failure(self, element: XmlElement, node: Node) -> Node:
        if script := element.attributes.get("_onFailure"):
            with_script = self._script(element, "_onFailure", script)
            if with_script is not None:
                return self._around("on_failure", with_script, node)
        return node

    def _script(self, element: XmlElement, what: str, script: str) -> Data | None:
        try:
            return {"set": to_assignments(decode_text(script))}
        except NoCounterpart as error:
            self._say(element, f"{what}: {error}; it is left out")
            return None

    def _expression(self, element: XmlElement, attribute: str) -> str | None:
        try:
            return to_expression(element.attributes[attribute])
        except NoCounterpart as error:
            self._say(element, f"{attribute}: {error}; it is left out")
            return None

    def _around(self, key: str, value: object, node: Node) -> Data:
        """A node with one more modifier around it."""
        if isinstance(node, list):
            return {key: value, "sequence": node}
        if any(ORDER[one] <= ORDER[key] for one in node if one in ORDER):
            node = {"sequence": [node]}
        if key == "on_failure" or _PARENTS.isdisjoint(node):
            return {**node, key: value}
        return {key: value, **node}

    def _only_child(self, element: XmlElement) -> Node:
        if len(element.children) != 1:
            count = len(element.children)
            self._say(element, f"<{element.tag}> has one child; this has {count}", "error")
            return []
        return self._node(element.children[0])

    def _bare(self, element: XmlElement) -> Node:
        tag = element.tag
        if tag in GENERIC and "ID" in element.attributes:
            tag = element.attributes["ID"]
        if tag in self._own:
            return self._own_node(element, self._own[tag])
        if tag == NODE and "type" in element.attributes:
            name = decode_text(element.attributes["type"])
            self._note_own(name, element)
            return self._class_node(element, name)
        if tag not in READ and tag[:1].islower() and tag.capitalize() in READ:
            tag = tag.capitalize()  # py_trees takes either
        composite = COMPOSITES.get(tag) or OTHER_COMPOSITES.get(tag)
        if composite is not None:
            if element.attributes.get("memory", "true").lower() == "false":
                composite = f"reactive_{composite}"
            return self._composite(element, composite)
        decorated = self._decorated(element, tag)
        if decorated is not None:
            return decorated
        if tag.startswith("Switch") and tag in READ:
            return self._switch(element, int(tag[-1]))
        match tag:
            case "Parallel":
                return self._parallel(element)
            case "SubTree" | "SubTreePlus" | "SubTreeRemap":
                return self._subtree(element)
            case "AlwaysSuccess" | "AlwaysFailure":
                return self._named(element, {"check": tag == "AlwaysSuccess"})
            case "Sleep":
                return self._named(element, {"wait": self._duration(element, "msec")})
            case "ScriptCondition":
                text = self._expression(element, "code") if "code" in element.attributes else None
                if text is not None:
                    return self._named(element, {"check": text})
            case "Script":
                set = self._script(element, "code", element.attributes.get("code", ""))
                if set is not None:
                    return self._named(element, set)
            case "SetBlackboard":
                key = element.attributes.get("output_key", "").strip("{}")
                if is_reference(f"${key}"):
                    value = decode_value(element.attributes.get("value", ""))
                    return self._named(element, {"set": {key: value}})
        return self._own_type(element, tag)

    def _decorated(self, element: XmlElement, tag: str) -> Node | None:
        """A child with a modifier; None if the element is no decorator that treec knows."""
        flag = FLAGS.get(tag) or PY_TREES_FLAGS.get(tag)
        if flag is not None:
            return self._decorate(element, flag, True)
        tag = {"RetryUntilSuccesful": "RetryUntilSuccessful"}.get(tag, tag)
        for table in (COUNTS, PY_TREES_COUNTS):
            if tag in table and table[tag][1] in element.attributes:
                key, attribute = table[tag]
                return self._decorate(element, key, self._number(element, attribute))
        match tag:
            case "Timeout":
                if "duration" in element.attributes:
                    return self._decorate(element, "timeout", self._number(element, "duration"))
                return self._decorate(element, "timeout", self._duration(element, "msec"))
            case "RunOnce":
                if element.attributes.get("then_skip", "true") != "false":
                    self._say(element, "later ticks give the first result; they are not skipped")
                return self._decorate(element, "once", True)
            case "Delay":
                wait = {"wait": self._duration(element, "delay_msec")}
                return self._named(element, {"sequence": [wait, self._only_child(element)]})
            case "PassThrough":
                return self._named(element, {"sequence": [self._only_child(element)]})
        return None

    def _decorate(self, element: XmlElement, key: str, value: object) -> Data:
        node = self._around(key, value, self._only_child(element))
        name = element.attributes.get("name", element.tag)
        if "name" not in node and decode_text(name) != element.tag:
            node["name"] = decode_text(name)
        elif name not in (element.tag, node.get("name")):
            self._say(element, f"a modifier has no name of its own: '{name}' is left out")
        return node

    def _number(self, element: XmlElement, attribute: str) -> int | float:
        """A number of an attribute, or 1 if it is none."""
        text = element.attributes.get(attribute, "")
        value = decode_value(text)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._say(
                element,
                f"{attribute}: '{text}' is no number, and only a number has a counterpart: 1",
            )
            return 1
        return value

    def _duration(self, element: XmlElement, attribute: str) -> str:
        """A time in milliseconds, as a tree file has it."""
        msec = self._number(element, attribute)
        for unit, size in (("m", 60_000), ("s", 1000)):
            if msec % size == 0 and msec >= size:
                return f"{int(msec // size)}{unit}"
        return f"{msec}ms"

    def _named(self, element: XmlElement, node: Data) -> Data:
        """A node with the name and description of its element."""
        name = element.attributes.get("name")
        if name is not None:
            node["name"] = decode_text(name)
        if "_description" in element.attributes:
            node["about"] = decode_text(element.attributes["_description"])
        return node

    def _composite(self, element: XmlElement, key: str) -> Node:
        children = [self._node(child) for child in element.children]
        node = self._named(element, {key: children})
        return children if key == "sequence" and len(node) == 1 else node

    def _parallel(self, element: XmlElement) -> Node:
        body: Data = {}
        given = element.attributes
        if "policy" in given or ("success_count" not in given and "threshold" not in given):
            one = {"success_on_one": 1, "success_on_all": -1}.get(given.get("policy", ""))
            if one is None and "policy" in given:
                self._say(element, f"the policy '{given['policy']}' has no counterpart")
            if one is not None:
                body["success"] = one
        for key, attribute in (("success", "success_count"), ("failure", "failure_count")):
            if attribute in given:
                body[key] = self._number(element, attribute)
        body["children"] = [self._node(child) for child in element.children]
        if len(body) == 1:
            return self._named(element, {"parallel": body["children"]})
        return self._named(element, {"parallel": body})

    def _switch(self, element: XmlElement, count: int) -> Node:
        variable = element.attributes.get("variable", "")
        reference = variable[1:-1] if variable.startswith("{") else variable
        cases = [element.attributes.get(f"case_{number + 1}") for number in range(count)]
        names = [decode_text(case) for case in cases if case is not None]
        fits = len(element.children) == count + 1 and len(set(names)) == count
        if not fits or not is_reference(f"${reference}"):
            return self._own_type(element, element.tag)
        *children, default = [self._node(child) for child in element.children]
        body = {"of": reference, "cases": dict(zip(names, children, strict=True))}
        return self._named(element, {"switch": {**body, "default": default}})

    def _subtree(self, element: XmlElement) -> Node:
        name = _id(element)
        if not name:
            self._say(element, "a subtree has an ID", "error")
        wired: Data = {key: decode_value(element.attributes[key]) for key in _wired(element)}
        if "_with" in element.attributes:
            more = decode_value(element.attributes["_with"])
            wired |= more if isinstance(more, dict) else {}
        if _remaps(element):
            free = sorted(self._free.get(name, set()) - self._private)
            wired |= {key: f"${key}" for key in free if key not in wired}
            if name not in self._free:
                wired[REMAPS] = True
                self._say(
                    element,
                    f"what it takes over is not known: there is no tree '{name}' in what was read",
                    help="include its file, or write under `with` what it is given",
                )
        node: Data = {"tree": name}
        if wired:
            node["with"] = wired
        return self._named(element, node)

    def _own_type(self, element: XmlElement, tag: str) -> Node:
        """A node class of one's own: its ports, and its children if it has any."""
        name = tag
        if tag in READ:
            self._say(element, f"this <{tag}> has no counterpart: it is a node of its own")
        elif not is_own_type(tag):
            name = f"{tag}_node"
            self._say(element, f"'{tag}' means something else in treec: it is called '{name}'")
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
                self._say(element, f"{key}: '{text}' names no variable of treec, and is a text")
            ports[key] = value
        if "_ports" in element.attributes:
            more = decode_value(element.attributes["_ports"])
            ports |= more if isinstance(more, dict) else {}
        node: Data = {name: ports}
        if element.children:
            node["children"] = [self._node(child) for child in element.children]
        return self._named(element, node)

    # Nodes and modifiers of treec

    def _own_node(self, element: XmlElement, key: str) -> Node:
        given = element.attributes
        children = element.children
        if key == "on_failure" and len(children) == 2:
            handler = self._node(children[1])
            return self._around(key, handler, self._node(children[0]))
        if key in ORDER:
            value = decode_value(given.get("value", "true"))
            return self._around(key, value, self._only_child(element))
        nodes = [self._node(child) for child in children]
        match key:
            case "parallel_never":
                return self._named(element, {"parallel": {"until": "never", "children": nodes}})
            case "if" if nodes:
                condition = decode_value(given.get("condition", ""))
                other = {"else": nodes[1]} if len(nodes) > 1 else {}
                return self._named(element, {"if": condition, "then": nodes[0], **other})
            case "switch":
                names = decode_value(given.get("cases", ""))
                cases = dict(zip(names if isinstance(names, list) else (), nodes, strict=False))
                body = {"of": decode_value(given.get("of", "")), "cases": cases}
                if len(nodes) > len(cases):
                    body["default"] = nodes[-1]
                return self._named(element, {"switch": body})
            case "for_each" if nodes:
                body = {"item": decode_text(given.get("item", ""))}
                body |= {"in": decode_value(given.get("in", "")), "do": nodes[0]}
                return self._named(element, {"for_each": body})
            case "parallel":
                body = {k: decode_value(v) for k, v in given.items() if k in ("success", "failure")}
                return self._named(element, {"parallel": {**body, "children": nodes}})
            case "sequence_with_memory":
                return self._named(element, {key: nodes})
        return self._leaf(element, key)

    def _leaf(self, element: XmlElement, key: str) -> Data:
        left = ("name", "_description", "_failureIf", "_successIf", "_onFailure", ON_SUCCESS)
        given = {k: v for k, v in element.attributes.items() if k not in left}
        fields = NODE_MODELS[key].model_fields
        names = {info.alias or name for name, info in fields.items()} - _base_names()
        node: Data = {}
        if key in given:
            node |= {k: decode_value(v) for k, v in given.items() if k in names}
            rest = {k: decode_value(v) for k, v in given.items() if k not in names}
            if rest:
                node["with"] = rest
        else:
            node[key] = {k: decode_value(v) for k, v in given.items() if k not in names}
            node |= {k: decode_value(v) for k, v in given.items() if k in names}
        return self._named(element, node)


def _base_names() -> set[str]:
    return {info.alias or name for name, info in NodeBase.model_fields.items()}


def _id(element: XmlElement) -> str:
    return decode_text(element.attributes.get("ID", ""))


def _is_subtree(element: XmlElement) -> bool:
    return element.tag in ("SubTree", "SubTreePlus", "SubTreeRemap")


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
            if key in ("code", "_successIf", "_failureIf", "_onSuccess", "_onFailure"):
                yield from _names_in_script(text)
        if element.tag.startswith("Switch") and is_reference(
            f"${element.attributes.get('variable', '')}"
        ):
            yield element.attributes["variable"]


def _names_in_script(text: str) -> Iterator[str]:
    from treec.source.errors import SourceError
    from treec.source.expression import Expression

    try:
        yield from (name.name for name in Expression.parse(to_expression(text)).names)
        return
    except (NoCounterpart, SourceError):
        pass
    try:
        found = to_assignments(text)
    except NoCounterpart:
        return
    yield from found
    yield from (reference.name for reference in references(found))


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
