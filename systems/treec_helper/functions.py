"""Functions of expressions: programs from memories, and what a request asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from treec.files.types import TypeTree
from treec.files.view import View
from treec.program.places import StepsError
from treec.source.errors import EvaluationProblem
from treec.source.text import shorten
from treec_helper.asked import HouseholdWords, asked, is_taken_back, what_is_taken_back
from treec_helper.corrections import corrected_program, is_short
from treec_helper.declared import declared
from treec_helper.goals import KnownWorld, RequestGoal, ThingChange, unmet_of
from treec_helper.marks import lasting_program, marked, varied_program, what_stays
from treec_helper.mentions import any_of, listed, mentions, spoken, words
from treec_helper.program_text import make_api
from treec_helper.rehearsal import impossible
from treec_helper.remembered import called_routine, find_same, for_scene, order_words
from treec_helper.taken_back import ValuesBefore, changes_of, values_before
from treec_household.actions import CONTROLS
from treec_program.checker import check_program
from treec_program.statements import Do, Program, parse_program, statements

if TYPE_CHECKING:
    from treec.team.team import Team

ABSTRACT = ("Thing", "Item", "Fixture")
"""Types of the household that are no classes of things."""
UNLIKE = 0.75
"""Distance from which a memory is too unlike the request to be named."""
SAME_FAILURE = 0.6
"""Distance up to which a failure is like a remembered one of the same kind."""
PLANNER = "Dialogue_To_Program"
BEGUN = "begun"
"""The fact of a robot that is set when a request is begun."""
NAME_WORDS = 2
"""Words of a routine's name: "Zed coffee"."""
_IDLE = frozenset(("do_nothing", "change_state"))
"""Skills that do nothing."""
_CHANGING = ("at", "cooked", "boiled", "filled", "sliced")
_TOLD = ("dirty", "cooked", "boiled", "opened", "running")
_SEEN = frozenset((*_TOLD, *_CHANGING))
"""Facts of a thing that has to be seen to be known."""
_MOST_TOLD = 40
"""Things whose situation a prompt has."""
_LONGEST = 90
"""Characters of a remembered request that are said."""


def remembered_program(team: Team, dialogue: object, recalled: object) -> str:
    """The program of the remembered request that this one is. Raises EvaluationProblem."""
    kinds = thing_classes(team.knowledge.view.types)
    said = str(dialogue)
    state = team.world.state
    if corrected := str(state["corrected"]):
        turn = said.removeprefix(corrected).rpartition("<Commander>")[2]
        of = (known_world(team), vocabulary(team.knowledge.view))
        corrected = as_taught(team, corrected)
        return corrected_program(corrected, turn, str(state["program_before"]), *of)
    last = said.rpartition("<Commander>")[2]
    if is_taken_back(last) and not what_is_taken_back(last):
        raise EvaluationProblem("there is nothing that I could take back")
    same = find_same(said, recalled, kinds)
    if same is not None:
        return for_scene(str(same["answer"]), team.knowledge.view.objects)
    view = team.knowledge.view
    there = {str(spec.type) for spec in view.objects.values()} | _piece_classes(view)
    lacking = [one.kind for one in mentions(said, kinds) if one.kind and one.kind not in there]
    parts = [f"there is no {spoken(kind)} here" for kind in dict.fromkeys(lacking)]
    parts.append("I need a model to work out how to do that")
    near = _nearest(recalled, UNLIKE)
    if near is not None:
        parts[-1] += f'; the nearest thing that I know is "{_short(str(near["key"]))}"'
    raise EvaluationProblem("; ".join(parts))


def _short(key: str) -> str:
    """A remembered request as it is said: its first words by the user."""
    said = key.rpartition("<Commander>")[2] if key.count("<Commander>") == 1 else key
    plain = re.sub(r"<\w+>|[(){}\[\]]", " ", said)
    return shorten(" ".join(plain.split()).rstrip("."), _LONGEST)


