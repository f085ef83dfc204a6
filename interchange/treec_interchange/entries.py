"""Elements whose number or time is an entry of the blackboard: ``<Timeout msec="{limit}">``.

treec's modifiers have constants; what stands for these counts in a variable, or remembers when it
began.
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
    "Repeat": "num_cycles",
    "RetryUntilSuccessful": "num_attempts",
}


def entry_of(element: XmlElement) -> str | None:
    """The entry that an element has for its number or time; None if it has none."""
    value = decode_value(element.attributes.get(_ATTRIBUTES.get(kind_of(element), ""), ""))
    return str(value)[1:] if is_reference(value) else None


def with_entry(kind: str, entry: str, node: Any, variable: Callable[[str, str], str]) -> Data:
    """What stands for an element; ``node`` is its child's, ``variable`` gives a new variable."""
    if kind in ("Repeat", "RetryUntilSuccessful"):
        count, most = variable("count", "number = 0"), variable("most", "number = 0")
        inner: Data = {"sequence": [node]}
        inner |= {"invert": True} if kind == "RetryUntilSuccessful" else {}
        counted = {"set": {count: f"= {count} + 1"}}
        more = {"check": f"{most} < 0 or {count} < {most}"}
        loop = {"repeat": -1, "sequence": [inner, counted, more]}
        guarded = {"skip_if": f"{most} == 0", "sequence": [loop], "force_success": True}
        enough = {"check": f"{most} >= 0 and {count} >= {most}"}
        whole: Data = {"sequence": [{"set": {count: 0, most: f"${entry}"}}, guarded, enough]}
        return whole | ({"invert": True} if kind == "RetryUntilSuccessful" else {})
    began = variable("began", "number = 0")
    start, over = {"set": {began: "= now"}}, f"now - {began} >= {entry} / 1000"
    if kind == "Timeout":
        return {"sequence": [start, {"while": f"not {over}", "sequence": [node]}]}
    wait = {"wait": {"until": over}}
    return {"sequence": [start, wait] if kind == "Sleep" else [start, wait, node]}
