"""``python -m benchmarks.phases WARM LIBRARY``: what `treec check` of a library takes, by phase.

The command runs twice in this process: first on another library, so that imports, the building of
models and of the lexer are over, then on the one that is timed_call. One line of JSON on the real
standard output.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import treec.check
import treec.cli
import treec.files.library as library

P = ParamSpec("P")
R = TypeVar("R")

seconds: Counter[str] = Counter()


def timed(phase: str, function: Callable[P, R]) -> Callable[P, R]:
    """The function, its time added to its phase."""

    @wraps(function)
    def timed_call(*args: P.args, **kwargs: P.kwargs) -> R:
        started = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            seconds[phase] += time.perf_counter() - started

    return timed_call


def check(folder: str) -> str:
    """What `treec check` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as told:
        treec.cli.main(["check", "-L", folder])
    return told.getvalue().strip().splitlines()[-1]


def main(warm: str, folder: str) -> None:
    """Warm up, measure, print."""
    library.read_file = timed("read", library.read_file)
    library.read_documents = timed("read", library.read_documents)
    library.read_entry = timed("model", library.read_entry)
    treec.check.check_library = timed("check", treec.check.check_library)
    check(warm)
    seconds.clear()
    told = timed("total", check)(folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**seconds, "peak": peak, "told": told}))


if __name__ == "__main__":
    main(*sys.argv[1:])
