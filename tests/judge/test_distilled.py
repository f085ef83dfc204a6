"""Distilled scorers of judges: yes or no, options and levels, of what is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.judge.library import DISH, answer, judged_by, see
from treec.files.library import load_library
from treec_asking.distilled import prompt_fingerprint
from treec_asking.marks import unmark_text
from treec_models.distil import TaughtExample, fit, write_scorer
from treec_testing.decisions.distil_cases import typed_answers

SEEN = {
    "a white plate": answer(clean=True, sort_of="plate", stained=0.0),
    "a mug with sauce": answer(clean=False, sort_of="mug", stained=2.0),
}


def question(folder: Path, looks: str) -> tuple[str, Any]:
    """What a decision model is asked about a thing that looks so: the state, the questions."""
    typed = "answers: [{decision_model: systemone/any}]\n"
    b = judged_by(folder, DISH, {}, more=typed)
    see(b, "looks", pepper=looks)
    b.settle()
    request = b.requests[0]
    return unmark_text(request.messages[-1].content), request.schema["questions"]


def test_values_are_answers_to_the_questions(tmp_path: Path) -> None:
    _, questions = question(tmp_path, "a white plate")
    values = {"clean": 0.2, "sort_of": "mug", "stained": 1.6}
    found = {"clean": False, "sort_of": "mug", "stained": "filthy"}
    assert typed_answers(questions, values) == found
    for wrong in ({"sort_of": "bowl"}, {"stained": 3}, {"clean": None}):
        assert typed_answers(questions, {**values, **wrong}) == {}


def test_it_answers_all_that_the_judge_asks(tmp_path: Path) -> None:
    taught = []
    for number, (looks, values) in enumerate(SEEN.items()):
        state, questions = question(tmp_path / str(number), looks)
        taught += [TaughtExample(state, questions, typed_answers(questions, values))] * 20
    b = judged_by(tmp_path, DISH, more="answers: [{distilled: Dish}]\n")
    entry = load_library(tmp_path).find("judge", "Dish")
    assert entry is not None
    about = {"node": "Dish", "kind": "judge", "prompt": prompt_fingerprint(entry)}
    path = tmp_path / "distilled/Dish.json"
    write_scorer(path, fit(taught, 0), {**about, "bound": {"sure": 0.1}})
    see(b, "looks", pepper="a mug with sauce")
    b.settle()
    found = [b.fact(name, "pepper") for name in ("clean", "sort_of", "stained")]
    assert found == [False, "mug", 2.0]
    (made,) = b.told("judged")
    assert made.data["by"] == "distilled/Dish"
    changed = entry.model.model_copy(update={"sets": {}})
    assert (
        prompt_fingerprint(type(entry)("judge", "Dish", changed, entry.node, entry.file))
        != (about["prompt"])
    )
