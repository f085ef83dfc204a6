"""Mutants of the warehouse: which `treec prove` finds, and which random walks in the same time.

A mutant has one guard, effect, rule or contract that is another: turned round, left out, or without
one of its parts. It is found if something is broken that holds in the warehouse as it is: its
contracts, what the engine promises, or one of ``PROPERTIES``.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.api.errors import TreecError
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.files.view import View
from treec.world.spec import RunSpec
from treec_prove.expander import Expander
from treec_prove.explored import Explored, Restless, Surroundings
from treec_prove.happenings import is_voluntary
from treec_prove.properties import PropertyJudge, find_deadlock, parse_property
from treec_prove.prove import prove
from treec_prove.search import ProofLimits

SEED = 54
N = 200
STATES = 150
"""States that a proof visits at most; random walks have as much time of the processor."""
WALK = 25
"""Happenings in a random walk, at most."""
FILES = {
    "contract": ("trees/contracts",),
    "guard": ("trees",),
    "effect": ("skills",),
    "rule": ("prompts",),
}
"""Where mutants of each kind have their place."""
ORDERS = ("Scout, inspect crate 12.", "Hauler, fetch crate 12.")
PROPERTIES = (
    "never: status('inspect crate 12') == 'done' and not scanned('crate 12')",
    "never: status('fetch crate 12') == 'done' and at('crate 12') != 'packing table'",
    "never: holding('Hauler') == 'crate 12' and at('crate 12') != 'Hauler'",
)
_CONDITION = re.compile(
    r"^\s*(?:- )?\{?(?:when|while|until|fail_if|require): (?!>|never)([^{}\n]+?)(?=, \w+: |\}|\n)",
    re.M,
)
_EFFECT = re.compile(r"^  - [^\n]+\n", re.M)
_LINE = re.compile(r"^      ?- (?:do|\w+): [^\n]+\n", re.M)


@dataclass(frozen=True)
class Mutant:
    """A file with one place that is another."""

    kind: str
    path: str
    text: str
    what: str


def mutants(root: Path) -> Iterator[Mutant]:
    """All mutants of a library."""
    for kind, folders in FILES.items():
        for folder in folders:
            for file in sorted((root / folder).rglob("*.yaml")):
                if kind == "guard" and "tree.yaml" not in file.name:
                    continue
                text = file.read_text(encoding="utf-8")
                path = str(file.relative_to(root))
                for start, end, new in _changes(kind, text):
                    what = f"{text[start:end].strip()} -> {new.strip() or 'left out'}"
                    yield Mutant(kind, path, text[:start] + new + text[end:], what)


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
    for found in _CONDITION.finditer(text):
        start, end, condition = found.start(1), found.end(1), found[1].strip()
        for new in (f"not ({condition})", "true", "false"):
            yield start, end, new
        for word in (" and ", " or "):
            parts = condition.split(word)
            if len(parts) > 1 and "(" not in condition:
                for number in range(len(parts)):
                    yield start, end, word.join(parts[:number] + parts[number + 1 :])


def _draw(all_: list[Mutant], n: int, seed: int) -> list[Mutant]:
    """So many of each kind as are left when all have a fair share."""
    rng = random.Random(seed)
    kinds = {kind: [one for one in all_ if one.kind == kind] for kind in FILES}
    drawn: list[Mutant] = []
    for number, found in enumerate(sorted(kinds.values(), key=len)):
        share = (n - len(drawn)) // (len(kinds) - number)
        drawn += rng.sample(found, min(share, len(found)))
    return drawn


def walk_at_random(view: View, original: View, seconds: float, seed: int) -> set[str]:
    """What random walks break in so many seconds of the processor."""
    judge = PropertyJudge(
        list(original.all("contract").values()), [parse_property(one) for one in PROPERTIES]
    )
    began, rng = time.process_time(), random.Random(seed)
    try:
        run = Explored(view, RunSpec(system="warehouse"), WORLD, on_made=judge.watch)
    except Restless:
        return {"restless"}
    expander = Expander(run, judge, stops=True)
    first, broken = run.save(), {name for name, _ in judge.take()}
    while not broken and time.process_time() - began < seconds:
        expander.go_to(first)
        for _ in range(WALK):
            happenings = run.happenings()
            if find_deadlock(run.run, any(not is_voluntary(one) for one in happenings)):
                broken.add("deadlock")
            if not happenings or broken:
                break
            if run.orders() and rng.random() < 1 / WALK:
                if run.stop_all(rng.choice(run.stops())):
                    broken.add("stop")
                break
            try:
                run.let(rng.choice(happenings))
            except Restless:
                broken.add("restless")
            broken |= {name for name, _ in judge.take()}
    return broken


WORLD = Surroundings(says=ORDERS, utterances=None, failures=1, asks=False)


def run(small: bool, seed: int = SEED, n: int = N) -> list[Table]:
    """Mutants of each kind, and by what they are found."""
    rows: dict[str, list[int]] = {}
    cpu = 0.0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "warehouse"
        shutil.copytree(ROOT / "engine/treec/templates/warehouse", root)
        original = _view(root)
        drawn = _draw(list(mutants(root)), 4 if small else n, seed)
        for number, mutant in enumerate(drawn):
            row = rows.setdefault(mutant.kind, [0] * 6)
            row[0] += 1
            file = root / mutant.path
            kept = file.read_text(encoding="utf-8")
            file.write_text(mutant.text, encoding="utf-8")
            try:
                view = _view(root)
            except TreecError:
                row[1] += 1
                continue
            finally:
                file.write_text(kept, encoding="utf-8")
            began = time.process_time()
            by_proof = _is_found(view, original, 20 if small else STATES)
            seconds = time.process_time() - began
            by_chance = bool(walk_at_random(view, original, seconds, seed + number))
            cpu += seconds
            row[2 + (not by_proof) * 2 + (not by_chance)] += 1
            found = f"proof: {by_proof}, chance: {by_chance}, {seconds:.1f} s"
            print(f"{mutant.path}: {mutant.what[:90]}: {found}", file=sys.stderr)
    columns = ("kind", "mutants", "refused", "both", "prove alone", "chance alone", "neither")
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    table: list[tuple[Cell, ...]] = [(kind, *row) for kind, row in rows.items()]
    note = f"{STATES} states a proof, {cpu:.0f} s of CPU for all proofs, as much for random walks"
    return [Table("Mutants of the warehouse", columns, table, (note,))]


def _view(root: Path) -> View:
    library = find_library(root)
    return prepare(library, find_system(library, "warehouse"), RunSpec()).view


def _is_found(view: View, original: View, states: int) -> bool:
    """Whether a proof finds something broken."""
    contracts = list(original.all("contract").values())
    asked = [parse_property(one) for one in PROPERTIES]
    spec, limits = RunSpec(system="warehouse"), ProofLimits(states=states)
    try:
        return not prove(view, spec, WORLD, asked, limits, contracts, until_broken=True).holds
    except Restless:
        return True
