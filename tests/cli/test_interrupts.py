"""Signals of a process of its own are counted in a thread, whatever the main thread does."""

from __future__ import annotations

import os
import signal

import pytest

from treec.cli import interrupts
from treec.cli.interrupts import Interrupts


@pytest.mark.parametrize(
    ("came", "calls"),
    [
        ([signal.SIGCHLD], []),
        ([signal.SIGINT], ["stop"]),
        ([signal.SIGCHLD, signal.SIGTERM], ["stop"]),
        ([signal.SIGINT, signal.SIGCHLD, signal.SIGINT], ["stop", "leave 2"]),
        ([signal.SIGTERM, signal.SIGINT, signal.SIGTERM], ["stop", "leave 2", "leave 15"]),
    ],
)
def test_only_its_own_signals_count_and_the_second_leaves(
    came: list[int], calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(interrupts, "_leave", lambda number, *_: made.append(f"leave {number}"))
    watched = Interrupts(lambda: made.append("stop"), lambda: None)
    watched._before = dict.fromkeys((signal.SIGINT, signal.SIGTERM))
    read, write = os.pipe()
    os.write(write, bytes(came))
    os.close(write)
    watched._look(read)
    assert made == calls
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(read)
