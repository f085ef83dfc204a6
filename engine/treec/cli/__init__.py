"""Commands."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from types import ModuleType


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    0 if all is right, 1 for problems found, 2 for no run, 69 if something did not confirm its stop,
    70 for a bug in treec, 74 if a run could not be recorded or shown; 130 after Ctrl-C.
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        text = "treec: the folder that you are in does not exist any more: cd to one that does"
        print(text, file=sys.stderr)
        return 2
    if argv is None:
        _open_streams()
    # Most objects live until the end, and garbage collection takes a fifth of the time of a check.
    # A run turns it on again.
    collecting = gc.isenabled()
    gc.disable()
    _skip_pydantic_plugins()
    try:
        from treec import crash
        from treec.cli.app import run
        from treec.cli.interrupts import own_process

        if argv is None:
            own_process()
        before = crash.count()
        status = run(argv)
        if crash.count() > before:
            status = crash.STATUS
        if argv is None:
            if sys.argv[1:2] == ["check"]:
                _exit(status)
            if "treec.cli.exits" in sys.modules:  # it may have called code of others
                sys.modules["treec.cli.exits"].end_in_time()
        return status
    finally:
        if argv is None:
            gc.freeze()  # skip the collection at exit
            sys.stdout = sys.stderr  # the output is whole, whatever foreign code prints at exit
        if collecting:
            gc.enable()


def _open_streams() -> None:
    """Open the standard streams that are closed: a file that is opened later would be one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the lowest number that is free is this stream's
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _skip_pydantic_plugins() -> None:
    """Disable Pydantic's search for plugins, which takes 25 ms.

    Replaces the module that searches, since it is imported even if plugins are disabled.
    """
    if os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__") != "__all__":
        return
    finder = ModuleType("pydantic.plugin._loader")
    vars(finder).update(get_plugins=lambda: ())
    sys.modules.setdefault(finder.__name__, finder)


def _exit(status: int) -> None:
    """Exit without freeing all objects, which takes 30 ms."""
    if sys.getprofile() or sys.gettrace():
        return  # profilers report at exit
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return  # Python reports the error at exit
    os._exit(status)
