"""Cut runs in SAPIEN: how many reach their goal when they are resumed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.bench_resume import measure
from benchmarks.process import ROOT
from benchmarks.table import Table
from treec.api.prepare import RunSetup
from treec.api.prepare_tree import prepare_any
from treec.files.entry import Entry
from treec.files.library import load_library
from treec.files.systems import UserStep
from treec.run.run import find_scenario
from treec.world.spec import RunSpec

CUTS = 8
"""The most cuts of one scenario of MOSAIC, drawn (seeded)."""

DUAL_ARM_CUTS = 4
"""The same of DAG-Plan, whose runs take longer."""

SCENARIOS = (
    ("mosaic", "fallen"),
    ("mosaic", "taken_away"),
    ("mosaic", "out_of_sight"),
    ("mosaic", "slippery"),
    ("dag_plan", "pot_and_arms"),
    ("dag_plan", "closed_again"),
    ("dag_plan", "arm_comes_back"),
)

AGREES = UserStep(says="Yes, go ahead.", whenever="proposals", after=2.0)


def run(small: bool) -> list[Table]:
    """Cut the runs of some scenarios in SAPIEN, and resume them."""

    def most(name: str) -> int:
        return 1 if small else DUAL_ARM_CUTS if name.startswith("dag_plan") else CUTS

    return measure(
        scenarios(small),
        most,
        f"Scenarios in SAPIEN without a model, cut after {CUTS} drawn records each (seeded; those "
        f"of DAG-Plan after {DUAL_ARM_CUTS}) and resumed from the journal and the state that the "
        "environment stored last. A user of MOSAIC agrees to what is proposed: no robot goes on by "
        "itself in a world that may have changed. Goal: 90 %.",
    )


def scenarios(small: bool) -> Iterator[tuple[str, RunSetup]]:
    """The scenarios, ready to run in SAPIEN, with their names."""
    library = load_library(ROOT)
    for system, name in SCENARIOS[:1] if small else SCENARIOS:
        setup = prepare_any(library, RunSpec(system=system, scenario=name, env="sapien"))
        script = find_scenario(setup.view, setup.spec)
        assert script is not None
        if setup.view.people and not any(step.whenever for step in script.model.user):
            model = script.model.model_copy(update={"user": [*script.model.user, AGREES]})
            script = Entry(script.kind, script.name, model, script.node, script.file)
        yield f"{system}: {name}", replace(setup, view=setup.view.including(script))
