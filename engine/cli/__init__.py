"""The commands of treec."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from types import ModuleType


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 for problems found, 2 for no run."""
    # Importing and checking make many objects that live until the end: collecting finds nothing
    # and costs a fifth of the time. A run, which goes on for hours, turns it on again.
    collecting = gc.isenabled()
    gc.disable()
    _without_plugins()
    try:
        from treec.cli.app import run

        status = run(argv)
        if argv is None and sys.argv[1:2] == ["check"]:
            _end(status)
        return status
    finally:
        if argv is None:  # the process ends here: what is left need not be walked once more
            gc.freeze()
        if collecting:
            gc.enable()


def _without_plugins() -> None:
    """Pydantic has no plugins here, and looking for some takes 25 ms.

    Most of that is importing what looks for them, which happens even when they are turned off.
    """
    if os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__") != "__all__":
        return
    finder = ModuleType("pydantic.plugin._loader")
    vars(finder).update(get_plugins=lambda: ())
    sys.modules.setdefault(finder.__name__, finder)


def _end(status: int) -> None:
    """End the process, which has only read files, without letting go of each object: 30 ms."""
    if sys.getprofile() or sys.gettrace():
        return  # somebody who watches wants to say at the end what was seen
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return  # Python says itself what cannot be written
    os._exit(status)
