"""One command of treec in a process: bounded in time, ended with whoever waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

import anyio

from treec import child

GRACE = 1.5
"""Seconds for a run that is stopped to tell its robots, before it is killed."""

TELL_EVERY = 2.0
"""Seconds between reports that it still runs."""


class TooLate(Exception):
    """It was stopped; the text is the end of what it had printed."""


async def run_treec(
    arguments: Sequence[str],
    folder: Path,
    limit: float,
    tell: Callable[[float], Awaitable[None]],
) -> tuple[int, str, str]:
    """The exit status and what is printed on both streams.

    Its process group is stopped as by Ctrl-C, and then killed, on every other way out. ``tell`` is
    awaited with the seconds that have passed. Raises TooLate.
    """
    command = [sys.executable, "-m", "treec", *arguments]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "120"}
    read, write = os.pipe()
    supervised = os.name == "posix"
    prefix = [sys.executable, "-I", "-S", child.__file__, str(read)] if supervised else []
    try:
        process = await asyncio.create_subprocess_exec(
            *prefix,
            *command,
            cwd=folder,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            pass_fds=[read] if supervised else [],
            start_new_session=supervised,
        )
    finally:
        os.close(read)
    start = time.monotonic()
    ended = asyncio.ensure_future(process.communicate())
    try:
        while not ended.done():
            left = limit - (time.monotonic() - start)
            if left <= 0:
                raise TooLate
            await asyncio.wait({ended}, timeout=min(TELL_EVERY, left))
            if not ended.done():
                await tell(time.monotonic() - start)
    except TooLate:
        with anyio.CancelScope(shield=True):
            printed = await _end(process, ended)
        last = printed.strip().splitlines()[-5:]
        raise TooLate("".join(f"\n{line}" for line in last)) from None
    finally:
        if not ended.done():  # it was cancelled
            with anyio.CancelScope(shield=True):
                await _end(process, ended)
        os.close(write)
    out, errors = (one.decode("utf-8", "replace") for one in ended.result())
    return process.returncode or 0, out, errors


async def _end(
    process: asyncio.subprocess.Process, ended: asyncio.Future[tuple[bytes, bytes]]
) -> str:
    """End it and return what it had printed."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(process.pid, number)
            else:
                process.terminate()
        done, _ = await asyncio.wait({ended}, timeout=GRACE)
        if done:
            return ended.result()[0].decode("utf-8", "replace")
    ended.cancel()
    return ""
