"""Which element stands for which node, in both directions, from the nodes' specifications."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from treec.extensions import depends_on_extensions, registry
from treec.files.node_spec import ModifierSpec, NodeSpec, XmlTag
from treec.files.nodes import COMMON, MODIFIERS, node_specs
from treec.nodes.control.sequence import OPTIONS
from treec_interchange.xml_reader import XmlElement

PREFIX = "Treec"
"""Elements of treec's own nodes: ``TreecAsk`` is `ask`."""

NODE = "TreecNode"
"""The element of a node class whose name is no name of an element."""

WRAPPER = "_"
"""The name of a sequence that is there for its conditions and scripts alone."""

POST = "_post"
"""A script after a node, whether it succeeds or fails."""

ENDS = ("_failureIf", "_successIf")
"""Conditions with which a node ends, which scripts follow."""

REMAPS = "_autoremap"
"""A subtree that takes over entries by their names; kept where that tree is not known."""

GENERIC = ("Action", "Condition", "Decorator", "Control")
"""Elements that say the type of a node in `ID`."""

LOOPS = {"LoopInt": "integer", "LoopDouble": "number", "LoopBool": "bool", "LoopString": "text"}
"""Loops over queues, and the types of their items."""

SUBTREES = ("SubTree", "SubTreePlus", "SubTreeRemap")
PASS_THROUGH = "PassThrough"

ORDER = {"for": -1, **{key: index for index, key in enumerate(MODIFIERS)}}
"""The order in which treec applies modifiers, from the outside in."""


def kind_of(element: XmlElement) -> str:
    """The type of an element's node: its tag, or its `ID`."""
    return element.attributes.get("ID", element.tag) if element.tag in GENERIC else element.tag


CONDITIONS = [spec for spec in MODIFIERS.values() if spec.xml.condition]
"""Modifiers that are conditions of BehaviorTree.CPP, as it puts them around a node."""


def can_be_named(key: str) -> bool:
    """Whether a modifier is written as an element of one child, which can have a name."""
    spec = MODIFIERS.get(key)
    return spec is None or not (spec.xml.condition or spec.xml.script or spec.xml.shape)


def is_named_alone(node: object) -> bool:
    """Whether it is a sequence of one node that has a name of its own and no modifiers."""
    if not isinstance(node, dict) or len(node.get("sequence") or ()) != 1:
        return False
    return ("name" in node or "about" in node) and node.keys().isdisjoint((*ORDER, *OPTIONS))


AnySpec = NodeSpec | ModifierSpec


def specs() -> Iterator[AnySpec]:
    """All node types and modifiers."""
    yield from node_specs()
    yield from MODIFIERS.values()


@lru_cache(maxsize=1)
def read_elements() -> dict[str, list[tuple[AnySpec, XmlTag | None]]]:
    """Elements of other programs that nodes and modifiers are read from, by their names.

    Without a tag the specification has a function for the element.
    """
    found: dict[str, list[tuple[AnySpec, XmlTag | None]]] = {}
    for spec in specs():
        for tag in spec.xml.tags:
            found.setdefault(tag.tag, []).append((spec, tag))
        for name in filter(None, spec.xml.read):
            found.setdefault(name, []).append((spec, None))
    return found


depends_on_extensions(read_elements.cache_clear)

_XML_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def element_of(key: str) -> str:
    """Return the element of treec's own node or modifier: ``TreecOnChange`` of `on_change`."""
    return PREFIX + "".join(part.capitalize() for part in key.split("_"))


def own_elements() -> dict[str, str]:
    """Return the keys of treec's own nodes and modifiers, those of extensions too, by element."""
    return {element_of(key): key for key in (*registry().nodes, *MODIFIERS, "for", "then")}


def is_xml_name(text: str) -> bool:
    """Whether a text can be the name of an attribute or element, in ASCII."""
    return _XML_NAME.fullmatch(text) is not None and not text.lower().startswith("xml")


def is_own_type(tag: str) -> bool:
    """Whether an element can be the key of a node class: it stands for nothing else."""
    taken = tag in registry().nodes or tag in MODIFIERS or tag in COMMON
    other = tag in ("with", "then", "else", "children", PASS_THROUGH, *SUBTREES, *GENERIC, *LOOPS)
    return not (taken or other or tag in read_elements() or tag.startswith(PREFIX))
