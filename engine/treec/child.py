"""Child processes that end with this one, and with them all that they have started themselves.

A program runs in a process group of its own, under a supervisor (this file, as a script): it holds
one end of a pipe whose other end closes when this process ends, however it ends, and then kills the
group. A signal handler could not do that: SIGKILL and `os._exit` call none.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn


def run(
    command: Sequence[str],
    *,
    input: str = "",
    timeout: float | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, as `subprocess.run` does, and return what it printed.

    Its whole group is killed on every way out. Raises subprocess.TimeoutExpired, and OSError if
    there is no such program.
    """
    if os.name != "posix":
        return subprocess.run(
            command,
            input=input,
            timeout=timeout,
            cwd=cwd,
            env=env,
            capture_output=True,
            encoding="utf-8",
            errors="surrogatepass",
            check=False,
        )
    read, write = os.pipe()
    with ExitStack() as undo:
        undo.callback(os.close, write)
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__, str(read), *command],
                cwd=cwd,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="surrogatepass",
                pass_fds=[read],
                start_new_session=True,
            )
        finally:
            os.close(read)
        undo.pop_all()
    with process:
        try:
            out, error = process.communicate(input, timeout)
        finally:
            with suppress(ProcessLookupError, PermissionError):  # all of it has ended
                os.killpg(process.pid, signal.SIGKILL)
            os.close(write)
    return subprocess.CompletedProcess(command, process.returncode, out, error)


def end_with_parent() -> None:
    """Let a process that multiprocessing has started end when the one that started it does."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="treec parent", daemon=True).start()


def end_copy(pid: int) -> NoReturn:
    """End this process, which foreign code has made of process ``pid`` (`os.fork`) and not ended.

    Both would drive the robots, and write one journal.
    """
    said = f"treec: process {os.getpid()} is a copy of this run that came back from os.fork: "
    with suppress(OSError):
        os.write(2, f"{said}it was ended, and process {pid} goes on\n".encode())
    os._exit(1)


def _supervise(pipe: int, command: Sequence[str]) -> int:
    """Run a program in this process's group; returns its exit status."""

    def wait() -> None:
        os.read(pipe, 1)  # it ends when the parent does
        os.killpg(0, signal.SIGKILL)

    os.set_inheritable(pipe, False)
    child = subprocess.Popen(command)
    threading.Thread(target=wait, daemon=True).start()
    status = child.wait()
    if status < 0:
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(_supervise(int(sys.argv[1]), sys.argv[2:]))
