"""The folder of a run: its journal, and files with what depends on the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from treec.atomic import write_atomic

JOURNAL = "journal.jsonl"
META = "run.json"
SUMMARY = "summary.json"


def new_folder(runs: Path, name: str, now: datetime) -> Path:
    """Make a new folder such as ``runs/20261121-104500-depot-morning_order``."""
    stem = f"{now:%Y%m%d-%H%M%S}-{name}"
    number = 1
    while True:
        folder = runs / (stem if number == 1 else f"{stem}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
            continue
        return folder


def write_meta(folder: Path, meta: Mapping[str, object]) -> None:
    """Write what is not in the journal because it depends on the machine."""
    _write(folder / META, meta)


def read_meta(folder: Path) -> dict[str, object]:
    """Read what :func:`write_meta` wrote; empty if missing or damaged."""
    try:
        meta = json.loads((folder / META).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return meta if isinstance(meta, dict) else {}


def write_summary(folder: Path, summary: Mapping[str, object]) -> None:
    """Write the summary of a run as JSON, for programs."""
    _write(folder / SUMMARY, summary)


def _write(path: Path, data: Mapping[str, object]) -> None:
    text = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)
    write_atomic(path, text + "\n")
