"""From a run back to its files: where a node is written, and the prompt of a decision.

Both are made again from the library as it is now; what is said beside them tells if files have
changed since the run began. Only files that the library has read are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from py_trees.behaviour import Behaviour

from treec.compile.build import Compiler
from treec.files.entry import AnyEntry, Entry
from treec.files.library import Library
from treec.files.own_package import PackageConflict, provide
from treec.files.view import View
from treec.nodes.events import Asked
from treec.nodes.place import BuildPlace, CompileError
from treec.nodes.runtime import NodeError
from treec.run.folder import read_meta
from treec.run.origin import Origin
from treec.source.errors import EvaluationProblem, LocatedError, TreecError
from treec.source.tools import find_tool
from treec.world.events import RunBegin, flat
from treec.world.journal import Record
from treec.world.world import WorldError
from treec_serve.reasons import rules_at
from treec_testing.decisions.moments import (
    DecisionMoment,
    MomentError,
    RecordedRun,
    find_moments,
    restore_runtime,
    situation_at,
)
from treec_testing.decisions.request_queue import RequestQueue, run_sync

OpenLibrary = Callable[[], Library | None]


class NotShown(Exception):
    """The files, or the library, do not give what was asked for; the text says why."""


class RunSources:
    """Finds what a run was made from. ``open_library`` loads the library as it is now."""

    def __init__(self, open_library: OpenLibrary) -> None:
        self._open_library = open_library

    def node(self, journal: Path, records: Sequence[Record], path: str) -> dict[str, Any]:
        """The places in files where the node of a path is written. Raises NotShown."""
        library, run = self._library(), RecordedRun.of(journal, records[:1])
        view = _view(run, library)
        places = _places(view, records, run).get(_without_modifier(path), [])
        if not places:
            raise NotShown(f"unknown node {path} in these files")
        found = []
        for entry, line in dict.fromkeys(places):
            source = library.sources.get(entry.path)
            if source is not None:
                found.append({"file": entry.path, "line": line, "text": source.text})
        return {"path": path, "places": found, "changed": _changed(journal, view)}

    def prompt(self, journal: Path, records: Sequence[Record], path: str, n: int) -> dict[str, Any]:
        """The messages of a decision, rendered again in the world of its moment.

        ``n`` is the record of the decision or of an answer to it. Raises NotShown.
        """
        library = self._library()
        run = RecordedRun.of(journal, records)
        view = _view(run, library)
        moment = _find_moment(records, path, n)
        try:
            situation = situation_at(run, moment, view)
            context = situation.make_context(RequestQueue())
            rules = rules_at(context.node, context.scope)
            decided = run_sync(situation.decide())
        except (MomentError, NodeError, WorldError, CompileError) as error:
            raise NotShown(str(error)) from None
        except (LocatedError, EvaluationProblem) as error:
            raise NotShown(f"it cannot be rendered with these files: {error}") from None
        request = decided.requests[0] if decided.requests else None
        return {
            "path": path,
            "label": moment.label,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages]
            if request is not None
            else [],
            "schema": None if request is None else request.schema,
            "by": moment.by,
            "rules": rules,
            "changed": _changed(journal, view),
        }

    def rules(self, journal: Path, records: Sequence[Record]) -> dict[str, Any]:
        """The rules of decisions, by their names, and what their options are for.

        Of files that have changed since the run began nothing is told, and nothing without them.
        """
        try:
            view = _view(RecordedRun.of(journal, records[:1]), self._library())
        except NotShown:
            return {}
        changed = _changed(journal, view)
        return {
            entry.name: {
                "always": [rule.when for rule in entry.model.always],
                "offline": [rule.when for rule in entry.model.offline],
                "options": entry.model.options,
            }
            for entry in view.all("decision").values()
            if entry.path not in changed
        }

    def words_said(
        self, journal: Path, records: Sequence[Record], samples: bytes
    ) -> Mapping[str, object]:
        """What was said into the page, by the package of voices. Raises NotShown."""
        try:
            hear = cast(
                "Callable[[View, bytes], Mapping[str, object]]",
                find_tool("words_said", "speech cannot be heard"),
            )
            return hear(_view(RecordedRun.of(journal, records), self._library()), samples)
        except TreecError as error:
            raise NotShown(str(error)) from None

    def _library(self) -> Library:
        library = self._open_library()
        if library is None:
            raise NotShown("no library here: start treec serve in one, or specify it with -L")
        try:
            provide(library.package)
        except PackageConflict as error:
            raise NotShown(str(error)) from None
        return library


def _view(run: RecordedRun, library: Library) -> View:
    try:
        return run.view(library)
    except MomentError as error:
        raise NotShown(str(error)) from None


def _find_moment(records: Sequence[Record], path: str, n: int) -> DecisionMoment:
    """The decision of a node that an answer or a choice belongs to. Raises NotShown."""
    made = _moments_of(records, path)
    number = sum(1 for moment in made if moment.n <= n)
    asked = next((r.n for r in reversed(records[:n]) if _begins_to_ask(r, path)), 0)
    is_open = number and asked > made[number - 1].n
    if not number or (is_open and len(_moments_of(records[: asked - 1], path)) >= number):
        raise NotShown("it had not decided by then: the prompt is rendered again once it has")
    return made[number - 1]


def _moments_of(records: Sequence[Record], path: str) -> list[DecisionMoment]:
    return [moment for moment in find_moments(records) if moment.path == path]


def _begins_to_ask(record: Record, path: str) -> bool:
    events = flat(record.event)
    return any(isinstance(e, Asked) and e.node == path and e.attempt == 1 for e in events)


class _PlacingCompiler(Compiler):
    """Notes where each node is written."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.places: dict[str, list[tuple[AnyEntry, int]]] = {}

    def node(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """Build a node; the file of a tree that it stands for comes before where it is used."""
        self.note(path, place.entry, place.span.line)
        return super().node(node, place, path)

    def behaviour(
        self, entry: AnyEntry, place: BuildPlace, path: str, args: Mapping[str, object]
    ) -> Behaviour:
        """Build an option of a decision, which is a file of its own."""
        self.note(path, entry, entry.span().line)
        return super().behaviour(entry, place, path, args)

    def note(self, path: str, entry: AnyEntry, line: int) -> None:
        """A node is written there; the innermost place is noted last."""
        self.places.setdefault(path, []).insert(0, (entry, line))


def _places(
    view: View, records: Sequence[Record], run: RecordedRun
) -> dict[str, list[tuple[AnyEntry, int]]]:
    begun = next((i for i, record in enumerate(records) if record.kind == "tree"), len(records))
    begin = records[0].event
    assert isinstance(begin, RunBegin)
    assert view.system is not None
    try:
        runtime = restore_runtime(view, records[:begun], 0.0, RequestQueue())
        compiler = _PlacingCompiler(view, runtime)
        tree = view.find("tree", begin.tree or view.system.model.root)
        if tree is None:
            raise NotShown(f"{run.name}: unknown tree '{begin.tree}' in these files")
        root = compiler.root(tree, dict(begin.ports or {}))
    except (CompileError, NodeError, WorldError) as error:
        raise NotShown(f"these files do not give the tree of the run: {error}") from None
    for node in root.iterate():
        entry = getattr(node, "entry", None)
        if isinstance(entry, Entry):  # the prompt that it asks
            path = str(getattr(node, "path", ""))
            compiler.places.setdefault(path, []).append((entry, entry.span().line))
    return compiler.places


def _without_modifier(path: str) -> str:
    head, slash, last = path.rpartition("/")
    return head + slash + last.partition(":")[0]


def _changed(journal: Path, view: View) -> list[str]:
    """The files that have changed since the run began."""
    before = Origin.read(read_meta(journal.parent))
    if before is None:
        return []
    now = Origin.of(view, None, before.models)
    kinds = before.changed_files(now)
    return [path for path, (kind, _) in kinds.items() if kind != "scenario"]
