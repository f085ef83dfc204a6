"""Mutants of the warehouse and MOSAIC: which `treec prove` finds, and which random walks.

A mutant (``benchmarks.proof_mutants``) is found if something is broken that holds in the system as
it is: its contracts, what the engine promises, one of the properties here, or that no contract
refuses what rules do. All are tried where the rules decide, contracts then where any model answers
for actions, and the rules hear and choose these. A random adversary chooses what happens for as
long as the proofs have taken, in seconds of the processor.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.process import ROOT
from benchmarks.proof_mutants import KINDS, SLIPS, Mutant, draw, mutants
from benchmarks.table import Cell, Table
from treec.api.errors import TreecError
from treec.api.find import find_system, provide_package
from treec.api.prepare import prepare
from treec.files.library import load_library
from treec.files.view import View
from treec.world.spec import RunSpec
from treec_prove.expander import Expander
from treec_prove.explored import Explored, Restless, Surroundings
from treec_prove.happenings import is_voluntary
from treec_prove.properties import (
    REFUSED,
    Property,
    PropertyJudge,
    find_deadlock,
    parse_property,
)
from treec_prove.prove import prove
from treec_prove.search import ProofLimits
from treec_prove.undecided import Undecided

SEED = 54
N = 60
WALK = 40
"""Happenings in a random walk, at most."""
OFTEN = 25
"""In one of so many states in which skills run, a random walk ends with a stop."""
BEFORE = 1.0
"""Seconds of random walks that must find nothing in the system as it is."""
LONG = 5.0
"""Seconds of random walks in a trial of what the proof has found in one before."""


@dataclass(frozen=True)
class Trial:
    """A proof that is tried, and then random walks."""

    world: Surroundings
    properties: Sequence[str] = ()
    states: int = 1_000

    @property
    def asked(self) -> list[str]:
        """Its properties, and that no contract refuses what rules do."""
        return [*self.properties, REFUSED]


@dataclass(frozen=True)
class Subject:
    """A system whose files are mutated."""

    name: str
    root: Path
    rules: Sequence[Trial]
    """Where rules decide, one after the other until something is found."""
    model: Sequence[Trial]
    promise: str
    """The contract that a model that never answers breaks; with a model it has all the time."""

    def edited(self, mutant: Mutant | None = None) -> dict[str, str]:
        """The files that are others where rules decide."""
        return {} if mutant is None else {mutant.path: mutant.text}

    def with_model(self, view: View, mutant: Mutant | None = None) -> dict[str, str]:
        """The files that are others where a model answers for actions."""
        promise = (self.root / self.promise).read_text(encoding="utf-8")
        found = {self.promise: re.sub(r"within: \w+", "within: 10h", promise)}
        for entry in (*view.all("reading").values(), *view.all("decision").values()):
            if (self.root / entry.path).exists():
                text = entry.file.text
                found[entry.path] = text.replace("\nabout:", "\nanswers: [rules]\nabout:", 1)
        return found | self.edited(mutant)

    def trials(self, view: View, mutant: Mutant) -> list[tuple[Trial, dict[str, str]]]:
        """What is tried of a mutant, each with the files that are others."""
        found = [(one, self.edited(mutant)) for one in self.rules]
        if mutant.kind == "contract":
            found += ((one, self.with_model(view, mutant)) for one in self.model)
        return found


def _rules(*says: str, failures: int) -> Surroundings:
    return Surroundings(says, None, failures=failures, asks=False, together=False)


def _model(*says: str) -> Surroundings:
    return Surroundings(says, None, failures=0, silent=False, together=False)


ORDERS = ("Scout, inspect crate 12.", "Hauler, fetch crate 12.")
STOPPED = ("Hauler, fetch crate 12.", "Hauler, stop!", "Hauler, go on.")
LEFT = ("Scout, inspect crate 12.", "Leave crate 12.", "Scout, stop!", "Scout, go on.")
TWICE = ("Hauler, fetch crate 12.", "Hauler, fetch crate 31.")
SALAD = ("I'd like a fruit salad.", "Sure.", "The bananas are sliced.")
OATS = ("R2, get the oats.", "R2, stop!", "R2, go on.")
INSPECTED = (
    "never: status('inspect crate 12') == 'done' and not scanned('crate 12')",
    "never: scanned('crate 12') and not heard('inspect crate 12')",
)
FETCHED = (
    "never: status('fetch crate 12') == 'done' and at('crate 12') != 'packing table'",
    "never: holding('Hauler') == 'crate 12' and at('crate 12') != 'Hauler'",
    "never: at('crate 12') == 'Hauler' and holding('Hauler') != 'crate 12'",
    "never: at('crate 12') != 'aisle 1' and not heard('fetch crate 12')",
)
BOTH = (
    "never: battery('Hauler') < 8",
    "heard('fetch crate 31') leads to at('crate 31') == 'packing table'",
)
ASKED = (
    "heard('how far') leads to said('planned yet')",
    "heard('Hauler, inspect') leads to said('but Scout can')",
)
MORNING = (
    "heard('Start') leads to said('Shall Scout')",
    "never: said('Scout will') and not said('Shall Scout')",
)
GOT = (
    "never: status('get the oats') == 'done' and at('oats') != 'table'",
    "never: at('oats') == 'R2' and holding('R2') != 'oats'",
    "never: holding('R2') == 'oats' and at('oats') != 'R2'",
    "never: holding('R2') == 'oats' and not heard('get the oats')",
)
SUBJECTS = (
    Subject(
        "warehouse",
        ROOT / "engine/treec/templates/warehouse",
        (
            Trial(_rules("How far are we?", "Hauler, inspect crate 12.", failures=0), ASKED),
            Trial(_rules("Start the morning orders.", "Yes.", failures=0), MORNING),
            Trial(_rules(*TWICE, failures=0), (*FETCHED, *BOTH)),
            Trial(_rules(*LEFT, failures=1), INSPECTED),
            Trial(_rules(*STOPPED, failures=1), FETCHED),
            Trial(_rules(*ORDERS, failures=0), (*INSPECTED, *FETCHED)),
        ),
        (Trial(_model(*ORDERS), states=120),),
        "trees/contracts/answer_operator.contract.yaml",
    ),
    Subject(
        "mosaic",
        ROOT,
        (Trial(_rules(*SALAD, failures=1)), Trial(_rules(*OATS, failures=0), GOT)),
        (Trial(_model(*SALAD), states=120),),
        "trees/contracts/answer_everyone.contract.yaml",
    ),
)


def view_of(subject: Subject, edited: Mapping[str, str] | None = None) -> View:
    """A system with some files that are others. Raises TreecError."""
    library = load_library(subject.root, edited)
    provide_package(library)
    return prepare(library, find_system(library, subject.name), RunSpec()).view


def find(view: View, original: View, trial: Trial) -> set[str]:
    """What a proof finds broken."""
    contracts = list(original.all("contract").values())
    asked = [parse_property(one) for one in trial.asked]
    system = original.system
    assert system is not None
    spec, limits = RunSpec(system=system.name), ProofLimits(states=trial.states)
    try:
        proof = prove(view, spec, trial.world, asked, limits, contracts, until_broken=True)
    except Restless:
        return {"restless"}
    return {one.property for one in proof.found.broken}


def walk_at_random(view: View, original: View, trial: Trial, seconds: float, seed: int) -> set[str]:
    """What random walks break in so many seconds of the processor.

    Each other walk draws a kind of happening first: there are more lines to say than ends of
    skills, and more answers than both.
    """
    asked: list[Property] = [parse_property(one) for one in trial.asked]
    judge = PropertyJudge(list(original.all("contract").values()), asked)
    began, rng = time.process_time(), random.Random(seed)
    system = original.system
    assert system is not None
    try:
        run = Explored(view, RunSpec(system=system.name), trial.world, on_made=judge.watch)
    except Restless:
        return {"restless"}
    expander = Expander(run, judge, stops=True)
    first, broken, by_kind = run.save(), {name for name, _ in judge.take()}, False
    while not broken and time.process_time() - began < seconds:
        expander.go_to(first)
        by_kind = not by_kind
        awaited: set[Property] = set()
        for _ in range(WALK):
            happenings = run.happenings()
            can_happen = any(not is_voluntary(one) for one in happenings)
            if find_deadlock(run.run, can_happen):
                broken.add("deadlock")
            for one in judge.later:
                begins, comes = one.holds_now(run.run)
                (awaited.add if begins and not comes else awaited.discard)(one)
            if not can_happen:  # what has not come may never come
                broken |= {one.text for one in awaited}
            if not happenings or broken:
                break
            if run.orders() and rng.random() < 1 / OFTEN:
                if run.stop_all(rng.choice(run.stops())):
                    broken.add("stop")
                break
            if by_kind:
                kind = rng.choice(sorted({one[0] for one in happenings}))
                happenings = [one for one in happenings if one[0] == kind]
            try:
                _let_one(run, happenings, rng)
            except Restless:
                broken.add("restless")
            broken |= {name for name, _ in judge.take()}
    return broken


def _let_one(run: Explored, happenings: Sequence[object], rng: random.Random) -> None:
    """Let one of some things happen; answers that are read then are chosen, too."""
    state = run.save()
    while True:
        happening: object = rng.choice(happenings)
        try:
            run.let(happening)  # type: ignore[arg-type]
        except Undecided as error:
            run.restore(state)
            happenings = error.tried(happening)[0]  # type: ignore[arg-type]
        else:
            return


Outcome = tuple[set[str], set[str], float]
"""What a proof and random walks break, and the seconds of the proof."""


def try_mutant(subject: Subject, original: View, mutant: Mutant, few: bool, seed: int) -> Outcome:
    """Try a mutant until a proof and random walks have each found it."""
    by_proof: set[str] = set()
    by_chance: set[str] = set()
    seconds = 0.0
    for trial, edited in subject.trials(original, mutant)[: 1 if few else None]:
        view = view_of(subject, edited)
        share = 0.0
        if not by_proof:
            began = time.process_time()
            by_proof = find(view, original, trial)
            share = time.process_time() - began
            seconds += share
        if not by_chance:
            by_chance = walk_at_random(view, original, trial, share or LONG, seed)
    return by_proof, by_chance, seconds


def run(small: bool, seed: int = SEED, n: int = N) -> list[Table]:
    """Mutants of each kind, and by what they are found."""
    originals: dict[str, View] = {}
    all_: list[Mutant] = []
    subjects = {one.name: one for one in SUBJECTS}
    for subject in SUBJECTS:
        view = originals[subject.name] = view_of(subject)
        with_model = view_of(subject, subject.with_model(view))
        for trial in (*subject.rules, *subject.model) if not small else ():
            as_it_is = with_model if trial in subject.model else view
            broken = find(as_it_is, view, trial)
            broken |= walk_at_random(as_it_is, view, trial, BEFORE, seed)
            assert not broken, f"{subject.name}: {', '.join(broken)}"
        found = mutants(subject.name, subject.root, view)
        all_ += (one for one in found if one.path != subject.promise)
    rows: dict[str, list[int]] = {name: [0] * 6 for name in (*KINDS, *SLIPS)}
    tried = 0
    took = 0.0
    for mutant in draw(all_, seed):
        subject, original = subjects[mutant.system], originals[mutant.system]
        try:
            view_of(subject, subject.edited(mutant))
        except TreecError:
            rows[mutant.kind][1] += 1
            rows[mutant.slip][1] += 1
            continue
        by_proof, by_chance, seconds = try_mutant(subject, original, mutant, small, seed + tried)
        took += seconds
        for row in (rows[mutant.kind], rows[mutant.slip]):
            row[0] += 1
            row[2 + (not by_proof) * 2 + (not by_chance)] += 1
        what = f"{mutant.path}: {mutant.what[:90]!r}"
        print(f"{what}: proof {by_proof}, chance {by_chance}, {seconds:.1f} s", file=sys.stderr)
        tried += 1
        if tried == (4 if small else n):
            break
    columns = ("of", "mutants", "refused", "both", "prove alone", "chance alone", "neither")
    rows["all"] = [sum(column) for column in zip(*(rows[kind] for kind in KINDS), strict=True)]
    table: list[tuple[Cell, ...]] = [(kind, *row) for kind, row in rows.items()]
    notes = (
        f"Seed {seed}; {took:.0f} s of CPU for all proofs, as much for random walks. What "
        "`treec check` refuses is drawn again.",
    )
    return [Table("Mutants by what finds them", columns, table, notes)]
