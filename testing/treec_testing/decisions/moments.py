"""The decisions of a recorded run, and the world in which each was made.

The moment of a decision is that of its request, or of the decision itself if no model was asked.
The journal has the decision; the world is replayed up to the record before the moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.files.packs import PackError
from treec.files.view import View, in_scene
from treec.nodes.events import AnswerKept, Asked
from treec.nodes.frame import Frame
from treec.nodes.make_world import make_world
from treec.nodes.runtime import NodeError, Runtime
from treec.run.folder import JOURNAL
from treec.source.diagnostics import suggestion
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.events import AgentJoined, Said
from treec.world.clock import VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec.world.world import WorldError
from treec_asking.asking import (
    ONLY,
    AskingNode,
    History,
    NodeContext,
    RecordedDecision,
    join_decisions,
)
from treec_testing.decisions.asking_kinds import asking_classes, class_of
from treec_testing.decisions.request_queue import RequestQueue
from treec_testing.decisions.situation import Situation, find_asking_node, make_runtime
from treec_testing.recordings.attempt import ALWAYS

_SHOWN = 1e-4
"""Seconds by which a time that was shown can differ from that of the record."""


class MomentError(Exception):
    """The run has no such moment, or its world cannot be restored."""


@dataclass(frozen=True)
class DecisionMoment:
    """A node's decision, just before record ``n``, ``t`` seconds after the start."""

    n: int
    t: float
    made: RecordedDecision
    node_class: type[AskingNode[Any]]
    heard: str = ""
    """Id of the last utterance before it; '' if there was none."""

    @property
    def kind(self) -> str:
        """The kind of file of the node."""
        return self.node_class.KIND

    @property
    def path(self) -> str:
        """The path of the node in its tree."""
        return self.made.path

    @property
    def by(self) -> str:
        """Who or what decided: always, offline, fallback or a model."""
        return self.made.by

    @property
    def decision(self) -> dict[str, Any]:
        """The decision, from the journal."""
        return self.made.decision

    @property
    def node(self) -> str:
        """The node's name."""
        return self.path.rpartition("/")[2].partition("#")[0]

    @property
    def label(self) -> str:
        """Utterance, time and record, as `--at` takes them."""
        return f"{self.heard or 'start'} (t={self.t:g}, record {self.n})"


@dataclass(frozen=True)
class RecordedRun:
    """A recorded run: the records of its journal and its decisions."""

    name: str
    system: str
    records: tuple[Record, ...]
    moments: tuple[DecisionMoment, ...]
    scene: str | None = None
    """Its scene, if not that of the system."""

    @classmethod
    def of(cls, journal: Path, records: Sequence[Record]) -> RecordedRun:
        """The run of a journal's records, named by its folder."""
        name = journal.parent.name if journal.name == JOURNAL else journal.name
        header = records[0].data
        scene = header.get("scene")
        return cls(
            name,
            str(header.get("system", "")),
            tuple(records),
            tuple(find_moments(records)),
            None if scene is None else str(scene),
        )

    def view(self, library: Library) -> View:
        """A library's view of the system that ran, in its scene. Raises MomentError."""
        try:
            system = library.resolve_system(self.system)
        except PackError as error:
            raise MomentError(f"{self.name} is a run of '{self.system}', and {error}") from None
        return View(library, system if self.scene is None else in_scene(system, self.scene))

    def at(self, where: str, node: str | None = None) -> list[DecisionMoment]:
        """The moments of an utterance (u17), a time (t=12.5) or a record (120). Raises MomentError.

        For an utterance: all after it and before the next. For a time or a record: the first from
        there on, and those at the same time; of an answer that counts until the next one (a judge)
        the one that counts then.
        """
        moments = [m for m in self.moments if node is None or m.node == node]
        if not moments:
            raise MomentError(f"{self.name}: {self._nobody(node)}")
        if where.startswith("u"):
            here = [m for m in moments if m.heard == where]
            utterances = list(dict.fromkeys(m.heard for m in moments if m.heard))
            hint = f"at {', '.join(utterances)}" if utterances else "before anything was said"
        else:
            key, number = time_or_record(where)
            counts = [
                m
                for m in moments
                if node and m.node_class.LASTS and getattr(m, key) <= number + _SHOWN
            ]
            later = counts[-1:] or [m for m in moments if getattr(m, key) >= number]
            same = counts or later
            here = [m for m in same if m.t == later[0].t and m.heard == later[0].heard]
            hint = f"last at t={moments[-1].t:g}, record {moments[-1].n}"
        if not here:
            decided = "decisions fell" if node is None else "it decided"
            raise MomentError(f"{self.name}: {self._nothing(where, node)}; {decided} {hint}")
        return here

    def _nobody(self, node: str | None) -> str:
        """Why a node has no decision in this run."""
        if not self.moments:
            return "the run has no decisions"
        names = sorted({moment.node for moment in self.moments})
        hint = suggestion(node or "", names, "these did")
        return f"'{node}' made no decision in this run; {hint}"

    def _nothing(self, where: str, node: str | None) -> str:
        others = sorted({m.node for m in self.moments if m.heard == where} - {node})
        if node is None:
            return f"no decision at {where}"
        here = f"; decisions there: {', '.join(others)}" if others else ""
        return f"{node} made no decision at {where}{here}"


