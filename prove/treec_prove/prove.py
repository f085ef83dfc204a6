"""A proof of a system as a whole: what is explored, what is found, and what was assumed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from treec.files.prompts import ReadingFile
from treec.files.systems import ScenarioFile
from treec_prove.counterexample import Counterexample, counterexample, told_of
from treec_prove.explored import Explored, Surroundings
from treec_prove.happenings import parts_of
from treec_prove.properties import (
    DEADLOCK,
    FINISHES,
    RAISES,
    RESTLESS,
    STOP,
    Property,
    PropertyJudge,
)
from treec_prove.search import EXHAUSTED, Found, Progress, ProofLimits, Search
from treec_prove.steps import undo_rewindable
from treec_prove.undecided import undo_choosing
from treec_prove.visited import file_of, remove_outdated

if TYPE_CHECKING:
    from treec.files.entry import Entry
    from treec.files.systems import ContractFile
    from treec.files.view import View
    from treec.world.spec import RunSpec

TIME = (
    "everything happens when the tree is at rest: as the last timer of the engine was due, or as "
)
TIME += "long after it as decides which of two timers is due first"
"""How time is made finite."""

ANY_TIME = "each timer of the engine is due at any moment, in any order"
ANY_TIME += "; nodes of your own do not look at the clock"

WRONG = "proved_wrong"
"""The beginning of scenarios' names."""

ANY_LIMIT = "time limits of skills are over at any moment, as skills take any time"
REAL_LIMIT = "time limits of skills are over when so much time has passed since they began"


