"""The cases of a library: every example of every prompt, and the files below tests/decisions.

An example's case is asked with that example left out of the prompt. A node that several systems use
is asked in the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from treec.ask.recordings import slug
from treec.decisions import likeness
from treec.decisions.desk import Desk
from treec.decisions.given_world import given_world
from treec.decisions.known import pin, pinned_names, unpin
from treec.decisions.seen import complete, derived_left_out, live, speaks_of_recipes
from treec.decisions.situation import Situation, asking_node, surroundings, with_model
from treec.decisions.stored_world import NoWorld, StoredWorld, from_plain
from treec.files.cases import CaseFile
from treec.files.entry import AnyEntry, Entry
from treec.files.kinds import prompts
from treec.files.library import Library, load_file
from treec.files.types import Named, parse_type
from treec.files.view import View
from treec.nodes.asking import NodeContext
from treec.nodes.asking_kinds import class_of
from treec.source.diagnostics import did_you_mean
from treec.source.scope import MappingScope
from treec.team.given import example_values, typed
from treec.team.knowledge import knowledge_of

FOLDER = "tests/decisions"
RECORDINGS = f"{FOLDER}/recordings"

SURE = 0.75
"""How alike two names are before the one is taken for a slip in the other, and no more is said."""


class CaseError(Exception):
    """A case that cannot be asked; says where and why."""


@dataclass(frozen=True)
class DecisionCase:
    """A node and what it is given; ``where`` is the file and line that say so."""

    id: str
    about: str
    where: str
    view: View
    entry: AnyEntry
    given: Mapping[str, Any] = field(default_factory=dict)
    args: Mapping[str, Any] = field(default_factory=dict)
    world: Mapping[str, Any] | None = None
    knows: Mapping[str, Any] = field(default_factory=dict)
    expect: Mapping[str, Any] | None = None

    def alike(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether two decisions of its node come to the same."""
        return likeness.alike(class_of(self.entry), one, other)

    def pins(self, recorded: Mapping[str, object] | None = None) -> dict[str, object]:
        """What the node knows: as the case says, as it was recorded, or as it is today.

        Raises CaseError.
        """
        around = self.situation({}).surround(Desk())
        model = self.entry.model
        names = list(model.knows if self.world is not None else pinned_names(model, self.given))
        if self.world is None:
            for name in derived_left_out(self.view, model, self.given):
                if speaks_of_recipes(around.scope.lookup(name)):
                    names.append(name)
        kept = {**(recorded or {}), **self.knows}
        return {n: kept[n] if n in kept else pin(n, around.scope) for n in dict.fromkeys(names)}

    def situation(self, pins: Mapping[str, object]) -> Situation:
        """The node in front of its world. Raises CaseError."""
        knowledge = knowledge_of(self.view)
        known = {name: unpin(knowledge, value) for name, value in pins.items()}
        try:
            values = self._values()
            stored = self._stored(values)
            stored.world(self.view)
        except (NoWorld, AssertionError, AttributeError, TypeError, ValueError) as error:
            raise CaseError(f"{self.where}: {self.id}: {error}") from None
        args = self._args()
        kind = class_of(self.entry)
        names = {*kind.GIVEN, *kind.KEPT}
        given = {n: v for n, v in {**self.given, **self.args}.items() if n in names}

        def surround(desk: Desk) -> NodeContext:
            runtime = surroundings(self.view, stored.world(self.view), desk)
            now = runtime.team.now
            seen = {name: live(value, now) for name, value in values.items()}
            model = self.entry.model
            if self.world is None:
                seen = complete(self.view, model, self.given, seen, runtime.scope)
            pinned = {name: live(value, now) for name, value in known.items()}
            bound = {name: live(value, now) for name, value in args.items()}
            scope = MappingScope({**seen, **pinned, **bound}, parent=runtime.scope)
            node = None
            if kind.IN_TREE and self.world is not None:
                node = asking_node(
                    self.view, runtime, lambda node: node.entry.name == self.entry.name
                )
                if node is None:
                    told = f"no tree of its system runs {self.entry.name}"
                    raise CaseError(f"{self.where}: {told}")
            return NodeContext(runtime, scope, bound, given, node)

        return Situation(self.entry, surround)

    def _values(self) -> dict[str, object]:
        """What the node sees by name; of a frozen moment nothing: it looks at the world."""
        if self.world is not None:
            return {}
        model = self.entry.model
        names = (*model.sees, *model.recalls)
        return example_values(knowledge_of(self.view), names, self.given)

    def _stored(self, seen: Mapping[str, object]) -> StoredWorld:
        if self.world is not None:
            return from_plain(self.world, self.view)
        args = list(self._args().values())
        told = {**seen, **({"": args} if args else {})}
        return given_world(knowledge_of(self.view), told, unread=class_of(self.entry).READS)

    def _args(self) -> dict[str, object]:
        """Arguments as entities, where their types say so."""
        declared: Mapping[str, str] = getattr(self.entry.model, "args", {})
        found: dict[str, object] = {}
        other = (*class_of(self.entry).GIVEN, *class_of(self.entry).KEPT)
        for name, value in self.args.items():
            if name in other:
                continue
            kind = parse_type(declared[name]) if name in declared else _guess(name, self.view)
            found[name] = typed(knowledge_of(self.view), kind, value) if kind else value
        return found


