"""Unknown name in a system.

`uses` lists folders of the library (`trees/dispatch`, or `./trees/dispatch`), and installed packs
or parts of them (`treec/recipes`; see `treec packs`). `root`, `domain`, `scene`, `agents` and
`contracts` name entries in these; the keys of `runs_on` are agents, or `default`; those of
`chooses` kinds of which a run uses one file, with the name of that file; those of
`overrides` prompts, agents and cameras; the names in `asks` are prompts, and the keys of
`sentences` high-level actions or reasons of failures.

Wrong:

    system: depot
    about: Fetch and inspect together.
    uses: [trees/dispahtc, envs/depot]
    root: dispatch_mian
    domain: depot
    scene: depot

Right:

    system: depot
    about: Fetch and inspect together.
    uses: [trees/dispatch, envs/depot]
    root: dispatch_main
    domain: depot
    scene: depot
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.check.unknown_names import help_for, is_broken, other_kind
from treec.companions import missing
from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.kinds import prompts as kinds_of_prompts
from treec.files.prompts import Prompt
from treec.files.systems import SystemFile
from treec.files.view import View, with_keys
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.yaml import Mapping
from treec.team.actions import action_names
from treec.team.sentences import sentence_names

CODE = "TC604"
_REPLACED = "prompt, agent or camera"


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown folders, trees, domains, scenes, agents and contracts."""
    if view.system is not None:
        yield from _system(view, view.system)
    domains = {entry.name for entry in view.library.of_kind("domain")}
    for entry in entries(view, "scene"):
        domain = entry.model.domain
        if domain not in domains and not is_broken(view, ["domain"], domain):
            help = suggestion(domain, sorted(domains), "domains")
            message = f"unknown domain '{domain}'"
            yield Diagnostic(CODE, "error", entry.span("domain"), message, help)


def _system(view: View, entry: Entry[SystemFile]) -> Iterator[Diagnostic]:
    system = entry.model
    for index, use in enumerate(view.library.uses(entry)):
        if use.problem is not None:
            span = entry.span("uses", index)
            yield Diagnostic(CODE, "error", span, use.problem.message, use.problem.help)
    yield from _reference(view, entry, ("root",), "tree", system.root)
    yield from _reference(view, entry, ("domain",), "domain", system.domain)
    yield from _reference(view, entry, ("scene",), "scene", system.scene)
    for index, name in enumerate(system.agents or ()):
        yield from _reference(view, entry, ("agents", index), "agent", name)
    for index, name in enumerate(system.contracts or ()):
        yield from _reference(view, entry, ("contracts", index), "contract", name)
    for name in system.runs_on:
        if name != "default":
            yield from _reference(view, entry, ("runs_on", name), "agent", name, key=True)
    single = [name for name, kind in registry().kinds.items() if kind.single]
    for kind, name in system.chooses.items():
        if kind in single:
            yield from _reference(view, entry, ("chooses", kind), kind, name)
        elif not missing("kinds", kind):
            message = f"'{kind}' is not a kind of which a run uses one file"
            span = entry.span("chooses", kind, key=True)
            yield Diagnostic(CODE, "error", span, message, suggestion(kind, single, "these are"))
    yield from _prompts(view, entry)
    choices = (*action_names(), *sentence_names()) if system.sentences else ()
    for name in system.sentences:
        if name not in choices:
            message = f"unknown sentence '{name}'"
            help = suggestion(name, choices, "sentences")
            yield Diagnostic(CODE, "error", entry.span("sentences", name, key=True), message, help)
    scene = view.all("scene").get(system.scene)
    if scene is not None and view.find("domain", system.domain) is not None:
        domain = scene.model.domain
        if domain != system.domain and domain in _names(view, "domain"):
            message = f"the scene '{system.scene}' belongs to the domain '{domain}'"
            help = f"use a scene of '{system.domain}', or write 'domain: {domain}'"
            yield Diagnostic(CODE, "error", entry.span("scene"), message, help)


def _prompts(view: View, entry: Entry[SystemFile]) -> Iterator[Diagnostic]:
    """Report names that are not prompts of the system, and prompts that overrides make invalid."""
    prompts = {e.name for e in view.entries if isinstance(e.model, Prompt)}
    known = {"prompt": prompts, _REPLACED: {e.name for e in view.entries if e.model.overridable}}
    asks = entry.model.asks if isinstance(entry.model.asks, list) else ()
    spans = [(_REPLACED, it, entry.span("overrides", it, key=True)) for it in entry.model.overrides]
    spans += [("prompt", name, entry.span("asks", i)) for i, name in enumerate(asks)]
    for what, name, span in spans:
        if name not in known[what] and not is_broken(view, [*kinds_of_prompts(), "agent"], name):
            message = f"unknown {what} '{name}' in the packs of this system"
            yield Diagnostic(CODE, "error", span, message, suggestion(name, known[what]))
    for prompt in view.entries:
        if prompt.name in entry.model.overrides and prompt.model.overridable:
            keys = entry.at("overrides", prompt.name)
            assert isinstance(keys, Mapping)
            yield from with_keys(prompt, keys)[1]


def _reference(
    view: View, entry: Entry[SystemFile], loc: Loc, kind: str, name: str, *, key: bool = False
) -> Iterator[Diagnostic]:
    if view.find(kind, name) is not None or is_broken(view, [kind], name):
        return
    other = other_kind(view, name) if kind == "tree" else None
    message = f"unknown {kind} '{name}' in the packs of this system"
    if other is not None:
        message = (
            f"'{name}' is {'an' if other == 'action' else 'a'} {other}, but the root must be a tree"
        )
    choices = [e.name for e in view.library.inside(view.library.folders(entry)) if e.kind == kind]
    elsewhere = name in _names(view, kind)
    help = help_for(view, [kind], name) if elsewhere else suggestion(name, choices, f"{kind}s")
    yield Diagnostic(CODE, "error", entry.span(*loc, key=key), message, help)


def _names(view: View, kind: str) -> set[str]:
    return {entry.name for entry in view.library.of_kind(kind)}
