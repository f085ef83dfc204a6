"""``treec plan``: check, schedule and validate task graphs for arms, write PDDL."""

from __future__ import annotations

import typer

from treec.systems.dag_plan.cli import plan_check, plan_pddl, plan_schedule, plan_validate

app = typer.Typer(
    name="plan",
    help="Plans for arms: check a task graph, schedule it, validate a plan, write PDDL.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("check")(plan_check.command)
app.command("pddl")(plan_pddl.command)
app.command("schedule")(plan_schedule.command)
app.command("validate")(plan_validate.command)