def _guess(name: str, view: View) -> Named | None:
    """A port named like a type has that type."""
    kind = name[:1].upper() + name[1:]
    return (
        Named(kind)
        if kind in ("Agent", "Subtask", "Task") or view.types.is_a(kind, "Agent")
        else None
    )


def all_cases(library: Library) -> list[DecisionCase]:
    """Every case of a library. Raises CaseError for a case file that is wrong."""
    files = _case_files(library)
    homes = _homes(library)
    found: list[DecisionCase] = []
    for view, entry, name in homes:
        if library.pack_of(entry.path) is None:  # a pack has its examples tested where it is made
            found += _examples(view, entry, name)
    taken = {case.id: case for case in found}
    for file in files:
        case = _from_file(library, file, homes)
        other = taken.setdefault(case.id, case)
        if other is not case:
            raise CaseError(f"{case.where}: {case.id} is the name of the case in {other.where}")
        found.append(case)
    return found


def _homes(library: Library) -> list[tuple[View, AnyEntry, str]]:
    """Every node that asks, the first system that has it, and the name of its cases."""
    views = [View(library, system) for system in library.of_kind("system")]
    homes: dict[int, tuple[View, AnyEntry]] = {}
    for view in views:
        for kind in prompts():
            for entry in view.all(kind).values():
                homes.setdefault(id(entry), (view, entry))
    for kind in prompts():  # those that no system uses
        for entry in library.of_kind(kind):
            if id(entry) not in homes:
                world = class_of(entry).world_of(entry, views)
                if world is not None:
                    homes[id(entry)] = (world, entry)
    names = [entry.name for _, entry in homes.values()]
    return [
        (view, entry, entry.name if names.count(entry.name) == 1 else f"{_name(view)}/{entry.name}")
        for view, entry in homes.values()
    ]


def _name(view: View) -> str:
    assert view.system is not None
    return view.system.name


def _examples(view: View, entry: AnyEntry, name: str) -> Iterator[DecisionCase]:
    taken: dict[str, int] = {}
    for number, example in enumerate(entry.model.examples):
        key = slug(example.about) or f"example-{number + 1}"
        taken[key] = taken.get(key, 0) + 1
        if taken[key] > 1:
            key = f"{key}-{taken[key]}"
        others = [e for i, e in enumerate(entry.model.examples) if i != number]
        model = entry.model.model_copy(update={"examples": others})
        span = entry.span("examples", number)
        declared = getattr(model, "args", {})
        args = {n: v for n, v in example.given.items() if n in declared}
        yield DecisionCase(
            id=f"{name}/{key}",
            about=example.about,
            where=f"{span.path}:{span.line}",
            view=view,
            entry=with_model(entry, model),
            given={n: v for n, v in example.given.items() if n not in args},
            args=args,
            expect=example.answer.model_dump(),
        )


def _case_files(library: Library) -> list[Entry[CaseFile]]:
    known = set(library.sources)
    folder = library.root / FOLDER
    for path in sorted(folder.rglob("*.case.yaml")) if folder.is_dir() else ():
        shown = path.relative_to(library.root).as_posix()
        if shown not in known:
            load_file(library, path, shown)
    wrong = [
        d
        for d in library.diagnostics
        if d.severity == "error" and d.span.path.endswith(".case.yaml")
    ]
    if wrong:
        raise CaseError("\n".join(f"{d.span}: {d.message}" for d in wrong))
    return list(library.of_kind("case"))


