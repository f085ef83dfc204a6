"""Prepare a run of a single tree: in a system that has it, or alone in its folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from treec.api.errors import CheckFailed, NotFound, TreecError
from treec.api.find import find_system
from treec.api.prepare import RunSetup, check_conditions, prepare, require_no_errors
from treec.check import check_library
from treec.check.tree_nodes import ports_of
from treec.check.unreadable import unreadable_names, unreadable_paths
from treec.files.entry import AnyEntry, Entry
from treec.files.library import Library, kind_of, load_file
from treec.files.packs import PackError
from treec.files.settings import SETTINGS
from treec.files.systems import SystemFile
from treec.files.view import View
from treec.run.task_view import TaskError, check_faults, view_for
from treec.source.diagnostics import format_summary, format_text, suggestion
from treec.world.spec import RunSpec

UNREACHABLE = "TC404"
"""The rule about trees that a system's root does not lead to: they can be run all the same."""

UNKNOWN_NODE = "TC301"
"""The rule about nodes of unknown types: a run finds them when it is built, unless mocked."""


def prepare_any(library: Library, spec: RunSpec) -> RunSetup:
    """Prepare a run of a system, or of a tree: its name or its file.

    A scenario may be run in another system than its own: then the ``tree`` of the spec is the
    system that has it. Raises CheckFailed, NotFound and TreecError.
    """
    if spec.tree is not None and spec.scenario and library.find("system", spec.tree) is not None:
        spec = replace(spec, tree=None)
    if spec.tree is None and not _is_file(spec.system):
        try:
            return prepare(library, library.resolve_system(spec.system), spec)
        except PackError as error:
            if _find_tree(library, spec.system) is None:
                _require_readable(library, spec.system)
                also = ", nor a tree of that name" if error.message.startswith("unknown ") else ""
                hint = f"; {error.help}" if error.help else ""
                raise NotFound(f"{error.message}{also}{hint}") from None
    if spec.scenario is not None:
        raise TreecError("a scenario is one of a system: run that, or leave --scenario out")
    if spec.tree is None:
        spec = replace(spec, tree=spec.system, system="")
    return _prepare_tree(library, str(spec.tree), spec)


def _prepare_tree(library: Library, name: str, spec: RunSpec) -> RunSetup:
    system = spec.system or None
    if _is_file(name):
        library, tree = _tree_of_file(library, Path(name))
    else:
        found = _find_tree(library, name, system)
        if found is None:
            _require_readable(library, name)
            raise NotFound.for_name("tree", name, sorted({e.name for e in library.of_kind("tree")}))
        tree = found
    holders = list(_systems_with(library, tree, system))
    if len(holders) > 1:
        names = ", ".join(f"'{entry.name}'" for entry in holders)
        raise TreecError(f"the tree '{tree.name}' is in the systems {names}: specify --system")
    if not holders and library.find("tree", tree.name) is tree:
        _require_readable(library, tree.name, ("system",))
    if not holders and system is not None:
        holders = [_with_folder(find_system(library, system), tree)]
    _check_ports(tree, spec.ports)
    spec = replace(spec, tree=tree.name)
    has_mocks = any(" mock " in f" {fault}" for fault in spec.faults)
    but = (UNREACHABLE, UNKNOWN_NODE) if has_mocks else (UNREACHABLE,)
    try:
        if holders:
            require_no_errors(library, holders[0], but=but)
            view, spec = view_for(library, holders[0], spec, scripted=True)
        else:
            view, spec = _alone(library, tree, but), replace(spec, system=tree.name)
            check_faults(spec, view)
    except TaskError as error:
        raise TreecError(str(error)) from None
    check_conditions(spec, view)
    return RunSetup(view, spec)


def _require_readable(library: Library, name: str, kinds: Sequence[str] = ()) -> None:
    """Raise CheckFailed if a file of a system or tree of that name, or of a kind, is unreadable."""
    paths = {
        path
        for kind, own in unreadable_names(library)
        if kind in kinds or (own == name and kind in ("system", "tree"))
        for path in unreadable_paths(library, kind, own)
    }
    if paths:
        problems = sorted(p for p in library.diagnostics if p.span.path in paths)
        text = format_text(problems, library.sources) + "\n\n" + format_summary(problems)
        raise CheckFailed(f"'{name}' does not run while files have errors", text)


