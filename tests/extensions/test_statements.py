"""Kinds of statements that an extension adds, and texts that its actions take from a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.bench import Answers, Bench
from tests.support.extensions import using
from tests.support.files import KITCHEN, tree
from treec.check import check_library
from treec.extensions import Extension, StatementKind
from treec.files.library import load_library

HERE = "tests.extensions.test_statements"
EXTENSION = Extension(
    name="pantry",
    statements=(
        StatementKind("carries", f"{HERE}:carries", "{{ agent }} has {{ items }}.", ("agent",)),
        StatementKind("breaks", f"{HERE}:breaks", "It is {{ number }}.", ("number",), of="Item"),
        StatementKind("sails", f"{HERE}:breaks", "It is {{ number }}.", ("number",), of="Boat"),
    ),
    actions={"shout": "tests.extensions.plus.words:beep_at"},
)
ACTION = """\
action: Do_It
about: What to do.
sees: [subtasks]
may: [say, shout, drop]
instructions: Say what to do.
model: {retries: 1}
"""
LIE = "everything is done"


def carries(claim: Any, outlook: Any) -> object:
    """What an agent was given to fetch."""
    found = [s.args["item"] for s in outlook.work if s.agent == claim.agent.name]
    return {"items": " and ".join(found)} if found else False


def breaks(claim: Any, outlook: Any) -> object:
    """A function with a mistake in it."""
    return 1 / (claim.number - claim.number)


def bench(folder: Path, *actions: object, action: str = ACTION) -> Bench:
    files = {**tree("do: Do_It"), "pack/Do_It.action.yaml": action}
    answers: Answers = {"Do_It": [{"reasoning": "", "actions": [*actions]}, {"actions": []}]}
    b = Bench(folder, files, answers=answers)
    for item in ("pepper", "salt"):
        b.add(f"get {item}", item=item)
    b.emit("assigned", agent="R2", subtasks=("get pepper",), first=False)
    b.settle()
    return b


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"is": "carries", "agent": "R2"}, ["R2 has pepper."]),
        ({"is": "carries", "agent": "R1"}, []),
        ({"is": "carries", "agent": "R2", "number": 2}, []),
        ({"is": "breaks", "number": 2}, []),
    ],
)
def test_a_kind_of_an_extension_is_said_where_it_holds(
    claim: object, said: list[str], tmp_path: Path
) -> None:
    with using(EXTENSION):
        b = bench(tmp_path, {"say": {"claims": [claim]}})
    assert b.said() == said
    prompt = b.requests[0].messages[0].content
    assert "; carries(agent); breaks(number)" in prompt
    assert "sails" not in prompt  # no domain has boats


def test_a_system_replaces_its_words(tmp_path: Path) -> None:
    files = tree("check: true")
    kitchen = next(name for name in KITCHEN if name.endswith(".system.yaml"))
    sentences = "sentences:\n  claim_carries: '{{ agent }}: {{ items }}!'\n  claim_carrys: x\n"
    files[kitchen] = KITCHEN[kitchen] + sentences
    for name, text in {**KITCHEN, **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    with using(EXTENSION):
        found = [p.message for p in check_library(load_library(tmp_path)) if p.code == "TC604"]
    assert found == ["unknown sentence 'claim_carrys'"]


@pytest.mark.parametrize("words", [LIE, f"  {LIE} ", f"did you know that {LIE}?"])
def test_no_action_repeats_a_models_text_to_people(words: str, tmp_path: Path) -> None:
    loud = f"{ACTION}acknowledge: {{shout: 'Hear: {{{{ message }}}}', drop: 'Off it goes.'}}\n"
    drop = {"drop": {"subtasks": ["get salt"]}}
    with using(EXTENSION):
        b = bench(tmp_path, {"shout": {"message": words}}, drop, action=loud)
    assert b.said() == ["Off it goes."]
    assert b.team.now.subtasks["get salt"].status == "dropped"
