"""The commands of treec."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 for problems found, 2 for no run."""
    import gc
    import os

    # Importing and checking make many objects that live until the end: collecting finds nothing
    # and costs a fifth of the time. A run, which goes on for hours, turns it on again.
    collecting = gc.isenabled()
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some takes 10 ms
    try:
        from engine.cli.app import run

        return run(argv)
    finally:
        if argv is None:  # the process ends here: what is left need not be walked once more
            gc.freeze()
        if collecting:
            gc.enable()
