"""Which models a run needs to have at hand."""

from __future__ import annotations

from pathlib import Path

from tests.support.files import KITCHEN, tree
from treec.files.library import load_library
from treec.files.view import View
from treec.run.model_choice import models_of_nodes


def test_the_models_that_nodes_name_for_themselves(tmp_path: Path) -> None:
    decision = """\
decision: NAME
about: How to feel.
sees: [level]
options: {Cheer: A reason., Mope: No reason.}
instructions: Choose one of {{ options | join(', ') }}.
"""
    files = {
        **KITCHEN,
        **tree("ask: Mood"),
        "pack/Mood.decision.yaml": decision.replace("NAME", "Mood"),
        "pack/Late.decision.yaml": decision.replace("NAME", "Late") + "model: {name: ollama/x}\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    library = load_library(tmp_path)
    assert models_of_nodes(View(library, library.find("system", "test"))) == ["ollama/x"]
