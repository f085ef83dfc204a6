"""Prompts for graph, TP-S and TP-D: their own words, and an API made from the skills."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.systems.dag_plan.conftest import ANSWERS, by_hand
from treec.files.library import Library
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec_dag_plan.arms.check import check_graph
from treec_dag_plan.arms.problem import AllocationProblem, problem_in
from treec_dag_plan.arms.prompt_words import command_lines, prompt_words
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.arms.validate_read import read_plan
from treec_dag_plan.files import PlanFile

PLANS = ("Task_Graph", "TP_S", "TP_D")
TASKS = [f"task_{number}" for number in range(1, 10)]
PAPER = Path(__file__).parents[4] / "shared/papers/dag-plan.txt"
GIVEN = {"done": [], "holding": [], "wrong": "", "memories": []}


def plan(project: Library, name: str) -> PlanFile:
    entry = project.find("plan", name)
    assert entry is not None
    model: PlanFile = entry.model
    return model


def rendered(model: PlanFile, problem: AllocationProblem) -> str:
    scope = MappingScope({**GIVEN, **prompt_words(problem)})
    texts = (model.system, model.instructions, model.observation)
    return "\n".join(TextTemplate.parse(text or "").render(scope) for text in texts)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", PLANS)
def test_every_prompt_tells_every_task_with_all_its_objects(
    project: Library, name: str, task: str
) -> None:
    problem = problem_in(project, task)
    text = rendered(plan(project, name), problem)
    assert problem.model.task in text
    assert all(line in text for line in problem.model.constraints)
    assert all(f'"{thing}"' in text for thing in problem.world.names)
    assert all(line in text for line in command_lines(problem.world.skills))


def test_the_api_is_made_from_the_skills(project: Library) -> None:
    skills = problem_in(project, "task_8").world.skills
    lines = command_lines(skills)
    assert len(lines) < len(skills)  # what takes one arm or two is one command
    (cut,) = [line for line in lines if line.startswith("cut")]
    assert cut.startswith('cut "FOOD" with "KNIFE" (type: tool use; arm_num: 1): Cut food')
    (grasp,) = [line for line in lines if line.startswith("grasp")]
    assert "arm_num: 1 or 2" in grasp


def test_no_prompt_says_a_command_itself(project: Library) -> None:
    """Commands come from the skills: a new skill is in the prompts without an edit."""
    verbs = {line.split()[0] for line in command_lines(problem_in(project, "task_8").world.skills)}
    for name in PLANS:
        rules = plan(project, name).instructions or ""
        assert not re.search(rf"\b({'|'.join(verbs)}) [<\"]", rules)


def test_the_examples_are_right(project: Library) -> None:
    """They are of no scene of ours; what can be told without one is."""
    (example,) = plan(project, "Task_Graph").examples
    checked = check_graph(read_parts(example.answer.plan))
    assert checked.problems == ()
    for name in ("TP_S", "TP_D"):
        (example,) = plan(project, name).examples
        stages = yaml.safe_load(example.answer.plan)["stages"]
        assert list(stages) == [f"stage_{n}" for n in range(1, len(stages) + 1)]
        problems = read_plan(example.answer.plan).problems
        assert problems == ()


def test_every_reflection_quotes_the_findings(project: Library) -> None:
    scope = MappingScope({"findings": ["line 3: one", "line 9: two"]})
    for name in PLANS:
        text = TextTemplate.parse(plan(project, name).reflection or "").render(scope)
        assert "- line 3: one\n- line 9: two\n" in text


@pytest.mark.skipif(not PAPER.is_file(), reason="the paper is not beside this checkout")
def test_the_words_are_ours_and_not_the_papers(project: Library) -> None:
    def eights(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"\w+", text.lower())
        return {tuple(words[n : n + 8]) for n in range(len(words) - 7)}

    paper = eights(PAPER.read_text("utf-8"))
    for name in PLANS:
        model = plan(project, name)
        ours = eights(f"{model.system} {model.instructions} {model.reflection}")
        assert not ours & paper


@pytest.mark.parametrize("task", TASKS)
def test_answers_written_by_hand_are_labelled_and_right(project: Library, task: str) -> None:
    text = (ANSWERS / f"{task}.yaml").read_text("utf-8")
    assert "by: hand\n" in text
    checked = check_graph(read_parts(by_hand(task)["plan"]), problem_in(project, task).world)
    assert [str(problem) for problem in checked.problems if problem.severity == "error"] == []
