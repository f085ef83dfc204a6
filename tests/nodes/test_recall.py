"""A prompt quotes the pairs of a memory that are nearest to a text: `memory:` of any such file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nodes.test_decide import DECISION, bench
from tests.program.test_ask import ROOT, STEPS
from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree
from treec.ask.transport import NEVER
from treec.nodes.pairs import MemoryPair
from treec_memory.embedders import LexicalEmbedder
from treec_memory.store import Memory

RECALLS = STEPS.replace(
    "instructions: |\n",
    "memory: {from: memory.db, key: subtask.words, k: 1}\n"
    "instructions: |\n  Before:\n  {{ memories | join('\\n') }}\n",
)
PAIRS = [
    MemoryPair("get salt and pepper", "pick('pepper')\npick('salt')\n"),
    MemoryPair("wash the lettuce", "wash('lettuce')\n"),
]


def asked(folder: Path, steps: str = RECALLS, pairs: list[MemoryPair] = PAIRS) -> Bench:
    b = Bench(folder, {"pack/Steps.program.yaml": steps, **tree(ROOT)}, answers={"Steps": (NEVER,)})
    root = b.run.runtime.view.library.root
    if pairs:
        memory = Memory(root / "memory.db", LexicalEmbedder())
        memory.add_all(pairs)
        memory.close()
    b.add("get pepper", item="pepper")
    b.tick()
    return b


def system_text(b: Bench) -> str:
    return b.requests[0].messages[0].content


def test_the_nearest_pair_is_quoted(tmp_path: Path) -> None:
    text = system_text(asked(tmp_path))
    assert "get salt and pepper" in text
    assert "pick('pepper')" in text
    assert "wash" not in text


def test_as_many_as_are_asked_for(tmp_path: Path) -> None:
    text = system_text(asked(tmp_path, RECALLS.replace("k: 1", "k: 2")))
    assert text.index("get salt and pepper") < text.index("wash the lettuce")


def test_what_is_quoted_is_marked_as_data(tmp_path: Path) -> None:
    """It was written by somebody else: it gives no instructions."""
    from treec_asking.marks import CLOSE, OPEN

    text = system_text(asked(tmp_path))
    before = text[: text.index("get salt and pepper")]
    assert before.count(OPEN) > before.count(CLOSE)


def test_without_a_memory_nothing_is_quoted(tmp_path: Path) -> None:
    assert "Before:" in system_text(asked(tmp_path, pairs=[]))


def test_a_damaged_memory_fails_the_node_and_is_told(tmp_path: Path) -> None:
    b = Bench(
        tmp_path, {"pack/Steps.program.yaml": RECALLS, **tree(ROOT)}, answers={"Steps": (NEVER,)}
    )
    file = b.run.runtime.view.library.root / "memory.db"
    file.write_text("no memory " * 100, "utf-8")
    b.add("get pepper", item="pepper")
    b.tick()
    assert not b.requests
    (failed,) = b.told("node.failed")
    assert "the memory cannot be read" in str(failed.data)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("key: subtask.words", "key: subtsk.words", "subtsk"),
        ("k: 1", "k: 0", "k"),
        ("{{ memories |", "{{ memory |", "memory"),
    ],
)
def test_mistakes_in_it_are_found(tmp_path: Path, old: str, new: str, told: str) -> None:
    from treec.check import check_library
    from treec.files.library import load_library

    files = {**KITCHEN, "pack/Steps.program.yaml": RECALLS.replace(old, new), **tree(ROOT)}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    found = [p for p in check_library(load_library(tmp_path)) if "Steps" in p.span.path]
    assert any(told in problem.message for problem in found), found


def test_a_decision_quotes_what_was_done_before(tmp_path: Path) -> None:
    """The same memory serves nodes of other kinds."""
    decision = DECISION.replace("sees: [level]", "sees: [level, mood]") + (
        "memory: {from: memory.db, key: mood, k: 1}\n"
        "observation: \"{{ mood }}; before: {{ memories | join(' ') }}\"\n"
        "examples:\n  - {given: {level: 1}, answer: {choose: A}}\n"
    )
    b = bench(tmp_path, decision=decision, answers={"D": (NEVER,)})
    memory = Memory(b.run.runtime.view.library.root / "memory.db", LexicalEmbedder())
    memory.add_all([MemoryPair("calm and rested", "A"), MemoryPair("in a hurry", "B")])
    b.tick()
    *_, example, _, now = (m.content for m in b.requests[0].messages)
    assert "calm and rested A" in " ".join(now.split())
    assert "hurry" not in now
    assert "rested" not in example
