"""Where somebody's code stands: lines of frames, exceptions, classes and methods."""

from __future__ import annotations

import inspect
import re
import sys
import sysconfig
from pathlib import Path
from types import FrameType
from typing import Any

from treec.conformance.trial import CodePlace

_LINE = re.compile(r'^  File "(.+)", line (\d+) in ', re.MULTILINE)
"""A line of a traceback as faulthandler writes it."""

_OURS = ("treec.conformance", "treec.world", "treec.nodes", "treec.run")


def is_theirs(frame: FrameType) -> bool:
    """Whether a frame runs code that is neither the engine's nor Python's own."""
    name = str(frame.f_globals.get("__name__", ""))
    package = name.partition(".")[0]
    if package in ("py_trees", "threading") or package in sys.stdlib_module_names:
        return False
    return not name.startswith(_OURS)


def place_of_frame(frame: FrameType | None) -> CodePlace | None:
    """The innermost line of theirs, from a frame outwards."""
    while frame is not None:
        if is_theirs(frame):
            return CodePlace(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def place_in_dump(text: str) -> CodePlace | None:
    """The first line of theirs in tracebacks that faulthandler has written, innermost first."""
    ours = Path(__file__).resolve().parents[1]
    python = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    libraries = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    for file, line in _LINE.findall(text):
        path = Path(file)
        if path.resolve().is_relative_to(ours) or file.startswith("<"):
            continue
        if any(map(path.is_relative_to, python)) and not any(map(path.is_relative_to, libraries)):
            continue
        if any(path.is_relative_to(library / "py_trees") for library in libraries):
            continue
        return CodePlace(file, int(line))
    return None


def place_of_error(error: BaseException) -> CodePlace | None:
    """The innermost line of theirs in which an exception arose."""
    place, trace = None, error.__traceback__
    while trace is not None:
        if is_theirs(trace.tb_frame):
            place = CodePlace(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def place_of_definition(thing: Any, method: str = "") -> CodePlace | None:
    """The line where a class or function is defined, or a method of it."""
    found: Any
    for found in (getattr(thing, method, None) if method else thing, thing):
        try:
            file = inspect.getsourcefile(found)
            lines, line = inspect.getsourcelines(found)
        except (TypeError, OSError):
            continue
        heads = [n for n, s in enumerate(lines) if s.lstrip().startswith(("def ", "class "))]
        skipped = heads[0] if heads else 0
        if file is not None:
            return CodePlace(file, line + skipped)
    return None
