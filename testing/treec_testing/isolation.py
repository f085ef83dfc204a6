"""The one place where somebody's code is called, in a process that it may hold or end."""

from __future__ import annotations

import faulthandler
import inspect
import sys
import sysconfig
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import treec
from treec.foreign import BadReport, ForeignError, as_foreign, guard
from treec_testing.trial import CodePlace, Misbehaviour

PATIENCE = 5.0
"""Real seconds after which a call that has not returned is ended, and its process with it."""
AT_ONCE = 1.0
"""Real seconds within which a call has returned at once."""
PREPARING = 120.0
"""Real seconds that importing the code and opening an environment may take."""

T = TypeVar("T")


class TooSlow(Misbehaviour):
    """A call took longer than it should."""


def contain(
    call: str,
    function: Callable[..., T],
    *args: object,
    patience: float = PATIENCE,
    at_once: float = AT_ONCE,
) -> T:
    """Call somebody's code. Raises Misbehaviour if it raises, exits or is slow."""
    watch(call, patience)
    began = time.perf_counter()
    try:
        with guard("", Misbehaviour):
            value = function(*args)
    except ForeignError as error:
        raise misbehaviour_of(call, error) from error
    seconds = time.perf_counter() - began
    if seconds > at_once:
        raise TooSlow(f"{call} took {seconds:.1f} s")
    return value


def watch(call: str, patience: float = PATIENCE) -> None:
    """Name what runs from now on; the process is ended after ``patience`` real seconds of it."""
    if is_isolated:
        print(f"\nRunning: {call}", file=sys.stderr, flush=True)
        faulthandler.dump_traceback_later(patience, exit=True)


is_isolated = False
"""Whether this is a process of its own for somebody's code."""


def checked(
    check: Callable[[object, str], T], value: object, call: str, place: CodePlace | None = None
) -> T:
    """What a call gave, if that has its form. Raises Misbehaviour."""
    try:
        with guard(""):
            return check(value, call)
    except BadReport as error:
        raise Misbehaviour(str(error), place) from None
    except ForeignError as error:
        raise misbehaviour_of(call, error) from error


def misbehaviour_of(call: str, error: BaseException) -> Misbehaviour:
    """The finding for an exception that left somebody's code."""
    if isinstance(error, Misbehaviour):
        return error
    raised = as_foreign(error, "")
    what = f"{call} raised {raised.exception}: {raised.text}".removesuffix(": ")
    error = error.__cause__ if isinstance(error, ForeignError) and error.__cause__ else error
    frames = [(f.f_code.co_filename, line) for f, line in traceback.walk_tb(error.__traceback__)]
    return Misbehaviour(what, first_tried(reversed(frames)))


def caller_place() -> CodePlace | None:
    """The innermost line of the tried code on the current stack."""
    stack = traceback.walk_stack(sys._getframe(1))
    return first_tried((frame.f_code.co_filename, line) for frame, line in stack)


def definition_place(code: Any, method: str) -> CodePlace | None:
    """The line where a class or function is defined, or a method of it."""
    target: Any
    for target in (getattr(code, method, None), code):
        with suppress(TypeError, OSError):
            place = CodePlace(inspect.getfile(target), inspect.getsourcelines(target)[1])
            if _is_tried(place.file):
                return place
    return None


def first_tried(lines: Iterable[tuple[str, int]]) -> CodePlace | None:
    """The first of some lines that is one of the tried code."""
    return next((CodePlace(file, line) for file, line in lines if _is_tried(file)), None)


@lru_cache(maxsize=1000)
def _is_tried(file: str) -> bool:
    """Whether a file is neither the engine's nor Python's nor py_trees'."""
    path = Path(file).resolve()
    if "site-packages" in path.parts:
        return path.parts[path.parts.index("site-packages") + 1] != "py_trees"
    engine, python = Path(treec.__file__).resolve().parent, Path(sysconfig.get_path("stdlib"))
    ours = [python, Path(__file__).resolve().parent]
    ours += (engine / room for room in ("nodes", "run", "world"))
    return not file.startswith("<") and not any(path.is_relative_to(folder) for folder in ours)
