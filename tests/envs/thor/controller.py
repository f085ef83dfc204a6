"""A controller with the interface and the metadata of AI2-THOR's, and a small kitchen of its own.

The form of the metadata follows AI2-THOR's published documentation (environment state, objects);
the error messages are those that its simulator gives. Its rules are far simpler: a thing is visible
within 1.5 m unless something closed holds it, and everything is within reach of one pose beside it.
"""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

UNSEEN = "NullReferenceException: Target object not found within the specified visibility."
CLOSED = "Target openable Receptacle is CLOSED, can't place if target is not open!"
NO_ROOM = "No valid positions to place object found"
FULL = "Agent hand has something in it already! Can't pick up anything else"

FIELDS: dict[str, Any] = {
    "rotation": {"x": 0.0, "y": 0.0, "z": 0.0},
    "visible": False,
    "isInteractable": False,
    "receptacle": False,
    "toggleable": False,
    "isToggled": False,
    "breakable": False,
    "isBroken": False,
    "canFillWithLiquid": False,
    "isFilledWithLiquid": False,
    "fillLiquid": None,
    "dirtyable": False,
    "isDirty": False,
    "canBeUsedUp": False,
    "isUsedUp": False,
    "cookable": False,
    "isCooked": False,
    "temperature": "RoomTemp",
    "isHeatSource": False,
    "isColdSource": False,
    "sliceable": False,
    "isSliced": False,
    "openable": False,
    "isOpen": False,
    "openness": 0.0,
    "pickupable": False,
    "isPickedUp": False,
    "moveable": False,
    "mass": 0.0,
    "salientMaterials": None,
    "receptacleObjectIds": None,
    "parentReceptacles": None,
    "controlledObjects": None,
    "isMoving": False,
    "distance": 0.0,
}


def thing(kind: str, x: float, z: float, *, inside: str | None = None, **fields: Any) -> Any:
    """One object of the metadata."""
    return {
        **deepcopy(FIELDS),
        "name": f"{kind}_{abs(hash((x, z))) % 9999:04d}",
        "objectType": kind,
        "objectId": f"{kind}|{x:+06.2f}|+00.90|{z:+06.2f}",
        "position": {"x": x, "y": 0.9, "z": z},
        "parentReceptacles": None if inside is None else [inside],
        **fields,
    }


def kitchen() -> list[Any]:
    """A fridge with a tomato, a counter with knife, bread and mug, sink, machine, and a sofa."""
    fridge = thing("Fridge", 0.0, 0.0, receptacle=True, openable=True)
    counter = thing("CounterTop", 2.0, 0.0, receptacle=True)
    sink = thing("Sink", 4.0, 0.0, receptacle=True)
    basin = thing("SinkBasin", 4.0, 0.0, receptacle=True, inside=sink["objectId"])
    basin["objectId"] = f"{sink['objectId']}|SinkBasin"
    machine = thing("CoffeeMachine", 2.5, 0.0, receptacle=True, toggleable=True)
    faucet = thing("Faucet", 4.0, 0.2, toggleable=True)
    on = counter["objectId"]
    return [
        fridge,
        counter,
        sink,
        basin,
        machine,
        faucet,
        thing("ArmChair", 6.0, 3.0, receptacle=True),
        thing("Tomato", 0.0, 0.1, inside=fridge["objectId"], pickupable=True, sliceable=True),
        thing("Knife", 1.8, 0.0, inside=on, pickupable=True),
        thing("Bread", 2.1, 0.0, inside=on, pickupable=True, sliceable=True),
        thing(
            *("Mug", 1.6, 0.0),
            inside=on,
            pickupable=True,
            dirtyable=True,
            isDirty=True,
            canFillWithLiquid=True,
        ),
    ]


class FakeEvent:
    """An event: only its metadata."""

    def __init__(self, metadata: dict[str, Any]) -> None:
        self.metadata = metadata


