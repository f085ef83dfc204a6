"""The moments of a recorded run in which a node decided, and the world as it was then.

A moment is where the node looked: at its request, or at its decision where nobody was asked. The
journal says what it decided; the world is replayed up to the record before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from treec.ask.recordings import ALWAYS
from treec.decisions.desk import Desk
from treec.decisions.situation import Situation, asking_node, surroundings
from treec.files.entry import AnyEntry
from treec.files.kinds import prompts
from treec.files.library import Library
from treec.files.packs import PackError
from treec.files.view import View, in_scene
from treec.nodes.asking import AskingNode, History, NodeContext, RecordedDecision, joined
from treec.nodes.asking_kinds import asking_class, class_of
from treec.nodes.events import Asked
from treec.nodes.frame import Frame
from treec.nodes.make_world import make_world
from treec.nodes.runtime import NodeError, Runtime
from treec.run.folder import JOURNAL
from treec.source.diagnostics import did_you_mean
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.events import AgentJoined, Said
from treec.world.clock import VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec.world.world import WorldError


class MomentError(Exception):
    """There is no such moment in the run, or it cannot be gone back to."""


@dataclass(frozen=True)
class DecisionMoment:
    """A node's decision: it looked when record ``n`` came next, ``t`` seconds after the start."""

    n: int
    t: float
    made: RecordedDecision
    node_class: type[AskingNode[Any]]
    heard: str = ""
    """The utterance that was heard last before it; '' before the first."""

    @property
    def kind(self) -> str:
        """The kind of file that the node is made of."""
        return self.node_class.KIND

    @property
    def path(self) -> str:
        """Where the node stands in its tree."""
        return self.made.path

    @property
    def by(self) -> str:
        """On whose word it decided."""
        return self.made.by

    @property
    def decision(self) -> dict[str, Any]:
        """What it decided, by the journal."""
        return self.made.decision

    @property
    def node(self) -> str:
        """The node's name."""
        return self.path.rpartition("/")[2].partition("#")[0]

    @property
    def label(self) -> str:
        """How a person finds it again: `u17`, or its record."""
        return f"{self.heard or 'start'} (t={self.t:g}, record {self.n})"


@dataclass(frozen=True)
class RecordedRun:
    """A run that was recorded: its journal's records and its moments."""

    name: str
    system: str
    records: tuple[Record, ...]
    moments: tuple[DecisionMoment, ...]
    scene: str | None = None
    """Where it was, if not in the system's own scene."""

    @classmethod
    def of(cls, journal: Path, records: Sequence[Record]) -> RecordedRun:
        """The run of a journal's records, named by its folder."""
        name = journal.parent.name if journal.name == JOURNAL else journal.name
        begun = records[0].data
        scene = begun.get("scene")
        return cls(
            name,
            str(begun.get("system", "")),
            tuple(records),
            tuple(moments_of(records)),
            None if scene is None else str(scene),
        )

    def view(self, library: Library) -> View:
        """A library's view of the system that ran, in its scene. Raises NoMoment."""
        try:
            system = library.system_meant(self.system)
        except PackError as error:
            raise MomentError(f"{self.name} is a run of '{self.system}', and {error}") from None
        return View(library, system if self.scene is None else in_scene(system, self.scene))

    def at(self, where: str, node: str | None = None) -> list[DecisionMoment]:
        """The moments of an utterance (u17), a time (t=12.5) or a record (120). Raises NoMoment.

        An utterance's are those after it was heard and before the next; a time's and a record's
        the first from there on, and those that come with it.
        """
        found = [m for m in self.moments if node is None or m.node == node]
        if not found:
            raise MomentError(f"{self.name}: {self._nobody(node)}")
        if where.startswith("u"):
            here = [m for m in found if m.heard == where]
            heard = list(dict.fromkeys(m.heard for m in found if m.heard))
            told = f"at {', '.join(heard)}" if heard else "before anything was said"
        else:
            key = "t" if where.startswith("t=") else "n"
            try:
                number = float(where.removeprefix("t="))
            except ValueError:
                told = f"'{where}' is no moment: u17, t=12.5 or a record's number"
                raise MomentError(told) from None
            later = [m for m in found if getattr(m, key) >= number]
            here = [m for m in later if m.t == later[0].t and m.heard == later[0].heard]
            told = f"last at t={found[-1].t:g}, record {found[-1].n}"
        if not here:
            decided = "decisions fell" if node is None else "it decided"
            raise MomentError(f"{self.name}: {self._nothing(where, node)}; {decided} {told}")
        return here

    def _nobody(self, node: str | None) -> str:
        """Why a node never decided in this run, as far as one can tell."""
        if not self.moments:
            return "nothing was decided in this run"
        names = sorted({moment.node for moment in self.moments})
        near = did_you_mean(node or "", names)
        told = f"did you mean '{near}'?" if near else f"those that did are {', '.join(names)}"
        return f"'{node}' decided nothing in this run: {told}"

    def _nothing(self, where: str, node: str | None) -> str:
        others = sorted({m.node for m in self.moments if m.heard == where} - {node})
        if node is None:
            return f"nothing was decided at {where}"
        here = f" (there decided {', '.join(others)})" if others else ""
        return f"{node} decided nothing at {where}{here}"