def unmet(team: Team, dialogue: object, program: object = "") -> str:
    """What a request asks for, or its program promises, and is not so; "" if all is.

    Each thing by its name.
    """
    view = team.knowledge.view
    world = known_world(team)
    by_words = asked(as_taught(team, str(dialogue)), vocabulary(view))
    wrong = unmet_of(by_words, world)
    parsed = _parse(view, str(program))
    if parsed is not None:
        steps = [s.call.name for s in statements(parsed) if isinstance(s, Do)]
        if set(steps) <= _IDLE and not by_words.conditions:
            return "nothing was done"
        wrong += unmet_of(_promised(view, parsed), world)
        wrong += impossible(parsed, make_api(view, view.all("program")[PLANNER].model), view)
    found = list(dict.fromkeys(wrong))
    return listed(found) if found else ""


def _parse(view: View, text: str) -> Program | None:
    entry = view.all("program").get(PLANNER)
    if entry is None or not text.strip():
        return None
    api = make_api(view, entry.model)
    try:
        program = parse_program(text, api.own_words)
        return None if check_program(program, api) else program
    except StepsError:
        return None


def _promised(view: View, program: Program) -> RequestGoal:
    return declared(program, make_api(view, view.all("program")[PLANNER].model), view)


def vocabulary(view: View) -> HouseholdWords:
    """The classes of a view's household, and the pieces of those that can be cut."""
    pieces = {n: s.pieces.type for n, s in view.type_specs.items() if s.pieces is not None}
    return HouseholdWords(thing_classes(view.types), pieces)


def _piece_classes(view: View) -> set[str]:
    return set(vocabulary(view).pieces.values())


def _begun(team: Team) -> float:
    """When the request at hand was begun, in seconds since the run began; 0 if none was."""
    found = [team.world.facts.get(BEGUN, (agent.name,)) for agent in team.agents]
    return max((one.since for one in found if one is not None), default=0.0)


def known_world(team: Team) -> KnownWorld:
    """What the robot knows of the things."""
    facts = team.world.facts
    kinds = {name: str(spec.type) for name, spec in team.knowledge.view.objects.items()}
    begun = _begun(team)

    def get(fact: str, thing: str) -> tuple[object, bool]:
        found = facts.get(fact, (thing,))
        if fact in _SEEN and not (found and found.value) and not is_found(thing):
            return None, False  # that it is clean, shut or empty nobody has seen
        if found is None:
            return None, True  # a scene says what is so, not what is not
        return found.value, found.source != "unknown"

    def is_new(thing: str) -> bool:
        whole = facts.get("cut_from", (thing,))
        cut = None if whole is None else facts.get("sliced", (str(whole.value),))
        if cut is not None and cut.since > begun:
            return True
        changed = (facts.get(fact, (thing,)) for fact in _CHANGING)
        seen = facts.get("located", (thing,))
        found = begun if seen is None or not seen.value else seen.since  # where it was then
        return any(one is not None and one.since > begun and one.since != found for one in changed)

    def changes(request: str, *, corrections: bool = False) -> list[ThingChange]:
        from treec.world.events import flat

        commits = (list(flat(record.event)) for record in team.world.journal.records)
        agents = [agent.name for agent in team.agents]
        meant = partial(as_taught, team)
        return changes_of(commits, request, agents, corrections=corrections, meant=meant)

    def words_of(thing: str) -> set[str]:
        values = (facts.get(name, (thing,)) for name in _in_words(team))
        return {str(one.value).lower() for one in values if one is not None}

    def is_found(thing: str) -> bool:
        seen = (facts.get(name, (thing,)) for name in ("located", "sliced"))  # cut, it is nowhere
        return any(one is not None and bool(one.value) for one in seen)

    @cache
    def before() -> ValuesBefore:
        from treec.world.events import flat

        return values_before(flat(r.event) for r in team.world.journal.records)

    def was(fact: str, thing: str) -> object:
        return before().get((fact, thing))

    types = team.knowledge.view.types
    fixed = [name for name, kind in kinds.items() if not types.is_a(kind, "Item")]
    whole = partial(changes, corrections=True)
    agents = [agent.name for agent in team.agents]
    return KnownWorld(kinds, get, is_new, changes, words_of, fixed, is_found, whole, agents, was)


