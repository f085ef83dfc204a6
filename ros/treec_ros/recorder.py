"""Keeps the messages of a run beside its journal: what it sent, and what its facts were made of.

They lie in MCAP files in the run's folder as they were on the wire (CDR), each with its
definition, at seconds of the run; `treec export RUN --to mcap` puts them beside the journal. They
are written at once, so that a killed run has them, too. Nothing is kept without the package `mcap`,
or with the environment variable `TREEC_ROS_RECORD=0`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Any

from treec_ros.definitions import SECTIONS, InvalidDefinition, installed, parse, split_name

NAME = "ros_messages"
"""The files are `ros_messages.mcap`, of a process that resumed the run `ros_messages-2.mcap`, …"""

SWITCH = "TREEC_ROS_RECORD"

_LINE = "=" * 80
_UUID = "unique_identifier_msgs/msg/UUID"
_WHOLE = {
    "goal": ("SendGoalRequest", "unique_identifier_msgs/UUID goal_id\n{package}/{name}Goal goal"),
    "result": ("GetResultResponse", "int8 status\n{package}/{name}Result result"),
    "feedback": (
        "FeedbackMessage",
        "unique_identifier_msgs/UUID goal_id\n{package}/{name}Feedback feedback",
    ),
}
"""What an action's server and clients send each other: its type, and what that consists of.

ROS has underscores in these names (`Fibonacci_SendGoal_Request`), which readers of bags refuse.
"""


class MessageRecorder:
    """Writes messages into a file of a run's folder; from any thread."""

    def __init__(self, folder: Path, now: Callable[[], float], tell: Callable[[str], None]) -> None:
        """Begin a file at the first message. Raises ImportError without the package `mcap`."""
        import mcap.writer  # noqa: F401

        self._folder, self._now, self._tell = folder, now, tell
        self._lock = threading.Lock()
        self._channels: dict[tuple[str, str, str], int | None] = {}
        self._writer: Any = None
        self._is_over = False

    def keep(self, topic: str, type_: str, message: Any, part: str = "") -> None:
        """Keep a message of a topic; ``part`` is that of a service or an action."""
        from rclpy.serialization import serialize_message

        with self._lock:
            if self._is_over:
                return
            try:
                channel = self._channel(topic, type_, part)
                if channel is not None:
                    at = round(self._now() * 1e9)
                    self._writer.add_message(channel, at, serialize_message(message), at)
            except Exception as error:  # the disk is full, …: what is sent does not wait for that
                self._is_over = True
                self._tell(f"messages are no longer kept: {type(error).__name__}: {error}")

    def close(self) -> None:
        """End the file."""
        with self._lock:
            if self._writer is not None and not self._is_over:
                with suppress(OSError):
                    self._writer.finish()
            self._is_over = True

    def _channel(self, topic: str, type_: str, part: str) -> int | None:
        key = topic, type_, part
        if key not in self._channels:
            found = schema_of(type_, part)
            self._channels[key] = None
            if found is not None:
                writer = self._writer or self._begin()
                schema = writer.register_schema(found[0], "ros2msg", found[1].encode())
                self._channels[key] = writer.register_channel(topic, "cdr", schema)
        return self._channels[key]

    def _begin(self) -> Any:
        from mcap.writer import CompressionType, Writer

        names = chain([NAME], (f"{NAME}-{number}" for number in count(2)))
        path = next(p for n in names if not (p := self._folder / f"{n}.mcap").exists())
        file = open(path, "xb", buffering=0)  # noqa: SIM115 (it is closed with the writer)
        self._writer = Writer(file, compression=CompressionType.NONE, use_chunking=False)
        self._writer.start(profile="ros2", library="treec")
        return self._writer


def open_recorder(
    folder: Path | None, now: Callable[[], float], tell: Callable[[str], None]
) -> MessageRecorder | None:
    """The recorder of a run; None if it has no folder, or nothing is to be kept.

    ``tell`` is told if it can go on no longer.
    """
    if folder is None or os.environ.get(SWITCH) == "0":
        return None
    try:
        return MessageRecorder(folder, now, tell)
    except ImportError:
        return None


@cache
def schema_of(type_: str, part: str = "") -> tuple[str, str] | None:
    """The name and definition of a message, or of a part of a service or an action.

    None if a definition is not installed. All that is in it follows, as in a bag.
    """
    names = split_name(type_)
    if names is None:
        return None
    package, kind, name = names
    try:
        if kind == "msg":
            return type_, "\n".join(_texts(type_, _section(type_, 0)))
        index = SECTIONS[kind].index(part)
        own = _section(type_, index)
        if kind == "srv":
            return f"{type_}{part.capitalize()}", "\n".join(_texts(type_, own))
        end, head = _WHOLE[part]
        inner = f"{package}/{name}{part.capitalize()}"
        texts = [head.format(package=package, name=name)]
        needed = [] if part == "result" else [_named(_UUID), *_texts(_UUID, _section(_UUID, 0))]
        texts += [*needed, _named(inner), *_texts(type_, own)]
        return f"{type_}{end}", "\n".join(texts)
    except (LookupError, InvalidDefinition):
        return None


def _section(type_: str, index: int) -> str:
    """A section of a definition. Raises LookupError if it is not installed."""
    text = installed(type_)
    if text is None:
        raise LookupError(type_)
    sections: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip() == "---":
            sections.append([])
        else:
            sections[-1].append(line)
    return "\n".join(sections[index])


def _texts(type_: str, own: str) -> Iterator[str]:
    """A definition, and those of all that is in it, each once."""
    yield own
    seen: dict[str, None] = {}
    todo = [(type_, own)]
    while todo:
        name, text = todo.pop(0)
        for field in parse(text, name)[0].values():
            inner = field.type
            if "/" in inner and inner not in seen:
                seen[inner] = None
                found = _section(inner, 0)
                todo.append((inner, found))
                yield _named(inner)
                yield found


def _named(type_: str) -> str:
    return f"{_LINE}\nMSG: {type_.replace('/msg/', '/')}"
