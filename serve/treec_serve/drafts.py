"""Trees that are edited on the page: a draft for each file, with undo, what the check says, a save.

Drafts are in memory until they are saved; the check reads them in place of the files. A file that
somebody else has changed meanwhile is not overwritten.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import blake2b
from pathlib import Path
from typing import Any

from treec.atomic import atomic_writer
from treec.files.entry import AnyEntry
from treec.files.library import Library, kind_of
from treec.files.nodes import MODIFIERS, node_spec, node_specs
from treec.files.stamps import Stamps, changed_files, stamps
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.yaml import plain
from treec_editor.arguments import arguments, called_file
from treec_editor.completion import complete
from treec_editor.edits import CannotEdit
from treec_editor.schema_walk import SchemaWalk, keys
from treec_editor.session import EditorSession
from treec_editor.views import view_of
from treec_serve.moments import drawings_data
from treec_serve.new_nodes import around, new_node
from treec_serve.tree_edits import (
    ONLY_ONE,
    FileNode,
    edited,
    file_nodes,
    keys_of_node,
    node_data,
    one_document,
    write_value,
)

MOST_TEXTS = 200
"""Texts of a draft that undo goes back through."""


@dataclass
class _Draft:
    file: Path
    saved: str
    texts: list[str]
    at: int = 0

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self.texts[self.at]

    @property
    def version(self) -> str:
        """What tells this text from others."""
        return blake2b(self.text.encode(), digest_size=8).hexdigest()

    @property
    def is_gone(self) -> bool:
        """Whether somebody has deleted its file meanwhile."""
        return not self.file.exists()


_WANTS_TEXT = "text is expected here"
"""How the reading of a file says that a text belongs where there is something else."""


class TreeDrafts:
    """The drafts of a library. May be used from several threads."""

    def __init__(self, root: Path) -> None:
        self._session = EditorSession(root.resolve())
        self._drafts: dict[str, _Draft] = {}
        self._lock = threading.RLock()
        self._stamps: Stamps = {}

    def files(self) -> list[dict[str, object]]:
        """The trees that can be edited, those with a draft that is not saved marked.

        Behind them those that cannot, each with its `problem`.
        """
        with self._lock:
            self._look()
            library = self._session.library
            trees = [
                {"file": entry.path, "tree": entry.name, "edited": self._is_edited(entry.path)}
                for entry in sorted(library.of_kind("tree"), key=lambda one: one.path)
                if not Path(entry.path).is_absolute()
                and (self._is_edited(entry.path) or (self._session.root / entry.path).is_file())
            ]
            read = {entry.path for entry in library.entries}
            others = sorted(
                file
                for file in library.sources
                if file not in read and kind_of(file) == "tree" and not Path(file).is_absolute()
            )
            return trees + [{"file": one, "problem": self._why_not(one)} for one in others]

    def show(self, file: str) -> dict[str, object]:
        """A file as it is edited. Raises CannotEdit."""
        with self._lock:
            return self._state(file, self._draft(file))

    def edit(self, file: str, op: Mapping[str, Any]) -> dict[str, object]:
        """Make an edit, or `undo`, `redo` or `discard` edits. Raises CannotEdit.

        With the `version` of a text it is made in that text only.
        """
        with self._lock:
            draft, chosen = self._draft(file, op.get("version")), ""
            match op.get("op"):
                case "undo":
                    draft.at = max(draft.at - 1, 0)
                case "redo":
                    draft.at = min(draft.at + 1, len(draft.texts) - 1)
                case "discard":
                    self._forget(file)
                    return self.show(file)
                case _:
                    new, chosen = self._edited(file, draft.text, op)
                    if new != draft.text:
                        draft.texts[draft.at + 1 :] = [new]
                        del draft.texts[:-MOST_TEXTS]
                        draft.at = len(draft.texts) - 1
            self._session.edit(file, draft.text)
            return {**self._state(file, draft), "chosen": chosen}

    def save(self, file: str, version: object = None, *, as_new: bool = False) -> dict[str, object]:
        """Write the draft into its file; a deleted one only ``as_new``. Raises CannotEdit."""
        with self._lock:
            draft = self._draft(file, version)
            try:
                if draft.is_gone:
                    if not as_new:
                        raise CannotEdit(f"{file} was deleted meanwhile")
                    draft.file.parent.mkdir(parents=True, exist_ok=True)
                elif read(draft.file) != draft.saved:
                    raise CannotEdit(
                        f"{file} was changed meanwhile: discard this draft, or merge it by hand"
                    )
                elif not draft.file.stat().st_mode & 0o222:
                    raise CannotEdit(f"{file} is read-only: chmod u+w lets it be written")
                with atomic_writer(draft.file, sync=True) as out:
                    out.write(draft.text.encode("utf-8"))
            except OSError as error:
                raise CannotEdit(f"{file} cannot be written: {error.strerror}") from None
            draft.saved = draft.text
            return self._state(file, draft)

    def node(self, file: str, id: str) -> dict[str, object]:
        """The keys of a node with their values, and those that it could have."""
        with self._lock:
            self._draft(file)
            entry, found = self._entry(file), self._named(file, id)
            if isinstance(found.node, list):
                return {"keys": [], "more": [], "about": "A list is a sequence."}
            whole = plain(entry.node)
            data: Any = whole
            for step in found.loc:
                data = data[step]
            spec = node_spec(found.kind)
            model = SchemaWalk("tree").parts(whole, found.loc)
            about = {name: str(part.get("description", "")) for name, part in keys(model).items()}
            called = called_file(
                view_of(self._session.library, file), whole, (*found.loc, "with", "")
            )
            given = arguments(called) if called is not None else {}
            about |= {f"with/{name}": one.about for name, one in given.items()}
            own = dict(keys_of_node(found.node, data))
            offered = [*(f"with/{name}" for name in given), *(k for k in about if k in _SCALARS)]
            return {
                "keys": [
                    {"key": key, "value": write_value(value), "about": about.get(key, "")}
                    for key, value in own.items()
                ],
                "more": [
                    {"key": key, "about": about.get(key, "")}
                    for key in dict.fromkeys(offered)
                    if key not in own and key not in data
                ],
                "about": ((spec.model.__doc__ if spec else "") or "").partition("\n")[0],
                "line": entry.span(*found.loc).line,
            }

    def complete(self, file: str, id: str, key: str, value: str) -> list[dict[str, str]]:
        """What a value of a node can be, as far as the check knows. Raises CannotEdit."""
        with self._lock:
            draft, found = self._draft(file), self._named(file, id)
            op = {"op": "set", "id": id, "key": key, "value": value or "x"}
            tried, _ = edited(draft.text, self._nodes(file), op)
            library = self._library({file: tried})
            entry = _only(library, file)
            if entry is None:
                return []
            place = entry.at(*found.loc, *key.split("/"))
            items = complete(library, file, place.start if not value else place.end)
            return [{"text": one.text, "detail": one.detail, "about": one.about} for one in items]

    def palette(self, file: str) -> list[dict[str, object]]:
        """What can be added: the types of nodes, then what is written in the library."""
        with self._lock:
            self._draft(file)
            view = view_of(self._session.library, file)
            found = [
                _offer(spec.key, write_value(new), spec.model.__doc__, spec.drawing.group)
                for spec in node_specs()
                if not spec.refers and (new := new_node(spec)) is not None
            ]
            for spec in node_specs():
                if not spec.refers or spec.key == "recipe":
                    continue
                for entry in view.all(spec.refers).values():
                    if spec.refers == "tree" and entry.path == file:
                        continue
                    made = _call(view, spec.key, entry)
                    about = getattr(entry.model, "about", "") or ""
                    found.append(_offer(entry.name, made, about, spec.refers))
            return found

    # Inside

    def _look(self) -> None:
        """Read the library anew if files of it were changed by somebody else."""
        now = stamps(self._session.root, self._session.library.package)
        changed = changed_files(self._stamps, now)
        if self._stamps and changed:
            self._session.forget(verdicts=any(not one.endswith(".yaml") for one in changed))
            for file, draft in self._drafts.items():
                if draft.is_gone and not self._is_edited(file):
                    self._session.close(file)
        self._stamps = now

    def _draft(self, file: str, version: object = None) -> _Draft:
        self._look()
        if file not in self._drafts:
            if all(one["file"] != file or "problem" in one for one in self.files()):
                raise CannotEdit(self._why_not(file))
            path = self._session.root / file
            entry = _only(self._session.library, file)
            if entry is None or not one_document(entry):
                raise CannotEdit(ONLY_ONE)
            text = read(path)
            self._drafts[file] = _Draft(path, text, [text])
        draft = self._drafts[file]
        if draft.is_gone:
            if version is None and not self._is_edited(file):
                self._session.close(file)
                raise CannotEdit(f"{file} was deleted meanwhile")
            self._session.edit(file, draft.text)
        elif not self._is_edited(file) and (now := read(draft.file)) != draft.saved:
            self._forget(file)  # somebody else has written it
            self._session.forget()
            self._drafts[file] = draft = _Draft(draft.file, now, [now])
        if version not in (None, draft.version):
            raise CannotEdit(f"{file} was edited elsewhere meanwhile, and is shown as it is now")
        return draft

    def _why_not(self, file: str) -> str:
        """Why a file cannot be edited."""
        for one in self._session.library.diagnostics:
            if one.span.path == file:
                return f"{file}:{one.span.line} cannot be read as a tree: {one.message}"
        return f"unknown tree file '{file}'"

    def _forget(self, file: str) -> None:
        self._drafts.pop(file, None)
        self._session.close(file)

    def _is_edited(self, file: str) -> bool:
        draft = self._drafts.get(file)
        return draft is not None and draft.text != draft.saved

    def _library(self, texts: Mapping[str, str]) -> Library:
        from treec.files.library import load_library

        now = {file: one.text for file, one in self._drafts.items()}
        return load_library(self._session.root, {**now, **texts})

    def _edited(self, file: str, text: str, op: Mapping[str, Any]) -> tuple[str, str]:
        """A text with an edit made, and the node that it is about then. Raises CannotEdit.

        A number that somebody types where a text belongs is one.
        """
        nodes = self._nodes(file)
        new, chosen = edited(text, nodes, dict(op))
        try:
            self._try(file, new)
        except CannotEdit as error:
            is_number = op.get("op") == "set" and "as_text" not in op
            if not (is_number and str(error).endswith(_WANTS_TEXT)):
                raise
            return self._edited(file, text, {**op, "as_text": True})
        return new, chosen

    def _try(self, file: str, new: str) -> None:
        """Raise CannotEdit if a text is no tree any more."""
        library = self._library({file: new})
        if _only(library, file) is None:
            problem = next((one for one in library.diagnostics if one.span.path == file), None)
            raise CannotEdit(problem.message if problem else "this would be no tree")

    def _entry(self, file: str) -> AnyEntry:
        entry = _only(self._session.library, file)
        if entry is None:
            raise CannotEdit(self._why_not(file))
        return entry

    def _nodes(self, file: str) -> list[FileNode]:
        return file_nodes(self._entry(file))

    def _named(self, file: str, id: str) -> FileNode:
        found = next((one for one in self._nodes(file) if one.id == id), None)
        if found is None:
            raise CannotEdit("that node is no longer there: choose it anew")
        return found

    def _state(self, file: str, draft: _Draft) -> dict[str, object]:
        entry, nodes = self._entry(file), self._nodes(file)
        data = node_data(nodes)
        problems = [
            _problem(one, entry, nodes) for one in self._session.check() if one.span.path == file
        ]
        diff = unified_diff(
            draft.saved.splitlines(), draft.text.splitlines(), file, file, lineterm=""
        )
        return {
            "file": file,
            "tree": entry.name,
            "version": draft.version,
            "nodes": data,
            "drawings": drawings_data(dict.fromkeys(str(one["kind"]) for one in data)),
            "problems": problems,
            "diff": list(diff),
            "edited": draft.text != draft.saved,
            "gone": draft.is_gone,
            "undo": draft.at > 0,
            "redo": draft.at + 1 < len(draft.texts),
            "around": list(around()),
        }


_SCALARS = (
    "name",
    "about",
    "for",
    *(key for key, one in MODIFIERS.items() if not isinstance(one.type, str)),
)
"""Keys of every node that hold no nodes."""


def read(file: Path) -> str:
    """A file's text with its line breaks. Raises CannotEdit."""
    try:
        return file.read_bytes().decode("utf-8")
    except OSError as error:
        raise CannotEdit(f"{file.name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CannotEdit(f"{file.name} is not UTF-8: {error.reason}") from None


def _only(library: Library, file: str) -> AnyEntry | None:
    return next((one for one in library.of_kind("tree") if one.path == file), None)


def _problem(one: Diagnostic, entry: AnyEntry, nodes: list[FileNode]) -> dict[str, object]:
    """A problem with the innermost node that it is in."""
    at = entry.file.offset(one.span.line, one.span.column)
    id = ""
    for node in nodes:  # parents come first
        place = entry.at(*node.loc)
        if place.start <= at <= place.end:
            id = node.id
    help = f" ({one.help})" if one.help else ""
    return {
        "id": id,
        "line": one.span.line,
        "code": one.code,
        "severity": one.severity,
        "message": one.message + help,
    }


def _offer(name: str, make: str, about: str | None, group: str) -> dict[str, object]:
    return {
        "name": name,
        "make": make,
        "about": (about or "").strip().partition("\n")[0],
        "group": group,
    }


def _call(view: View, key: str, entry: AnyEntry) -> str:
    """A node that runs a file, its arguments wired to names of the same name."""
    given = {name: f"${name}" for name, one in arguments(entry).items()}
    return write_value({key: entry.name, **({"with": given} if given else {})})
