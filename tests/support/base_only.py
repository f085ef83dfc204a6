"""A process that has what ``pip install treec`` brings, and nothing else.

Packages that treec's `dependencies` do not need are not found; pytest is, for a library's tests.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def required(name: str = "treec") -> set[str]:
    """The distributions that one needs without any extra, and itself."""
    found, left = set(), [name]
    while left:
        name = _canonical(left.pop())
        if name in found:
            continue
        try:
            rows = requires(name) or []
        except PackageNotFoundError:  # for another platform
            continue
        found.add(name)
        left += [re.split(r"[^\w.-]", row)[0] for row in rows if "extra ==" not in row]
    return found


@cache
def kept() -> frozenset[str]:
    """The distributions that are there."""
    return frozenset(required() | required("pytest"))


@cache
def absent() -> frozenset[str]:
    """The packages that are installed here and would not be there."""
    names = packages_distributions().items()
    return frozenset(name for name, of in names if not kept().intersection(map(_canonical, of)))


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


class Hiding:
    """A finder that does not find them."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] in absent():
            return None
        return self._finder.find_spec(name, path, target)

    def find_distributions(self, *args: Any, **kwargs: Any) -> Any:
        found = getattr(self._finder, "find_distributions", lambda *_, **__: ())(*args, **kwargs)
        return [it for it in found if it.name is None or _canonical(it.name) in kept()]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def commands(folder: Path, lines: Iterable[Sequence[str]]) -> list[tuple[int, str]]:
    """Run command lines in a folder, in one process; the status and the output of each.

    A line begins with ``treec`` or ``pytest``.
    """
    no_plugins = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "treec.pytest_plugin"}
    shown = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", __name__, json.dumps([list(line) for line in lines])],
        cwd=folder,
        env={**os.environ, **no_plugins, **shown},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [(status, text) for status, text in json.loads(done.stdout.splitlines()[-1])]


def _run_all(lines: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    import pytest

    from treec.cli import main

    programs = {"treec": main, "pytest": pytest.main}
    found = []
    for program, *args in lines:
        with StringIO() as text, redirect_stdout(text), redirect_stderr(text):
            found.append((int(programs[program](args)), text.getvalue()))
    return found


if __name__ == "__main__":
    absent()
    sys.meta_path[:] = map(Hiding, sys.meta_path)
    print(json.dumps(_run_all(json.loads(sys.argv[1]))))
