"""Builds a tree file without a system, for traces and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from py_trees.behaviour import Behaviour

from treec.compile.build import Compiler
from treec.files.library import Library, load_alone
from treec.files.own_package import PackageConflict, provide
from treec.files.view import View
from treec.nodes.make_world import make_world
from treec.nodes.place import CompileError
from treec.nodes.runtime import Runtime
from treec.source.diagnostics import Diagnostic, unknown
from treec.source.text import SourceFile, Span
from treec.team.knowledge import Knowledge
from treec.team.team import Team
from treec.world.clock import VirtualClock
from treec.world.events import RunBegin
from treec.world.inbox import Inbox
from treec.world.journal import Journal


class BuildError(Exception):
    """The file has no tree that can be built; ``diagnostics`` say why.

    ``library`` has the file if it could be read, so that it can be checked. ``span`` is the
    position of what the check cannot find, such as a class that cannot be made.
    """

    def __init__(
        self,
        text: str,
        diagnostics: tuple[Diagnostic, ...] = (),
        sources: Mapping[str, SourceFile] | None = None,
        library: Library | None = None,
        span: Span | None = None,
    ) -> None:
        super().__init__(text)
        self.span = span
        self.diagnostics = diagnostics
        self.sources = dict(sources or {})
        self.library = library


def idle_runtime(view: View) -> Runtime:
    """A runtime with an initial world, for trees that are not run."""
    clock = VirtualClock()
    world = make_world(view, clock, Journal.in_memory())
    world.emit(RunBegin(view.system.name if view.system else ""), "run")
    team = Team(world, Knowledge(view))
    return Runtime(team, clock, Inbox(clock))


def build_file(path: Path, tree: str | None = None) -> Behaviour:
    """Build the first tree of a file, or the named one; see :func:`build_alone`."""
    if not path.is_file():
        raise BuildError(f"no such file: {path}")
    return build_alone(load_alone(path), path, tree)


def build_alone(library: Library, path: Path, tree: str | None = None) -> Behaviour:
    """Build the first tree of a file that was read by itself, or the named one.

    It may use other trees of the file, and node classes of the library in which it lies. Raises
    BuildError.
    """
    try:
        provide(library.package)
    except PackageConflict as error:
        raise BuildError(str(error), library=library) from error
    if library.diagnostics:
        raise BuildError(f"{path} is wrong", tuple(library.diagnostics), library.sources)
    trees = list(library.of_kind("tree"))
    if not trees:
        raise BuildError(f"{path} has no tree: its name must end in .tree.yaml")
    entry = trees[0] if tree is None else library.find("tree", tree)
    if entry is None:
        known = [one.name for one in trees]
        raise BuildError(f"{path}: {unknown('tree', tree or '', known)}")
    view = View(library)
    try:
        return Compiler(view, idle_runtime(view)).root(entry)
    except CompileError as error:
        raise BuildError(str(error), library=library, span=error.span) from error