def _from_file(
    library: Library, file: Entry[CaseFile], homes: list[tuple[View, AnyEntry, str]]
) -> DecisionCase:
    model = file.model
    span = file.span("case")
    where = f"{span.path}:{span.line}"
    view, entry, name = find_node(library, model.node, model.system, where, homes)
    if model.given and model.world is not None:
        raise CaseError(f"{where}: a case has `given` or `world`, not both")
    seen = names_seen(entry)
    wrong = next((n for n in model.given if n not in seen), None)
    if wrong is not None:
        near = did_you_mean(wrong, seen)
        told = f": did you mean '{near}'?" if near else f": {', '.join(seen) or 'nothing'}"
        line = file.span("given", wrong, key=True).line
        raise CaseError(f"{span.path}:{line}: '{wrong}' is not what {model.node} sees{told}")
    return DecisionCase(
        id=f"{name}/{model.case}",
        about=model.about,
        where=where,
        view=view,
        entry=entry,
        given=model.given,
        args=model.args,
        world=model.world,
        knows=model.knows,
        expect=model.expect,
    )


def names_seen(entry: AnyEntry) -> tuple[str, ...]:
    """What a node is given by name."""
    return (*entry.model.sees, *entry.model.recalls, *class_of(entry).GIVEN)


def find_node(
    library: Library,
    node: str,
    system: str | None,
    where: str,
    homes: list[tuple[View, AnyEntry, str]] | None = None,
) -> tuple[View, AnyEntry, str]:
    """A node by its name, in a system if one is named. Raises CaseError."""
    homes = _homes(library) if homes is None else homes
    if system is not None:
        own = library.find_system(system)
        if own is None:
            known = [e.name for e in library.of_kind("system")]
            near = did_you_mean(system, known)
            told = f"did you mean '{near}'?" if near else f"there are: {', '.join(known) or 'none'}"
            raise CaseError(f"{where}: there is no system '{system}': {told}")
        view = View(library, own)
        found = next((e for kind in prompts() if (e := view.find(kind, node))), None)
        if found is not None:
            return view, found, next(name for _, e, name in homes if e is found)
        homes = [(view, e, e.name) for kind in prompts() for e in view.all(kind).values()]
    fitting = [home for home in homes if home[1].name == node]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        systems = ", ".join(_name(view) for view, _, _ in fitting)
        raise CaseError(f"{where}: '{node}' is a node of {systems}: name the system")
    told = _other_nodes(node, [entry for _, entry, _ in homes])
    raise CaseError(f"{where}: there is no node '{node}' that decides: {told}")


def _other_nodes(node: str, entries: Iterable[AnyEntry]) -> str:
    """What was meant, with its kind; or all nodes that decide, kind by kind."""
    kinds = {entry.name: entry.kind for entry in entries}
    near = did_you_mean(node, kinds)
    if near is not None and SequenceMatcher(None, near, node).ratio() >= SURE:
        return f"did you mean the {kinds[near]} '{near}'?"
    listed = (
        f"{kind}s {', '.join(sorted(n for n, k in kinds.items() if k == kind))}"
        for kind in prompts()
        if kind in kinds.values()
    )
    return f"there are {'; '.join(listed) or 'none'}"


def matching(cases: Iterable[DecisionCase], wanted: Iterable[str]) -> list[DecisionCase]:
    """Cases by id, its first parts, or a pattern with `*`; or by the file or folder they are in."""
    from fnmatch import fnmatchcase

    patterns = list(wanted)

    def fits(case: DecisionCase, pattern: str) -> bool:
        file = case.where.rpartition(":")[0]
        return (
            case.id == pattern
            or case.id.startswith(pattern.rstrip("/") + "/")
            or fnmatchcase(case.id, pattern)
            or file == pattern
            or file.startswith(pattern.rstrip("/") + "/")
        )

    return [case for case in cases if not patterns or any(fits(case, p) for p in patterns)]


def recording_path(root: Path, id: str) -> Path:
    """Where a case's recording is kept."""
    return root / RECORDINGS / f"{id}.yaml"
