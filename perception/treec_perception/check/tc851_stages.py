"""Stages of a localizer or pose estimator that do not fit together.

Each stage takes what the one before it gives: the first takes a picture, the last of a localizer
gives a point, of a pose estimator joints. `segment` by SAM needs a model.

Wrong:

    localizer: shelf_eyes
    about: Finds what stands on a shelf.
    stages:
      - detect: {k: 10}
      - back_project: {}
      - centre: {}

Right:

    localizer: shelf_eyes
    about: Finds what stands on a shelf.
    stages:
      - detect: {k: 10}
      - segment: {by: depth}
      - back_project: {}
      - centre: {}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import entries
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_perception.stages import (
    LOCALIZER_STAGES,
    POSE_STAGES,
    SegmentStage,
    StageType,
    named,
)

CODE = "TC851"

_KINDS = {"localizer": (LOCALIZER_STAGES, "point"), "pose_estimator": (POSE_STAGES, "joints")}


def check(view: View) -> Iterator[Diagnostic]:
    """Report stages that do not take what is there."""
    for entry in entries(view, *_KINDS):
        yield from stage_problems(entry)


def stage_problems(entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report stages of one localizer or pose estimator that do not take what is there."""
    types, end = _KINDS[entry.kind]
    there, before = "picture", ""
    for index, stage in enumerate(entry.model.stages):
        name, params = named(stage)
        kind = types[name]
        if kind.takes != there:
            given = f"after '{before}' there is a {there}" if before else "there is only a picture"
            if there in ("proposals", "points", "landmarks", "joints"):
                given = f"'{before}' gives {there}"
            message = f"'{name}' takes {_a(kind.takes)}, and {given}"
            span = entry.at("stages", index, name, key=True).span
            yield Diagnostic(CODE, "error", span, message, _between(types, there, kind.takes))
        if isinstance(params, SegmentStage) and params.by == "sam" and params.model is None:
            span = entry.at("stages", index, name, key=True).span
            help = "write a folder or a model of the hub: model: facebook/sam-vit-base"
            yield Diagnostic(CODE, "error", span, "segmenting by SAM needs a model", help)
        there, before = kind.gives, name
    if there != end:
        span = entry.at("stages", len(entry.model.stages) - 1).span
        message = f"the last stage gives {_a(there)}, and the result must be {_a(end)}"
        yield Diagnostic(CODE, "error", span, message, _between(types, there, end))


def _a(what: str) -> str:
    return what if what.endswith("s") else f"a {what}"


def _between(types: Mapping[str, StageType], there: str, wanted: str) -> str | None:
    """Return the stages that lead from what is there to what is wanted."""
    ways: dict[str, list[str]] = {there: []}
    waiting = [there]
    while waiting:
        at = waiting.pop(0)
        for name, kind in types.items():
            if kind.takes == at and kind.gives not in ways:
                ways[kind.gives] = [*ways[at], name]
                waiting.append(kind.gives)
    stages = ways.get(wanted)
    return f"in between: {', '.join(stages)}" if stages else None
