"""Measure the import time of each dependency: ``python docs/measure_imports.py``."""

from __future__ import annotations

import statistics
import subprocess
import sys

MODULES = (
    "py_trees",
    "pydantic.main",
    "yaml",
    "jinja2.environment",
    "typer",
    "rich.live",
    "rapidfuzz.distance",
    "httpx",
    "networkx",
)
ROUNDS = 15
CODE = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def milliseconds(module: str) -> float:
    """The median import time over some fresh processes."""
    command = [sys.executable, "-c", CODE.format(module)]
    times = [
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(ROUNDS)
    ]
    return 1000 * statistics.median(times)


if __name__ == "__main__":
    print("| module | import |\n|---|---|")
    for name in MODULES:
        print(f"| `{name}` | {milliseconds(name):.0f} ms |")
