"""Writes a run as an MCAP file: its journal, what it means, and the messages beside it.

The channel of the journal is the run; the others are made from it for people who plot: the status
of each node when it changes, agents, facts, and a log of what was said and done. Messages that an
environment has kept in the run's folder (:data:`MESSAGES`) are copied with their schemas.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from mcap.records import Channel, Schema
from mcap.writer import Writer

from treec.cli.live_lines import LiveLines
from treec.run.folder import read_meta
from treec.run.state import AgentAtWork, RunState
from treec.world.facts import FactKey, FactValue
from treec.world.journal import Record
from treec.world.values import freeze, thaw
from treec_interchange.mcap.channels import (
    AGENTS,
    CODES,
    FACTS,
    JOURNAL,
    LOG,
    NODES,
    SCHEMAS,
)
from treec_interchange.mcap.read import records_of

MESSAGES = "ros_messages*.mcap"
"""Files in a run's folder with messages that it sent and saw, of each process that carried it on;
their times are seconds of the run."""

CHUNK = 64 * 1024
"""Bytes of a chunk, which is lost as a whole where a file is cut."""

_LEVELS = {"yellow": 3, "red": 4, "bold red": 4}


class TimedMessage(NamedTuple):
    """A message that is to be written, with its time of the run in nanoseconds."""

    t: int
    topic: str
    data: bytes
    number: int = 0
    channel: Channel | None = None
    """The channel of the file that it is copied from, and its schema."""
    schema: Schema | None = None


def write_run(records: Sequence[Record], folder: Path | None, file: BinaryIO) -> dict[str, int]:
    """Write a run; returns the number of messages on each channel.

    ``folder`` is the run's: it says when the run began, which is time 0 if nothing does.
    """
    meta = {} if folder is None else read_meta(folder)
    begin = _begin(meta.get("started"))
    kept = sorted(folder.glob(MESSAGES)) if folder is not None else []
    writer = Writer(file, chunk_size=CHUNK)
    writer.start(library="treec")
    counts: dict[str, int] = {}
    ids: dict[tuple[str, str], int] = {}
    writer.add_metadata("treec", {k: str(meta[k]) for k in _SHOWN if k in meta})
    copied = map(copied_messages, kept)
    messages = heapq.merge(messages_of(records, begin), *copied, key=lambda one: one.t)
    for message in messages:
        key = message.topic, message.schema.name if message.schema else ""
        if key not in ids:
            ids[key] = _register(writer, message)
        at = begin + message.t
        writer.add_message(ids[key], at, message.data, at, message.number)
        counts[message.topic] = counts.get(message.topic, 0) + 1
    writer.finish()  # type: ignore[no-untyped-call]
    return counts


_SHOWN = ("system", "scenario", "started", "file")


def _begin(started: object) -> int:
    """The begin of a run in nanoseconds."""
    try:
        return int(datetime.fromisoformat(str(started)).timestamp()) * 1_000_000_000
    except ValueError:
        return 0


def _register(writer: Writer, message: TimedMessage) -> int:
    if message.schema is not None and message.channel is not None:
        name, encoding, data = message.schema.name, message.schema.encoding, message.schema.data
        form, meta = message.channel.message_encoding, message.channel.metadata
    else:
        name, properties = SCHEMAS[message.topic]
        whole = {"type": "object", "title": name, "properties": properties}
        encoding, data, form, meta = "jsonschema", _json(whole), "json", {}
    return writer.register_channel(
        message.topic, form, writer.register_schema(name, encoding, data), dict(meta)
    )


def copied_messages(path: Path) -> Iterator[TimedMessage]:
    """The messages of a file, which may be cut; those before the cut are all there."""
    for schema, channel, message in records_of(path, None):
        yield TimedMessage(
            message.log_time, channel.topic, message.data, message.sequence, channel, schema
        )


def messages_of(records: Iterable[Record], begin: int) -> Iterator[TimedMessage]:
    """All that a journal says, as messages in the order of its records."""
    state = RunState()
    lines = LiveLines((), state)
    agents: dict[str, dict[str, object]] = {}
    facts: dict[FactKey, FactValue] = {}
    for record in records:
        t = round(record.t * 1e9)
        yield TimedMessage(t, JOURNAL, record.line().rstrip("\n").encode(), record.n)
        for change in state.take(record):
            yield TimedMessage(t, NODES, _json(_status(state, change.node)), record.n)
        if record.kind == "tree":
            for number in range(len(state.nodes)):
                yield TimedMessage(t, NODES, _json(_status(state, number)), record.n)
        for pieces in lines.of(record):
            yield TimedMessage(t, LOG, _json(_line(pieces, begin + t)), record.n)
        for name, work in state.agents.items():
            agent = _agent(name, work)
            if agents.get(name) != agent:
                agents[name] = agent
                yield TimedMessage(t, AGENTS, _json(agent), record.n)
        for key, fact in _changed(state.facts, facts):
            yield TimedMessage(t, FACTS, _json(_fact(key, fact)), record.n)


def _changed(
    now: Mapping[FactKey, FactValue], before: dict[FactKey, FactValue]
) -> Iterator[tuple[FactKey, FactValue]]:
    for key, fact in now.items():
        if before.get(key) is not fact:
            before[key] = fact
            yield key, fact


def _status(state: RunState, number: int) -> dict[str, object]:
    node, status = state.nodes[number], state.statuses[number]
    return {
        "path": node.path,
        "name": node.name,
        "kind": node.kind,
        "status": status,
        "code": CODES[status],
        "detail": state.detail(number),
        "tick": state.tick,
    }


def _agent(name: str, work: AgentAtWork) -> dict[str, object]:
    doing = "stopped" if work.stopped else "working" if work.subtask else "idle"
    return {
        "agent": name,
        "state": doing,
        "working": doing == "working",
        "subtask": work.subtask,
        "skills": list(work.steps),
        "queued": len(work.queue),
    }


def _fact(key: FactKey, fact: FactValue) -> dict[str, object]:
    known = fact.source != "unknown"
    value = thaw(freeze(fact.value)) if known else None
    name, args = key
    data: dict[str, object] = {"fact": f"{name}({', '.join(map(str, args))})" if args else name}
    data["value"] = value
    if isinstance(value, bool | int | float):
        data["number"] = value + 0
    return {**data, "known": known}


def _line(pieces: Sequence[tuple[str, str]], t: int) -> dict[str, object]:
    _, (who, _), *said = pieces
    return {
        "timestamp": {"sec": t // 1_000_000_000, "nsec": t % 1_000_000_000},
        "level": max(_LEVELS.get(style, 2) for _, style in said),
        "message": "".join(text for text, _ in said).strip(),
        "name": who.strip(),
        "file": "",
        "line": 0,
    }


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
