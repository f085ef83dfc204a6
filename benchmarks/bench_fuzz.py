"""Broken journals: what the commands that read a run make of them."""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.cli import main
from treec.run.folder import JOURNAL

WAREHOUSE = ROOT / "engine/treec/templates/warehouse"
COMMANDS = ("replay", "report", "compare", "run --resume")
VALUES = ("zzz", "R9", 7, -1, True)
MISTYPED = (None, [], {}, [1, 2], {"a": 1}, 3.5, "")

Line = dict[str, Any]
Mutation = Callable[[list[Line], int, random.Random], None]


def run(small: bool) -> list[Table]:
    """Seeded mutations of one journal, each read by every command in a folder of its own."""
    times = 1 if small else 40
    with tempfile.TemporaryDirectory() as place:
        journal = record(Path(place))
        rows: list[tuple[Cell, ...]] = []
        for name in (*MUTATIONS, "cut", "noise"):
            failed = [0] * len(COMMANDS)
            for seed in range(times):
                text = mutate(name, seed, journal.read_text("utf-8"))
                for index, command in enumerate(COMMANDS):
                    folder = Path(place) / "mutant"
                    unchecked = shutil.ignore_patterns("*.sums")
                    shutil.copytree(journal.parent, folder, ignore=unchecked)
                    (folder / JOURNAL).write_text(text, "utf-8")
                    failed[index] += crashes(command, folder)
                    shutil.rmtree(folder)
            rows.append((name, times, *failed))
    return [
        Table(
            "Tracebacks on broken journals",
            ("mutation", "journals", *COMMANDS),
            rows,
            (
                "The journal of the warehouse's morning shift, mutated once each (seeded). Counted "
                "are commands that end in a traceback rather than a message. Goal: 0.",
            ),
        )
    ]


def record(place: Path) -> Path:
    """Run the warehouse's morning shift; returns the journal."""
    runs = place / "runs"
    words = ["run", "warehouse", "--scenario", "morning_shift", "--fast", "-L", str(WAREHOUSE)]
    status, _ = call([*words, "--runs", str(runs)])
    assert status == 0
    (journal,) = runs.glob(f"*/{JOURNAL}")
    return journal


def crashes(command: str, folder: Path) -> bool:
    """Whether a command on a run's folder ends in a traceback."""
    library = ["-L", str(WAREHOUSE)]
    words = {
        "replay": ["replay", str(folder), "--at", "end"],
        "report": ["report", str(folder)],
        "compare": ["compare", str(folder), *library],
        "run --resume": ["run", "--resume", str(folder), "--fast", *library],
    }[command]
    if command == "run --resume":
        cut_end(folder / JOURNAL)
    _, printed = call(words)
    return "Traceback" in printed or "in treec" in printed


def call(words: list[str]) -> tuple[int, str]:
    """Run a command line in this process; returns its status and all it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = main(words)
    return status, printed.getvalue()


def cut_end(journal: Path) -> None:
    """Remove the record of the run's end, so that the run can be resumed."""
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    if '"run.end"' in lines[-1]:
        journal.write_text("".join(lines[:-1]), "utf-8")


def mutate(name: str, seed: int, text: str) -> str:
    """A journal with one mutation of that kind."""
    chance = random.Random(f"{name} {seed}")
    if name == "cut":
        return text[: chance.randrange(1, len(text))]
    if name == "noise":
        characters = list(text)
        for _ in range(3):
            characters[chance.randrange(len(characters))] = chance.choice('\0{}",x')
        return "".join(characters)
    lines = [json.loads(line) for line in text.splitlines()]
    MUTATIONS[name](lines, chance.randrange(1, len(lines) - 1), chance)
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )


def renumber(lines: list[Line]) -> None:
    """Make numbers and times ascend, as those of a whole journal do."""
    latest = 0.0
    for number, line in enumerate(lines, 1):
        latest = max(latest, line["t"])
        line["n"], line["t"] = number, latest


def missing(lines: list[Line], at: int, chance: random.Random) -> None:
    del lines[at]


def missing_renumbered(lines: list[Line], at: int, chance: random.Random) -> None:
    del lines[at]
    renumber(lines)


def repeated(lines: list[Line], at: int, chance: random.Random) -> None:
    lines.insert(at, json.loads(json.dumps(lines[at])))
    renumber(lines)


def swapped(lines: list[Line], at: int, chance: random.Random) -> None:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    renumber(lines)


def other_kind(lines: list[Line], at: int, chance: random.Random) -> None:
    lines[at]["kind"] = chance.choice(sorted({line["kind"] for line in lines}))


def unknown_kind(lines: list[Line], at: int, chance: random.Random) -> None:
    lines[at]["kind"] = "no.such"


def newer_version(lines: list[Line], at: int, chance: random.Random) -> None:
    lines[at]["v"] = 99


def other_value(lines: list[Line], at: int, chance: random.Random) -> None:
    replace_leaf(lines, at, chance, lambda: chance.choice(VALUES))


def other_type(lines: list[Line], at: int, chance: random.Random) -> None:
    replace_leaf(lines, at, chance, lambda: chance.choice(MISTYPED))


def first_record(lines: list[Line], at: int, chance: random.Random) -> None:
    replace_leaf(lines, 0, chance, lambda: chance.choice(MISTYPED))


def key_deleted(lines: list[Line], at: int, chance: random.Random) -> None:
    parent, key = chance.choice(list(leaves(data_near(lines, at))))
    del parent[key]


def replace_leaf(
    lines: list[Line], at: int, chance: random.Random, value: Callable[[], object]
) -> None:
    parent, key = chance.choice(list(leaves(data_near(lines, at))))
    parent[key] = value()


def data_near(lines: list[Line], at: int) -> Any:
    """The data of the record at an index, or of the next one that has any."""
    return next(line["data"] for line in lines[at:] + lines if line["data"])


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each container in data with each of its keys or indices."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from leaves(inner)


MUTATIONS: dict[str, Mutation] = {
    "record missing": missing,
    "record missing, renumbered": missing_renumbered,
    "record repeated": repeated,
    "records swapped": swapped,
    "another kind": other_kind,
    "unknown kind": unknown_kind,
    "newer version": newer_version,
    "another value": other_value,
    "another type": other_type,
    "key deleted": key_deleted,
    "first record": first_record,
}
