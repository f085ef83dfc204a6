"""The commands of treec."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 for problems found, 2 for no run."""
    from engine.cli.app import run

    return run(argv)
