"""A scene's file from the metadata of AI2-THOR."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import yaml

from treec_thor.facts import FLAGS, innermost_receptacle, objects_of
from treec_thor.names import ObjectNames

_NAME = re.compile(r"^[A-Za-z]\w*$")


class BadMetadata(ValueError):
    """Metadata of which no scene can be made; the message says why."""


def scene_of_metadata(
    metadata: Mapping[str, Any], classes: Collection[str], name: str | None = None
) -> tuple[str, list[str]]:
    """The text of a scene's file, and the object types that the household has no class for.

    ``metadata`` is that of an event, ``classes`` are the household's; the scene has the
    simulator's name for it (``sceneName``), by which it is opened again. Raises BadMetadata.
    """
    name = name or str(metadata.get("sceneName") or "").removesuffix("_physics")
    if not _NAME.match(name):
        raise BadMetadata(f"the metadata has no usable 'sceneName' ({name!r})")
    try:
        objects = objects_of(metadata)
        names = ObjectNames(objects.values())
        specs: dict[str, dict[str, Any]] = {}
        unknown: set[str] = set()
        for id, one in objects.items():
            own = names.name(id)
            if own is None:
                continue
            if one["objectType"] not in classes:
                unknown.add(str(one["objectType"]))
                continue
            specs[own] = _spec(one, objects, names, classes)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadMetadata(f"the metadata is not as AI2-THOR publishes it: {error!r}") from None
    if not specs:
        raise BadMetadata("the metadata has no 'objects' of the household's classes")
    lines = [
        "# Made from AI2-THOR's metadata (treec thor scene). Metres; z is up.",
        f"scene: {name}",
        "about: A scene of AI2-THOR.",
        "domain: household",
        "objects:",
    ]
    for own, spec in sorted(specs.items()):
        text = yaml.safe_dump(spec, default_flow_style=True, sort_keys=False, width=1000).strip()
        lines.append(f"  {own}: {text}")
    return "\n".join([*lines, ""]), sorted(unknown)


def _spec(
    one: Mapping[str, Any],
    objects: Mapping[str, Mapping[str, Any]],
    names: ObjectNames,
    classes: Collection[str],
) -> dict[str, Any]:
    where = one["position"]
    pose = [round(float(where[axis]), 3) for axis in ("x", "z", "y")]
    spec: dict[str, Any] = {"type": str(one["objectType"]), "pose": pose}
    holder = innermost_receptacle(one, objects)
    if one.get("pickupable") and holder is not None and objects[holder]["objectType"] in classes:
        spec["at"] = names.name(holder)
    spec.update({fact: True for fact, field in FLAGS.items() if one.get(field)})
    if one.get("isFilledWithLiquid"):
        spec["filled"] = str(one.get("fillLiquid") or "water")
    controls = [str(id) for id in one.get("controlledObjects") or () if str(id) in objects]
    if controls and objects[controls[0]]["objectType"] in classes:
        spec["controls"] = names.name(controls[0])
    return spec
