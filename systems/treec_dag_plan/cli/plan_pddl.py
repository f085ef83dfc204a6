"""``treec plan pddl``: a task as PDDL, for other planners and validators."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop
from treec_dag_plan.cli.plan_common import TaskOption, open_problem

DOMAIN, PROBLEM = "domain.pddl", "problem.pddl"


def command(
    task: TaskOption,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help=f"Folder for {DOMAIN} and {PROBLEM} (default: print them)."
        ),
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Write a task as PDDL.

    The domain is made from the skills, the problem from the scene and the goal.
    """
    from treec_dag_plan.arms.pddl import to_pddl

    found = to_pddl(open_problem(task, library))
    if output is None:
        print(found.domain)
        print(found.problem, end="")
        return 0
    try:
        output.mkdir(parents=True, exist_ok=True)
        (output / DOMAIN).write_text(found.domain, "utf-8")
        (output / PROBLEM).write_text(found.problem, "utf-8")
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output / DOMAIN}, {output / PROBLEM}: written", file=sys.stderr)
    return 0
