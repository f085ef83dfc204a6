"""Runs of the yard's library against robots behind real ROS 2, each in a domain of its own."""

from __future__ import annotations

import itertools
import os
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from treec.api.prepare_tree import prepare_any
from treec.files.library import load_library
from treec.nodes.events import SkillEnded, SkillNoted
from treec.run.clocks import SteppingClock
from treec.run.resume import open_run
from treec.run.run import Run, RunOutcome
from treec.world.events import FactSet, FactUnknown, RunBegin, flat
from treec.world.journal import Journal, Record, read_journal
from treec.world.spec import RunSpec

LIBRARY = Path(__file__).parent / "library"
LIMIT = 30.0
"""Real seconds after which a run is stopped, so that a test fails and does not hang."""

_domains = itertools.count(os.getpid() % 50)


def new_domain() -> int:
    """A domain that no other test of this process has; Linux has room for 100."""
    return 1 + next(_domains) % 100


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until something holds that nothing tells of."""
    pause, until = threading.Event(), time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < until, "it never holds"
        pause.wait(0.005)


class Yard:
    """A copy of the library, and a run of one of its trees in this process."""

    def __init__(self, folder: Path, domain: int) -> None:
        self.root = folder / "library"
        shutil.copytree(LIBRARY, self.root)
        self.folder = folder / "run"
        self.folder.mkdir()
        self.domain = domain
        self.run: Run
        self.outcome: RunOutcome

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text("utf-8")
        assert old in text, (file, old)
        path.write_text(text.replace(old, new), "utf-8")

    def tree(self, root: str, name: str = "own") -> str:
        text = f"tree: {name}\nabout: Of a test.\nroot:\n" + "".join(
            f"  {line}\n" for line in root.strip().splitlines()
        )
        (self.root / f"{name}.tree.yaml").write_text(text, "utf-8")
        return name

    def prepare(self, tree: str, **more: Any) -> Run:
        os.environ["ROS_DOMAIN_ID"] = str(self.domain)
        ready = prepare_any(load_library(self.root), RunSpec(system="yard", tree=tree))
        journal = more.pop("journal", None) or Journal.create(self.folder / "journal.jsonl")
        start = more["records"][-1].t if "records" in more else 0.0
        self.run = Run(
            ready.view, SteppingClock(start), journal, ready.spec, folder=self.folder, **more
        )
        return self.run

    def go(self, tree: str, meanwhile: Callable[[], None] = lambda: None) -> RunOutcome:
        """Run a tree to its end; ``meanwhile`` is done in a thread beside it."""
        self.prepare(tree)
        return self.go_on(meanwhile)

    def go_on(self, meanwhile: Callable[[], None] = lambda: None) -> RunOutcome:
        """Let the prepared run go to its end."""
        run = self.run
        errors: list[BaseException] = []

        def beside() -> None:
            try:
                meanwhile()
            except BaseException as error:
                errors.append(error)
                run.loop.stop()

        thread = threading.Thread(target=beside, daemon=True)
        thread.start()
        limit = threading.Timer(LIMIT, run.loop.stop)
        limit.daemon = True
        limit.start()
        self.outcome = run.go()
        limit.cancel()
        thread.join(LIMIT)
        assert not thread.is_alive(), "what was done beside the run does not end"
        if errors:
            raise errors[0]
        return self.outcome

    def sees_servers(self, action: str, number: int) -> bool:
        """Whether the run's node knows of so many servers of an action."""
        return self.is_open and bool(
            self.ros.node.count_publishers(f"{action}/_action/status") == number
        )

    @property
    def is_open(self) -> bool:
        """Whether the run's environment is open."""
        return self.run.runtime.environments.find_open("ros") is not None

    @property
    def ros(self) -> Any:
        """The run's node, and what serves it."""
        return self.environment("ros").ros

    @property
    def link(self) -> Any:
        """What the run knows of other processes."""
        return self.environment("remote").link

    def environment(self, name: str) -> Any:
        """An environment of the run that is open."""
        found = self.run.runtime.environments.find_open(name)
        assert found is not None
        return found.environment

    def resume(self, folder: Path) -> bool:
        """Go on with the run of another process, in that folder; whether it ends as expected."""
        os.environ["ROS_DOMAIN_ID"] = str(self.domain)
        opened = open_run(folder / "journal.jsonl", print)
        begin = opened.records[0].event
        assert isinstance(begin, RunBegin)
        ready = prepare_any(load_library(self.root), RunSpec(system="yard").resumed(begin))
        self.run = Run(
            ready.view,
            SteppingClock(opened.records[-1].t),
            opened.journal,
            ready.spec,
            folder=folder,
            records=opened.records,
            state=opened.state,
        )
        return self.go_on().ok

    @property
    def records(self) -> Sequence[Record]:
        return tuple(read_journal(self.folder / "journal.jsonl"))

    @property
    def events(self) -> list[Any]:
        return [event for record in self.records for event in flat(record.event)]

    @property
    def noted(self) -> list[str]:
        """What the journal says was sent, accepted and seen to have happened."""
        notes = [event.record for event in self.events if isinstance(event, SkillNoted)]
        return [
            " ".join(filter(None, (str(note["ros"]), str(note.get("status", "")))))
            for note in notes
        ]

    @property
    def words(self) -> list[str]:
        return [e.text for e in self.events if isinstance(e, SkillNoted) and e.text]

    @property
    def ended(self) -> list[SkillEnded]:
        return [event for event in self.events if isinstance(event, SkillEnded)]

    @property
    def reason(self) -> str:
        return str(self.ended[-1].reason)

    def values(self, fact: str) -> list[object]:
        """The values that a fact has had, in order; None where it was unknown."""
        return [
            getattr(event, "value", None)
            for event in self.events
            if isinstance(event, FactSet | FactUnknown) and event.fact == fact
        ]
