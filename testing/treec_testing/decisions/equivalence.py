"""Comparing decisions and formatting them as text.

What is said (messages, claims, quotes, reasoning) is not compared, nor the order of actions, acts
and subtasks of a graph, nor the reason of a failure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from treec_asking.asking import AskingNode

_WORDS = frozenset({"message", "claims", "quote", "reasoning"})


def equivalent(
    kind: type[AskingNode[Any]], one: Mapping[str, Any], other: Mapping[str, Any]
) -> bool:
    """Whether two decisions of a kind of node are equivalent."""
    return _key(kind, one) == _key(kind, other)


def _key(kind: type[AskingNode[Any]], decision: Mapping[str, Any]) -> object:
    for name in kind.UNORDERED:
        if isinstance(decision.get(name), list | tuple):
            return name, sorted(_item(item) for item in decision[name])
    if "failed" in decision:
        return "failed"
    return json.dumps(decision, sort_keys=True, ensure_ascii=False)


def _item(value: object) -> str:
    return json.dumps(_without_words(value), sort_keys=True, ensure_ascii=False)


def _without_words(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _without_words(item) for key, item in value.items() if key not in _WORDS}
    if isinstance(value, list | tuple):
        return [_without_words(item) for item in value]
    return value.strip(" .?!").casefold() if isinstance(value, str) else value


def format_decision(decision: Mapping[str, Any]) -> str:
    """A decision on one line: a choice, a list of actions, or its parts by name."""
    if len(decision) == 1 and not {"failed", "refused"} & decision.keys():
        ((name, value),) = decision.items()
        if isinstance(value, list | tuple):
            return "; ".join(map(_one, value)) or f"no {name.removesuffix('s')}"
        if isinstance(value, str):
            return value
    return "; ".join(f"{name}: {_value(value)}" for name, value in decision.items())


def _one(item: object) -> str:
    if isinstance(item, Mapping):
        return _act(item) if "kind" in item else _call(item)
    return str(item)


def _call(action: Mapping[str, object]) -> str:
    if len(action) != 1:
        return _value(action)
    ((name, args),) = action.items()
    if not isinstance(args, Mapping):
        return f"{name}({'' if args is None else _value(args)})"
    parts = [f"{k}={_value(v)}" for k, v in args.items() if v not in (None, False)]
    return f"{name}({', '.join(parts)})"


def _act(act: Mapping[str, object]) -> str:
    parts = [
        f"{k}={_value(v)}"
        for k, v in act.items()
        if k not in ("kind", "quote") and v not in (None, False, [], {})
    ]
    return f'{act.get("kind")}({", ".join(parts)}) "{act.get("quote", "")}"'


def _value(value: object) -> str:
    if isinstance(value, str):
        return (
            value
            if value.replace(" ", "").replace("_", "").isalnum()
            else json.dumps(value, ensure_ascii=False)
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_value(v)}" for k, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False, default=str)
