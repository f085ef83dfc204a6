"""``treec check`` of the project's own library, from the process's start to its exit."""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from benchmarks.process import CHECK, ROOT, Exited, run_process, with_byte_code
from benchmarks.table import Table

GOAL = 0.6
HEAVY = (
    *("litellm", "torch", "sapien", "mplib", "transformers", "mediapipe", "ortools"),
    *("numpy", "networkx", "py_trees", "ruamel", "rich", "rapidfuzz"),
)
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \| +(\S+)")


def run(small: bool) -> list[Table]:
    """The time from start to exit, and what the imports cost."""
    repeats = 1 if small else 15
    with tempfile.TemporaryDirectory() as folder:
        env = with_byte_code(Path(folder) / "byte_code")
        fresh = Path(folder) / "fresh"
        shutil.copytree(ROOT / "engine", fresh / "treec", ignore=_byte_code)
        nothing = (sys.executable, "-c", "pass")
        uncached = {**env, "PYTHONDONTWRITEBYTECODE": "1"}
        for warm in (CHECK, nothing):
            run_process(warm, env)
        found: dict[str, list[Exited]] = {"python": [], "check": [], "uncached": []}
        for _ in range(repeats):
            found["python"].append(run_process(nothing, env))
            found["check"].append(run_process(CHECK, env))
            found["uncached"].append(run_process((*CHECK, "-L", str(ROOT)), uncached, fresh))
        return [_times(found), _imports(env)]


def _byte_code(_: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "__pycache__"]


def _times(found: Mapping[str, list[Exited]]) -> Table:
    names = {
        "python": "python -c pass",
        "check": "treec check",
        "uncached": "treec check, no byte code of the engine kept yet",
    }
    rows = []
    for key, name in names.items():
        seconds = [ended.seconds for ended in found[key]]
        rows.append((name, min(seconds), statistics.median(seconds)))
    count = len(found["check"])
    return Table(
        "treec check of this library, start to exit",
        ("process", "least, s", "median, s"),
        rows,
        (f"{count} runs of each, in turns. Goal: under {GOAL} s.",),
    )


def _imports(env: Mapping[str, str]) -> Table:
    command = [sys.executable, "-X", "importtime", *CHECK[1:]]
    told = subprocess.run(command, cwd=ROOT, env=dict(env), capture_output=True, text=True).stderr
    costs: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for line in told.splitlines():
        match = _IMPORT.match(line)
        if match is None:
            continue
        top = match[2].partition(".")[0]
        group = top if top not in sys.stdlib_module_names else "the standard library"
        costs[group] += int(match[1])
        modules[group] += 1
    heavy = [name for name in HEAVY if name in costs]
    rows = [(name, modules[name], cost / 1000) for name, cost in costs.most_common(8)]
    return Table(
        "What treec check imports",
        ("package", "modules", "ms"),
        [*rows, ("all", sum(modules.values()), sum(costs.values()) / 1000)],
        (
            "`python -X importtime`, which itself slows imports; collections of garbage that fall "
            "into an import count as its cost.",
            f"Heavy packages imported: {', '.join(heavy) or 'none'}.",
        ),
    )
