"""A line of a stream that may be anything."""

from __future__ import annotations

import io
from threading import Event
from typing import TextIO

import pytest

from treec.cli.read_line import read_line


class Unreadable(io.StringIO):
    """A stream that is no file, and cannot be read either (pytest's, a closed terminal's)."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        raise OSError("it cannot be read")


def closed() -> io.StringIO:
    stream = io.StringIO("stop\n")
    stream.close()
    return stream


@pytest.mark.parametrize("stream", [None, Unreadable(), closed()])
def test_a_stream_that_cannot_be_read_is_at_its_end(stream: TextIO | None) -> None:
    assert read_line(stream, Event()) is None


def test_a_stream_that_is_no_file_is_read_line_by_line() -> None:
    stream = io.StringIO("go on\nstop\n")
    assert [read_line(stream, Event()) for _ in range(3)] == ["go on\n", "stop\n", None]
