"""``treec check`` of libraries of 100, 1,000 and 3,000 files: is the cost of a file the same?"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.generate import Source, generate
from benchmarks.process import CHECK, ROOT, Exited, run_process, with_byte_code
from benchmarks.table import Cell, Table

SIZES = (100, 1000, 3000)
GOAL = 1.2
PHASES = ("read", "model", "check")


def run(small: bool) -> list[Table]:
    """The whole process, and its phases with start-up taken off."""
    source = Source(ROOT)
    one = len(source.files)
    sizes, repeats = ((one, 2 * one), 1) if small else (SIZES, 5)
    with tempfile.TemporaryDirectory() as folder:
        env = with_byte_code(Path(folder) / "byte_code")
        warm = Path(folder) / "warm"
        generate(source, warm, one, first=9000)
        libraries = {size: Path(folder) / f"library_{size}" for size in sizes}
        for size, path in libraries.items():
            generate(source, path, size)
        run_process((*CHECK, "-L", str(warm)), env)
        whole: dict[int, list[Exited]] = {size: [] for size in sizes}
        parts: dict[int, list[dict[str, Any]]] = {size: [] for size in sizes}
        for _ in range(repeats):
            for size, path in libraries.items():
                whole[size].append(run_process((*CHECK, "-L", str(path)), env))
                parts[size].append(_phases(env, warm, path))
    least = {size: min(found, key=lambda part: part["total"]) for size, found in parts.items()}
    rows = [_row(size, whole[size], least[size]) for size in sizes]
    costs = [least[size]["total"] / size for size in sizes]
    return [
        Table(
            "treec check of generated libraries",
            (
                *("files", "process, s", "peak memory, MB", "a file, ms"),
                *(f"{phase}, ms" for phase in (*PHASES, "rest")),
                "ends with",
            ),
            rows,
            (
                f"Copies of MOSAIC ({one} files), each a system with names of its own; "
                f"{repeats} runs of each in turns, the least.",
                "The cost of a file is that of a process that has checked another library before: "
                "start-up is taken off. read: text to marked nodes; model: to checked data; "
                "check: all rules; rest: finding files, printing.",
                f"A file of {sizes[-1]:,} costs {costs[-1] / costs[0]:.2f} times one of "
                f"{sizes[0]:,}. Goal: below {GOAL}.",
            ),
        )
    ]


def _phases(env: dict[str, str], warm: Path, path: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.phases", str(warm), str(path)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _row(size: int, whole: list[Exited], least: dict[str, Any]) -> tuple[Cell, ...]:
    each = [least[phase] / size * 1000 for phase in PHASES]
    total = least["total"] / size * 1000
    return (
        size,
        min(ended.seconds for ended in whole),
        min(ended.peak for ended in whole),
        total,
        *each,
        total - sum(each),
        least["told"].rpartition(": ")[2],
    )
