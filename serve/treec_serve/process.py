"""The page of a run in a process of its own, which costs the run nothing whoever watches it.

``python -m treec_serve.process`` answers on its standard output with the page's address, and
reads from its standard input which port to use and, once the run begins, what to serve; from then
on the two pipes carry orders (`treec_serve.link`). It ends when its standard input does, so none
is left behind.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from treec import crash
from treec.cli.common import Stop, open_library

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec.run.live_run import LiveRun
    from treec.world.spec import RunSpec
    from treec_serve.drafts import TreeDrafts

CLOSING = 5.0
"""Seconds after which a server that does not end is killed."""


class PageProcess:
    """The process, seen from that of the run; it starts at once, to be ready when the run is."""

    def __init__(self, port: int, runs: Path | None = None) -> None:
        """``port`` 0 takes a free one, or that which the page of ``runs`` had before."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._write, self._read = self._process.stdin, self._process.stdout
        self._is_open = self._is_closing = False
        self._send({"port": port, "runs": None if runs is None else str(runs)})

    def address(self) -> str:
        """The page's address, from which on connections are taken. Raises Stop."""
        found = json.loads(self._read.readline() or b'{"problem": "the page\'s process has ended"}')
        if "problem" in found:
            raise Stop(found["problem"])
        return str(found["url"])

    def open(
        self,
        runs: Path,
        library: Path | None,
        live: LiveRun,
        end: Callable[[], None],
        spec: RunSpec,
        *,
        edited: Path | None = None,
        watch: bool = False,
    ) -> None:
        """Serve the runs of a folder, of which one is this process's, and which ``end`` ends.

        ``edited`` is the library whose trees can be edited, if any. ``spec`` and ``watch`` hold for
        runs that the page starts; of the spec that is its model.
        """
        from treec_serve.link import carry_out
        from treec_serve.spec import SPEC, models_of

        self._is_open = True
        folders = {"runs": runs, "library": library, "edited": edited}
        given = {name: None if one is None else str(one) for name, one in folders.items()}
        self._send(
            {**given, "watch": watch, "spec": SPEC.dump_python(models_of(spec), mode="json")}
        )
        carry_out(live, self._read, self._write, self._tell_of_end, end)

    def _tell_of_end(self) -> None:
        if not self._is_closing:
            print(
                "treec: the page's process has ended, and its stop button with it; the run goes on "
                "(Ctrl-C ends it)",
                file=sys.stderr,
                flush=True,
            )

    def close(self) -> None:
        """End it in order if somebody may look at it; after ``CLOSING`` seconds at once."""
        self._is_closing = True
        if not self._is_open:
            self._process.kill()
        with suppress(OSError):  # it has ended already
            self._write.close()
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode == crash.STATUS:  # it has printed the traceback
            crash.note()

    def __enter__(self) -> PageProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _send(self, data: object) -> None:
        with suppress(OSError):  # it has ended, which a missing address tells
            self._write.write(json.dumps(data).encode() + b"\n")
            self._write.flush()


def library_or_none(folder: Path | None) -> Library | None:
    """The library as it is now, for the files and prompts of runs."""
    try:
        return open_library(folder, or_none=True)
    except Stop:
        return None


def drafts_of(root: Path | None) -> TreeDrafts | None:
    """Drafts of a library's trees; None without one."""
    if root is None:
        return None
    from treec_serve.drafts import TreeDrafts

    return TreeDrafts(root)


def serve(read: IO[bytes], write: IO[bytes]) -> None:
    """Serve until ``read`` ends."""
    from treec_serve.app import make_app
    from treec_serve.link import RemoteRun
    from treec_serve.server import PageServer
    from treec_serve.spec import SPEC
    from treec_serve.starter import RunStarter

    begin = json.loads(read.readline())
    port, runs = begin["port"], begin["runs"]
    try:
        server = PageServer(port, None if runs is None else Path(runs))
    except OSError as error:
        _answer(write, {"problem": f"port {port} cannot be used: {error.strerror}"})
        return
    with server:
        _answer(write, {"url": server.url})
        asked = read.readline()
        if not asked:
            return
        given = json.loads(asked)
        library = None if given["library"] is None else Path(given["library"])
        live = RemoteRun(read, write)
        starter = RunStarter(
            Path(given["runs"]),
            library,
            lambda: library_or_none(library),
            SPEC.validate_python(given["spec"]),
            live,
            watch=given["watch"],
        )
        app = make_app(
            Path(given["runs"]),
            server.token,
            server.hosts,
            starter.live,
            lambda: library_or_none(library),
            server.ending,
            drafts_of(None if given["edited"] is None else Path(given["edited"])),
            starter,
        )
        server.start(app)
        live.listen()
        starter.close()


def _answer(write: IO[bytes], data: object) -> None:
    write.write(json.dumps(data).encode() + b"\n")
    write.flush()


if __name__ == "__main__":
    for name in ("SIGINT", "SIGHUP"):  # of the terminal: the run's process says when it is over
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # what code of libraries prints is no answer
    crash.contain(serve, sys.stdin.buffer, answers)
