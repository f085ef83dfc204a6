"""Decisions compared and shown: what counts as the same, and how a person reads it.

Free words are not compared: what is said may be said in other words, a quote may be longer. Nor is
the order of actions, acts or the sub-tasks of a graph, nor why nothing could be decided.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_WORDS = frozenset({"message", "quote", "reasoning"})


def alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two decisions of a node come to the same."""
    return _key(one) == _key(other)


def _key(decision: Mapping[str, Any]) -> object:
    for name in ("actions", "acts", "plan", "list"):
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


def shown(decision: Mapping[str, Any]) -> str:
    """A decision on one line."""
    if "choose" in decision:
        return str(decision["choose"])
    if "actions" in decision:
        return "; ".join(map(_call, decision["actions"])) or "no action"
    if "acts" in decision:
        return "; ".join(map(_act, decision["acts"])) or "no act"
    for name in ("plan", "stages", "list"):
        if name in decision:
            return "; ".join(map(str, decision[name])) or "nothing to do"
    if "steps" in decision:
        return "; ".join(map(str, decision["steps"])) or "no step"
    return "; ".join(f"{name}: {_value(value)}" for name, value in decision.items())


def _call(action: object) -> str:
    if not isinstance(action, Mapping) or len(action) != 1:
        return _value(action)
    ((name, given),) = action.items()
    if not isinstance(given, Mapping):
        return f"{name}({'' if given is None else _value(given)})"
    told = [f"{k}={_value(v)}" for k, v in given.items() if v not in (None, False)]
    return f"{name}({', '.join(told)})"


def _act(act: object) -> str:
    if not isinstance(act, Mapping):
        return _value(act)
    told = [
        f"{k}={_value(v)}"
        for k, v in act.items()
        if k not in ("kind", "quote") and v not in (None, False, [], {})
    ]
    return f'{act.get("kind")}({", ".join(told)}) "{act.get("quote", "")}"'


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
