"""The household's actions as steps of an AI2-THOR controller.

`PickupObject`, `PutObject`, `OpenObject`, `CloseObject`, `ToggleObjectOn`, `ToggleObjectOff`,
`SliceObject`, `FillObjectWithLiquid`, `EmptyLiquidFromObject`, `MoveAhead`, `MoveBack`; going to a
thing is a `Teleport` to the nearest of its `GetInteractablePoses`. What its contextual interactions
do (water washes, burners cook, a machine fills the mug in it) is left to the simulator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from treec_household.actions import STEP, SURFACES, Refused
from treec_household.state import HouseholdState
from treec_thor.names import ObjectNames


class ThorEvent(Protocol):
    """What a step gives back: ``ai2thor.server.Event``, of which the metadata is read."""

    metadata: Mapping[str, Any]


class ThorController(Protocol):
    """What is used of ``ai2thor.controller.Controller``."""

    @property
    def last_event(self) -> ThorEvent:
        """The event of the last step."""

    def step(self, action: str, **args: Any) -> ThorEvent:
        """Do an action; whether it worked stands in the event's metadata."""

    def stop(self) -> object:
        """Shut the simulator down."""


REASONS = (
    ("within the specified visibility", "occluded"),
    ("not visible", "occluded"),
    ("not interactable", "occluded"),
    ("too far", "too far"),
    ("hand has something", "full"),
    ("already holding", "full"),
    ("no valid positions", "full"),
    ("closed", "blocked"),
    ("collision", "blocked"),
    ("collid", "blocked"),
    ("block", "blocked"),
    ("objectid is not", "not found"),
    ("not found", "not found"),
)
"""Words of an error message and the household's word for the reason; the first that fits counts."""

_DIRECT = {
    "pickup": ("PickupObject", "item"),
    "open": ("OpenObject", "thing"),
    "close": ("CloseObject", "thing"),
    "toggle_on": ("ToggleObjectOn", "thing"),
    "toggle_off": ("ToggleObjectOff", "thing"),
    "slice": ("SliceObject", "item"),
}
_MOVES = {"move_closer": "MoveAhead", "move_back": "MoveBack"}
_STATED = {
    "clean": ("dirty", False, "no water has run over"),
    "cook": ("cooked", True, "it has not been heated:"),
    "toast": ("cooked", True, "it has not been toasted:"),
    "fill_up": ("filled", "water", "no water has run into"),
}
"""Skills that their preconditions bring about: the fact that must hold by now."""
_NOTHING = frozenset({"do_nothing", "change_state", "pickup_and_place", "empty"})


class ThorActions:
    """The actions of the robot. ``steps`` counts what was sent, ``walked`` metres of grid."""

    def __init__(self, state: HouseholdState, names: ObjectNames, controller: ThorController):
        self.state = state
        self.steps = 0
        self.walked = 0.0
        self.look: Callable[[], None] = lambda: None
        """Called after every step of the controller."""
        self._names = names
        self._controller = controller
        self._went_to: tuple[str, int] | None = None

    def can(self, skill: str) -> bool:
        """Whether there is an action for a skill."""
        known = ("go_to", "place", "put_down", "move_away", "pour", "move_alternate_viewpoint")
        return skill in known or any(skill in own for own in (_DIRECT, _MOVES, _STATED, _NOTHING))

    def do(self, skill: str, args: Mapping[str, object]) -> None:
        """Do what a skill says. Raises Refused with the simulator's error message."""
        given = {name: str(value) for name, value in args.items()}
        if skill in _DIRECT:
            action, argument = _DIRECT[skill]
            self._step(action, objectId=self._id(_required(given, argument, skill)))
        elif skill in _MOVES:
            self._step(_MOVES[skill])
        elif skill in _STATED:
            fact, value, why = _STATED[skill]
            item = _required(given, "item", skill)
            if (self.state.get(fact, item) or False) != value:
                raise Refused(f"not done: {why} {item}")
        elif skill == "go_to":
            self.walk_to(_required(given, "thing", skill))
        elif skill == "place":
            target = _required(given, "target", skill)
            self._step("PutObject", objectId=self._id(target))
        elif skill in ("put_down", "move_away"):
            self._put_down()
        elif skill == "pour":
            self._pour(_required(given, "item", skill), _required(given, "target", skill))
        elif skill == "move_alternate_viewpoint":
            self._another_view()

    def walk_to(self, thing: str) -> None:
        """Stand where a thing can be touched and seen: at the nearest such pose."""
        self._stand_at(thing, 0)

    def _another_view(self) -> None:
        if self._went_to is None:
            self._step("RotateRight")
            return
        thing, number = self._went_to
        self._stand_at(thing, number + 1)

    def _stand_at(self, thing: str, number: int) -> None:
        event = self._step("GetInteractablePoses", objectId=self._id(thing))
        poses: Sequence[Mapping[str, Any]] = event.metadata.get("actionReturn") or ()
        if not poses:
            raise Refused(f"too far: there is no pose from which {thing} can be touched")
        near = sorted(poses, key=self._far)
        pose = near[number % len(near)]
        far = self._far(pose)
        self._step(
            "Teleport",
            position={axis: pose[axis] for axis in ("x", "y", "z")},
            rotation={"x": 0, "y": pose["rotation"], "z": 0},
            horizon=pose["horizon"],
            standing=pose["standing"],
        )
        self.walked += far
        self.steps += round(far / STEP)
        self._went_to = (thing, number)

    def _far(self, pose: Mapping[str, Any]) -> float:
        x, z = self.state.robot_at
        return math.hypot(float(pose["x"]) - x, float(pose["z"]) - z)

    def _put_down(self) -> None:
        """Put what is held on the nearest surface that takes it."""
        state = self.state
        names = [name for name, kind in state.kinds.items() if kind in SURFACES]
        why = "blocked: no surface has room"
        for name in sorted(names, key=state.distance):
            try:
                if name != self._reached():
                    self.walk_to(name)
                self._step("PutObject", objectId=self._id(name))
                return
            except Refused as error:
                why = str(error)
        raise Refused(why)

    def _reached(self) -> str | None:
        return None if self._went_to is None else self._went_to[0]

    def _pour(self, item: str, target: str) -> None:
        liquid = self.state.get("filled", item)
        if liquid is None:
            raise Refused(f"impossible: {item} is empty")
        if not self.state.get("drains", target):
            self._step("FillObjectWithLiquid", objectId=self._id(target), fillLiquid=liquid)
        self._step("EmptyLiquidFromObject", objectId=self._id(item))

    def _id(self, name: str) -> str:
        id = self._names.id(name)
        if id is None:
            raise Refused(f"not found: {name} is nowhere")
        return id

    def _step(self, action: str, **args: Any) -> ThorEvent:
        event = self._controller.step(action=action, **args)
        self.steps += 1
        self.look()
        if not event.metadata.get("lastActionSuccess"):
            raise Refused(reason_of(action, str(event.metadata.get("errorMessage") or "")))
        return event


def reason_of(action: str, message: str) -> str:
    """The simulator's error message, after the household's word for such a reason."""
    low = message.lower()
    word = next((word for words, word in REASONS if words in low), "impossible")
    return f"{word}: {' '.join(message.split()) or f'{action} did not work'}"


def _required(given: Mapping[str, str], argument: str, skill: str) -> str:
    if argument not in given:
        raise Refused(f"impossible: {skill} needs the argument '{argument}'")
    return given[argument]
