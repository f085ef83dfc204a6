"""The symbolic household as an environment: what is true, what the robot sees, and its actions.

With full sight the robot knows everything. With partial sight it knows the fixtures, and of what
can be moved only what it has seen: within `SIGHT` of it, and not in a closed thing. What it has
seen it remembers, until it sees that it is gone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from treec import Effect, EnvironmentSetup, write_atomic
from treec_household.actions import REACH, Actions, Refused
from treec_household.floor_plan import plan_floor
from treec_household.search import places_to_look
from treec_household.state import HouseholdState

SIGHT = 3.0
"""Metres within which the robot sees what is not shut away."""

STATES = ("at", "behind", "opened", "running", "dirty", "filled", "sliced", "cooked", "boiled")
"""Facts about a thing that the robot sees."""
TREATMENTS = frozenset({"clean", "cook", "fill_up", "toast"})
"""Actions that are refused until a machine or water has done its work."""
STORE = "household.json"
"""The file in the folder of a run that holds what is true."""
_VALUED = frozenset({"at", "behind", "filled"})


class BadScene(ValueError):
    """A scene that cannot be; the message says which thing is at fault."""


class Household:
    """One household. Nothing happens in it but what the robot does.

    With a folder it keeps what is true there (``STORE``), and is so again when the run is resumed.
    """

    busy = False
    stands_still = True
    _store: Path | None = None
    _treated: object = None
    """What was just cooked or washed: that it is so was told, wherever it is shut away."""

    def __init__(self, setup: EnvironmentSetup, *, partial: bool) -> None:
        robots = [name for name, spec in setup.agents.items() if spec.get("is") != "Person"]
        if len(robots) != 1:
            raise BadScene(f"a household has one robot, not {len(robots)}")
        self.partial = partial
        self.places_to_look: Callable[[HouseholdState, str], list[str]] = places_to_look
        """In which order places are searched for a thing."""
        kinds = {name: str(spec["type"]) for name, spec in setup.objects.items()}
        self.state = HouseholdState(robots[0], kinds)
        for effect in setup.facts:
            if len(effect.args) == 1 and effect.source != "unknown":
                self.state.set(effect.fact, effect.args[0], effect.value)
        self._check_supports()
        self._place(setup.objects, setup.seed)
        self.actions = Actions(self.state)
        self.actions.begin()
        self.actions.look = self.look
        self.known: set[str] = set()
        self._reported: dict[tuple[str, str], object] = {}
        for effect in setup.facts:
            if len(effect.args) == 1 and effect.source != "unknown":
                self._reported[effect.fact, effect.args[0]] = effect.value
        if not partial:
            self.known.update(name for name in kinds if self.state.exists(name))
        self.known.update(name for name in kinds if name in self.fixtures)
        self._store = None if setup.folder is None else setup.folder / STORE
        if self._store is not None and setup.time > 0:
            self._recall(self._store)
        self.look()
        self._keep()

    @property
    def fixtures(self) -> frozenset[str]:
        """What cannot be moved, and is known from the start."""
        return self._fixtures

    def _check_supports(self) -> None:
        state = self.state
        for name in state.kinds:
            last = list(state.chain(name))[-1]
            if state.support(last) is not None:
                raise BadScene(f"{name} is in itself: {' in '.join(state.chain(name))}")
            if last != state.robot and last not in state.kinds:
                raise BadScene(f"{name} is on or in {last}, which is not a thing of the scene")

    def _place(self, objects: Mapping[str, Mapping[str, object]], seed: int) -> None:
        """Give what stands on the floor a position: that of its pose, or one of a floor plan."""
        state = self.state
        free = {
            name: kind
            for name, kind in state.kinds.items()
            if state.support(name) is None and state.get("cut_from", name) is None
        }
        self._fixtures = frozenset(free)
        plan = plan_floor(free, seed)
        for name in free:
            pose = objects[name].get("pose")
            at = (float(pose[0]), float(pose[1])) if isinstance(pose, list | tuple) else plan[name]
            state.positions[name] = at
        held = next((n for n in state.kinds if state.support(n) == state.robot), None)
        state.set("holding", state.robot, held)
        if state.positions:
            xs, ys = zip(*state.positions.values(), strict=True)
            state.robot_at = (sum(xs) / len(xs), sum(ys) / len(ys))

    # Environment

    def step(self, until: float) -> float:
        """Let time pass: nothing happens."""
        return until

    def close(self) -> None:
        """Nothing is to be released."""

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Apply what happened elsewhere: in a scenario, for example."""
        for effect in effects:
            if len(effect.args) == 1:
                self.state.set(effect.fact, effect.args[0], effect.value)
                self._reported[effect.fact, effect.args[0]] = effect.value
        self.look()
        self._keep()

    def sense(self) -> tuple[Effect, ...]:
        """What the robot sees or remembers, as far as it differs from what was last reported."""
        effects = []
        for key, value in self._believed():
            if self._reported.get(key) != value:
                self._reported[key] = value
                source = "sensed" if value is not None else "unknown"
                effects.append(Effect(key[0], (key[1],), value, source))  # type: ignore[arg-type]
        return tuple(effects)

    def _believed(self) -> Iterable[tuple[tuple[str, str], object]]:
        state = self.state
        yield ("holding", state.robot), state.held
        for name in state.kinds:
            known = name in self.known
            yield ("located", name), known
            yield ("in_reach", name), known and self.reaches(name)
            seen = known and (self.sees(name) or name == self._treated)
            if state.get("hot", name) or ("hot", name) in self._reported:
                yield ("hot", name), bool(state.get("hot", name))  # it has put it there itself
            if state.get("sliced", name):
                yield ("sliced", name), True  # it is gone, and its pieces are there
            for fact in STATES:
                if seen or (known and fact == "behind"):
                    value = state.shut_behind(name) if fact == "behind" else state.get(fact, name)
                    yield (fact, name), value if fact in _VALUED else bool(value)
                elif not known and fact in ("at", "behind"):
                    yield (fact, name), None
                elif not known and name not in self.fixtures and fact != "sliced":
                    yield (fact, name), None if fact in _VALUED else False

    def begin_from(self, state: HouseholdState) -> None:
        """Begin where another household of the same things has come to; positions stay."""
        self.state.values = dict(state.values)
        held = self.state.held
        self.state.positions.pop(held or "", None)
        if not self.partial:
            self.known.update(name for name in self.state.kinds if self.state.exists(name))
        self.look()

    # Kept with the run

    def _keep(self) -> None:
        if self._store is None:
            return
        state = self.state
        kept = {
            "kinds": dict(state.kinds),
            "values": [[fact, thing, value] for (fact, thing), value in state.values.items()],
            "positions": state.positions,
            "robot_at": state.robot_at,
            "fixtures": sorted(self._fixtures),
            "known": sorted(self.known),
            "steps": self.actions.steps,
            "walked": self.actions.walked,
        }
        write_atomic(self._store, json.dumps(kept))

    def _recall(self, store: Path) -> None:
        """Make true what was; a file of other things, or none, leaves what the facts say.

        Raises BadScene for a file of these things that has not all that is kept.
        """
        try:
            kept = json.loads(store.read_text("utf-8"))
        except (OSError, ValueError):
            return
        state = self.state
        if not isinstance(kept, dict) or kept.get("kinds") != dict(state.kinds):
            return
        try:
            values = {(fact, thing): value for fact, thing, value in kept["values"]}
            positions = {name: (x, y) for name, (x, y) in kept["positions"].items()}
            x, y = kept["robot_at"]
            fixtures, known = frozenset(kept.get("fixtures", positions)), set(kept["known"])
            steps, walked = kept["steps"], kept["walked"]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"has no {error}" if isinstance(error, KeyError) else f"cannot be read: {error}"
            hint = "the run cannot be resumed from it; start a new one"
            raise BadScene(f"{store}: the stored household {what}; {hint}") from None
        state.values, state.positions, state.robot_at = values, positions, (x, y)
        self._fixtures, self.known = fixtures, known
        self.actions.steps, self.actions.walked = steps, walked

    # Sight

    def reaches(self, name: str) -> bool:
        """Whether a thing is close enough to be touched, were it not shut away."""
        return self.state.distance(name) <= REACH

    def sees(self, name: str) -> bool:
        """Whether the robot sees a thing now; with full sight it sees all."""
        state = self.state
        if not self.partial:
            return True
        if not state.exists(name):
            return False
        near = state.distance(name) <= SIGHT
        return near and state.shut_behind(name) is None

    def look(self) -> None:
        """Take note of what is in sight."""
        state = self.state
        for name in state.kinds:
            if not state.exists(name):
                self.known.discard(name)
            elif name not in self.known and self.sees(name):
                self.known.add(name)

    # Actions

    def act(self, skill: str, args: Mapping[str, object]) -> None:
        """Do what a skill says. Raises Refused."""
        given = {name: value for name, value in args.items() if name != "agent"}
        if skill == "look_for":
            thing = given.get("thing")
            if not isinstance(thing, str) or thing not in self.state.kinds:
                raise Refused(f"impossible: {thing!r} is not a thing of this household")
            self.search(thing)
        elif self.actions.can(skill):
            self.actions.do(skill, given)
        else:
            raise Refused(f"impossible: unknown action '{skill}' of a household")
        self._treated = given.get("item") if skill in TREATMENTS else None
        self.look()
        self._keep()

    def search(self, thing: str) -> None:
        """Go from place to place, the likely ones first, until a thing is seen. Raises Refused."""
        looked = 0
        for place in self.places_to_look(self.state, thing):
            if thing in self.known:
                return
            looked += 1
            self.actions.walk_to(place)
            closed = self.state.get("encloses", place) and not self.state.get("opened", place)
            if thing not in self.known and closed and not self.state.get("running", place):
                self.actions.do("open", {"thing": place})
                if thing not in self.known:
                    self.actions.do("close", {"thing": place})
        if thing not in self.known:
            raise Refused(f"not found: {thing} is at none of {looked} places")


class SeenHousehold(Household):
    """A household that the robot sees all of."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        super().__init__(setup, partial=False)


class PartlySeenHousehold(Household):
    """A household of which the robot sees what is near and not shut away."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        super().__init__(setup, partial=True)
