"""Skeletons for `treec new`: new files that pass the check in the library at hand.

A skeleton uses names of the library: the decision that a behaviour offers itself to, a task that an
agent can do, the domain of its system. `Kind.skeleton` names the function that gives the text;
:mod:`treec_editor.file_skeletons` has those of the core's kinds.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import cast

from treec.companions import missing_help
from treec.extensions import ExtensionError, Kind, registry
from treec.files.former_kinds import DECISIONS as CASES
from treec.files.kinds import MODELS, behaviours
from treec.files.nodes import spec_referring
from treec.files.skeletons import NoSkeleton
from treec.files.view import View
from treec.source.diagnostics import unknown
from treec.source.yaml import read_documents
from treec_editor import file_skeletons
from treec_editor.code_skeletons import CODE, code_skeleton
from treec_editor.edits import CannotEdit, add
from treec_editor.skeleton import Skeleton


def skeleton(view: View, kind: str, name: str, to: str | None = None) -> Skeleton:
    """Return a new file of a kind. Raises NoSkeleton and ValueError."""
    if not re.fullmatch(r"[A-Za-z][\w ]*", name):
        raise ValueError(f"'{name}' is not a name: letters, digits, _ and spaces, a letter first")
    if to is not None and kind not in _OFFERED:
        raise ValueError("--to is for actions and decisions, which offer themselves to one")
    if kind in CODE:
        return code_skeleton(view, kind, name)
    declared = registry().kinds.get(kind)
    if declared is None:
        help = missing_help("kinds", kind)
        raise ValueError(
            unknown("kind", kind, skeletons()) if help is None else f"unknown kind '{kind}': {help}"
        )
    target = _skeleton_of(declared)
    if not target:
        raise ValueError(f"the kind '{kind}' has no skeleton")
    if view.find(kind, name) is not None:
        raise ValueError(f"{kind} '{name}' already exists, in {view.all(kind)[name].path}")
    make = cast("Callable[..., str]", registry().load(target))
    args = (view, name) if to is None else (view, name, to)
    text = registry().call(target, lambda: make(*args), NoSkeleton, ValueError)
    stem = name.lower().replace(" ", "_")
    folder = _folder(view, kind, stem)
    return Skeleton(
        f"{folder}/{stem}.{kind}.yaml",
        text,
        _note(view, kind, name),
        changed={} if kind in _UNUSED else _with_use(view, folder),
    )


def skeletons() -> dict[str, str]:
    """Return what `treec new` writes, files first: each kind with what it is."""
    abouts = {}
    for kind in registry().kinds.values():
        if _skeleton_of(kind):
            try:
                abouts[kind.name] = (MODELS[kind.name].__doc__ or "").strip().partition("\n")[0]
            except ExtensionError:  # `treec check` reports it
                continue
    return abouts | {kind: code.about for kind, code in CODE.items()}


def _skeleton_of(kind: Kind) -> str:
    """The function that writes a file of a kind: its own, or one of this package for the core's."""
    is_ours = kind.model.startswith("treec.files.")
    return f"{file_skeletons.__name__}:{kind.name}" if is_ours else kind.skeleton


def _note(view: View, kind: str, name: str) -> str:
    """What is to be done besides filling a new file in."""
    if kind == "task":
        return "add it to `can` of an agent, unless there is one who can do anything"
    node = spec_referring(kind) if kind in behaviours() else None
    if node is None or (kind in _OFFERED and view.all("decision")):
        return ""
    note = f"run it from a tree (- {node.key}: {name})"
    if kind in _OFFERED:
        note = f"no decision offers it: {note}"
    if kind == "action":
        note += ", or write one with 'treec new decision NAME'"
    if kind == "reading":
        note += "; 'treec hear WORDS' shows what it hears"
        if not view.all("hearing"):
            note += (
                "\n  treec/everyday_english in the system's `uses` and `hearing: Everyday_English` "
                "give it what people say everywhere"
            )
    return note


_OFFERED = ("action", "decision")
"""Kinds that can offer themselves to a decision."""

_HOMES = {
    "decision": "prompts",
    "action": "prompts",
    "reading": "prompts",
    "hearing": "prompts",
    "program": "prompts",
    "plan": "prompts",
    "tree": "trees",
    "agent": "envs",
    "robot": "envs",
    "task": "tasks",
}
"""Where files of a kind usually lie."""

_UNUSED = {"system": "trees", "domain": "envs", "scene": "envs"}
"""The same of kinds of which the system at hand uses the one that it names, and no new one."""


def _folder(view: View, kind: str, stem: str) -> str:
    if kind == "skill":
        return f"skills/{stem}"
    if kind == "case":
        return CASES
    folders = view.own_folders(kind)
    if folders:
        return max(sorted(set(folders)), key=folders.count)
    if kind in _UNUSED:
        return _UNUSED[kind]
    if view.system is None:
        return "."
    beside = {
        "action": "decision",
        "decision": "action",
        "program": "action",
        "robot": "agent",
    }.get(kind, "")
    near = view.own_folders(beside)
    if near:
        return near[0]
    used = view.library.folders(view.system)
    own = [folder for folder in used if view.library.pack_of(f"{folder}/") is None]
    home = _HOMES.get(kind, f"{kind}s")
    likely = [folder for folder in own if folder.split("/")[0] == home]
    likely += [folder for folder in own if not _is_of_others(view, folder, kind)]
    if likely:
        return likely[0]
    systems = {entry.path for entry in view.library.entries if entry.kind == "system"}
    return home if len(systems) == 1 else (own or ["."])[0]  # several would have to use a new one


def _is_of_others(view: View, folder: str, kind: str) -> bool:
    """Whether a folder is for files of other kinds, by its name or by what is in it."""
    if folder in ("", "."):
        return False
    kinds = {entry.kind for entry in view.library.entries if entry.inside(folder)}
    name = folder.rpartition("/")[2]
    return name in (*_HOMES.values(), "skills") or (len(kinds) == 1 and kind not in kinds)


def _with_use(view: View, folder: str) -> dict[str, str]:
    """The file of the system, which is to use the folder, by its path, if it does not yet."""
    system = view.system
    if system is None or system.node.get("uses") is None or folder == CASES:
        return {}
    inside = [*itertools.accumulate(folder.split("/"), "{}/{}".format), "", "."]
    if not {one.rstrip("/") for one in view.library.folders(system)}.isdisjoint(inside):
        return {}
    use, end = f"./{folder.split('/')[0]}", len(system.model.uses)
    documents, _ = read_documents(system.file)
    document = next(n for n, one in enumerate(documents) if one.root.start == system.node.start)
    try:
        text = add(system.file.text, ("uses", end), use, document=document)
    except CannotEdit as error:
        raise NoSkeleton(f"{system.path} needs '{use}' in `uses`: {error}") from None
    return {system.path: text}
