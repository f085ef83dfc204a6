"""A lock that a process holds on a journal while it writes to it.

The lock is ``flock`` on a file beside the journal, which the system releases when the process ends
in whatever way; the file says who holds it. Where there is no ``flock`` (Windows), nothing is
locked.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from datetime import datetime
from pathlib import Path

from treec.frozen import frozen

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]


@frozen
class LockHolder:
    """Who holds a lock: a process ``pid`` on a ``host``; None where that is not written."""

    pid: int | None
    host: str | None
    words: str

    @property
    def is_here(self) -> bool:
        """Whether it is a process of this machine."""
        return self.pid is not None and self.pid > 0 and self.host == socket.gethostname()


class LockedError(Exception):
    """Another process holds the lock; the text says which."""


class Lock:
    """A lock on a path: :meth:`acquire` it once, :meth:`release` it at the end."""

    def __init__(self, path: Path) -> None:
        self._file = path.with_name(f"{path.name}.lock")
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Lock, or raise LockedError at once if somebody holds the lock."""
        if fcntl is None:  # pragma: no cover
            return
        while self._descriptor is None:
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = _holder(os.read(descriptor, 4096))
                os.close(descriptor)
                raise LockedError(holder.words) from None
            if self._is_current(descriptor):
                self._descriptor = descriptor
            else:  # its holder has released it, and removed the file, just now
                os.close(descriptor)
        me = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": datetime.now().astimezone().isoformat(timespec="seconds"),
        }
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(me).encode(), 0)

    def release(self) -> None:
        """Unlock, and remove the file."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                self._file.unlink()
            os.close(self._descriptor)
            self._descriptor = None

    def __del__(self) -> None:
        if self._descriptor is not None:  # the file stays, as after a crash
            os.close(self._descriptor)

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self._file))
        except FileNotFoundError:
            return False


def find_holder(path: Path) -> LockHolder | None:
    """Who holds the lock on a path; None if nobody does."""
    if fcntl is None:  # pragma: no cover
        return None
    try:
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(os.read(descriptor, 4096))
    finally:
        os.close(descriptor)
    return None


def _holder(text: bytes) -> LockHolder:
    try:
        who = json.loads(text)
        words = f"process {who['pid']} on {who['host']}, since {who['since']}"
        return LockHolder(int(who["pid"]), str(who["host"]), words)
    except (ValueError, KeyError, TypeError):
        return LockHolder(None, None, "another process")
