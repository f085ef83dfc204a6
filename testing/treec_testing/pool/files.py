"""Files that calls write: they come back with the result, from wherever it was made.

A worker that dies leaves nothing behind, and a cluster needs no common disk.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

from treec.atomic import write_atomic
from treec.files.library import Library

I = TypeVar("I")  # noqa: E741
R = TypeVar("R")


@dataclass(frozen=True)
class Filed(Generic[R]):
    """A result, and what was written for it, by relative path."""

    result: R
    files: Mapping[str, bytes] = field(default_factory=dict)

    def put(self, folder: Path) -> None:
        """Write the files into a folder, in place of what an earlier attempt left there."""
        if folder.exists():
            shutil.rmtree(folder)
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, data)


def filed(
    function: Callable[[Library, I, Path], R], keep: bool
) -> Callable[[Library, I], Filed[R]]:
    """A function that is called with a folder that is not there yet, and whose files come back."""
    return partial(_call, function, keep)


def _call(
    function: Callable[[Library, I, Path], R], keep: bool, library: Library, item: I
) -> Filed[R]:
    with TemporaryDirectory(prefix="treec-") as temporary:
        folder = Path(temporary) / "run"
        result = function(library, item, folder)
        files = (one for one in sorted(folder.rglob("*")) if one.is_file()) if keep else ()
        return Filed(
            result, {one.relative_to(folder).as_posix(): one.read_bytes() for one in files}
        )
