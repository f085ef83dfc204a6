"""A warehouse with a hearing file of its own, and phrases that are said in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.support.library import ROOT, copy_warehouse
from treec.files.entry import Entry
from treec.files.library import load_library
from treec.files.prompts import ReadingFile
from treec.files.view import View

KINDS = ("accept", "decline", "request", "stop", "resume", "choose", "ask", "remark")
WORLD: dict[str, Any] = {
    "user": "operator",
    "agents": {"Hauler": {"also": ["the forklift"]}, "Scout": {}, "operator": {"person": True}},
    "tasks": {
        "fetch": {"says": ["fetch <crate>"], "args": {"crate": "Crate"}},
        "inspect": {"says": ["inspect <crate>"], "args": {"crate": "Crate"}},
    },
    "objects": {"crate 12": {"types": ["Crate"]}, "crate 17": {"types": ["Crate"]}},
    "words": {"s1": "fetch crate 17", "s2": "inspect crate 12"},
    "contexts": {
        "asked": {
            "proposals": {"p1": ["Hauler", "s1"]},
            "subtasks": {"s1": ["ready"], "s2": ["running", "Scout"]},
            "acts": [*KINDS],
        },
        "busy": {
            "subtasks": {"s1": ["running", "Hauler"], "s2": ["running", "Scout"]},
            "acts": [*KINDS],
        },
    },
}


def _said(id: str, context: str, text: str, *acts: dict[str, Any]) -> dict[str, Any]:
    return {"id": id, "context": context, "text": text, "acts": [*acts] or [{"kind": "remark"}]}


_YES = {"kind": "accept", "proposals": ["p1"]}
_NO = {"kind": "decline", "proposals": ["p1"]}
PHRASES: tuple[dict[str, Any], ...] = (
    _said("yes", "asked", "Yes please.", _YES),
    _said("no", "asked", "Not yet.", _NO),
    _said("halt", "busy", "Scout, stop!", {"kind": "stop", "agent": "Scout"}),
    _said("notion", "asked", "affirmative notion, gaffer", _YES),
    _said("codswallop", "asked", "veto, codswallop", _NO),
    _said("tools", "busy", "tools down lads", {"kind": "stop", "agent": None}),
    _said("hay", "busy", "Hay makes the barn smell of summer."),
)
"""Of the acts templates hear the first three; in the others nothing."""
BY_TEMPLATES = 4
"""Of these phrases templates alone hear so many right."""


def floor(to: Path, *, network: bool = True) -> Path:
    """Copy the warehouse; its shared hearing file is its own, with a network to be fitted."""
    copy_warehouse(to)
    shared = (ROOT / "engine/treec/everyday_english/everyday_english.hearing.yaml").read_text(
        "utf-8"
    )
    own = [line for line in shared.splitlines(keepends=True) if not line.startswith("network:")]
    head = "hearing: Floor_English\n" + "network: floor.npz\n" * network
    assert own[0].startswith("hearing: ")
    path = to / "prompts" / "floor_english.hearing.yaml"
    path.write_text(head + "".join(own[1:]), "utf-8")
    reading = to / "prompts" / "operator_talk.reading.yaml"
    text = reading.read_text("utf-8")
    reading.write_text(text.replace("Everyday_English", "Floor_English"), "utf-8")
    write_phrases(to / "said.yaml")
    return to


def write_phrases(path: Path) -> Path:
    """The phrases in one file, with their moments."""
    data = {**WORLD, "phrases": [*PHRASES]}
    path.write_text(yaml.safe_dump(data, sort_keys=False), "utf-8")
    return path


def reading_view(root: Path) -> tuple[View, Entry[ReadingFile]]:
    """The warehouse's view and its reading."""
    library = load_library(root)
    (system,) = library.of_kind("system")
    view = View(library, system)
    entry = view.find("reading", "Operator_Talk")
    assert entry is not None
    return view, entry
