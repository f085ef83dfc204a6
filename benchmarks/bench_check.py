"""What starting treec costs: commands from the process's start to its exit, in CPU seconds."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from benchmarks.process import CHECK, ROOT, Exited, run_process, with_byte_code
from benchmarks.table import Table

HEAVY = (
    *("litellm", "torch", "sapien", "mplib", "transformers", "mediapipe", "ortools"),
    *("numpy", "networkx", "py_trees", "ruamel", "rich", "rapidfuzz"),
)
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \| +(\S+)")
_DEMO = "trees/demos/parallel.tree.yaml"
_WAREHOUSE = "treec check, the template `warehouse`"
_COMMANDS: Mapping[str, tuple[tuple[str, ...], float | None]] = {
    "python -c pass": (("-c", "pass"), None),
    "treec --version": (("-m", "treec", "--version"), 0.2),
    "treec --help": (("-m", "treec", "--help"), 0.2),
    _WAREHOUSE: (("-m", "treec", "check"), 0.4),
    "treec check, the shipped library": (("-m", "treec", "check"), 0.8),
    f"treec trace {_DEMO}": (("-m", "treec", "trace", _DEMO), None),
    f"treec run {_DEMO} --fast": (("-m", "treec", "run", _DEMO, "--fast"), None),
    "treec run mosaic --scenario caesar_salad --fast": (
        ("-m", "treec", "run", "mosaic", "--scenario", "caesar_salad", "--fast"),
        None,
    ),
}
"""Commands, and the CPU seconds that they may take."""


def run(small: bool) -> list[Table]:
    """CPU seconds from start to exit, and what the imports cost."""
    repeats = 1 if small else 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = with_byte_code(folder / "byte_code")
        env["TREEC_CACHE"] = str(folder / "verdicts")
        warehouse = Path(
            shutil.copytree(ROOT / "engine/treec/templates/warehouse", folder / "warehouse")
        )
        found: dict[str, list[Exited]] = {name: [] for name in _COMMANDS}
        for _ in range(repeats + 1):  # the first run of each writes byte code
            for title, (args, _) in _COMMANDS.items():
                shutil.rmtree(env["TREEC_CACHE"], ignore_errors=True)
                runs = ("--runs", str(folder / "runs")) if "run" in args else ()
                place = warehouse if title == _WAREHOUSE else ROOT
                found[title].append(run_process((sys.executable, *args, *runs), env, place))
        return [_times(found), _imports(env)]


def _times(found: Mapping[str, list[Exited]]) -> Table:
    rows = []
    for title, (_, goal) in _COMMANDS.items():
        taken = found[title][1:]
        assert not any(ended.status for ended in taken), title
        least = min(ended.cpu for ended in taken)
        rows.append((title, least, min(ended.seconds for ended in taken), goal or ""))
    count = len(next(iter(found.values()))) - 1
    return Table(
        "Commands from start to exit",
        ("command", "CPU, s", "wall clock, s", "goal: CPU, s"),
        rows,
        (
            f"The least of {count} runs of each, in turns, with byte code kept and without a "
            "verdict of an earlier check. `python -c pass` shows how busy the machine was.",
        ),
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
