"""Which models a run needs to have at hand."""

from __future__ import annotations

from pathlib import Path

from tests.support.files import KITCHEN, tree
from treec.files.library import load_library
from treec.files.view import View
from treec.world.spec import ModelOptions
from treec_asking.model_choice import choose_model, models_of_nodes


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


def test_a_decision_model_beside_none_is_asked_only_where_a_file_names_it(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text('[model]\ndecisions = "nano"\n', "utf-8")
    alone = choose_model(tmp_path, None, ModelOptions())
    assert alone is not None
    assert (alone.name, alone.if_named) == ("systemone/nano", True)
    beside = choose_model(tmp_path, None, ModelOptions(model="openai/x"))
    assert beside is not None
    assert beside.decisions is not None
    assert (beside.name, beside.decisions.name, beside.if_named) == (
        "openai/x",
        "systemone/nano",
        False,
    )


def test_a_decision_model_of_the_command_line(tmp_path: Path) -> None:
    settings = {"decisions": {"name": "openai/gpt-d", "api_base": "http://127.0.0.1:9"}}
    choice = choose_model(tmp_path, None, ModelOptions(model_settings=settings))
    assert choice is not None
    assert (choice.name, choice.api_base) == ("decisions/openai/gpt-d", "http://127.0.0.1:9")
