"""A kitchen for a random graph: the things that it names, as its commands need them.

The skills are the library's own, so that a schedule is held against the world that tasks are done
in, and not against what schedulers know of holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ARMS
from treec_dag_plan.arms.world import ArmWorld
from treec_dag_plan.arms.world_logic import FactValue, Key

TABLE = "table"


def fits_the_kitchen(graph: TaskGraph) -> bool:
    """Whether its commands are the kitchen's: no skill opens something with two arms."""
    return not any(node.command == "open" and node.arms > 1 for node in graph.nodes)


def kitchen_for(graph: TaskGraph, world: ArmWorld, arms: Sequence[str] = ARMS) -> ArmWorld:
    """The world of a graph: `world` with other things, at its start, and without a goal."""
    things = {TABLE: "Place", "ground": "Place"}
    facts: dict[Key, FactValue] = {
        ("takes_on", TABLE): True,
        ("for_cutting", TABLE): True,
        ("at", TABLE): "ground",
        ("at", "ground"): "ground",
    }
    by_id = graph.by_id

    def item(name: str, type: str = "Item") -> None:
        if things.get(name, "Item") == "Item":
            things[name] = type
        facts["at", name] = TABLE

    for node in graph.work():
        match node.command:
            case "grasp":
                item(node.objects[0])
                if node.arms > 1:
                    facts["two_handed", node.objects[0]] = True
            case "open" | "close":
                things[node.objects[0]] = "Door"
            case "switch_on" | "switch_off":
                things[node.objects[0]] = "Appliance"
            case "cut with":
                item(node.objects[0], "Food")
                item(node.objects[1], "Knife")
            case "pour into":
                facts["liquid", node.objects[0]] = True
                facts["takes_in", node.objects[1]] = True
                item(node.objects[1])
            case "put into":
                device = node.objects[1]
                things.setdefault(device, "Appliance")
                facts["takes_in", device] = True
                opened = [by_id[b] for b in node.after if by_id[b].command == "open"]
                own = [o for o in opened if o.objects[0].startswith("door")]
                if len(own) == 1:
                    facts["door", device] = own[0].objects[0]
    return replace(
        world,
        things=things,
        names={name: name for name in things},
        arms=tuple(arms),
        start=facts,
        goal=(),
    )
