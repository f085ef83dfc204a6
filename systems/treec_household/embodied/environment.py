"""The household's skills by a robot that sees, walks and reaches: the embodied household.

What is true is a `HouseholdState` as everywhere; what the robot believes is another one, filled by
its pictures alone. A thing's name is the robot's name for an instance in its memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from inspect import signature

from treec import Effect, EnvironmentSetup
from treec_household.actions import SURFACES, Actions, Refused
from treec_household.embodied.bodies import kind_of
from treec_household.embodied.failures import (
    FailedAction,
    FailureScorer,
    Seen,
    SmallScorer,
    describe,
)
from treec_household.embodied.home import Home
from treec_household.embodied.layout import HomeTooFull
from treec_household.embodied.look import STATES
from treec_household.embodied.memory import Instance, ObjectMemory
from treec_household.embodied.robot import STANDS, Eyes, HouseRobot
from treec_household.embodied.simulator import Pixel, Senses, Simulator
from treec_household.embodied.small_eyes import SmallEyes
from treec_household.embodied.true_masks import ATTRIBUTES, TrueMasks
from treec_household.environment import BadScene, Household
from treec_household.state import HouseholdState
from treec_sapien.bodies.kinds import WrongBody
from treec_sapien.bodies.scene import read
from treec_sapien.view.depth_image import DepthImage, Image

SENSES = ("depth_error", "odometry_error")
"""Facts of the robot by which its file sets its senses: numbers,"""
WORDS = ("eyes", "reasons")
"""and words."""
_LOOKS = 3
"""How often a thing is gone to that was taken for something else before."""
REASONS = ("oracle", "picture", "none")
"""How it can be known why an action failed."""
_ELSEWHERE = ("too far", "occluded", "failed")
"""Reasons of a failure for which an action is tried from another place."""


class SeenActions(Actions):
    """The household's actions in a body: what is in reach and in sight is judged by the picture."""

    def _touch(self, thing: str) -> None:
        if not self.state.exists(thing):
            raise Refused(f"not found: {thing} is nowhere")


