"""The tree of a run as Groot2 is shown it: the nodes that are ticked, as XML, with numbers.

The elements are those of BehaviorTree.CPP where it has the same node, else treec's own; all are
declared. Each instance of a tree is a ``BehaviorTree`` of its own, in the place of its ``SubTree``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from py_trees.behaviour import Behaviour
from py_trees.decorators import Decorator

from treec.compile.build import Frames
from treec.compile.definition import definition_of
from treec.files.nodes import MODIFIERS, NodeBase, node_spec
from treec.run.status_recorder import is_modifier, kind_of, path_of
from treec_interchange.attributes import encode_text, encode_value
from treec_interchange.exporter import SingleWriter
from treec_interchange.vocabulary import is_xml_name
from treec_interchange.xml_reader import XmlElement, write_xml

MOST = 65_535
"""How many nodes have numbers: these have 16 bits."""

_TYPES = ("Action", "Condition", "Decorator", "Control")
"""Types of nodes; where a type of ours is of several, the last holds."""


@dataclass
class ShownTree:
    """A tree as XML; ``nodes`` are those of the numbers 1, 2, …

    A ``SubTree`` has a number, too, and with it the topmost node of its tree. ``boards`` are the
    paths of the instances of trees by the names of their blackboards.
    """

    root: Behaviour
    frames: Frames
    nodes: list[Behaviour] = field(default_factory=list)
    boards: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._writer = SingleWriter()
        self._document = XmlElement("root", {"BTCPP_format": "4"})
        self._models: dict[str, tuple[str, dict[str, None]]] = {}
        main = self._place(self.root)
        self._tree(self.root, main, main, full_path="")
        models = XmlElement("TreeNodesModel", {})
        for tag, (kind, ports) in sorted(self._models.items()):
            inside = [XmlElement("inout_port", {"name": port}) for port in ports]
            models.children.append(XmlElement(kind, {"ID": tag}, inside))
        self._document.children.append(models)
        self.xml = write_xml(self._document)

    def _tree(self, node: Behaviour, name: str, at: str, full_path: str) -> None:
        """Write an instance of a tree as an element of its own."""
        self.boards[full_path or encode_text(name)] = at
        given = {"ID": encode_text(name), "_fullpath": full_path}
        tree = XmlElement("BehaviorTree", given)
        self._document.children.append(tree)  # before those inside it, as they are looked up
        self._node(node, at, tree)

    def _node(self, node: Behaviour, at: str, around: XmlElement) -> None:
        """Write a node of the tree at a path, with all below it."""
        place = self._place(node)
        inner = self.frames.get(place)
        definition = definition_of(node)
        if inner and place != at and definition is not None and definition.header == inner[0]:
            name, wiring = _header(inner[0])
            full_path = encode_text(place)
            given = {"ID": encode_text(name), "_fullpath": full_path}
            around.children.append(self._numbered("SubTree", node, given, wiring))
            self._tree(node, name, place, full_path)
            return
        kind = kind_of(node)
        modifier = MODIFIERS.get(kind) if is_modifier(node) else None
        own = definition.own if definition is not None else None
        if modifier is not None:
            own = own.modifiers.get(kind) if isinstance(own, NodeBase) else None
        single = self._writer.element(kind, own, modifier)
        element = self._numbered(single.tag, node, {}, single.attributes)
        around.children.append(element)
        self._declare(element.tag, kind, node, single.attributes)
        for child in node.children:
            self._node(child, at, element)

    def _numbered(
        self, tag: str, node: Behaviour, given: Mapping[str, str], ports: Mapping[str, str]
    ) -> XmlElement:
        """An element with a name and the next number."""
        attributes = {"name": encode_text(node.name), **given}
        if len(self.nodes) < MOST:
            self.nodes.append(node)
            attributes["_uid"] = str(len(self.nodes))
        return XmlElement(tag, {**ports, **attributes})

    def _place(self, node: Behaviour) -> str:
        """The path of a node without its modifier."""
        path = path_of(node)
        return path if path in self.frames else path.rpartition(":")[0] or path

    def _declare(self, tag: str, kind: str, node: Behaviour, ports: Mapping[str, str]) -> None:
        if node.children:
            type = "Decorator" if isinstance(node, Decorator) else "Control"
        else:
            spec = node_spec(kind)
            is_check = spec is not None and (spec.drawing.group, spec.waits) == ("condition", False)
            type = "Condition" if is_check else "Action"
        other, known = self._models.get(tag, (type, {}))
        shown = [name for name in ports if name != "name" and not name.startswith("_")]
        self._models[tag] = (max(type, other, key=_TYPES.index), {**known, **dict.fromkeys(shown)})


def _header(header: object) -> tuple[str, dict[str, str]]:
    """The name of a tree, and its ports as attributes."""
    assert isinstance(header, tuple)
    name, _, _, wiring, _ = header
    return str(name), {k: encode_value(v) for k, v in wiring.items() if is_xml_name(k)}
