"""Stage of a localizer or pose estimator whose model is nowhere, or does not know a thing.

`detect`, `score_crops` and `segment` take a folder, below the library's root or anywhere, or a name
of the Hugging Face hub (owner/name); the first two also `small`. `landmarks` takes `full`, or a
task file of MediaPipe.

The small weights know the things of treec's kitchens: a thing of a scene before a camera whose name
they never had is looked for by the colour and kind of its body, or not at all, which is a warning.

Wrong:

    localizer: shelf_eyes
    about: Finds what stands on a shelf.
    stages:
      - detect: {model: samll}
      - segment: {by: depth}
      - back_project: {}
      - centre: {}

Right:

    localizer: shelf_eyes
    about: Finds what stands on a shelf.
    stages:
      - detect: {model: small}
      - segment: {by: depth}
      - back_project: {}
      - centre: {}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_perception.default import DEFAULT
from treec_perception.stages import SMALL, LandmarksStage, SegmentStage, named
from treec_perception.vocabulary import is_small, look_of, of_small_weights
from treec_sapien.bodies.kinds import packages_of
from treec_sapien.bodies.scene import body_of
from treec_sapien.check.scene_bodies import librarys_own

CODE = "TC854"


def check(view: View) -> Iterator[Diagnostic]:
    """Report models that are neither treec's, nor there, nor names of the hub."""
    for entry in entries(view, "localizer", "pose_estimator"):
        for index, stage in enumerate(entry.model.stages):
            name, params = named(stage)
            model = getattr(params, "model", None)
            if model is None:
                continue
            span = entry.span("stages", index, name, "model")
            if isinstance(params, LandmarksStage):
                if model != "full" and not view.library.file(model).is_file():
                    message = f"no task file '{model}'"
                    yield Diagnostic(CODE, "error", span, message, "full, or a task file")
                continue
            own = [] if isinstance(params, SegmentStage) else [SMALL]
            if model in own or _is_hub_name(model) or _is_folder(view, model):
                continue
            message = f"unknown model '{model}': neither a folder nor a name of the hub"
            help = f"{', '.join([*own, 'a folder'])}, or owner/name"
            yield Diagnostic(CODE, "error", span, message, help)
    yield from _unknown_things(view)


def _unknown_things(view: View) -> Iterator[Diagnostic]:
    localizer = view.used("localizer")
    stages = (DEFAULT if localizer is None else localizer.model).stages
    known = of_small_weights() if view.all("camera") and is_small(stages) else None
    if known is None:
        return
    for scene in view.scenes:
        packages = scene.model.body_packages
        if librarys_own(view, packages):
            continue
        for name, spec in scene.model.objects.items():
            body = spec.body or {}
            if any(known.asked(it) for it in (name, *spec.also)) or "kind" not in body:
                continue
            try:
                if body_of(body, packages_of(packages)).fixed:
                    continue
            except (ValueError, KeyError, TypeError, ImportError):  # reported by TC801
                continue
            phrase = known.described(look_of(body))
            message = f"the small weights do not know '{name}': " + (
                f"it is looked for as '{phrase}'" if phrase else "cameras do not find it"
            )
            help = "see 'treec perception weights'; 'also:' may have a name that they know"
            span = scene.at("objects", name, key=True).span
            yield Diagnostic(CODE, "warning", span, message, help)


def _is_hub_name(name: str) -> bool:
    return name.count("/") == 1 and not name.startswith(("/", "./", "../", "~"))


def _is_folder(view: View, name: str) -> bool:
    below = view.library.file(f"{name}/config.json")
    return below.is_file() or Path(name).expanduser().is_dir()