@dataclass
class Proof:
    """What was found about a system."""

    system: str
    found: Found
    properties: list[str]
    counterexamples: list[Counterexample] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing is broken."""
        return not self.found.broken

    @property
    def proved(self) -> list[str]:
        """The properties that are proved of each state by itself.

        That something comes is proved of the steps that were explored: others may not lead there.
        """
        others = {one.property for one in self.found.broken} | self.found.later
        names = (name for name in self.properties if name not in others)
        return [name for name in names if self.found.verdict_of(name) == EXHAUSTED]


def prove(
    view: View,
    spec: RunSpec,
    world: Surroundings,
    properties: Sequence[Property] = (),
    limits: ProofLimits | None = None,
    contracts: Sequence[Entry[ContractFile]] | None = None,
    *,
    until_broken: bool = False,
    on_progress: Progress = lambda visited, open_: None,
    folder: Path | None = None,
) -> Proof:
    """Explore a system, and confirm what is broken by runs.

    ``contracts`` are those that must hold (default: the system's own). What was visited is written
    to ``folder``, from where the same proof goes on that had not come to an end. Raises TreecError,
    OSError.
    """
    kept = list(view.all("contract").values()) if contracts is None else list(contracts)
    names = [entry.name for entry in kept] + [RAISES, DEADLOCK, RESTLESS, FINISHES, STOP]
    names += [one.text for one in properties]
    looks = [part for one in properties for part in (one.first, one.then)]
    system = view.system.name if view.system is not None else ""
    files: list[Path] = []
    known = _known_scenarios(view, folder)

    def explore(world: Surroundings, proved: Collection[str] = ()) -> Proof:
        judge = PropertyJudge(kept, properties)
        explored = Explored(view, spec, world, on_made=judge.watch, conditions=looks)
        file = None if folder is None else file_of(folder, explored.run, spec, world, names)
        if file is not None:
            files.append(file)
            remove_outdated(file)
        search = Search(
            explored,
            judge,
            limits or ProofLimits(),
            stops=STOP not in proved,
            on_progress=on_progress,
            file=file,
        )
        search.found.proved_before = frozenset(proved)
        if not world.timed:
            promises = (entry.name for entry in kept if entry.model.eventually)
            search.found.open = frozenset((*search.found.later, *promises))
        found = search.run(until_broken)
        proof = Proof(system, found, names, assumed=[*assumptions(world, found)])
        taken = dict(known)
        for broken in found.broken:
            name = _name_of(broken.property, taken, is_only=len(found.broken) == 1)
            ways = [broken, *found.others.get(broken.property, ())]
            shown: list[Counterexample] = []
            for way in ways:
                shown.append(counterexample(explored, judge, way, name))
                if shown[-1].is_confirmed and shown[-1].is_test:
                    break
            best = max(shown, key=lambda one: (one.is_confirmed, one.is_confirmed and one.is_test))
            proof.counterexamples.append(best)
        return proof

    try:
        proof = explore(world)
        while any(_rests_on_limits(one) for one in proof.counterexamples):
            if world.timed and not world.limits:
                break
            world = replace(world, timed=True, limits=world.limits and not world.timed)
            proof = _joined(proof, explore(world, proof.proved))
        if proof.found.is_complete:
            for file in files:
                file.unlink(missing_ok=True)
        return proof
    finally:
        undo_rewindable()
        undo_choosing()


def _known_scenarios(view: View, folder: Path | None) -> dict[str, str]:
    """The names of scenarios that there are, each with what it says of itself."""
    found = {name: entry.model.about or "" for name, entry in view.all("scenario").items()}
    for path in folder.glob("*.scenario.yaml") if folder is not None else ():
        try:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, yaml.YAMLError):  # its name is taken
            data = None
        about = data.get("about") if isinstance(data, dict) else None
        found.setdefault(path.name.partition(".")[0], str(about))
    return found


def _name_of(property_: str, taken: dict[str, str], *, is_only: bool) -> str:
    """A name for the scenario of a broken property: that of the one found before, or a new one.

    It is added to those that are ``taken``.
    """
    began = told_of(property_)
    names = (WRONG, *(f"{WRONG}_{number}" for number in range(1, len(taken) + 2)))
    again = (name for name in names if taken.get(name, "").startswith(began))
    free = (name for name in names[0 if is_only else 1 :] if name not in taken)
    name = next(chain(again, free))
    taken[name] = "(taken)"
    return name


def _joined(first: Proof, again: Proof) -> Proof:
    """The second exploration, with what the first has proved, and a run has confirmed in it."""
    proved = {*first.proved}
    asked = [f"'{one.broken.property}'" for one in first.counterexamples if not one.is_confirmed]
    new = [line for line in again.assumed if line not in first.assumed]
    why = f"{', '.join(asked)}: no run confirms that it is broken, so that all was explored again"
    before = f"the first time there were {first.found.states:,} states"
    again.assumed = [*first.assumed, "; ".join([why, before, *new])]
    again.found.unused = (again.found.unused - proved) | (first.found.unused & proved)
    sure = {one.broken.property: one for one in first.counterexamples if one.is_confirmed}
    others = [one for one in again.counterexamples if one.broken.property not in sure]
    again.counterexamples = [*sure.values(), *others]
    again.found.broken = [one.broken for one in again.counterexamples]
    return again


def _rests_on_limits(found: Counterexample) -> bool:
    """Whether it is not confirmed, and may be broken only since a limit is over at any moment."""
    steps = (one for step in found.broken.path for one in parts_of(step))
    return not found.is_confirmed and any(one[0] == "late" for one in steps)


def assumptions(world: Surroundings, found: Found) -> Iterator[str]:
    """What was bounded or abstracted, a line each."""
    if world.says:
        times = "once" if world.utterances == 1 else f"{world.utterances} times"
        said = ", ".join(f"'{text}'" for text in world.says)
        if world.utterances is None:
            yield f"people say each of these at most once, in any order: {said}"
        else:
            yield f"people speak at most {times}, and say one of {said}"
    else:
        yield "nobody says anything"
    if world.failures is not None:
        times = "once" if world.failures == 1 else f"{world.failures} times"
        late = ", or a time limit is over while it runs," if world.limits else ""
        yield f"a skill fails{late} at most {times} in a run"
    if not world.asks:
        yield "no model is asked: the rules decide"
    if world.faults:
        yield f"each of these happens once or never: {'; '.join(world.faults)}"
    if not world.together:
        yield "nothing happens at the same moment"
    yield TIME if world.timed else ANY_TIME
    yield ANY_LIMIT if world.limits else REAL_LIMIT
    same: dict[str, list[str]] = {}
    for note in sorted(found.notes):
        name, is_, rest = note.partition("' is ")
        same.setdefault(rest if is_ else note, []).append(f"{name}'" if is_ else "")
    for note, names in same.items():
        yield f"{', '.join(names)}: each is {note}" if names[0] else note


def lines_of(view: View, scenario: str | None = None) -> tuple[str, ...]:
    """What people say: in a scenario, or in all of the system's, else in its readings' examples."""
    scenarios = view.all("scenario")
    chosen = [scenarios[scenario]] if scenario is not None else list(scenarios.values())
    lines: dict[str, None] = {}
    for entry in chosen:
        model: ScenarioFile = entry.model
        lines.update(dict.fromkeys(step.says for step in model.user if step.says))
    if not lines:
        for entry in view.all("reading").values():
            reading: ReadingFile = entry.model
            given = (example.given.get("user_input") for example in reading.examples)
            lines.update(dict.fromkeys(text for text in given if isinstance(text, str)))
    return tuple(lines)


def faults_of(view: View, scenario: str | None) -> tuple[str, ...]:
    """The events of a scenario that happen by themselves, not to a skill that is called."""
    if scenario is None:
        return ()
    from treec.program.faults import SKILL_FAULTS, read_faults

    model: ScenarioFile = view.all("scenario")[scenario].model
    faults = read_faults(model.faults, view)
    return tuple(dict.fromkeys(one.text for one in faults if one.word not in SKILL_FAULTS))
