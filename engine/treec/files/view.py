"""A view of a library: the entries of one system, with names, types and facts resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as MappingABC
from copy import copy
from functools import cached_property, wraps
from typing import TypeVar, cast

from treec.extensions import registry
from treec.files.entry import AnyEntry, Entry
from treec.files.kinds import behaviours
from treec.files.library import Library
from treec.files.places import (
    AgentFile,
    DomainFile,
    FactSpec,
    ObjectSpec,
    SceneFile,
    StateSpec,
    TypeSpec,
)
from treec.files.systems import SystemFile
from treec.files.types import Named, Names, Type, TypeTree
from treec.files.validate import read_entry
from treec.source.diagnostics import Diagnostic
from treec.source.yaml import Document, Mapping

T = TypeVar("T")


def per_view(make: Callable[[View], T]) -> Callable[[View], T]:
    """Call a function of a view once for each view, which keeps the result as long as it lives."""

    @wraps(make)
    def cached(view: View) -> T:
        key = (make.__module__, make.__qualname__)
        if key not in view.results:
            view.results[key] = make(view)
        return cast(T, view.results[key])

    return cached


def per_files(*kinds: str) -> Callable[[Callable[[View], T]], Callable[[View], T]]:
    """Call a function of a view once in a check for all views with the same files of some kinds.

    The function must look at no other files of the view.
    """

    def decorate(make: Callable[[View], T]) -> Callable[[View], T]:
        @wraps(make)
        def cached(view: View) -> T:
            known = view.library.results
            key = (make, *(tuple(view.all(kind).values()) for kind in kinds))
            if key not in known:
                known[key] = make(view)
            return cast(T, known[key])

        return cached

    return decorate


class View:
    """The entries that belong together.

    With a system: everything in the folders and packs that it uses, its domain, its scene, its
    agents and contracts, and its scenarios and cases in any folder. Without one (files that no
    system uses, a single tree): all entries given.
    """

    def __init__(
        self,
        library: Library,
        system: Entry[SystemFile] | None = None,
        entries: Iterable[AnyEntry] | None = None,
    ) -> None:
        self.library = library
        self.system = system
        self.results: dict[tuple[str, str], object] = {}
        """Of functions that are called once for each view."""
        self.overridden: list[AnyEntry] = []
        """Entries as their files have them whose keys the system overrides."""
        if system is not None:
            chosen = library.inside(library.folders(system))
            inside = {id(entry) for entry in chosen}  # scenarios and cases name their system
            named = (e for kind in ("scenario", "case") for e in library.of_kind(kind))
            chosen += [e for e in named if id(e) not in inside]
            self.entries = [e for e in chosen if self._belongs(e, system)]
            self._override(system)
        else:
            self.entries = list(library.entries if entries is None else entries)
        self.by_kind = self._sorted()

    def changed(self, change: Callable[[AnyEntry], AnyEntry | None]) -> View:
        """Return a view with each entry as ``change`` gives it; None leaves an entry out."""
        view = View(self.library, self.system)
        view.overridden = self.overridden
        view.entries = [new for entry in self.entries if (new := change(entry)) is not None]
        view.by_kind = view._sorted()
        return view

    def including(self, entry: AnyEntry) -> View:
        """Return a view with this entry, in place of the view's own of that kind and name."""
        view = copy(self)
        view.results = {}
        name = (entry.kind, entry.name)
        view.entries = [entry, *(e for e in self.entries if (e.kind, e.name) != name)]
        view.by_kind = view._sorted()
        return view

    def _sorted(self) -> dict[str, dict[str, AnyEntry]]:
        """The entries by kind and name; of several, the first."""
        by_kind: dict[str, dict[str, AnyEntry]] = {}
        for entry in self.entries:
            by_kind.setdefault(entry.kind, {}).setdefault(entry.name, entry)
        return by_kind

    def _belongs(self, entry: AnyEntry, of: Entry[SystemFile]) -> bool:
        system = of.model
        if entry.kind == "domain":
            return entry.name == system.domain
        if entry.kind == "scene":
            return entry.name == system.scene
        if entry.kind == "agent" and system.agents is not None:
            return entry.name in system.agents
        if entry.kind == "contract" and system.contracts is not None:
            return entry.name in system.contracts
        if entry.kind == "system":
            return entry.name == system.system
        if entry.kind in ("scenario", "case"):
            here = getattr(entry.model, "scene", None) in (None, system.scene)
            return here and self.library.belongs_to(entry, of)
        kind = registry().kinds.get(entry.kind)
        return not (kind and kind.scene) or bool(entry.model.scene == system.scene)

    def _override(self, system: Entry[SystemFile]) -> None:
        """Replace the entries whose keys the system overrides."""
        if not system.model.overrides:
            return
        for index, entry in enumerate(self.entries):
            keys = system.at("overrides", entry.name)
            if entry.name in system.model.overrides and entry.model.overridable:
                assert isinstance(keys, Mapping)
                found, _ = with_keys(entry, keys)
                if found is not None:
                    self.entries[index] = found
                    self.overridden.append(entry)

    def all(self, kind: str) -> MappingABC[str, AnyEntry]:
        """Return the entries of a kind by name."""
        return self.by_kind.get(kind, {})

    def find(self, kind: str, name: str) -> AnyEntry | None:
        """Return an entry by name; ``pack/name`` is one of another pack."""
        entry = self.all(kind).get(name)
        if entry is None and "/" in name:
            return self.library.find_qualified(kind, name)
        return entry

    def used(self, kind: str) -> AnyEntry | None:
        """Return the entry that runs use, of a kind of which they use one (`Kind.single`).

        It is the one that the system chooses, else the first; None if there is none.
        """
        chosen = self.system.model.chooses.get(kind) if self.system is not None else None
        entry = self.find(kind, chosen) if chosen is not None else None
        return entry or next(iter(self.all(kind).values()), None)

    def own_folders(self, kind: str) -> list[str]:
        """Return the library's folders of the view's files of a kind, one for each file."""
        entries = self.all(kind).values()
        return [e.folder or "." for e in entries if self.library.pack_of(e.path) is None]

    def behaviour(self, name: str) -> AnyEntry | None:
        """Return a decision, action, tree, program or reading by name."""
        return next((e for kind in behaviours() if (e := self.find(kind, name))), None)

    @cached_property
    def own(self) -> list[AnyEntry]:
        """The entries that are checked in this view; without a system, those no system uses."""
        if self.system is not None:
            return self.entries
        systems = self.library.own("system")
        views = [View(self.library, system) for system in systems]
        used = {id(entry) for view in views for entry in (*view.entries, *view.overridden)}
        return [entry for entry in self.entries if id(entry) not in used]

    @cached_property
    def domains(self) -> list[Entry[DomainFile]]:
        """The system's domain; without a system, all."""
        return list(self.all("domain").values())

    @cached_property
    def scenes(self) -> list[Entry[SceneFile]]:
        """The system's scene; without a system, all."""
        return list(self.all("scene").values())

    @cached_property
    def types(self) -> TypeTree:
        """All types, and their inheritance."""
        declared: dict[str, str | None] = {}
        for domain in self.domains:
            declared.update({name: spec.is_ for name, spec in domain.model.types.items()})
        return TypeTree(declared)

    @cached_property
    def facts(self) -> dict[str, FactSpec]:
        """Facts by name."""
        return {n: f for domain in self.domains for n, f in domain.model.facts.items()}

    @cached_property
    def state(self) -> dict[str, StateSpec]:
        """Slots of typed state by name."""
        return {n: s for domain in self.domains for n, s in domain.model.state.items()}

    @cached_property
    def derived(self) -> dict[str, str]:
        """Derived names and their expressions."""
        return {n: e for domain in self.domains for n, e in domain.model.derived.items()}

    @cached_property
    def objects(self) -> dict[str, ObjectSpec]:
        """Objects of the scene by name, with the pieces that they can be cut into."""
        found: dict[str, ObjectSpec] = {}
        for scene in self.scenes:
            for name, spec in scene.model.objects.items():
                found[name] = self._with_facts(spec)
                found.update(self._pieces(name, spec.type))
        return found

    def _pieces(self, whole: str, kind: str) -> dict[str, ObjectSpec]:
        spec = self.type_specs.get(kind)
        pieces = spec.pieces if spec is not None else None
        if pieces is None:
            return {}
        one = ObjectSpec.model_validate({"type": pieces.type, pieces.of: whole})
        one = self._with_facts(one)
        return {f"{whole} piece {number + 1}": one for number in range(pieces.count)}

    def _with_facts(self, spec: ObjectSpec) -> ObjectSpec:
        """Add the facts that its type has; those in the scene stand."""
        inherited = self.type_facts(spec.type)
        if not inherited:
            return spec
        return spec.model_copy(update={k: v for k, v in inherited.items() if k not in spec.facts})

    @cached_property
    def type_specs(self) -> dict[str, TypeSpec]:
        """The declarations of types by name."""
        return {n: spec for domain in self.domains for n, spec in domain.model.types.items()}

    def type_facts(self, kind: str) -> dict[str, object]:
        """The facts that hold of each thing of a type: its own and those of the types above it."""
        found: dict[str, object] = {}
        for name in self.types.line(kind):
            spec = self.type_specs.get(name)
            if spec is not None:
                found = {**spec.has, **found}
        return found

    @cached_property
    def agents(self) -> dict[str, AgentFile]:
        """Agents by name, in order of their names."""
        return {name: self.all("agent")[name].model for name in sorted(self.all("agent"))}

    @cached_property
    def things(self) -> dict[str, Type]:
        """Objects and agents with their types, by name."""
        found: dict[str, Type] = {name: Named(spec.type) for name, spec in self.objects.items()}
        found.update({name: Named(agent.is_) for name, agent in self.agents.items()})
        return found

    @cached_property
    def robots(self) -> tuple[str, ...]:
        """Names of the agents that are robots."""
        return tuple(n for n, a in self.agents.items() if self.types.is_a(a.is_, "Robot"))

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Names of the agents that are people."""
        return tuple(n for n, a in self.agents.items() if self.types.is_a(a.is_, "Person"))

    def offers_to(self, decision: str) -> list[AnyEntry]:
        """Return the behaviours that offer themselves to a decision, in order of file name."""
        offering = [
            e
            for kind in ("decision", "action")
            for e in self.all(kind).values()
            if e.model.offer is not None and e.model.offer.to == decision
        ]
        return sorted(offering, key=lambda e: (e.path.rpartition("/")[2], e.path))

    def thing_type(self, name: str) -> str | None:
        """Return the type of an object or agent by its name."""
        kind = self.things.get(name)
        return kind.name if isinstance(kind, Named) else None


@per_view
def names_of(view: View) -> Names:
    """The types and things by which values in a view are judged."""
    names = Names()
    names.types, names.things = view.types, view.things
    return names


def with_keys(entry: AnyEntry, keys: Mapping) -> tuple[AnyEntry | None, list[Diagnostic]]:
    """An entry in which ``keys`` replace those of its file, or what is wrong with it."""
    new = {key.text for key, _ in keys.entries}
    kept = (pair for pair in entry.node.entries if pair[0].text not in new)
    node = Mapping(
        entry.file, entry.node.start, entry.node.end, (*kept, *keys.entries), entry.node.flow
    )
    return read_entry(Document(node, entry.file), entry.kind)


def in_scene(system: Entry[SystemFile], scene: str) -> Entry[SystemFile]:
    """A system in another scene than its own."""
    model = system.model.model_copy(update={"scene": scene})
    return Entry(system.kind, system.name, model, system.node, system.file)


def on_environment(system: Entry[SystemFile], environment: str) -> Entry[SystemFile]:
    """A system all of whose agents act in another environment than its own."""
    model = system.model.model_copy(update={"runs_on": {"default": environment}})
    return Entry(system.kind, system.name, model, system.node, system.file)


def views_of(library: Library, *others: Entry[SystemFile]) -> list[View]:
    """Return views: one for each system, for each other scene and domain, and one for the rest.

    A system with scenarios in other scenes has a view for each of these, too. A scene or domain
    that no system uses is judged alone: others call other things by the same names. The systems are
    those of the library and ``others``, which are of packs.
    """
    systems = [*library.own("system"), *others]
    for scenario in library.own("scenario"):
        of = library.find_system(scenario.model.system, scenario)
        if of is not None and of not in systems:
            systems.append(of)
    views = [
        View(library, in_scene(system, scene))
        for system in systems
        for scene in _scenes_of(library, system)
    ]
    used = {id(entry) for view in views for entry in (*view.entries, *view.overridden)}
    about = [entry.model.scene for kind in _of_scenes() for entry in library.own(kind)]
    scenes = dict.fromkeys((*about, *(entry.name for entry in library.own("scene"))))
    worlds = [view for scene in scenes if (view := world_of(library, scene)) is not None]
    rest = [entry for entry in library.entries if entry.kind not in _in_worlds()]
    worlds += [View(library, None, [domain, *rest]) for domain in library.own("domain")]
    for view in (*worlds, View(library)):
        kinds = _in_worlds() if view in worlds else registry().kinds
        own = (e for e in view.entries if e.kind in kinds and library.pack_of(e.path) is None)
        view.own = [entry for entry in own if id(entry) not in used]
        used.update(id(entry) for entry in view.own)
        if view.own:
            views.append(view)
    return views


def _scenes_of(library: Library, system: Entry[SystemFile]) -> list[str]:
    """Return the scenes that a system is used in, its own first."""
    mine = (e.model for e in library.of_kind("scenario") if library.belongs_to(e, system))
    known = {entry.name for entry in library.of_kind("scene")}
    others = [model.scene for model in mine if model.scene in known]
    return list(dict.fromkeys((system.model.scene, *others)))


def world_of(library: Library, scene: str) -> View | None:
    """Return the view of a scene and everything in the folder of its domain, without a system.

    None if there is no such scene, or its domain is missing. Files about the scene belong to it.
    """
    entry = library.find("scene", scene)
    domain = None if entry is None else library.find("domain", entry.model.domain)
    if entry is None or domain is None:
        return None
    inside = library.inside([domain.folder])
    chosen = [e for e in inside if e.kind not in _in_worlds()]
    about = [e for kind in _of_scenes() for e in library.of_kind(kind) if e.model.scene == scene]
    return View(library, None, [domain, entry, *chosen, *about])


def _in_worlds() -> tuple[str, ...]:
    """Return the kinds whose files belong to one scene or domain, if to any."""
    return ("domain", "scene", "system", *_of_scenes())


def _of_scenes() -> list[str]:
    """Return the kinds whose files are about one scene."""
    return [name for name, kind in registry().kinds.items() if kind.scene]
