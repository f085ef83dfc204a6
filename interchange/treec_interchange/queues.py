"""Loops over queues: ``<LoopDouble queue="1;2;3" value="{x}">`` is a `for_each` that yields.

BehaviorTree.CPP writes each item into an entry, which is there after the loop, too: here the first
node below sets it. A queue that is an entry is a list, from which the loop takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treec.files.node_spec import Data, Loc
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.values import is_reference
from treec_interchange.attributes import decode_value, encode_text
from treec_interchange.scripts import NoCounterpart
from treec_interchange.vocabulary import LOOPS

ITEM = "_item"
"""The name of the item, if it is another than one that is read anyhow."""

_ENDS = {"SUCCESS": "success", "FAILURE": "failure", "SKIPPED": "skip", "RUNNING": "running"}
_TRUTHS = {"true": True, "false": False, "1": True, "0": False}


def queue_of(attributes: Mapping[str, str]) -> str | None:
    """The entry that an element takes its items from; None if they stand in it."""
    return _entry(attributes, "queue") if attributes.get("queue", "").startswith("{") else None


def value_of(attributes: Mapping[str, str]) -> str | None:
    """The entry that each item is written into."""
    return _entry(attributes, "value") if "value" in attributes else None


def read_loop(tag: str, attributes: Mapping[str, str], child: Any, item: str) -> Data:
    """The node of an element; ``item`` is an unused name. Raises NoCounterpart."""
    for name in attributes.keys() - {"queue", "value", "if_empty", "name", "ID"}:
        if not name.startswith("_"):
            raise NoCounterpart(f"{name} has no counterpart")
    queue, value = queue_of(attributes), value_of(attributes)
    body: Data = {"item": item, "in": queue, "takes": True, "yields": True}
    if queue is None:
        items = attributes.get("queue", "")
        listed = [_item(tag, text) for text in items.split(";")] if items else []
        body = {"item": item, "in": repr(listed), "yields": True}
        if LOOPS[tag] == "bool":
            body["in"] = body["in"].lower()
    end = attributes.get("if_empty", "SUCCESS")
    if end not in _ENDS:
        raise NoCounterpart(f"if_empty: '{end}' is not a status")
    if end != "SUCCESS":
        body["if_empty"] = _ENDS[end]
    body["do"] = child if value is None else [{"set": {value: f"${item}"}}, child]
    return {"for_each": body}


@dataclass(frozen=True)
class WrittenLoop:
    """An element: its tag, its attributes, the node below it and that node's place."""

    tag: str
    given: dict[str, str]
    child: Any
    loc: Loc


def write_loop(data: Mapping[str, Any], types: Mapping[str, str]) -> WrittenLoop | None:
    """The element of a loop; None if it would not be read as the same.

    ``types`` are those of variables and ports.
    """
    body = data["for_each"]
    item, child, given = body["item"], body["do"], dict[str, str]()
    loc: Loc = ("for_each", "do")
    if body.get("takes"):
        given["queue"] = f"{{{body['in']}}}"
    else:
        try:
            listed = Expression.parse(body["in"]).constant_value()
        except LocatedError:
            return None
        given["queue"] = ";".join(map(_text, listed)) if isinstance(listed, list | tuple) else ""
    match child:
        case [{"set": {**sets}} as first, below] if first.keys() == {"set"} and len(sets) == 1:
            given["value"], child, loc = f"{{{next(iter(sets))}}}", below, (*loc, 1)
    if "if_empty" in body:
        given["if_empty"] = next(s for s, end in _ENDS.items() if end == body["if_empty"])
    if encode_text(given["queue"]) != given["queue"] or re.search(rf"\b{item}\b", repr(child)):
        return None  # the item has no name there
    if item != f"next_{value_of(given) or 'item'}":
        given[ITEM] = item
    for tag, kind in LOOPS.items():
        if body.get("takes") and types.get(body["in"]) != f"list of {kind}":
            continue
        try:
            if read_loop(tag, given, child, item) == {"for_each": body}:
                return WrittenLoop(tag, given, child, loc)
        except NoCounterpart:
            continue
    return None


def _text(item: object) -> str:
    if isinstance(item, bool):
        return str(item).lower()
    return str(item).removesuffix(".0") if isinstance(item, float) else str(item)


def _item(tag: str, text: str) -> object:
    """An item that stands in an attribute. Raises NoCounterpart."""
    try:
        match LOOPS[tag]:
            case "integer":
                return int(text)
            case "number":
                return float(text)
            case "bool":
                return _TRUTHS[text.lower()]
    except (ValueError, KeyError):
        raise NoCounterpart(f"queue: '{text}' is not of the type of <{tag}>") from None
    return text


def _entry(attributes: Mapping[str, str], port: str) -> str:
    name = decode_value(attributes[port])
    if not isinstance(name, str) or not is_reference(name) or "." in name:
        raise NoCounterpart(f"{port}: '{attributes[port]}' is not a variable of treec")
    return name[1:]
