"""The planner's page counts the examples of every prompt beside the paper's."""

from __future__ import annotations

import os

from tests.docs.pages import ROOT
from treec.files.library import load_library
from treec.files.view import View

PAGE = ROOT / "docs" / "planner.md"
BEGIN, END = "<!-- examples: begin -->\n", "<!-- examples: end -->"

PAPER = {
    "Decision": 4,
    "Recipe": 7,
    "Set_Recipe": 3,
    "Suggest_Alternative_Recipe": 4,
    "Execution": 9,
    "Modify_Subtask": 6,
    "Confirm_Subtask": 3,
    "Interrupt_Subtask": 2,
    "Overall_Clarify": 3,
}
"""Situations with an answer under `examples` in appendix I.1, by node."""


def ours() -> dict[str, int]:
    library = load_library(ROOT)
    view = View(library, library.find("system", "mosaic"))
    kinds = ("reading", "decision", "action")
    found = {name: len(e.model.examples) for kind in kinds for name, e in view.all(kind).items()}
    return {name: number for name, number in found.items() if number or name in PAPER}


def table() -> str:
    counted = ours()
    rows = [
        f"| *{name}* | {PAPER.get(name, '–')} | {counted[name]} |"
        for name in (*PAPER, *sorted(counted.keys() - PAPER.keys()))
    ]
    total = f"| in all | {sum(PAPER.values())} | {sum(counted.values())} |"
    head = ["| node | the paper's | ours |", "|---|---:|---:|"]
    return "\n".join([*head, *rows, total]) + "\n"


def test_no_node_has_fewer_situations_than_the_papers() -> None:
    counted = ours()
    assert {name for name, number in PAPER.items() if counted[name] < number} == set()


ONE_PROMPT = 22
"""Situations under `examples` in appendix I.4, the paper's one prompt."""


def test_one_prompt_has_no_fewer_situations_than_the_papers() -> None:
    entry = load_library(ROOT).find("action", "One_Prompt")
    assert entry is not None
    assert len(entry.model.examples) >= ONE_PROMPT


def test_no_situation_stands_there_twice() -> None:
    library = load_library(ROOT)
    view = View(library, library.find("system", "mosaic"))
    for kind in ("reading", "decision", "action"):
        for name, entry in view.all(kind).items():
            given = [str(example.given) for example in entry.model.examples]
            assert len(set(given)) == len(given), name


def test_the_page_has_the_count() -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = before + BEGIN + table() + END + after
    if os.environ.get("TREEC_REWRITE") == "1":
        PAGE.write_text(made, "utf-8")
        return
    assert text == made