def _is_file(name: str) -> bool:
    return kind_of(Path(name).name) is not None


def tree_file(name: str | None) -> Path | None:
    """The path of a tree's file named on the command line; None if the name is not such a file."""
    path = Path(name or "")
    return path if kind_of(path.name) == "tree" and path.is_file() else None


def _tree_of_file(library: Library, path: Path) -> tuple[Library, AnyEntry]:
    """The first tree of a file, of the library if the file is one of its own."""
    if tree_file(str(path)) is None:
        raise NotFound(f"no file {path} with a tree (NAME.tree.yaml)")
    for entry in library.own("tree"):
        if library.file(entry.path).resolve() == path.resolve():
            return library, entry
    alone = Library(path.resolve().parent, work=library.work or library.root)
    load_file(alone, path, path.as_posix())
    first = next(alone.of_kind("tree"), None)
    if first is None:
        text = format_text(alone.diagnostics, alone.sources)
        raise CheckFailed(f"{path} has no valid tree", text)
    return alone, first


def _find_tree(library: Library, name: str, system: str | None = None) -> AnyEntry | None:
    systems = library.own("system") if system is None else [find_system(library, system)]
    for entry in systems:
        tree = View(library, entry).find("tree", name)
        if tree is not None:
            return tree
    return library.find("tree", name) or library.find_qualified("tree", name)


def _systems_with(
    library: Library, tree: AnyEntry, system: str | None
) -> Iterator[Entry[SystemFile]]:
    systems = library.own("system") if system is None else [find_system(library, system)]
    for entry in systems:
        if View(library, entry).find("tree", tree.name) is tree:
            yield entry


def _with_folder(system: Entry[SystemFile], tree: AnyEntry) -> Entry[SystemFile]:
    """A system that also uses the folder of a tree."""
    uses = [*system.model.uses, f"./{tree.folder}"]
    model = system.model.model_copy(update={"uses": uses})
    return Entry(system.kind, system.name, model, system.node, system.file)


def _alone(library: Library, tree: AnyEntry, but: Sequence[str]) -> View:
    """A view of the files beside a tree that no system uses, with a system of its own.

    Errors with the codes in ``but`` do not matter.
    """
    folder = tree.folder or "."
    beside = [entry for entry in library.inside([folder]) if entry.kind != "system"]
    prefix = "" if folder == "." else f"{folder}/"
    errors = [
        problem
        for problem in check_library(library.with_entries(beside or [tree]))
        if problem.severity == "error"
        and problem.code not in but
        and problem.span.path.startswith((prefix, SETTINGS))
    ]
    if errors:
        text = format_text(errors, library.sources) + "\n\n" + format_summary(errors)
        raise CheckFailed(f"'{tree.name}' does not run while its files have errors", text)
    view = View(library, entries=beside or [tree])
    model = SystemFile.model_validate(
        {
            "system": tree.name,
            "about": tree.model.about or tree.name,
            "uses": [f"./{tree.folder}"],
            "root": tree.name,
            "domain": next((entry.name for entry in view.domains), ""),
            "scene": next((entry.name for entry in view.scenes), ""),
        }
    )
    view.system = Entry("system", tree.name, model, tree.node, tree.file)
    return view


def _check_ports(tree: AnyEntry, given: Mapping[str, object]) -> None:
    """Raise TreecError for a port of a tree that is missing or unknown."""
    ports = ports_of(tree)
    unknown = next((name for name in given if name not in ports), None)
    if unknown is not None:
        hint = suggestion(unknown, ports, "its ports")
        raise NotFound(f"unknown port '{unknown}' of '{tree.name}'; {hint}")
    missing = [name for name, port in ports.items() if name not in given and port.direction == "in"]
    if missing:
        raise TreecError(
            f"the tree '{tree.name}' needs its port '{missing[0]}', {ports[missing[0]]}: "
            f"write {missing[0]}=… after it"
        )
