"""``treec plan``: make, check, schedule and validate task graphs for arms; write PDDL."""

from __future__ import annotations

from treec.cli.common import group
from treec_dag_plan.cli import (
    plan_check,
    plan_make,
    plan_pddl,
    plan_schedule,
    plan_validate,
)

app = group("plan", "Make, check, schedule and validate task graphs for arms.")
app.command("check")(plan_check.command)
app.command("make")(plan_make.command)
app.command("pddl")(plan_pddl.command)
app.command("schedule")(plan_schedule.command)
app.command("validate")(plan_validate.command)
