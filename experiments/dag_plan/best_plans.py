"""Choose the plans to execute from those that a model wrote, as the paper does (section 4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from experiments.dag_plan.sample_store import Sample
from treec.ask.transport import Answer
from treec_asking.prompt import read_answer
from treec_dag_plan.nodes.plan_graph import START, find_plan, plan_text

_ANSWER = {"type": "object", "required": ["plan"]}


def best_plans(samples: Iterable[Sample]) -> dict[tuple[str, str], str]:
    """Return the valid plan with the fewest stages for each method and task; empty without one.

    A graph counts with the fewest stages of any schedule; of equal ones the first is taken.
    """
    best: dict[tuple[str, str], str] = {}
    fewest: dict[tuple[str, str], int] = {}
    for sample in samples:
        key = sample.asked.method, sample.asked.task
        best.setdefault(key, "")
        stages = min(sample.judged.stages.values(), default=None)
        if sample.judged.good and stages is not None and stages < fewest.get(key, stages + 1):
            best[key], fewest[key] = _plan_of(sample), stages
    return best


def _plan_of(sample: Sample) -> str:
    """Return the plan in the last answer."""
    begins = START["graph" if sample.asked.method == "DAG-Plan" else "stages"]
    last = sample.tried[-1]
    find_data = partial(find_plan, begins=begins)
    return plan_text(read_answer(Answer(last.text, last.by), _ANSWER, find_data=find_data), begins)