def moments_of(records: Sequence[Record]) -> Iterator[DecisionMoment]:
    """Every decision in a journal, in order."""
    looked: dict[str, int] = {}
    parts: dict[str, list[RecordedDecision]] = {}
    kinds = [asking_class(kind) for kind in prompts()]
    heard = ""
    people: set[str] = set()
    times = {record.n: record.t for record in records}
    last_heard: dict[int, str] = {}
    for record in records:
        for event in flat(record.event):
            match event:
                case AgentJoined(person=True):
                    people.add(event.agent)
                case Said() if event.who in people:
                    heard = event.id
                case Asked() if event.attempt == 1 and event.node not in parts:
                    looked[event.node] = record.n
        last_heard[record.n] = heard
        found = ((kind, kind.made(record)) for kind in kinds)
        kind, made = next(((k, m) for k, m in found if m is not None), (None, None))
        if kind is None or made is None:
            continue
        path = made.path
        if made.part:
            looked.setdefault(path, record.n)
            parts.setdefault(path, []).append(made)
            continue
        n = looked.pop(path, record.n)
        if made.by == ALWAYS:  # it looks anew; what it was asked ahead was about another moment
            n = record.n
        whole = joined((*parts.pop(path, ()), made))
        assert whole is not None
        yield DecisionMoment(n, times[n], whole, kind, last_heard[n])


def situation_at(run: RecordedRun, moment: DecisionMoment, view: View) -> Situation:
    """The node in front of the world as it was. Raises NoMoment."""
    before, after = run.records[: moment.n - 1], run.records[moment.n - 1 :]
    entry: list[AnyEntry] = []

    def node_at(records: Sequence[Record], t: float, desk: Desk | None = None) -> AskingNode[Any]:
        runtime = restored(view, records, t, desk or Desk())
        node = asking_node(view, runtime, lambda node: node.path == moment.path)
        if node is None:
            raise MomentError(f"the tree has no node {moment.path}")
        return node

    history = History(view, moment.path, before, after, node_at)

    def surround(desk: Desk) -> NodeContext:
        node = node_at(before, moment.t, desk)
        entry[:] = [node.entry]
        given = class_of(node.entry).given_at(node, history)
        args = dict(getattr(node, "args", {}))
        return NodeContext(node.runtime, node.scope, args, given, node)

    try:
        surround(Desk())
    except (WorldError, NodeError) as error:
        raise MomentError(f"{run.name}: {moment.label}: {error}") from None
    return Situation(entry[0], surround)


def restored(view: View, before: Sequence[Record], t: float, desk: Desk) -> Runtime:
    """The surroundings as they were before a record."""
    journal = Journal(BytesIO(), before[-1] if before else None)
    world = make_world(view, VirtualClock(t), journal)
    world.restore(before)
    return surroundings(view, world, desk)


def names_around(around: NodeContext) -> dict[str, object]:
    """What a node's place in its tree gives it, by name."""
    found: dict[str, object] = {}
    scope: Scope = around.scope
    while isinstance(scope, Frame):
        for name in scope.cells:
            if name not in found:
                found[name] = scope.lookup(name)
        scope = scope.parent
    for name, value in around.args.items():
        try:
            found[name] = resolve(value, around.scope)
        except (LocatedError, EvaluationProblem):
            continue
    return {name: value for name, value in found.items() if value is not None}
