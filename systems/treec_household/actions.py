"""What each action does to the true state of a household, or why it cannot be done.

Actions follow AI2-THOR's: water from a tap washes and fills what stands in its basin, a burner, an
oven and a toaster cook what is on or in them while they run, a coffee machine fills the empty
vessel in it. An action checks what the world demands (reach, a free hand, an open door), whatever
the program's own checks have said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature

from treec_household.state import HouseholdState

REACH = 1.5
"""Metres at which the robot can touch a thing (TEACh's distance for interactions)."""
STEP = 0.25
"""Metres of one step of the robot (TEACh's grid)."""
STAND_OFF = 0.5
"""Metres between the robot and what it has gone to."""


class Refused(Exception):
    """An action cannot be done; the message begins with a word for the reason."""


class Actions:
    """The actions of one robot in one household. ``steps`` counts its primitive actions."""

    def __init__(self, state: HouseholdState) -> None:
        self.state = state
        self.steps = 0
        self.walked = 0.0
        self.look: Callable[[], None] = lambda: None
        """Called wherever the robot has come to, to see what is there."""
        self._taken_from: str | None = None
        """What the thing in the hand stood on or in."""

    def begin(self) -> None:
        """Let what is turned on by its switch from the start run, and do its work."""
        for switch, kind in self.state.kinds.items():
            if kind in CONTROLS and self.state.get("running", switch):
                for machine in self.turned(switch):
                    self.state.set("running", machine, True)

    def do(self, skill: str, args: Mapping[str, object]) -> None:
        """Do an action. Raises Refused, also for an argument that is missing or no thing's name."""
        action = getattr(self, f"_{skill}")
        for name, parameter in signature(action).parameters.items():
            if name not in args:
                raise Refused(f"impossible: {skill} needs the argument '{name}'")
            if parameter.annotation == "str" and not isinstance(args[name], str):
                raise Refused(f"impossible: {skill}'s '{name}' is a name, not {args[name]!r}")
        action(**args)

    def can(self, skill: str) -> bool:
        """Whether there is an action of this name."""
        return hasattr(self, f"_{skill}")

    # Moving

    def walk_to(self, thing: str) -> None:
        """Walk to where a thing is, and stop within reach of it."""
        at = self.state.position(thing)
        if at is None:
            raise Refused(f"not found: {thing} is nowhere")
        x, y = self.state.robot_at
        apart = self.state.distance(thing)
        if apart > STAND_OFF:
            part = (apart - STAND_OFF) / apart
            self.state.robot_at = (x + (at[0] - x) * part, y + (at[1] - y) * part)
            way = abs(self.state.robot_at[0] - x) + abs(self.state.robot_at[1] - y)
            self.walked += way
            self.steps += round(way / STEP)
        self.steps += 1  # it turns to the thing
        self.look()

    def _go_to(self, thing: str) -> None:
        self.walk_to(thing)

    def _move_back(self) -> None:
        self.steps += 1

    def _move_closer(self) -> None:
        self.steps += 1

    def _move_alternate_viewpoint(self) -> None:
        self.steps += 2

    def _do_nothing(self) -> None:
        pass

    def _decline(self, reason: str) -> None:
        pass

    def _ask_user(self, question: str) -> None:
        pass

    def _change_state(self, thing: str, attribute: str, value: object) -> None:
        pass

    # The hand

    def _pickup(self, item: str) -> None:
        state = self.state
        if state.held == item:
            return
        if state.held is not None:
            raise Refused(f"full: the hand holds {state.held}")
        self._touch(item)
        self._taken_from = state.support(item)
        state.set("at", item, state.robot)
        state.positions.pop(item, None)
        state.set("holding", state.robot, item)
        self.steps += 1

    def _place(self, item: str, target: str) -> None:
        state = self.state
        self._needs_in_hand(item)
        self._touch(target)
        if item in state.chain(target):
            raise Refused(f"blocked: {target} is on or in {item}")
        if state.get("encloses", target) and not state.get("opened", target):
            raise Refused(f"blocked: {target} is closed")
        if self.room(target) <= 0:
            raise Refused(f"full: there is no room in or on {target}")
        self._put(item, target)

    def _put(self, item: str, target: str) -> None:
        state = self.state
        state.set("holding", state.robot, None)
        state.set("at", item, target)
        self.steps += 1
        for holder in state.chain(target):
            self.work(holder)
        if any(state.kinds.get(holder) == "Fridge" for holder in state.chain(target)):
            state.set("hot", item, False)

    def _put_down(self, item: str) -> None:
        self._put_on(item, self.free_surface())

    def _move_away(self, item: str) -> None:
        self._put_on(item, self.free_surface(other_than=self._taken_from))

    def _put_on(self, item: str, target: str | None) -> None:
        self._needs_in_hand(item)
        if target is None:
            raise Refused("blocked: no surface has room")
        if self.state.distance(target) > REACH:
            self.walk_to(target)
        self._put(item, target)

    def free_surface(self, other_than: str | None = None) -> str | None:
        """The nearest thing to put something down on: no appliance, basin, vessel or seat."""
        state = self.state
        names = (
            name
            for name, kind in state.kinds.items()
            if kind in SURFACES
            and name != other_than
            and name in state.positions
            and self.room(name) > 0
        )
        return min(names, key=lambda name: (state.distance(name), name), default=None)

    def room(self, thing: str) -> float:
        """How many more things find room on or in a thing."""
        return self.state.number("room", thing) - len(self.state.contents(thing))

    def _pickup_and_place(self, item: str, target: str) -> None:
        if self.state.support(item) != target:
            raise Refused(f"not done: {item} is not on or in {target}")

    def _empty(self, thing: str) -> None:
        if self.state.contents(thing):
            raise Refused(f"not done: there is something on or in {thing}")

    # Doors, switches

    def _open(self, thing: str) -> None:
        if not self.state.get("opens", thing):
            raise Refused(f"impossible: {thing} does not open")
        self._touch(thing)
        if self.state.get("running", thing) and self.state.get("encloses", thing):
            raise Refused(f"blocked: {thing} is running")
        self.state.set("opened", thing, True)
        self.steps += 1
        self.look()

    def _close(self, thing: str) -> None:
        if not self.state.get("opens", thing):
            raise Refused(f"impossible: {thing} does not close")
        self._touch(thing)
        self.state.set("opened", thing, False)
        self.steps += 1

    def _toggle_on(self, thing: str) -> None:
        state = self.state
        if not state.get("turns_on", thing):
            raise Refused(f"impossible: {thing} cannot be turned on")
        self._touch(thing)
        if state.get("encloses", thing) and state.get("opened", thing):
            raise Refused(f"blocked: {thing} is open")
        state.set("running", thing, True)
        self.steps += 1
        for works in self.turned(thing):
            state.set("running", works, True)
            self.work(works)

    def _toggle_off(self, thing: str) -> None:
        state = self.state
        if not state.get("turns_on", thing):
            raise Refused(f"impossible: {thing} cannot be turned off")
        self._touch(thing)
        state.set("running", thing, False)
        self.steps += 1
        for works in self.turned(thing):
            state.set("running", works, False)

    def turned(self, switch: str) -> list[str]:
        """What a switch turns: what it controls, else itself.

        A scene that does not say what its knobs and taps control has each control all burners or
        all basins.
        """
        state = self.state
        controlled = state.get("controls", switch)
        if controlled is not None:
            return [str(controlled)]
        of = CONTROLS.get(state.kinds[switch])
        return [switch] if of is None else [n for n, kind in state.kinds.items() if kind in of]

    def work(self, machine: str) -> None:
        """Let a running machine do its work on what is on or in it."""
        state = self.state
        if not state.get("running", machine):
            return
        inside = state.all_contents(machine)
        if state.get("drains", machine):
            for thing in inside:
                if state.get("washes", thing):
                    state.set("dirty", thing, False)
                if state.get("fills", thing):
                    state.set("filled", thing, "water")
                state.set("hot", thing, False)
        heat = state.get("heats", machine)
        for thing in state.contents(machine) if heat == "flame" else ():
            state.set("hot", thing, True)
        for thing in inside if heat else ():
            if state.get("cooks", thing) and (heat != "toaster" or state.get("toasts", thing)):
                state.set("cooked", thing, True)
                wet = (state.get("filled", holder) == "water" for holder in state.chain(thing))
                if heat != "toaster" and any(wet):
                    state.set("boiled", thing, True)
        for thing in inside if state.get("brews", machine) else ():
            if state.get("fills", thing) and not state.get("filled", thing):
                state.set("filled", thing, "coffee")

    # Work with the hand

    def _slice(self, item: str) -> None:
        state = self.state
        if not state.get("slices", item):
            raise Refused(f"impossible: {item} cannot be cut")
        if state.held is None or not state.get("cuts", state.held):
            raise Refused("impossible: there is no knife in the hand")
        self._touch(item)
        if state.get("sliced", item):
            raise Refused(f"impossible: {item} is cut already")
        on = state.support(item)
        here = state.positions.pop(item, None)
        for piece in [name for name in state.kinds if state.get("cut_from", name) == item]:
            state.set("at", piece, on)
            if here is not None:
                state.positions[piece] = here
            for fact in ("cooked", "boiled", "dirty"):
                state.set(fact, piece, state.get(fact, item))
        state.set("sliced", item, True)
        state.set("at", item, None)
        self.steps += 1
        self.look()

    def _clean(self, item: str) -> None:
        if self.state.get("dirty", item):
            raise Refused(f"not done: no water has run over {item}")

    def _fill_up(self, item: str) -> None:
        if self.state.get("filled", item) != "water":
            raise Refused(f"not done: no water has run into {item}")

    def _cook(self, item: str) -> None:
        if not self.state.get("cooked", item):
            raise Refused(f"not done: {item} has not been heated")

    _toast = _cook

    def _pour(self, item: str, target: str) -> None:
        state = self.state
        self._needs_in_hand(item)
        self._touch(target)
        liquid = state.get("filled", item)
        if liquid is None:
            raise Refused(f"impossible: {item} is empty")
        if state.get("fills", target):
            state.set("filled", target, liquid)
        elif not state.get("drains", target):
            raise Refused(f"impossible: nothing can be poured into {target}")
        state.set("filled", item, None)
        self.steps += 1

    # What the world demands

    def _needs_in_hand(self, item: str) -> None:
        if self.state.held != item:
            raise Refused(f"impossible: {item} is not in the hand")

    def _touch(self, thing: str) -> None:
        state = self.state
        if not state.exists(thing):
            raise Refused(f"not found: {thing} is nowhere")
        if state.support(thing) == state.robot:
            return
        behind = state.shut_behind(thing)
        if behind is not None:
            raise Refused(f"occluded: {thing} is in {behind}, which is closed")
        if state.distance(thing) > REACH:
            raise Refused(f"too far: {thing} is {state.distance(thing):.1f} m away")


SURFACES = frozenset(
    (
        "CounterTop",
        "DiningTable",
        "SideTable",
        "CoffeeTable",
        "Desk",
        "Dresser",
        "Shelf",
        "Bed",
        "TVStand",
        "Sofa",
        "ShelvingUnit",
    )
)
"""Classes of fixtures that things are put down on."""

CONTROLS = {
    "StoveKnob": frozenset({"StoveBurner"}),
    "Faucet": frozenset({"SinkBasin", "Sink", "BathtubBasin"}),
}
"""What a switch turns, by classes, where the scene does not say it."""
