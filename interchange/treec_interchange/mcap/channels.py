"""The channels of a run's MCAP file: names, and schemas of their messages (JSON)."""

from __future__ import annotations

from typing import Any

JOURNAL = "/treec/journal"
"""Each record of the journal, as its line there: what `treec replay` reads."""

NODES = "/treec/nodes"
AGENTS = "/treec/agents"
FACTS = "/treec/facts"
LOG = "/treec/log"

SCHEMA = "treec.Record"
"""The name of the schema of :data:`JOURNAL`."""

CODES = {"INVALID": 0, "RUNNING": 1, "SUCCESS": 2, "FAILURE": 3}
"""Statuses as numbers, to be plotted."""

_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "number"}
_WHOLE: dict[str, Any] = {"type": "integer"}
_FLAG: dict[str, Any] = {"type": "boolean"}
_TIME = {"type": "object", "title": "time", "properties": {"sec": _WHOLE, "nsec": _WHOLE}}

SCHEMAS: dict[str, tuple[str, dict[str, Any]]] = {
    JOURNAL: (
        SCHEMA,
        {
            "n": _WHOLE,
            "t": _NUMBER,
            "kind": _TEXT,
            "by": _TEXT,
            "data": {"type": "object"},
            "v": _WHOLE,
        },
    ),
    NODES: (
        "treec.NodeStatus",
        {
            "path": _TEXT,
            "name": _TEXT,
            "kind": _TEXT,
            "status": _TEXT,
            "code": {
                **_WHOLE,
                "description": ", ".join(f"{name} {code}" for name, code in CODES.items()),
            },
            "detail": _TEXT,
            "tick": _WHOLE,
        },
    ),
    AGENTS: (
        "treec.Agent",
        {
            "agent": _TEXT,
            "state": {**_TEXT, "description": "idle, working or stopped"},
            "working": {**_FLAG, "description": "the same, to be plotted"},
            "subtask": _TEXT,
            "skills": {"type": "array", "items": _TEXT},
            "queued": _WHOLE,
        },
    ),
    FACTS: (
        "treec.Fact",
        {
            "fact": _TEXT,
            "value": {},
            "number": {**_NUMBER, "description": "the value, if it is a number, true or false"},
            "known": _FLAG,
        },
    ),
    LOG: (
        "foxglove.Log",
        {
            "timestamp": _TIME,
            "level": {**_WHOLE, "description": "2 info, 3 warning, 4 error"},
            "message": _TEXT,
            "name": _TEXT,
            "file": _TEXT,
            "line": _WHOLE,
        },
    ),
}
"""By channel the name of its schema and the properties of a message."""
