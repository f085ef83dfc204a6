"""Files that are there whole or not at all, whatever becomes of the process that writes them.

What is written goes to a new file beside the target and then takes its place by a rename. A reader
sees the old file or the new one, a killed process leaves the old one, and of several writers the
last one wins. After a power failure this holds only with ``sync``, which waits for the disk: for
what nobody can make again, such as answers of people, files that they wrote and recorded answers of
models. Caches, checkpoints and the state that an environment keeps beside its journal go without:
they are written often, and are computed again.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_writer(path: Path, *, sync: bool = False) -> Iterator[BinaryIO]:
    """Yield an empty file that takes the place of ``path`` when the block ends.

    If the block raises, ``path`` stays as it was. A file that is replaced keeps its permissions,
    and a symbolic link stays one: what it points to is replaced. ``sync`` waits until the file and
    its name are on the disk. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    new = target.with_name(f".{target.name[:60]}.{secrets.token_hex(6)}.part")
    with ExitStack() as undo:
        undo.callback(new.unlink, missing_ok=True)
        with open(new, "xb") as file:
            yield file
            file.flush()
            if target.exists():
                os.chmod(new, target.stat().st_mode & 0o7777)
            if sync:
                os.fsync(file.fileno())
        os.replace(new, target)
        undo.pop_all()
    if sync:
        _sync_folder(target.parent)


def write_atomic(path: Path, data: str | bytes, *, sync: bool = False) -> None:
    """Write a whole file; text as UTF-8, line ends as they are. See :func:`atomic_writer`."""
    with atomic_writer(path, sync=sync) as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


def _sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can (not on Windows)."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
