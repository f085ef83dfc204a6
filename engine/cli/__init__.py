"""The commands of treec."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 for problems found, 2 for no run."""
    import gc

    # Importing and checking make many objects that live until the end: collecting finds nothing
    # and costs a fifth of the time. A run, which goes on for hours, turns it on again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        from engine.cli.app import run

        return run(argv)
    finally:
        if collecting:
            gc.enable()
