"""Cut runs: how many reach their goal when they are resumed."""

from __future__ import annotations

import itertools
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.api.prepare import RunSetup
from treec.api.prepare_tree import prepare_any
from treec.files.library import load_library
from treec.run.clocks import SteppingClock
from treec.run.folder import JOURNAL
from treec.run.loop import LoopError
from treec.run.resume import open_run
from treec.run.run import Run
from treec.world.check_sums import read_sums, sums_file
from treec.world.events import Commit
from treec.world.journal import Journal, Record, read_journal
from treec.world.spec import RunSpec

LIBRARIES = (
    ROOT,
    *(ROOT / "engine/treec/templates" / name for name in ("empty", "warehouse")),
    *(ROOT / "templates" / name for name in ("mosaic", "dag_plan")),
)
CUTS = 60
"""The most cuts of one scenario; of longer runs as many are drawn (seeded)."""


def run(small: bool) -> list[Table]:
    """Cut each scenario's run after its records, resume each, and count those that succeed."""
    return measure(
        scenarios(small),
        3 if small else CUTS,
        "Every shipped scenario that reaches its goal uncut, in the symbolic environment and "
        f"without a model: its journal is cut after each record, or after {CUTS} drawn ones "
        "(seeded), and resumed. Goal: 98 %.",
    )


def measure(
    cases: Iterable[tuple[str, RunSetup]], most: int | Callable[[str], int], about: str
) -> list[Table]:
    """The tables of these scenarios, each cut at ``most`` places, which may go by its name."""
    by_scenario: list[tuple[Cell, ...]] = []
    cuts: Counter[str] = Counter()
    reached: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for name, setup in cases:
        with tempfile.TemporaryDirectory() as place:
            whole = record(setup, Path(place))
            if whole is None:
                continue
            here: Counter[str] = Counter()
            limit = most if isinstance(most, int) else most(name)
            for cut in draw_cuts(len(whole.records) - 1, limit, name):
                problem = resume(setup, whole, cut)
                kind = kind_of(whole.records[cut - 1])
                cuts[kind] += 1
                here["cuts"] += 1
                if problem is None:
                    reached[kind] += 1
                    here["reached"] += 1
                else:
                    faults[problem] += 1
        by_scenario.append((name, len(whole.records), *share(here["reached"], here["cuts"])))
    columns = ("cuts", "goal reached", "%")
    total = share(sum(reached.values()), sum(cuts.values()))
    return [
        Table(
            "Cut and resumed runs that reach their goal, by scenario",
            ("scenario", "records", *columns),
            [*by_scenario, ("all", sum(int(row[1]) for row in by_scenario), *total)],
            (about,),
        ),
        Table(
            "Cut and resumed runs that reach their goal, by the last record before the cut",
            ("record", *columns),
            [(kind, *share(reached[kind], cuts[kind])) for kind in sorted(cuts)],
        ),
        Table(
            "Why resumed runs do not reach their goal",
            ("end", "runs"),
            [(problem, number) for problem, number in faults.most_common()] or [("none", 0)],
        ),
    ]


def scenarios(small: bool) -> Iterator[tuple[str, RunSetup]]:
    """All shipped scenarios, ready to run, with their names."""
    for root in LIBRARIES[2:3] if small else LIBRARIES:
        library = load_library(root)
        for entry in sorted(library.own("scenario"), key=lambda entry: entry.name):
            place = entry.model.system if root == ROOT else f"templates/{root.name}"
            yield (
                f"{place}: {entry.name}",
                prepare_any(library, RunSpec(system=entry.model.system, scenario=entry.name)),
            )


@dataclass
class WholeRun:
    """A run that reached its goal: its journal, and what environments stored after records."""

    journal: Path
    records: tuple[Record, ...] = ()
    stored: dict[int, dict[str, bytes]] = field(default_factory=dict)
    """The contents of the other files of its folder, by the record after which they changed."""

    def store(self, record: Record) -> None:
        """Note what the files are after a record."""
        files = {
            path.name: path.read_bytes()
            for path in self.journal.parent.iterdir()
            if path.is_file() and not path.name.startswith(JOURNAL)
        }
        if files != next(reversed(self.stored.values()), {}):
            self.stored[record.n] = files

    def stored_at(self, cut: int) -> dict[str, bytes]:
        """The contents of the files after so many records."""
        return next((self.stored[n] for n in reversed(self.stored) if n <= cut), {})


def make_run(setup: RunSetup, journal: Journal, folder: Path, records: Sequence[Record]) -> Run:
    """A run of a scenario, as of `treec run --fast`."""
    return Run(
        setup.view,
        SteppingClock(records[-1].t if records else 0.0),
        journal,
        setup.spec,
        folder=folder,
        records=records,
    )


def record(setup: RunSetup, place: Path) -> WholeRun | None:
    """A whole run; None if it does not reach its goal."""
    found = WholeRun(place / JOURNAL)
    run = make_run(setup, Journal.create(found.journal), place, ())
    run.world.subscribe(found.store, traces=True)
    if not run.go().ok:
        return None
    found.records = tuple(read_journal(found.journal))
    return found


def resume(setup: RunSetup, whole: WholeRun, cut: int) -> str | None:
    """Resume a run that was killed after so many records; why it misses its goal, or None.

    The check sums of a batch that is cut were not written yet.
    """
    folder = whole.journal.parent / f"{cut}"
    folder.mkdir()
    for name, content in whole.stored_at(cut).items():
        (folder / name).write_bytes(content)
    sums = itertools.islice(read_sums(whole.journal) or (), cut)
    committed = max((n for n, one in enumerate(sums, 1) if not one.more), default=0)
    for source, kept in ((whole.journal, cut), (sums_file(whole.journal), committed)):
        with open(source, "rb") as file:
            (folder / source.name).write_bytes(b"".join(itertools.islice(file, kept)))
    opened = open_run(folder / JOURNAL, lambda text: None)
    try:
        outcome = make_run(setup, opened.journal, folder, opened.records).go()
    except LoopError as error:
        return "livelock" if "come to rest" in str(error) else "raised repeatedly"
    except Exception as error:  # counted, as any other miss
        return type(error).__name__
    finally:
        opened.journal.close()
    if outcome.ok:
        return None
    return "broken contract" if outcome.broken else outcome.reason


def draw_cuts(last: int, most: int, name: str) -> list[int]:
    """After which records to cut: all, or as many as ``most``, drawn by the scenario's name.

    Before its second record, the scene, a run has not begun.
    """
    every = range(2, last + 1)
    return list(every) if last <= most else sorted(random.Random(name).sample(every, most))


def kind_of(record: Record) -> str:
    """The kind of a record; of a commit with its purpose."""
    event = record.event
    return f"commit: {event.purpose}" if isinstance(event, Commit) else record.kind


def share(part: int, whole: int) -> tuple[int, int, float]:
    """The whole, its part, and that in percent."""
    return whole, part, 100 * part / whole if whole else 0.0
