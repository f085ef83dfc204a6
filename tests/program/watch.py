"""Sees what Python does in earnest: importing, executing, opening files, starting processes."""

from __future__ import annotations

import difflib  # imported here, since help lines import it when first needed
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from treec.frozen import FILE

assert difflib

_EARNEST = ("exec", "import", "open", "os.", "subprocess.", "socket.", "ctypes.", "shutil.")
_seen: list[str] | None = None


def _hook(event: str, args: tuple[object, ...]) -> None:
    if event == "open" and args[0] == "":
        return  # Python's parser looks for the file of a message: there is none of this name
    if event == "exec" and getattr(args[0], "co_filename", "") == FILE:
        return  # a data class of ours, used for the first time
    if _seen is not None and event.startswith(_EARNEST):
        _seen.append(f"{event} {args[:1]!r:.80}")


sys.addaudithook(_hook)


@contextmanager
def nothing_executed() -> Iterator[None]:
    """Fail when Python executes, imports or opens anything meanwhile."""
    global _seen
    _seen = []
    try:
        yield
    finally:
        seen, _seen = _seen, None
    assert seen == []