def _in_words(team: Team) -> list[str]:
    """The facts of a thing whose value is text, as its colour is."""
    kinds = team.world.facts.kinds.values()
    return [kind.name for kind in kinds if len(kind.args) == 1 and str(kind.value) == "text"]


def as_taught(team: Team, dialogue: str) -> str:
    """A dialogue whose request only calls a routine by its name, with the words that taught it."""
    from treec.world.events import flat
    from treec_program.events import Recalled

    first, question, later = dialogue.partition("\n<Driver>")
    if len(order_words(first)) != NAME_WORDS:
        return dialogue
    for record in reversed(team.world.journal.records):
        for event in flat(record.event):
            if isinstance(event, Recalled):
                routine = called_routine(first, [p for p in event.pairs if isinstance(p, Mapping)])
                if routine is not None:
                    return f"{routine['key']}{question}{later}"
    return dialogue


def situation(team: Team, dialogue: object) -> str:
    """Where the things are that a dialogue names, or that were moved for it, and their states."""
    world, view = known_world(team), team.knowledge.view
    named = {one.kind for one in mentions(str(dialogue), thing_classes(view.types))}
    found = []
    for thing, kind in world.kinds.items():
        at, known = world.get("at", thing)
        if (kind not in named and not world.is_new(thing)) or not world.exists(thing) or not known:
            continue
        states = [s for s in _TOLD if world.value(s, thing)]
        liquid = world.value("filled", thing)
        said = [*([f"at {at}"] if at else []), *states, *([f"with {liquid}"] if liquid else [])]
        if said:
            found.append(f"{thing} {', '.join(said)}")
    return "; ".join(found[:_MOST_TOLD]) or "nothing is known"


def question_about(team: Team, dialogue: object, question: object) -> str:
    """A dialogue with the robot's question after it."""
    return f"{dialogue}\n<Driver> {question}"


def left_on(team: Team, dialogue: object) -> str | None:
    """What heats, or a tap, that was turned on for a request which does not ask for that."""
    return next(iter(_left_on(team, str(dialogue))), None)


def _left_on(team: Team, dialogue: str) -> list[str]:
    world = known_world(team)
    view = team.knowledge.view
    goal = asked(as_taught(team, dialogue), vocabulary(view))
    on = [c.thing for c in goal.conditions if (c.fact, c.value) == ("running", True)]
    wanted = {kind for name in on for kind in goal.things[name].kinds}
    begun = _begun(team)
    found = []
    for thing, kind in world.kinds.items():
        runs = team.world.facts.get("running", (thing,))
        if runs is None or not runs.value or runs.since <= begun or kind in wanted:
            continue
        switches = CONTROLS.get(kind, frozenset())
        if switches & wanted:
            continue
        turns = {world.kinds.get(str(world.value("controls", thing)), ""), *switches}
        if turns & wanted:
            continue
        dangerous = (kind, *(t for t in turns if t))
        if world.value("heats", thing) or any(kind in _WATER_OR_HEAT for kind in dangerous):
            found.append(thing)
    return found


_WATER_OR_HEAT = frozenset(("Faucet", "StoveBurner", "StoveKnob", "ShowerHead"))


def turn_off_program(team: Team, dialogue: object) -> str:
    """The program that turns off what is left on: switches before what they turn."""
    view, world = team.knowledge.view, known_world(team)
    left = _left_on(team, str(dialogue))
    controlled = {str(world.value("controls", thing)) for thing in left}
    switches = [thing for thing in left if thing not in controlled] or left
    lines = []
    for number, thing in enumerate(switches, 1):
        kind = view.objects[thing].type
        lines += [
            f'switch{number} = InteractionObject("{kind}", object_instance="{thing}")',
            f"switch{number}.toggle_off()",
        ]
    return "".join(f"{line}\n" for line in lines) or "do_nothing()\n"