def time_or_record(where: str) -> tuple[Literal["t", "n"], float]:
    """A time (t=12.5) or the number of a record (120). Raises MomentError."""
    try:
        return "t" if where.startswith("t=") else "n", float(where.removeprefix("t="))
    except ValueError:
        hint = f"'{where}' is not a moment: write u17, t=12.5 or the number of a record"
        raise MomentError(hint) from None


def find_moments(records: Sequence[Record]) -> Iterator[DecisionMoment]:
    """Every decision in a journal, in order."""
    last_read: dict[str, int] = {}
    parts: dict[str, list[RecordedDecision]] = {}
    kinds = asking_classes()
    utterance = ""
    people: set[str] = set()
    times = {record.n: record.t for record in records}
    last_heard: dict[int, str] = {}
    for record in records:
        for event in flat(record.event):
            match event:
                case AgentJoined(person=True):
                    people.add(event.agent)
                case Said() if event.who in people:
                    utterance = event.id
                case AnswerKept():
                    last_read[event.node] = record.n
                case Asked() if event.attempt == 1 and event.node not in parts:
                    last_read[event.node] = record.n
        last_heard[record.n] = utterance
        candidates = ((kind, kind.decision_in(record)) for kind in kinds)
        kind, made = next(((k, m) for k, m in candidates if m is not None), (None, None))
        if kind is None or made is None:
            continue
        path = made.path
        if made.part:
            last_read.setdefault(path, record.n)
            parts.setdefault(path, []).append(made)
            continue
        n = last_read.pop(path, record.n)
        if made.by in (ALWAYS, ONLY):  # looked now; a request sent ahead was of another moment
            n = record.n
        whole = join_decisions((*parts.pop(path, ()), made))
        assert whole is not None
        yield DecisionMoment(n, times[n], whole, kind, last_heard[n])


def situation_at(run: RecordedRun, moment: DecisionMoment, view: View) -> Situation:
    """The node in the world of that moment. Raises MomentError."""
    before, after = run.records[: moment.n - 1], run.records[moment.n - 1 :]
    entry: list[AnyEntry] = []

    def node_at(
        records: Sequence[Record], t: float, queue: RequestQueue | None = None
    ) -> AskingNode[Any]:
        runtime = restore_runtime(view, records, t, queue or RequestQueue())
        node = find_asking_node(view, runtime, lambda node: node.path == moment.path)
        if node is None:
            raise MomentError(f"unknown node {moment.path}")
        return node

    history = History(view, moment.path, before, after, node_at)

    def make_context(queue: RequestQueue) -> NodeContext:
        node = node_at(before, moment.t, queue)
        entry[:] = [node.entry]
        given = class_of(node.entry).given_at(node, history)
        args = dict(getattr(node, "args", {}))
        return NodeContext(node.runtime, node.scope, args, given, node)

    try:
        make_context(RequestQueue())
    except (WorldError, NodeError) as error:
        raise MomentError(f"{run.name}: {moment.label}: {error}") from None
    return Situation(entry[0], make_context)


def restore_runtime(view: View, before: Sequence[Record], t: float, queue: RequestQueue) -> Runtime:
    """The runtime as it was before a record."""
    journal = Journal(BytesIO(), before[-1] if before else None)
    world = make_world(view, VirtualClock(t), journal)
    world.restore(before)
    return make_runtime(view, world, queue)


def names_in_context(context: NodeContext) -> dict[str, object]:
    """Values of the names that the tree gives a node."""
    values: dict[str, object] = {}
    scope: Scope = context.scope
    while isinstance(scope, Frame):
        for name in scope.cells:
            if name not in values:
                values[name] = scope.lookup(name)
        scope = scope.parent
    for name, value in context.args.items():
        try:
            values[name] = resolve(value, context.scope)
        except (LocatedError, EvaluationProblem):
            continue
    return {name: value for name, value in values.items() if value is not None}