class FakeController:
    """``ai2thor.controller.Controller`` as far as it is used. ``calls`` are the steps so far."""

    def __init__(self, scene: str = "FloorPlan1", **settings: Any) -> None:
        self.scene, self.settings = scene, settings
        self.objects = kitchen()
        self.at = (3.0, 1.0)
        self.calls: list[dict[str, Any]] = []
        self.stopped = False
        self.last_event = FakeEvent({})
        self._event()

    def stop(self) -> None:
        self.stopped = True

    def step(self, action: str, **args: Any) -> FakeEvent:
        self.calls.append({"action": action, **args})
        target = self._find(args.get("objectId"))
        if "objectId" in args and target is None:
            return self._event("ArgumentException: objectId is not the objectId on any object")
        if action == "GetInteractablePoses":
            assert target is not None
            x, z = target["position"]["x"], target["position"]["z"]
            poses = [
                {"x": x, "y": 0.9, "z": z + far, "rotation": 180, "standing": True, "horizon": 30}
                for far in (0.5, 0.75)
            ]
            return self._event(returned=poses)
        if action == "Teleport":
            assert set(args) == {"position", "rotation", "horizon", "standing"}
            self.at = (args["position"]["x"], args["position"]["z"])
            return self._event()
        if action in ("MoveAhead", "MoveBack", "RotateRight"):
            return self._event()
        assert target is not None
        if not self._visible(target) and action != "EmptyLiquidFromObject":
            return self._event(UNSEEN)
        return self._event(getattr(self, f"_{action}")(target, **args) or "")

    # Actions: each gives its error message

    def _PickupObject(self, one: Any, **args: Any) -> str | None:
        if self.held is not None:
            return FULL
        one.update(isPickedUp=True, parentReceptacles=None)
        return None

    def _PutObject(self, target: Any, **args: Any) -> str | None:
        if self.held is None:
            return "Hand is empty, nothing to place"
        if target["openable"] and not target["isOpen"]:
            return CLOSED
        if target["objectType"] == "ArmChair":
            return NO_ROOM
        outer = [target["objectId"], *(target["parentReceptacles"] or ())]
        self.held.update(parentReceptacles=outer[::-1], isPickedUp=False)
        self._contextual()
        return None

    def _OpenObject(self, one: Any, **args: Any) -> str | None:
        if not one["openable"]:
            return f"{one['objectId']} is not an Openable object"
        one.update(isOpen=True, openness=1.0)
        return None

    def _CloseObject(self, one: Any, **args: Any) -> None:
        one.update(isOpen=False, openness=0.0)

    def _ToggleObjectOn(self, one: Any, **args: Any) -> None:
        one["isToggled"] = True
        self._contextual()

    def _ToggleObjectOff(self, one: Any, **args: Any) -> None:
        one["isToggled"] = False

    def _SliceObject(self, one: Any, **args: Any) -> None:
        self.objects.remove(one)
        for number in range(3):
            kind = f"{one['objectType']}Sliced"
            piece = {**deepcopy(one), "objectType": kind, "sliceable": False}
            piece["objectId"] = f"{one['objectId']}|{kind}_{number}"
            self.objects.append(piece)

    def _FillObjectWithLiquid(self, one: Any, fillLiquid: str, **args: Any) -> None:
        one.update(isFilledWithLiquid=True, fillLiquid=fillLiquid)

    def _EmptyLiquidFromObject(self, one: Any, **args: Any) -> None:
        one.update(isFilledWithLiquid=False, fillLiquid=None)

    def _contextual(self) -> None:
        running = {one["objectType"] for one in self.objects if one["isToggled"]}
        for one in self.objects:
            kinds = [str(id).split("|")[0] for id in one["parentReceptacles"] or ()]
            if "Faucet" in running and "Sink" in kinds:
                one["isDirty"] = False
                if one["canFillWithLiquid"]:
                    one.update(isFilledWithLiquid=True, fillLiquid="water")
            if "CoffeeMachine" in running and "CoffeeMachine" in kinds:
                one.update(isFilledWithLiquid=True, fillLiquid="coffee")

    # The metadata

    @property
    def held(self) -> Any:
        return next((one for one in self.objects if one["isPickedUp"]), None)

    def _find(self, id: str | None) -> Any:
        return next((one for one in self.objects if one["objectId"] == id), None)

    def _visible(self, one: Any) -> bool:
        parents = [self._find(id) for id in one["parentReceptacles"] or ()]
        shut = any(p["openable"] and not p["isOpen"] for p in parents)
        return one["isPickedUp"] or (not shut and self._far(one) <= 1.5)

    def _far(self, one: Any) -> float:
        return math.dist(self.at, (one["position"]["x"], one["position"]["z"]))

    def _event(self, error: str = "", returned: Any = None) -> FakeEvent:
        for one in self.objects:
            for id in (one["parentReceptacles"] or ())[-1:]:
                one["position"] = dict(self._find(id)["position"])
            if one["isPickedUp"]:
                one["position"] = {"x": self.at[0], "y": 1.2, "z": self.at[1]}
            one["distance"] = self._far(one)
            one["visible"] = one["isInteractable"] = self._visible(one)
        for one in self.objects:
            if one["receptacle"]:
                inside = [
                    o for o in self.objects if one["objectId"] in (o["parentReceptacles"] or ())
                ]
                one["receptacleObjectIds"] = [o["objectId"] for o in inside]
        held = self.held
        self.last_event = FakeEvent(
            {
                "objects": deepcopy(self.objects),
                "agent": {
                    "position": {"x": self.at[0], "y": 0.9, "z": self.at[1]},
                    "rotation": {"x": 0.0, "y": 180.0, "z": 0.0},
                    "cameraHorizon": 30.0,
                    "isStanding": True,
                },
                "inventoryObjects": []
                if held is None
                else [{"objectId": held["objectId"], "objectType": held["objectType"]}],
                "lastAction": self.calls[-1]["action"] if self.calls else "Initialize",
                "lastActionSuccess": not error,
                "errorMessage": error,
                "actionReturn": returned,
                "sceneName": f"{self.scene}_physics",
            }
        )
        return self.last_event