def is_praise(team: Team, remarks: object) -> bool:
    """Whether remarks, acts with a quote, are nothing but thanks and praise, and there is one."""
    acts = remarks if isinstance(remarks, Sequence) else ()
    said = " ".join(re.findall(r"[a-z]+", " ".join(_quote(act) for act in acts).lower()))
    praise, others = (any_of(words()[name]) for name in ("praise", "praise_with"))
    return bool(re.search(rf"\b{praise}\b", said)) and bool(
        re.fullmatch(rf"(?:{praise}|{others}|\s)+", said)
    )


def _quote(act: object) -> str:
    return str(act.get("quote") if isinstance(act, Mapping) else getattr(act, "quote", ""))


def wants_more(team: Team, awaiting: object, words: object) -> bool:
    """Whether words say how many are wanted of what was made, or which: "two coffees"."""
    request = as_taught(team, str(awaiting))
    return bool(awaiting) and is_short(request, str(words), vocabulary(team.knowledge.view))


def routine_called(team: Team, dialogue: object) -> str:
    """The two words by which a request may call a routine ("Zed coffee"); "" if it says more."""
    left = order_words(str(dialogue))
    return " ".join(left) if len(left) == NAME_WORDS else ""


def joined_program(team: Team, before: object, after: object) -> str:
    """What was carried out and its correction, as it is remembered under the first words.

    A correction that repeats the program, with what was missing, stands for both; what was said for
    one time ("in a bowl instead") is left out.
    """
    return lasting_program(_carried_out(team, before, after))


def varied_for_once(team: Team, before: object, after: object) -> str:
    """The same with what was said for one time; "" if that is no other program."""
    carried_out = _carried_out(team, before, after)
    varied = varied_program(carried_out)
    return "" if varied == lasting_program(carried_out) else varied


def _carried_out(team: Team, before: object, after: object) -> str:
    words = vocabulary(team.knowledge.view)
    awaiting = as_taught(team, str(team.world.state["awaiting"]))
    return f"{before}{marked(str(after), awaiting, words)}"


def stays_so(team: Team, program: object) -> str:
    """What a program that takes something back could not take back; "" if it could all."""
    return what_stays(str(program))


def corrective_program(team: Team, recalled: object, failure: object) -> str:
    """The program that corrected the nearest failure of the same kind.

    Of another kind none helps: what is missing is not found by emptying the sink.
    """
    kind = failure_kind(str(failure))
    pairs = recalled if isinstance(recalled, Sequence) else ()
    same = [pair for pair in pairs if failure_kind(str(pair["key"])) == kind]
    near = _nearest(same, SAME_FAILURE)
    if near is None:
        return "do_nothing()\n"
    return for_scene(str(near["answer"]), team.knowledge.view.objects)


def failure_kind(text: str) -> str:
    """The kind of a failure: "pickup(Mug_1): too far: it is 3 m away" is too far."""
    last = text.partition(" <Commander>")[0].partition("): ")[2] or text
    if last.startswith("there is no "):
        return "there is none"
    return last.partition(":")[0].strip().lower()


def thing_classes(types: TypeTree) -> list[str]:
    """The classes of things of a household."""
    return [name for name in types.names if types.is_a(name, "Thing") and name not in ABSTRACT]


def _nearest(recalled: object, unlike: float) -> Mapping[str, object] | None:
    if not isinstance(recalled, Sequence) or not recalled:
        return None
    first = recalled[0]
    distance = first.get("distance") if isinstance(first, Mapping) else None
    near = isinstance(distance, int | float) and distance < unlike
    return first if near else None
