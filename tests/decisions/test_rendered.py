"""Each prompt of the planner, rendered for two situations, is a file that is reviewed.

``TREEC_REWRITE=1 pytest tests/decisions/test_rendered.py`` writes them anew.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from treec.decisions.cases import DecisionCase, load_cases
from treec.decisions.request_queue import OfflineTransport, run_sync
from treec.decisions.snapshot import Snapshot
from treec.files.library import load_library
from treec.files.view import View

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "rendered"
REWRITE = bool(os.environ.get("TREEC_REWRITE"))


@cache
def snapshot() -> Snapshot:
    library = load_library(ROOT)
    return Snapshot.open(ROOT, load_cases(library))


def asked(case: DecisionCase) -> str | None:
    """What is asked, as a text; None where a certain rule decides."""
    recording = snapshot().recordings.get(case.id)
    question = recording.question if recording is not None else None
    pins = case.pins(question.knows if question is not None else None)
    requests = run_sync(case.situation(pins).decide(OfflineTransport(), pins)).requests
    if not requests:
        return None
    parts = [f"# {case.id}\n"]
    parts += [f"## {message.role}\n\n{message.content}\n" for message in requests[0].messages]
    return "\n".join(parts)


def situations(node: str) -> list[tuple[str, str]]:
    """Two cases of a node that are asked, and what is: the first and the last."""
    cases = [case for case in snapshot().cases if case.id.startswith(f"{node}/")]
    texts = [(case.id, text) for case in cases if (text := asked(case)) is not None]
    return [texts[0], texts[-1]] if len(texts) > 1 else texts


def nodes() -> list[str]:
    return sorted({case.id.rpartition("/")[0] for case in snapshot().cases})


CERTAIN = {"Interrupt_Subtask"}
"""Decided by certain rules in every example: a stop waits for no model."""


@pytest.mark.parametrize("node", [node for node in nodes() if node not in CERTAIN])
@pytest.mark.few(2)
def test_two_situations_are_as_they_were_reviewed(node: str) -> None:
    found = situations(node)
    assert len(found) == 2, f"{node} has not two examples in which a model is asked"
    for number, (_, text) in enumerate(found, 1):
        path = FOLDER / f"{node.replace('/', '-')}-{number}.md"
        if REWRITE:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.is_file(), f"{path.name} is missing: TREEC_REWRITE=1 writes it"
        assert text == path.read_text("utf-8"), f"{path.name}: review it, TREEC_REWRITE=1 writes it"


def test_no_file_is_left_over() -> None:
    known = {f"{node.replace('/', '-')}-{n}.md" for node in nodes() for n in (1, 2)}
    for path in FOLDER.glob("*.md"):
        if path.name not in known and REWRITE:
            path.unlink()
        else:
            assert path.name in known, f"no node asks {path.name} any more"


def test_every_prompt_of_the_planner_is_among_them() -> None:
    library = load_library(ROOT)
    view = View(library, library.find("system", "mosaic"))
    prompts = {
        entry.name
        for kind in ("decision", "action", "reading", "program")
        for entry in view.all(kind).values()
        if entry.model.instructions is not None
    }
    assert prompts <= set(nodes())
