"""A run that the page has started, in a process of its own: ``python -m treec_serve.started``.

Its standard input says what is to run; its standard output answers with the run's name once that
begins, or why it does not. From then on the two pipes carry orders (`treec_serve.link`). The run
ends, and its robots stop, when its standard input does.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import IO, TYPE_CHECKING

from treec import crash
from treec.cli.common import Stop, open_library

if TYPE_CHECKING:
    from treec.run.live_run import LiveRun


def serve(read: IO[bytes], write: IO[bytes]) -> None:
    """Run what is asked for, until it or ``read`` ends."""
    from treec.cli.session import Session
    from treec_serve.display import ServeDisplay
    from treec_serve.link import carry_out
    from treec_serve.spec import SPEC

    line = read.readline()
    if not line:
        return
    asked = json.loads(line)
    library, resume = asked["library"], asked["resume"]
    printed = io.StringIO()  # what the check finds
    try:
        with redirect_stdout(printed):
            session = Session(
                open_library(None if library is None else Path(library), or_none=True),
                SPEC.validate_python(asked["spec"]),
                runs=Path(asked["runs"]),
                resume=None if resume is None else Path(resume),
            )
    except Stop as stop:
        _answer(write, {"problem": "\n\n".join(filter(None, (str(stop), printed.getvalue())))})
        return

    def begin(live: LiveRun, end: Callable[[], None], leave: Callable[[], None]) -> None:
        _answer(write, {"run": live.name})
        carry_out(live, read, write, leave, end)

    try:
        session.run(
            show=lambda chat: ServeDisplay(sys.stderr, begin, chat=chat, started=True),
            watch=asked["watch"],
        )
    except Stop as stop:  # before it began; afterwards nobody reads this
        _answer(write, {"problem": str(stop)})


def _answer(write: IO[bytes], data: object) -> None:
    write.write(json.dumps(data).encode() + b"\n")
    write.flush()


if __name__ == "__main__":
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # what code of libraries prints is no answer
    crash.contain(serve, sys.stdin.buffer, answers)
