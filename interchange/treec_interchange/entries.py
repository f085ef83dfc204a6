"""Elements whose time is an entry of the blackboard: ``<Timeout msec="{limit}">``.

treec's modifiers have constant times; what stands for these remembers when it began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treec.files.node_spec import Data
from treec.source.values import is_reference
from treec_interchange.attributes import decode_value
from treec_interchange.vocabulary import kind_of
from treec_interchange.xml_reader import XmlElement

_ATTRIBUTES = {
    "Sleep": "msec",
    "Timeout": "msec",
    "Delay": "delay_msec",
}


def entry_of(element: XmlElement) -> str | None:
    """The entry that an element has for its time; None if it has none."""
    value = decode_value(element.attributes.get(_ATTRIBUTES.get(kind_of(element), ""), ""))
    return str(value)[1:] if is_reference(value) else None


def with_entry(kind: str, entry: str, node: Any, variable: Callable[[str, str], str]) -> Data:
    """What stands for an element; ``node`` is its child's, ``variable`` gives a new variable."""
    began = variable("began", "number = 0")
    start, over = {"set": {began: "= now"}}, f"now - {began} >= {entry} / 1000"
    if kind == "Timeout":
        return {"sequence": [start, {"while": f"not {over}", "sequence": [node]}]}
    wait = {"wait": {"until": over}}
    return {"sequence": [start, wait] if kind == "Sleep" else [start, wait, node]}
