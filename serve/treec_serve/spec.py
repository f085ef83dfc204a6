"""A run's description as it goes between the page, its server and the processes of runs."""

from __future__ import annotations

from dataclasses import fields

from pydantic import TypeAdapter

from treec.world.spec import ModelOptions, RunSpec

SPEC = TypeAdapter(RunSpec)

FIELDS = ("system", "scenario", "task", "scene", "env", "seed", "speed", "fast", "faults")
"""What the page says of a run that it starts."""


def models_of(spec: RunSpec) -> RunSpec:
    """What a spec says of the model."""
    return RunSpec(**{one.name: getattr(spec, one.name) for one in fields(ModelOptions)})
