"""A household in AI2-THOR: what a controller's metadata says, and the robot's memory of it.

Sight is partial: an object is seen while its metadata says ``visible`` (in the picture, within
``visibilityDistance``, not hidden). Fixtures are known from the start, as in the symbolic
household.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import ExitStack
from typing import cast

from treec import Effect, EnvironmentSetup
from treec_household.environment import BadScene, Household
from treec_household.search import places_to_look
from treec_household.state import HouseholdState
from treec_thor.actions import ThorActions, ThorController
from treec_thor.facts import objects_of, update_state
from treec_thor.names import ObjectNames

REACH = 1.5
"""Metres at which the robot can touch a thing: the default of ``visibilityDistance``."""


class ThorHousehold(Household):
    """The household of one controller; its scene's file has the names of `ObjectNames`.

    Raises BadScene if the file and the simulator's scene do not have the same objects.
    """

    stands_still = False  # the simulator begins with its scene again
    patience = 600.0
    """Real seconds that the simulator may take for a step."""

    def __init__(self, setup: EnvironmentSetup, controller: ThorController) -> None:
        robots = [name for name, spec in setup.agents.items() if spec.get("is") != "Person"]
        if len(robots) != 1:
            raise BadScene(f"a household has one robot, not {len(robots)}")
        self.partial = True
        self.places_to_look = places_to_look
        self.controller = controller
        self.state = HouseholdState(
            robots[0], {name: str(spec["type"]) for name, spec in setup.objects.items()}
        )
        self._reported: dict[tuple[str, str], object] = {}
        for effect in setup.facts:
            if len(effect.args) == 1 and effect.source != "unknown":
                self.state.set(effect.fact, effect.args[0], effect.value)
                self._reported[effect.fact, effect.args[0]] = effect.value
        objects = objects_of(controller.last_event.metadata)
        self.names = ObjectNames(objects.values())
        self._compare(setup.scene)
        fixed = (self.names.name(id) for id, one in objects.items() if not one.get("pickupable"))
        self._fixtures = frozenset(name for name in fixed if name and name in self.state.kinds)
        self.known = set(self._fixtures)
        self.actions = ThorActions(self.state, self.names, controller)  # type: ignore[assignment]
        self.actions.look = self.look
        self.look()

    def _compare(self, scene: str) -> None:
        """Check that what the file has is there. Pieces come later."""
        missing = [n for n in self.state.kinds if " piece " not in n and self.names.id(n) is None]
        if missing:
            more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
            raise BadScene(
                f"the simulator's scene '{scene}' has no {', '.join(missing[:3])}{more}: "
                "write the scene's file anew with treec thor scene"
            )

    def look(self) -> None:
        """Read the last event: the true state, and what the robot sees of it."""
        update_state(self.state, self.names, self.controller.last_event.metadata)
        super().look()

    def sees(self, name: str) -> bool:
        """Whether an object is visible now, or in the hand."""
        if self.state.held == name:
            return True
        one = objects_of(self.controller.last_event.metadata).get(self.names.id(name) or "")
        return one is not None and bool(one.get("visible"))

    def reaches(self, name: str) -> bool:
        """Whether an object is close enough to be touched; the simulator has the last word."""
        one = objects_of(self.controller.last_event.metadata).get(self.names.id(name) or "")
        return one is not None and float(one.get("distance", REACH + 1)) <= REACH

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Note reported effects; nothing in the simulator is moved by it."""
        for effect in effects:
            if len(effect.args) == 1:
                self.state.set(effect.fact, effect.args[0], effect.value)
        self.look()

    def close(self) -> None:
        """Shut the simulator down."""
        self.controller.stop()


def open_thor(setup: EnvironmentSetup) -> ThorHousehold:
    """Open the scene in AI2-THOR that has the name of the scene's file, such as FloorPlan1.

    Raises BadScene, and ImportError without the extra `thor`.
    """
    controller = open_controller(setup.scene)
    with ExitStack() as undo:
        undo.callback(controller.stop)
        household = ThorHousehold(setup, controller)
        undo.pop_all()
    return household


def open_controller(scene: str) -> ThorController:
    """Start the simulator in a scene. Raises ImportError without the extra `thor`."""
    try:
        module = importlib.import_module("ai2thor.controller")
    except ImportError as error:
        missing = "it needs the package 'ai2thor', which is not installed"
        raise ImportError(f"{missing}: pip install 'treec[thor]'") from error
    make = cast("Callable[..., ThorController]", module.Controller)
    return make(scene=scene, visibilityDistance=REACH, gridSize=0.25)
