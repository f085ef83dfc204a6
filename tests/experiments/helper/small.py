"""Episodes and a task of these tests' own, in the formats of ICAL's episodes and TEACh's tasks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SCENE: dict[str, dict[str, Any]] = {
    "CounterTop_0": {"label": "CounterTop"},
    "Fridge_1": {"label": "Fridge", "open": False},
    "Tomato_2": {"label": "Tomato", "supported_by": ["Fridge"], "sliced": False},
    "Knife_3": {"label": "Knife", "supported_by": ["CounterTop"]},
    "Plate_4": {"label": "Plate", "supported_by": ["CounterTop"], "dirty": False},
    "Mug_5": {"label": "Mug", "supported_by": ["CounterTop"], "dirty": True},
    "SinkBasin_6": {"label": "SinkBasin"},
    "Faucet_7": {"label": "Faucet", "toggled": False},
    **{
        f"TomatoSliced_{8 + n}": {"label": "TomatoSliced", "supported_by": ["CounterTop"]}
        for n in range(2)
    },
}
"""A recorder's scene: the pieces of the tomato lie there, though the program cuts it first."""

CAREFUL = """\
fridge = InteractionObject("Fridge", object_instance="Fridge_1")
tomato = InteractionObject("Tomato", object_instance="Tomato_2")
knife = InteractionObject("Knife", object_instance="Knife_3")
plate = InteractionObject("Plate", object_instance="Plate_4")
counter = InteractionObject("CounterTop", object_instance="CounterTop_0")
fridge.go_to()
fridge.open()
tomato.pickup()
counter.go_to()
tomato.place(counter)
knife.go_to()
knife.pickup()
tomato.go_to()
tomato.slice()
knife.put_down()
piece = InteractionObject("TomatoSliced", parent_object=tomato)
piece.go_to()
piece.pickup()
plate.go_to()
piece.place(plate)
"""
HASTY = """\
tomato = InteractionObject("Tomato", object_instance="Tomato_2")
plate = InteractionObject("Plate", object_instance="Plate_4")
tomato.slice()
piece = InteractionObject("TomatoSliced", parent_object=tomato)
piece.place(plate)
"""
"""Leaves to the repairs that the fridge is shut, the hand empty and the knife on the counter."""

TASK = "Serve_1_slice(s)_of_Tomato_on_a_Plate"
CHANGES: list[dict[str, Any]] = [
    {"id": 2, "label": "Tomato", "attribute": "sliced", "before": False, "after": True},
    {"id": 2, "label": "Tomato", "attribute": "emptied", "before": False, "after": True},
    {"id": 5, "label": "Mug", "attribute": "dirty", "before": True, "after": False},
]


def episode(program: str, **more: Any) -> dict[str, Any]:
    """An episode with a program for `TASK`."""
    return {
        "id": 0,
        "tag": "small_0",
        "task_type": TASK,
        "dialogue": "<Commander> A slice of tomato on a plate, please.",
        "scene": SCENE,
        "program": program,
        "changes": CHANGES,
        **more,
    }


def write_episodes(folder: Path, *given: Mapping[str, Any]) -> Path:
    """A file of episodes, with the definitions of tasks beside it."""
    file = folder / "episodes.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in given), "utf-8")
    tasks = folder / "task_definitions"
    tasks.mkdir()
    for number, one in enumerate((SLICES, WATERED)):
        (tasks / f"{number}.json").write_text(json.dumps(one), "utf-8")
    return file


SLICES = {
    "task_name": "N Slices Of X In Y",
    "task_nparams": 4,
    "task_anchor_object": "#3",
    "desc": "Serve #0 slice(s) of #1 #2 a #3.",
    "components": {
        "#1": {
            "determiner": "#0",
            "conditions": {"objectType": "#1Sliced"},
            "condition_failure_descs": {},
        },
        "#3": {
            "determiner": "a",
            "conditions": {"objectType": "#3", "isDirty": 0},
            "condition_failure_descs": {"isDirty": "The #3 is dirty."},
        },
    },
    "relations": [
        {
            "property": "parentReceptacles",
            "tail_entity_list": ["#3"],
            "tail_determiner_list": ["the"],
            "head_entity_list": ["#1"],
            "head_determiner_list": ["#0"],
            "failure_desc": "The #1 is not on the #3.",
        }
    ],
}
WATERED = {
    "task_name": "Water Plant",
    "task_nparams": 0,
    "task_anchor_object": "plant",
    "desc": "Water the plant.",
    "components": {
        "plant": {
            "determiner": "a",
            "conditions": {"objectType": "HousePlant", "isFilledWithLiquid": 1},
            "condition_failure_descs": {"isFilledWithLiquid": "The plant is dry."},
        }
    },
    "relations": [],
}
