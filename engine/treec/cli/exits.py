"""How a command ends: its exit status, an output that nobody reads, a process that does not end."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

from treec.world.bounded import BOUND

CLOSED_OUTPUT = 141
"""The status of programs that SIGPIPE ends: 128 + 13."""

UNCONFIRMED = 69
"""The status of a run of which something did not confirm its stop: EX_UNAVAILABLE of sysexits.h."""

NOT_WRITTEN = 74
"""The status of a run that could not be recorded or shown any more: EX_IOERR of sysexits.h."""

_watched = threading.Event()


def close_output() -> None:
    """Write nothing more to an output that cannot be written (`treec … | head`)."""
    with suppress(OSError, ValueError, AttributeError):  # stdout may be no file, or none
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def watch_exit() -> None:
    """Say that this process has called code of others, which may keep it from ending."""
    _watched.set()


def end_in_time() -> None:
    """End the process, which is about to exit, if code of others keeps it longer than ``BOUND``.

    That is a thread that is no daemon, or a function of `atexit`. It is named, and the status is
    ``UNCONFIRMED``: a thread that goes on may drive a robot.
    """
    if _watched.is_set():
        threading.Thread(target=_end, name="treec exit", daemon=True).start()


def _end() -> None:
    threading.Event().wait(BOUND)
    try:
        with suppress(Exception):
            for what in _keepers():
                text = f"treec: {what} did not end with the run, and was ended with its process\n"
                os.write(2, text.encode())
    finally:
        os._exit(UNCONFIRMED)


def _keepers() -> list[str]:
    """What keeps the process, in words."""
    frames = sys._current_frames()
    main = threading.main_thread()
    others = [one for one in threading.enumerate() if not one.daemon and one is not main]
    found = [f"the thread '{one.name}' ({_line(frames.get(one.ident or 0))})" for one in others]
    processes = sys.modules.get("multiprocessing.process")
    for child in processes.active_children() if processes is not None else ():
        found.append(f"the process {child.pid} ({child.name})")
        child.terminate()
    return found or [f"the function of atexit in {_line(frames.get(main.ident or 0))}"]


def _line(frame: object) -> str:
    """The innermost line of a frame that is in no module of Python's own."""
    from types import FrameType

    from treec.foreign import line_of

    first = frame
    while isinstance(frame, FrameType):
        if (
            str(frame.f_globals.get("__name__", "")).partition(".")[0]
            not in sys.stdlib_module_names
        ):
            return line_of(frame)
        frame = frame.f_back
    return line_of(first) if isinstance(first, FrameType) else "nowhere in Python"
