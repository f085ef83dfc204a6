"""What the language server does with names: definition, references, renaming, lenses."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from treec.files.entry import AnyEntry
from treec_editor.declarations import declarations
from treec_editor.hover import word_at
from treec_editor.occurrences import occurrences
from treec_editor.rename import CannotRename, declarations_at, rename, uses_of
from treec_editor.requests import RequestFailed, position_in
from treec_editor.server import TreecServer
from treec_editor.session import EditorSession


def add_name_features(server: TreecServer) -> None:
    """Add to a server what it does with names."""
    _add_places(server)
    _add_renaming(server)
    _add_lenses(server)


def _add_places(server: TreecServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: TreecServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        if (here := position_in(ls, params)) is None:
            return []
        session, shown, at = here
        found = declarations_at(session.library, shown, at)
        return [ls.location(session, one.span) for one in found]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    @server.thread()
    def references(ls: TreecServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        if (here := position_in(ls, params)) is None:
            return []
        session, shown, at = here
        spans = []
        for declaration in declarations_at(session.library, shown, at):
            found = uses_of(session.library, declaration, session.check_with).spans
            with_it = params.context.include_declaration
            spans += [one for one in found if with_it or one != declaration.span]
        return [ls.location(session, span) for span in dict.fromkeys(spans)]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(
        ls: TreecServer, params: lsp.DocumentHighlightParams
    ) -> list[lsp.DocumentHighlight]:
        if (here := position_in(ls, params)) is None:
            return []
        session, shown, at = here
        spans = occurrences(session.library, shown, at)
        return [lsp.DocumentHighlight(ls.range(session, span)) for span in spans]


def _add_renaming(server: TreecServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: TreecServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        if (here := position_in(ls, params)) is None:
            return None
        session, shown, at = here
        word = word_at(session.library, shown, at)
        if word is None or not declarations_at(session.library, shown, at):
            return None
        return ls.range(session, word[1])

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    @server.thread()
    def change_name(ls: TreecServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        if (here := position_in(ls, params)) is None:
            return None
        session, shown, at = here
        try:
            edits = rename(session.library, shown, at, params.new_name, session.check_with)
        except CannotRename as error:
            raise RequestFailed(str(error)) from None
        return ls.workspace_edit(session, edits)


def _add_lenses(server: TreecServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=True))
    def lenses(ls: TreecServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        if (found := ls.file_of(uri)) is None:
            return []
        session, shown = found
        made: list[lsp.CodeLens] = []
        for entry in session.library.entries:
            if entry.path != shown:
                continue
            own = next(declarations(entry))
            at = ls.range(session, own.span)
            made += [lsp.CodeLens(at, one) for one in _commands(session, entry)]
            if entry.kind not in ("system", "scenario"):
                data = {"uri": uri, "line": at.start.line, "character": at.start.character}
                made.append(lsp.CodeLens(at, data=data))
        return made

    @server.feature(lsp.CODE_LENS_RESOLVE)
    @server.thread()
    def resolved(ls: TreecServer, lens: lsp.CodeLens) -> lsp.CodeLens:
        where: Any = lens.data
        if lens.command is not None or not where or (found := ls.file_of(where["uri"])) is None:
            return lens
        session, shown = found
        file = session.library.sources.get(shown)
        position = lsp.Position(where["line"], where["character"])
        offset = 0 if file is None else ls.offset(where["uri"], file, position)
        places = []
        for one in declarations_at(session.library, shown, offset)[:1]:
            spans = uses_of(session.library, one, session.check_with).spans
            places = [ls.location(session, span) for span in spans if span != one.span]
        times = {0: "not used", 1: "used once"}.get(len(places), f"used {len(places)} times")
        command = lsp.Command(
            times, "treec.showReferences", arguments=[where["uri"], position, places]
        )
        return lsp.CodeLens(lens.range, command)


def _commands(session: EditorSession, entry: AnyEntry) -> list[lsp.Command]:
    """Return what can be done with an entry; an editor's extension does it on a terminal."""
    root = str(session.root)
    if entry.kind == "scenario":
        given = [root, entry.model.system, entry.name]
        return [
            lsp.Command("▷ run this scenario", "treec.runScenario", arguments=given),
            lsp.Command("debug", "treec.debugScenario", arguments=given),
        ]
    if entry.kind == "system":
        return [
            lsp.Command(
                "▷ run this system", "treec.runScenario", arguments=[root, entry.name, None]
            )
        ]
    if entry.kind == "tree":
        return [lsp.Command("show as a picture", "treec.previewTree", arguments=[root, entry.name])]
    return []
