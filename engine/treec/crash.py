"""A crash: an exception that nobody expected, which is a bug in treec.

A process that had one ends with a status of its own, so that nobody takes it for wrong usage (2) or
for problems that were found (1). A page goes on after one, and its process ends with that status.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import ParamSpec

P = ParamSpec("P")

STATUS = 70
"""The exit status: EX_SOFTWARE of sysexits.h."""

BUG = "this is a bug in treec, not in your files"

_count = 0


def count() -> int:
    """How many crashes this process had, and children of it that it has waited for."""
    return _count


def note() -> None:
    """Count a crash that a child has reported."""
    global _count
    _count += 1


def report(error: BaseException) -> int:
    """Print the traceback of an exception on standard error; returns the exit status."""
    import traceback

    note()
    traceback.print_exception(error)
    print(f"treec: {BUG}", file=sys.stderr, flush=True)
    return STATUS


def contain(function: Callable[P, object], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """Call the function that a child process is made for; after a crash, or with its parent, exit.

    Raises SystemExit, also if the function returns and a crash was reported meanwhile.
    """
    from treec.child import end_with_parent  # not needed where nothing is started

    end_with_parent()
    before = _count
    try:
        function(*args, **kwargs)
    except Exception as error:
        report(error)
    if _count > before:
        sys.exit(STATUS)
