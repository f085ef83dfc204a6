"""Generate the table of docs/schedules.md: stage counts by each variant of the paper's rule.

``python -m experiments.dag_plan.make_schedules`` rewrites them; with ``--check`` it says what is
stale and ends with status 1. Every count is taken over many orders in which the nodes of a graph
can be written.
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path

from experiments.page import with_body
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.arms.schedule.deadlock import DeadlockReport
from treec_dag_plan.arms.schedule.paper import PaperRule, PaperVariant
from treec_dag_plan.arms.schedule.problem import problem_of
from treec_dag_plan.arms.schedule.shortest import shortest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/schedules.md"
GRAPHS = ROOT / "trees/dag_plan/graphs"
BEGIN = "<!-- readings: made by experiments/dag_plan/make_schedules.py -->"
END = "<!-- end of readings -->"
ORDERS = 100
PAPER = (2, 4, 4, 6, 6, 6, 5, 7, 11)


READINGS = (
    ("as we read it", PaperVariant()),
    ("check 1 looks at all of the pair (`pair-closure`)", PaperVariant(check="pair-closure")),
    ("no check 1 (`off`)", PaperVariant(check="off")),
    ("all direct successors count, not those of the pair alone", PaperVariant(within=False)),
    ("refused only when every successor waits", PaperVariant(every=True)),
    ("what the other arm does in the same stage counts as done", PaperVariant(partner=True)),
    ("candidates in the order of writing", PaperVariant(queue=False)),
    ("an arm that holds and has nothing to do is free", PaperVariant(waits=False)),
    ("a node alone is not checked", PaperVariant(alone=False)),
)


def graphs() -> list[TaskGraph]:
    """The nine reference graphs."""
    found = []
    for number in range(1, 10):
        graph, problems = read_graph(GRAPHS / f"task_{number}.yaml")
        if graph is None:
            raise SystemExit(f"task {number}: {problems}")
        found.append(graph)
    return found


def orders(graph: TaskGraph) -> list[TaskGraph]:
    """Return the graph with its nodes in many file orders, its own first."""
    found = [graph]
    for seed in range(ORDERS):
        nodes = list(graph.nodes)
        random.Random(seed).shuffle(nodes)
        found.append(replace(graph, nodes=tuple(nodes)))
    return found


def counts(graph: TaskGraph, reading: PaperVariant) -> str:
    """The stage counts over all orders; `stuck` where the rule cannot finish in some."""
    found: set[int] = set()
    stuck = False
    for other in orders(graph):
        result = PaperRule(problem_of(other), reading).run()
        if isinstance(result, DeadlockReport):
            stuck = True
        else:
            found.add(len(result))
    counts = [str(count) for count in sorted(found)] + (["stuck"] if stuck else [])
    return " or ".join(counts)


def table() -> str:
    """The table in Markdown."""
    head = ["", *(str(number) for number in range(1, 10)), "all nine"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines.append("| DAG-Plan, table 2 | " + " | ".join(map(str, PAPER)) + " | |")
    for name, reading in READINGS:
        row = [counts(graph, reading) for graph in graphs()]
        agree = "yes" if row == [str(count) for count in PAPER] else "no"
        lines.append(f"| {name} | " + " | ".join(row) + f" | {agree} |")
    best = [str(len(shortest(problem_of(graph)).stages)) for graph in graphs()]
    lines.append("| `shortest`, each proved | " + " | ".join(best) + " | |")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """The command line."""
    page = with_body(PAGE, BEGIN, END, f"\n\n{table()}\n\n")
    if "--check" in arguments:
        if page != PAGE.read_text("utf-8"):
            print(f"{PAGE} is stale: run 'python -m experiments.dag_plan.make_schedules'")
            return 1
        return 0
    PAGE.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
