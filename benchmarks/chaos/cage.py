"""A process in namespaces of its own (user, mount, process ids), with limits and bounded time.

Where the machine does not allow ``unshare``, it is a process group of its own with the same limits.
All that the process has started ends with it.
"""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

CPU, FILE, NICE = 120, 256 << 20, 10
"""Limits: CPU seconds, bytes of a file, and how nice it is to others."""

UNSHARE = ("unshare", "-Urmpf", "--mount-proc", "--kill-child=KILL")


@lru_cache
def has_namespaces() -> bool:
    """Whether this machine lets us have namespaces, and mount in them."""
    words = [*UNSHARE, "sh", "-c", "mount -t tmpfs none /mnt"]
    try:
        return subprocess.run(words, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@dataclass(frozen=True)
class Line:
    """A line that was printed, and when (monotonic seconds)."""

    at: float
    stream: str
    text: str


class Cage:
    """One process; use as a context manager. ``disk`` bytes is all that fits into ``runs``."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        cwd: Path,
        *,
        runs: Path | None = None,
        disk: int | None = None,
    ) -> None:
        self.lines: list[Line] = []
        self.output = threading.Condition()
        words = list(command)
        self._is_wrapped = has_namespaces()
        if self._is_wrapped:
            words = [*UNSHARE, "sh", "-c", _script(words, runs, disk)]
        self._marked = 0.0
        self._delays: dict[str, int] = {}
        """Nanoseconds that each thread has waited for a core, also of those that have ended."""
        self.process = subprocess.Popen(
            words,
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=_limit,
        )
        self._readers = []
        for name in ("stdout", "stderr"):
            stream = getattr(self.process, name)
            reader = threading.Thread(target=self._read, args=(name, stream), daemon=True)
            reader.start()
            self._readers.append(reader)

    def _read(self, name: str, stream: IO[str]) -> None:
        for text in stream:
            with self.output:
                self.lines.append(Line(time.monotonic(), name, text.rstrip("\n")))
                self.output.notify_all()

    def __enter__(self) -> Cage:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill_all()
        for reader in self._readers:
            reader.join(5.0)

    @property
    def pid(self) -> int | None:
        """The id of the command itself, not of what wraps it."""
        if not self._is_wrapped:
            return self.process.pid
        shell = _child(self.process.pid)
        return None if shell is None else _child(shell)

    @property
    def text(self) -> str:
        """All that it printed."""
        return "\n".join(line.text for line in self.lines)

    def send(self, number: signal.Signals) -> float:
        """Send a signal; returns when, in monotonic seconds."""
        pid = self.pid
        self.mark()
        at = time.monotonic()
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        return at

    def wait(self, seconds: float) -> int | None:
        """Its exit status (128 plus the signal that ended it); None if it does not end in time."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return 128 - status if status < 0 else status

    def wait_until(self, holds: Callable[[], object], seconds: float) -> bool:
        """Wait until something holds or it has ended; whether it holds."""
        limit = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > limit or self.process.poll() is not None:
                return bool(holds())
            with self.output:
                self.output.wait(0.005)
        return True

    def kill_all(self) -> None:
        """End it and all that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def mark(self) -> None:
        """Count from now on for how long it waits for a core."""
        self._marked = self._run_delay()

    @property
    def waited(self) -> float:
        """Seconds that it has waited for a core since the mark, as the machine was busy."""
        return max(0.0, self._run_delay() - self._marked)

    def _run_delay(self) -> float:
        """The waits of all threads of all its processes; of an ended one, as last seen.

        They take turns: while one that has the interpreter waits for a core, the others wait for
        it, and the run waits for the process of its page.
        """
        pids = [self.process.pid]
        while pids:
            for task in Path(f"/proc/{pids.pop()}/task").glob("*"):
                with suppress(OSError, IndexError, ValueError):  # it has just ended
                    pids += map(int, (task / "children").read_text().split())
                    self._delays[task.name] = int((task / "schedstat").read_text().split()[1])
        return sum(self._delays.values()) / 1e9


def _script(command: Sequence[str], runs: Path | None, disk: int | None) -> str:
    """The shell's part: mount a small disk, run, and keep what is on the disk."""
    line = shlex.join(command)
    if runs is None or disk is None:
        return f"{line}; exit $?"
    place, kept = shlex.quote(str(runs)), shlex.quote(f"{runs}.kept")
    return (
        f"mount -t tmpfs -o size={disk} none {place} || exit 97\n{line}; status=$?\n"
        f"cp -a {place} {kept}; exit $status"
    )


def _child(pid: int) -> int | None:
    try:
        words = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return None
    return int(words[0]) if words else None


def _limit() -> None:
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