class EmbodiedHousehold(Household):
    """One household with bodies. Raises BadScene for a scene that cannot be furnished."""

    stands_still = False  # where the robot is, and what it has seen, is not kept
    patience = 600.0
    """Real seconds that the robot may take for a skill."""

    def __init__(self, setup: EnvironmentSetup, senses: Senses | None = None) -> None:
        super().__init__(replace(setup, folder=None), partial=True)
        shapes = read(
            {n: spec for n, spec in setup.objects.items() if "body" in spec}, setup.bodies
        )
        own = {name: (placed.body, placed.pose) for name, placed in shapes.bodies.items()}
        kinds = self.state.kinds
        fixed = {name: kind for name, kind in kinds.items() if name in self._fixtures}
        try:
            self.home = Home(self.state, fixed, setup.seed, own)
        except (HomeTooFull, WrongBody) as error:
            raise BadScene(str(error)) from None
        self.actions = SeenActions(self.state)
        self.actions.begin()
        self.senses = senses or _senses(self.state)
        self.simulator = Simulator(self.home, self.actions, self.senses, setup.seed)
        self.simulator.start_anywhere()
        self.state.robot_at = (self.simulator.x, self.simulator.y)
        names: dict[str, list[str]] = {}
        for name, kind in kinds.items():
            names.setdefault(kind, []).append(name)
        self._names = names
        self._taken_from: str | None = None
        self.begin_with(self.senses)

    def begin_with(self, senses: Senses, scorer: FailureScorer | None = None) -> None:
        """Begin to look, with these senses; nothing is known yet.

        ``scorer`` compares pictures of failures with sentences. Raises BadScene.
        """
        self.senses = self.simulator.senses = senses
        if senses.reasons not in REASONS:
            known = ", ".join(REASONS)
            raise BadScene(f"reasons of the robot are one of {known}, not '{senses.reasons}'")
        self._scorer = scorer or SmallScorer()
        self.memory = ObjectMemory(self._names)
        self.robot = HouseRobot(self.simulator, self.memory, self._eyes(senses.eyes))
        self.robot.saw = self._note
        self.belief = HouseholdState(self.state.robot, self.state.kinds, self._static())
        self._looked_into: set[str] = set()
        self._used: set[str] = set()
        """Names that skills were given: those stay with what they stand for."""
        self.known = set()
        self.robot.look()

    def _eyes(self, name: str) -> Eyes:
        if name == "true":
            return TrueMasks()
        if name != "small":
            raise BadScene(f"eyes of the robot are true or small, not '{name}'")
        afford: dict[str, frozenset[str]] = {}
        for thing, kind in self.state.kinds.items():
            can = {fact for fact in set(STATES.values()) if self.state.get(fact, thing)}
            afford[kind] = afford.get(kind, frozenset()) | can
        return SmallEyes(afford)

    def _static(self) -> dict[tuple[str, str], object]:
        """What does not change: what things afford, and what each piece is cut from."""
        changing = (*ATTRIBUTES, "at", "holding", "behind")
        return {
            key: value
            for key, value in deepcopy(self.state.values).items()
            if key[0] not in changing
        }

    # What the robot believes

    def _note(self) -> None:
        """Take over what the present picture shows."""
        belief = self.belief
        belief.robot_at = (self.robot.x, self.robot.y)
        seen = {id(found): one for one, found in self.robot.seen}
        for instance, found in self.robot.seen:
            name = instance.name
            if name is None or name == belief.held:
                continue
            for fact, value in found.attributes.items():
                belief.set(fact, name, value)
            below = None if found.below is None else self.robot.detections[found.below]
            holder = seen.get(id(below)) if below is not None else None
            self._note_support(name, None if holder is None else holder.name)
        there = {one.name for one in self.memory.instances if one.name}
        belief.positions = {
            one.name: (float(one.centroid[0]), float(one.centroid[1]))
            for one in self.memory.instances
            if one.name and not one.carried
        }
        for name in sorted(self.known - there):
            belief.set("at", name, None)
        self.known = there

    def _note_support(self, name: str, holder: str | None) -> None:
        """Believe that a thing is on or in another, if that can be."""
        belief = self.belief
        if name in self._fixtures or holder is None or name in belief.chain(holder):
            return
        if belief.number("room", holder):
            belief.set("at", name, holder)

    def _instance(self, name: str) -> Instance:
        found = self.memory.find(name)
        if found is None:
            raise Refused(f"not found: {name} has not been seen")
        return found

    def look(self) -> None:
        """The robot looks by itself, after every step."""

    def sees(self, name: str) -> bool:
        """Whether a thing is in the present picture."""
        return any(one.name == name for one, _ in self.robot.seen)

    def reaches(self, name: str) -> bool:
        """Whether a thing is in the hand, or in the present picture and within reach."""
        if self.belief.held is not None and self.belief.held in self.belief.chain(name):
            return True
        found = self.memory.find(name)
        return found is not None and self.robot.pixel(found) is not None

    def _believed(self) -> Iterable[tuple[tuple[str, str], object]]:
        belief = self.belief
        yield ("holding", belief.robot), belief.held
        for name in belief.kinds:
            known = name in self.known
            yield ("located", name), known
            yield ("in_reach", name), known and self.reaches(name)
            yield ("at", name), belief.support(name) if known else None
            yield ("behind", name), belief.shut_behind(name) if known else None
            if belief.get("hot", name) or ("hot", name) in self._reported:
                yield ("hot", name), bool(belief.get("hot", name))
            for fact in ATTRIBUTES:
                value = belief.get(fact, name)
                if fact == "filled":
                    yield (fact, name), value if known else None
                else:
                    yield (fact, name), bool(value) and (known or fact == "sliced")

    def begin_from(self, state: HouseholdState) -> None:
        """Begin where another household has come to; what is in its hand, the robot knows."""
        super().begin_from(state)
        self.home.settle()
        held = self.state.held
        if held is not None:
            self.belief.set("holding", self.belief.robot, held)
            for name in (held, *self.state.all_contents(held)):
                self.belief.set("at", name, self.state.support(name))
                self.memory.carry(name, self.state.kinds[name])
        self.robot.look()

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Apply what happened elsewhere to what is true; the robot has to see it."""
        for effect in effects:
            if len(effect.args) == 1:
                self.state.set(effect.fact, effect.args[0], effect.value)
                self._reported[effect.fact, effect.args[0]] = effect.value
                if (effect.fact, effect.args[0]) in self.belief.values or effect.fact == "expected":
                    self.belief.set(effect.fact, effect.args[0], effect.value)
        self.home.settle()
        self.robot.look()

    # Skills

    def act(self, skill: str, args: Mapping[str, object]) -> None:
        """Do what a skill says. Raises Refused."""
        given = {name: value for name, value in args.items() if name != "agent"}
        names = [v for k, v in given.items() if k in ("thing", "item", "target")]
        for name in names:
            if not isinstance(name, str) or name not in self.state.kinds:
                raise Refused(f"impossible: {name!r} is not a thing of this household")
        self._used.update(str(name) for name in names)
        action: Callable[..., None] | None = getattr(self, f"skill_{skill}", None)
        if action is None:
            raise Refused(f"impossible: unknown action '{skill}' of a household")
        for name in signature(action).parameters:
            if name not in given:
                raise Refused(f"impossible: {skill} needs the argument '{name}'")
        try:
            action(**given)
        finally:
            self.actions.steps = self.simulator.steps
            self.actions.walked = self.simulator.walked

    def skill_go_to(self, thing: str) -> None:
        """Walk to where a thing can be seen and touched."""
        self._reach(thing)

    def _reach(self, thing: str) -> None:
        """Stand where a thing can be seen and touched. Raises Refused."""
        if self.belief.held is not None and self.belief.held in self.belief.chain(thing):
            return
        for _ in self._stands(thing):
            return
        behind = self.belief.shut_behind(thing)
        if behind is not None:
            raise Refused(f"occluded: {thing} is in {behind}, which is closed")
        raise Refused(f"occluded: {thing} cannot be seen from where the robot can stand")

    def _stands(self, thing: str) -> Iterator[tuple[Instance, Pixel]]:
        """Where a thing can be acted on: its instance, and a pixel, from one place after the other.

        What turns out to be something else, or to be gone, is looked for again. Raises Refused.
        """
        for _ in range(_LOOKS):
            instance = self._instance(thing)
            for pixel in self.robot.go_to(instance):
                yield instance, pixel
            if instance in self.memory.instances:
                return
            if thing not in self.known:
                self.search(thing)

    def _interact(self, skill: str, thing: str) -> str:
        """Act on a thing, from another place if it cannot be from here; return its true name."""
        why = f"occluded: {thing} is not in the picture"
        for instance, pixel in self._stands(thing):
            assert self.robot.image is not None
            try:
                true = self.simulator.act(skill, self.robot.image, pixel)
            except Refused as error:
                why = self._why(skill, instance, error)
                if self.simulator.is_over or why.partition(":")[0] not in _ELSEWHERE:
                    raise Refused(why) from None
                continue
            if instance in self.memory.instances:
                instance.missed = 0
            return true
        raise Refused(why)

    def _why(self, skill: str, instance: Instance, error: Refused) -> str:
        """Why an action failed, as far as the robot's senses tell it."""
        if self.simulator.is_over or self.senses.reasons == "oracle":
            return str(error)
        if self.senses.reasons == "none":
            return "failed: it did not work"
        before, first = self._seen(instance), self.robot.image
        self.robot.look()
        held = self.belief.held
        attempt = FailedAction(
            skill,
            instance.name or instance.kind,
            before,
            self._seen(instance),
            hand=held is not None,
            knife=held is not None and bool(self.belief.get("cuts", held)),
            filled=held is not None and bool(self.belief.get("filled", held)),
            pictures=self._pictures(first),
        )
        reason, sentence, _ = describe(attempt, self._scorer)[0]
        return f"{reason}: {sentence}"

    def _pictures(self, first: DepthImage | None) -> tuple[Image, ...]:
        """The pictures before and after a failure, for a scorer that looks at them."""
        last = self.robot.image
        if isinstance(self._scorer, SmallScorer) or first is None or last is None:
            return ()
        plain = self.simulator.picture()
        return tuple(plain if one.rgb is None else one.rgb for one in (first, last))

    def _seen(self, instance: Instance) -> Seen:
        """What the present picture shows of an instance."""
        found = self.robot.detection(instance)
        if found is None:
            return Seen(None, {})
        number = next(n for n, one in enumerate(self.robot.detections) if one is found)
        on_it = sum(one.below == number for one in self.robot.detections)
        room = self.belief.number("room", instance.name or "")
        return Seen(self.robot.distance(found), found.likely, on_it / room if room else 0.0)

    def skill_pickup(self, item: str) -> None:
        """Take what the picture shows of a thing into the hand."""
        if self.belief.held == item:
            return
        self._interact("pickup", item)
        belief = self.belief
        self._taken_from = belief.support(item)
        belief.set("at", item, belief.robot)
        belief.set("holding", belief.robot, item)
        self._carry(item, carried=True)
        self.robot.look()

    def _carry(self, item: str, *, carried: bool) -> None:
        for name in (item, *self.belief.all_contents(item)):
            found = self.memory.find(name)
            if found is not None:
                found.carried = carried

    def skill_place(self, item: str, target: str) -> None:
        """Put what is in the hand where the picture shows another thing."""
        belief = self.belief
        if belief.held != item:
            raise Refused(f"impossible: {item} is not in the hand")
        self._interact("place", target)
        belief.set("holding", belief.robot, None)
        belief.set("at", item, target)
        for machine in belief.chain(target):
            SeenActions(belief).work(machine)
        holder = self._instance(target)
        for name in (item, *belief.all_contents(item)):
            found = self.memory.find(name)
            if found is not None:
                found.carried = False
                found.centroid, found.points = holder.centroid, holder.points[:0]
                found.within = math.hypot(*kind_of(holder.kind).size[:2])
        self.robot.look()

    def skill_put_down(self, item: str) -> None:
        """Put what is in the hand on the nearest surface that was seen and has room."""
        self._put_anywhere(item, None)

    def skill_move_away(self, item: str) -> None:
        """The same, but not on what it was taken from."""
        self._put_anywhere(item, self._taken_from)

    def _put_anywhere(self, item: str, other_than: str | None) -> None:
        belief = self.belief
        if belief.held != item:
            raise Refused(f"impossible: {item} is not in the hand")
        surfaces = [
            name
            for name in belief.positions
            if belief.kinds[name] in SURFACES
            and name != other_than
            and belief.number("room", name) > len(belief.contents(name))
        ]
        why = Refused("blocked: no surface with room has been seen")
        for name in sorted(surfaces, key=lambda one: (belief.distance(one), one))[:4]:
            try:
                self.skill_place(item, name)
                return
            except Refused as error:
                why = error
        raise why

    def skill_open(self, thing: str) -> None:
        """Open a thing."""
        self._interact("open", thing)
        self.belief.set("opened", thing, True)
        self._looked_into.add(thing)
        self.robot.look()

    def skill_close(self, thing: str) -> None:
        """Close a thing."""
        self._interact("close", thing)
        self.belief.set("opened", thing, False)
        self.robot.look()

    def skill_toggle_on(self, thing: str) -> None:
        """Turn a thing on."""
        self._switch("toggle_on", thing)

    def skill_toggle_off(self, thing: str) -> None:
        """Turn a thing off."""
        self._switch("toggle_off", thing)

    def _switch(self, skill: str, thing: str) -> None:
        self._interact(skill, thing)
        for name in (thing, *SeenActions(self.belief).turned(thing)):
            self.belief.set("running", name, skill == "toggle_on")
            SeenActions(self.belief).work(name)  # so it is believed, until something else is seen
        self.robot.look()

    def skill_slice(self, item: str) -> None:
        """Cut a thing with the knife in the hand."""
        self._interact("slice", item)
        whole = self.memory.find(item)
        if whole is not None:
            self.memory.forget(whole)
        pieces = [n for n in self.belief.kinds if self.belief.get("cut_from", n) == item]
        self.memory.expected[:0] = pieces
        for piece in pieces:  # where the whole was, until something else is seen
            self.belief.set("at", piece, self.belief.support(item))
        self.belief.set("sliced", item, True)
        self.belief.set("at", item, None)
        self.robot.look()

    def skill_pour(self, item: str, target: str) -> None:
        """Pour what is in the thing in the hand."""
        if self.belief.held != item:
            raise Refused(f"impossible: {item} is not in the hand")
        liquid = self.belief.get("filled", item)
        self._interact("pour", target)
        self.belief.set("filled", item, None)
        if self.belief.get("fills", target):
            self.belief.set("filled", target, liquid)
        self.robot.look()

    def skill_clean(self, item: str) -> None:
        """See that a thing is clean."""
        self._check_by_looking(item, "dirty", None, f"no water has run over {item}")

    def skill_fill_up(self, item: str) -> None:
        """See that a thing is full of water."""
        self._check_by_looking(item, "filled", "water", f"no water has run into {item}")

    def skill_cook(self, item: str) -> None:
        """See that a thing is cooked."""
        self._check_by_looking(item, "cooked", True, f"{item} has not been heated")

    skill_toast = skill_cook

    def _check_by_looking(self, item: str, fact: str, wanted: object, why: str) -> None:
        """Look at a thing, and see whether something is so. What is shut away is believed."""
        if (self.belief.get(fact, item) or None) != wanted and self.belief.held != item:
            behind = self.belief.shut_behind(item)
            if behind is not None:
                self.belief.set(fact, item, wanted)  # the machine it is in has run
                return
            self._reach(item)
            self.robot.look()
        if (self.belief.get(fact, item) or None) != wanted:
            raise Refused(f"not done: {why}")

    def skill_pickup_and_place(self, item: str, target: str) -> None:
        """See that a thing is on or in another."""
        if self.belief.support(item) != target:
            raise Refused(f"not done: {item} is not on or in {target}")

    def skill_empty(self, thing: str) -> None:
        """See that nothing is on or in a thing."""
        if self.belief.contents(thing):
            raise Refused(f"not done: there is something on or in {thing}")

    def skill_move_back(self) -> None:
        """Step back."""
        self._move("back")

    def skill_move_closer(self) -> None:
        """Step forward."""
        self._move("forward")

    def _move(self, way: str) -> None:
        self.robot.do(way)

    def skill_move_alternate_viewpoint(self) -> None:
        """Step aside."""
        for action in ("right", "forward", "left"):
            self.robot.do(action)

    def skill_do_nothing(self) -> None:
        """Do nothing."""

    def skill_decline(self, reason: str) -> None:
        """Decline a request."""

    def skill_ask_user(self, question: str) -> None:
        """Ask the user."""

    def skill_change_state(self, thing: str, attribute: str, value: object) -> None:
        """Assert a state; it is judged by the skill's conditions."""

    # Search

    def skill_look_for(self, thing: str) -> None:
        """Search for a thing."""
        self.search(thing)

    def search(self, thing: str) -> None:
        """Explore, then look at and into the likely places, until a thing is seen."""
        if self.senses.eyes != "true":
            self._rename(thing)
        before, self.memory.wanted = self.memory.wanted, thing

        def found() -> bool:
            return thing in self.known

        try:
            self.robot.survey(found)
            while not found() and self.robot.explore(found):
                pass
            visited: set[str] = set()
            while not found():
                places = [
                    place
                    for place in self.places_to_look(self.belief, thing)
                    if place in self._fixtures and place in self.known and place not in visited
                ]
                if not places:
                    raise Refused(f"not found: {thing} is at none of {len(visited)} places")
                visited.add(places[0])
                self._search_at(places[0], found)
        finally:
            self.memory.wanted = before

    def _rename(self, thing: str) -> None:
        """Let one of its class that has a name by chance, and was not used yet, have this name."""
        belief = self.belief
        if thing in self.known:
            return
        kind = belief.kinds[thing]
        own = (one for one in self.memory.instances if one.kind == kind and not one.carried)
        other = next((one for one in own if one.name not in self._used), None)
        if other is None or other.name is None:
            return
        for fact in (*ATTRIBUTES, "at"):
            belief.set(fact, thing, belief.get(fact, other.name))
            belief.set(fact, other.name, None)
        for name in belief.contents(other.name):
            belief.set("at", name, thing)
        other.name = thing
        self._note()

    def _search_at(self, place: str, found: Callable[[], bool]) -> None:
        """Look at a place from two sides, into a closet from all: its door hides much.

        Raises Refused if all is over.
        """
        belief = self.belief
        shut = bool(belief.get("encloses", place)) and not belief.get("opened", place)
        if shut and (place in self._looked_into or belief.get("running", place)):
            return
        try:
            instance = self._instance(place)
            sides = STANDS if shut else 2 if belief.number("room", place) else 1
            for number, _ in enumerate(self.robot.go_to(instance)):
                if shut and number == 0 and not found():
                    self.skill_open(place)
                    self.robot.nod_over(instance, found)
                if found() or number + 1 >= sides:
                    break
                self.robot.nod_over(instance, found)
            if shut and not found():
                self.skill_close(place)
        except Refused:
            if self.simulator.is_over:
                raise


def _senses(state: HouseholdState) -> Senses:
    """The senses that facts of the robot set; what they do not say is exact."""
    errors = {fact: state.number(fact, state.robot) for fact in SENSES}
    words = {fact: str(state.get(fact, state.robot) or "") for fact in WORDS}
    return Senses(**errors, **{fact: word for fact, word in words.items() if word})  # type: ignore[arg-type]


def open_embodied(setup: EnvironmentSetup) -> EmbodiedHousehold:
    """The environment `household_embodied`. Raises BadScene."""
    return EmbodiedHousehold(setup)
