"""Mutants of the warehouse and MOSAIC: which `treec prove` finds, and which random walks.

A mutant has one guard, effect, rule or contract that is another: turned round, left out, or without
one of its parts. It is found if something is broken that holds in the system as it is: its
contracts, what the engine promises, one of the properties here, or that no contract refuses what
rules do. All are tried where the rules decide, contracts then where any model answers for actions,
and the rules hear and choose these. A random adversary chooses what happens for as long as the
proofs have taken, in seconds of the processor.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.process import ROOT
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
WALK = 25
"""Happenings in a random walk, at most."""
BEFORE = 4.0
"""Seconds of random walks that must find nothing in the system as it is."""
KINDS = {
    "contract": ("contract",),
    "guard": ("tree",),
    "effect": ("skill",),
    "rule": ("action", "decision", "program"),
}
"""The files that mutants of each kind are of."""


@dataclass(frozen=True)
class Trial:
    """A proof that is tried, and then random walks."""

    world: Surroundings
    states: int
    properties: Sequence[str] = ()

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
LEFT = ("Scout, inspect crate 12.", "Leave crate 12.", "Scout, stop!", "Scout, go on.")
SALAD = ("I'd like a fruit salad.", "Sure.", "The bananas are sliced.")
NEVER = (
    "never: status('inspect crate 12') == 'done' and not scanned('crate 12')",
    "never: status('fetch crate 12') == 'done' and at('crate 12') != 'packing table'",
    "never: holding('Hauler') == 'crate 12' and at('crate 12') != 'Hauler'",
)
COMES = (
    "status('inspect crate 12') == 'waiting' leads to scanned('crate 12')",
    "status('fetch crate 12') == 'waiting' leads to at('crate 12') == 'packing table'",
)
ASKED = (
    "heard('how far') leads to said('planned yet')",
    "heard('Hauler, inspect') leads to said('but Scout can')",
)
MORNING = (
    "heard('Start') leads to said('Shall Scout')",
    "never: said('Scout will') and not said('Shall Scout')",
)
SUBJECTS = (
    Subject(
        "warehouse",
        ROOT / "engine/treec/templates/warehouse",
        (
            Trial(_rules("How far are we?", "Hauler, inspect crate 12.", failures=0), 10, ASKED),
            Trial(_rules("Start the morning orders.", "Yes.", failures=0), 10, MORNING),
            Trial(_rules(*ORDERS, failures=0), 80, (*NEVER, *COMES)),
            Trial(_rules(*LEFT, failures=0), 60, NEVER[:1]),
        ),
        (Trial(_model(*ORDERS), 120),),
        "trees/contracts/answer_operator.contract.yaml",
    ),
    Subject(
        "mosaic",
        ROOT,
        (Trial(_rules(*SALAD, failures=0), 60),),
        (Trial(_model(*SALAD), 120),),
        "trees/contracts/answer_everyone.contract.yaml",
    ),
)
_CONDITION = re.compile(
    r"^\s*(?:- )?\{?(?:when|while|until|fail_if|require): (?!>|never)([^{}\n]+?)(?=, \w+: |\}|\n)",
    re.M,
)
_FOLDED = re.compile(r"^(?:require|when): (>-\n(?:  [^\n]+\n)+)", re.M)
_EFFECT = re.compile(r"^  - [^\n]+\n", re.M)


@dataclass(frozen=True)
class Mutant:
    """A file with one place that is another."""

    subject: Subject
    kind: str
    path: str
    text: str
    what: str


def mutants(subject: Subject, view: View) -> Iterator[Mutant]:
    """All mutants of a system."""
    for kind, files in KINDS.items():
        for entry in sorted(view.entries, key=lambda entry: entry.path):
            if entry.kind not in files or not (subject.root / entry.path).exists():
                continue
            text = entry.file.text
            for start, end, new in _changes(kind, text):
                what = f"{text[start:end].strip()} -> {new.strip() or 'left out'}"
                changed = text[:start] + new + text[end:]
                yield Mutant(subject, kind, entry.path, changed, what)


def _changes(kind: str, text: str) -> Iterator[tuple[int, int, str]]:
    if kind == "effect":
        for found in _EFFECT.finditer(text):
            yield found.start(), found.end(), ""
        return
    if kind == "contract":
        for found in _EFFECT.finditer(text):
            yield found.start(), found.end(), ""
        for found in re.finditer(r"within: (\d+)s", text):
            for new in ("5s", "15s"):
                yield found.start(), found.end(), f"within: {new}"
    if kind == "rule":
        for found in re.finditer(r"^(    do:\n(?:      .*\n)+|  - \{when[^\n]*\}\n)", text, re.M):
            new = "" if "when" in found[0] else "    do: []\n"
            yield found.start(), found.end(), new
    for found in _FOLDED.finditer(text):
        parts = " ".join(found[1].split()[1:]).split(" or ")
        yield from ((found.start(1), found.end(1), f"{new}\n") for new in ("true", "false"))
        for number in range(len(parts) if len(parts) > 1 else 0):
            left = " or ".join(parts[:number] + parts[number + 1 :])
            yield found.start(1), found.end(1), f"{left}\n"
    for found in _CONDITION.finditer(text):
        start, end, condition = found.start(1), found.end(1), found[1].strip()
        for new in (f"not ({condition})", "true", "false"):
            yield start, end, new
        for word in (" and ", " or "):
            parts = condition.split(word)
            if len(parts) > 1 and "(" not in condition:
                for number in range(len(parts)):
                    yield start, end, word.join(parts[:number] + parts[number + 1 :])


def draw(all_: Sequence[Mutant], seed: int) -> Iterator[Mutant]:
    """One of each system and kind in turn, in random order: fewer are a part of more."""
    rng = random.Random(seed)
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for one in all_:
        groups.setdefault((one.subject.name, one.kind), []).append(one)
    for found in groups.values():
        rng.shuffle(found)
    while any(groups.values()):
        for found in groups.values():
            if found:
                yield found.pop()


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
    """What random walks break in so many seconds of the processor."""
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
    first, broken = run.save(), {name for name, _ in judge.take()}
    while not broken and time.process_time() - began < seconds:
        expander.go_to(first)
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
            if run.orders() and rng.random() < 1 / WALK:
                if run.stop_all(rng.choice(run.stops())):
                    broken.add("stop")
                break
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


def run(small: bool, seed: int = SEED, n: int = N) -> list[Table]:
    """Mutants of each kind, and by what they are found."""
    originals: dict[str, View] = {}
    all_: list[Mutant] = []
    for subject in SUBJECTS:
        view = originals[subject.name] = view_of(subject)
        with_model = view_of(subject, subject.with_model(view))
        for trial in (*subject.rules, *subject.model) if not small else ():
            as_it_is = with_model if trial in subject.model else view
            broken = find(as_it_is, view, trial)
            broken |= walk_at_random(as_it_is, view, trial, BEFORE, seed)
            assert not broken, f"{subject.name}: {', '.join(broken)}"
        all_ += (one for one in mutants(subject, view) if one.path != subject.promise)
    rows: dict[str, list[int]] = {}
    tried = 0
    took = 0.0
    for mutant in draw(all_, seed):
        subject, original = mutant.subject, originals[mutant.subject.name]
        row = rows.setdefault(f"{subject.name}: {mutant.kind}", [0] * 6)
        try:
            view_of(subject, subject.edited(mutant))
        except TreecError:
            row[1] += 1
            continue
        row[0] += 1
        by_proof: set[str] = set()
        by_chance: set[str] = set()
        seconds = 0.0
        for trial, edited in subject.trials(original, mutant)[: 1 if small else None]:
            view = view_of(subject, edited)
            if not by_proof:
                began = time.process_time()
                by_proof = find(view, original, trial)
                share = time.process_time() - began
                seconds += share
            if not by_chance:
                by_chance = walk_at_random(view, original, trial, share, seed + tried)
        took += seconds
        row[2 + (not by_proof) * 2 + (not by_chance)] += 1
        what = f"{mutant.path}: {mutant.what[:90]!r}"
        print(f"{what}: proof {by_proof}, chance {by_chance}, {seconds:.1f} s", file=sys.stderr)
        tried += 1
        if tried == (4 if small else n):
            break
    columns = ("of", "mutants", "refused", "both", "prove alone", "chance alone", "neither")
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    table: list[tuple[Cell, ...]] = [(kind, *row) for kind, row in rows.items()]
    notes = (
        f"Seed {seed}; {took:.0f} s of CPU for all proofs, at most as much for random walks. What "
        "`treec check` refuses is drawn again.",
    )
    return [Table("Mutants by what finds them", columns, table, notes)]
