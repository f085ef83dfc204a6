"""The metadata of an AI2-THOR event as the state of a household."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treec_household.state import HouseholdState
from treec_thor.names import ObjectNames, ThorObject

FLAGS = {
    "opened": "isOpen",
    "running": "isToggled",
    "dirty": "isDirty",
    "sliced": "isSliced",
    "cooked": "isCooked",
}
"""Facts of the household and the fields of an object that say them. It has none for boiled."""


def objects_of(metadata: Mapping[str, Any]) -> dict[str, ThorObject]:
    """The objects of an event's metadata by their ids."""
    return {str(one["objectId"]): one for one in metadata.get("objects") or ()}


def update_state(state: HouseholdState, names: ObjectNames, metadata: Mapping[str, Any]) -> None:
    """Set positions, supports and states as an event's metadata says them."""
    objects = objects_of(metadata)
    names.add_pieces(objects.values())
    agent = (metadata.get("agent") or {}).get("position") or {}
    if agent:
        state.robot_at = (float(agent["x"]), float(agent["z"]))
    held = next((names.name(str(o["objectId"])) for o in _inventory(metadata, objects)), None)
    state.set("holding", state.robot, held)
    there = {name for id in objects if (name := names.name(id)) is not None}
    for name in set(state.kinds) - there:  # a whole that was cut, a piece that was not
        state.positions.pop(name, None)
        state.set("at", name, None)
    for id, one in objects.items():
        name = names.name(id)
        if name is None or name not in state.kinds:
            continue
        where = one["position"]
        state.positions[name] = (float(where["x"]), float(where["z"]))
        holder = innermost_receptacle(one, objects)
        support = None if holder is None else names.name(holder)
        state.set("at", name, state.robot if name == held else support)
        for fact, field in FLAGS.items():
            state.set(fact, name, bool(one.get(field)))
        state.set("filled", name, _liquid(one))


def innermost_receptacle(one: ThorObject, objects: Mapping[str, ThorObject]) -> str | None:
    """The receptacle that an object is directly on or in.

    Metadata lists all of them, in no order: the innermost is itself in most of the others, and the
    basin of a sink has the longer id.
    """
    parents = [str(id) for id in one.get("parentReceptacles") or () if str(id) in objects]

    def depth(id: str) -> tuple[int, int]:
        outer = objects[id].get("parentReceptacles") or ()
        return sum(str(other) in parents for other in outer), len(id)

    return max(parents, key=depth, default=None)


def _inventory(metadata: Mapping[str, Any], objects: Mapping[str, ThorObject]) -> list[ThorObject]:
    listed = list(metadata.get("inventoryObjects") or ())
    return listed or [one for one in objects.values() if one.get("isPickedUp")]


def _liquid(one: ThorObject) -> str | None:
    """What fills an object; water if the metadata says no more than that it is filled."""
    if not one.get("isFilledWithLiquid"):
        return None
    return str(one.get("fillLiquid") or "water")
