"""The language server: the Language Server Protocol, spoken by pygls, over an EditorSession.

Problems are published while one types, a moment after the last key; completions, descriptions and
places of names come from the text as it is at that moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from treec.check.edits import Edit
from treec.check.fixes import fix_of
from treec.files.library import NoLibrary, find_root
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec_editor.completion import Completion, complete
from treec_editor.hover import hover, word_at
from treec_editor.outline import Heading, outline
from treec_editor.rename import CannotRename, declarations_at, rename, uses_of
from treec_editor.session import EditorSession

PAUSE = 0.15
"""Seconds without a key after which the library is checked."""
_ITEMS = {
    "key": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.Value,
    "name": lsp.CompletionItemKind.Variable,
    "function": lsp.CompletionItemKind.Function,
    "field": lsp.CompletionItemKind.Field,
}


class TreecServer(LanguageServer):
    """Sessions by the roots of their libraries, and what was last published."""

    def __init__(self) -> None:
        super().__init__("treec", version("treec"))
        self.sessions: dict[Path, EditorSession] = {}
        self.checks: dict[Path, asyncio.Task[None]] = {}
        self.problems: dict[Path, list[Diagnostic]] = {}
        self.published: dict[Path, set[str]] = {}

    # Places

    def file_of(self, uri: str) -> tuple[EditorSession, str] | None:
        """Return a document's session and path; None if it is not a file of a library."""
        name = uris.to_fs_path(uri)
        if name is None:
            return None
        path = Path(name).resolve()
        try:
            root = find_root(path.parent)
        except NoLibrary:
            return None
        session = self.sessions.setdefault(root, EditorSession(root))
        shown = session.shown(path)
        return None if shown is None else (session, shown)

    def offset(self, uri: str, file: SourceFile, position: lsp.Position) -> int:
        """Return the offset of a client's position in a file's text."""
        document = self.workspace.get_text_document(uri)
        at = document.position_from_client_units(position)
        return file.offset(at.line + 1, at.character + 1)

    def range(self, session: EditorSession, span: Span) -> lsp.Range:
        """Return a span as a client counts it."""
        file = session.library.sources.get(span.path)
        begin = lsp.Position(span.line - 1, span.column - 1)
        end = lsp.Position(span.end_line - 1, span.end_column - 1)
        if file is None:
            return lsp.Range(begin, end)
        lines = [f"{line}\n" for line in file.text.split("\n")]
        codec = self.workspace.position_codec
        return lsp.Range(
            codec.position_to_client_units(lines, begin), codec.position_to_client_units(lines, end)
        )

    def uri(self, session: EditorSession, shown: str) -> str:
        """Return the address of a file of the library, or of a pack."""
        return uris.from_fs_path(str(session.library.file(shown))) or ""

    def location(self, session: EditorSession, span: Span) -> lsp.Location:
        """Return where a span is."""
        return lsp.Location(self.uri(session, span.path), self.range(session, span))

    def workspace_edit(
        self, session: EditorSession, edits: Mapping[str, Sequence[Edit]]
    ) -> lsp.WorkspaceEdit:
        """Return edits by file as a client takes them."""
        return lsp.WorkspaceEdit(
            changes={
                self.uri(session, path): [
                    lsp.TextEdit(self.range(session, edit.span), edit.text) for edit in of_file
                ]
                for path, of_file in edits.items()
            }
        )

    # Checking

    def check_soon(self, session: EditorSession) -> None:
        """Check a library once no key has been pressed for a moment."""
        if running := self.checks.get(session.root):
            running.cancel()
        self.checks[session.root] = asyncio.ensure_future(self._check(session))

    async def _check(self, session: EditorSession) -> None:
        await asyncio.sleep(PAUSE)
        problems = await asyncio.to_thread(session.check)
        self.problems[session.root] = problems
        by_file: dict[str, list[Diagnostic]] = {}
        for problem in problems:
            by_file.setdefault(problem.span.path, []).append(problem)
        before = self.published.get(session.root, set())
        for shown in sorted(before | by_file.keys()):
            found = [self._diagnostic(session, problem) for problem in by_file.get(shown, ())]
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(self.uri(session, shown), found)
            )
        self.published[session.root] = set(by_file)

    def _diagnostic(self, session: EditorSession, problem: Diagnostic) -> lsp.Diagnostic:
        is_error = problem.severity == "error"
        help = "" if problem.help is None else f"\nhelp: {problem.help}"
        return lsp.Diagnostic(
            range=self.range(session, problem.span),
            message=problem.message + help,
            severity=lsp.DiagnosticSeverity.Error if is_error else lsp.DiagnosticSeverity.Warning,
            code=problem.code,
            source="treec",
        )

    def fixes(
        self, session: EditorSession, shown: str, among: lsp.Range
    ) -> Iterator[lsp.CodeAction]:
        """Return the corrections of the problems in a range."""
        file = session.library.sources.get(shown)
        for problem in self.problems.get(session.root, ()):
            fix = fix_of(problem, file) if problem.span.path == shown else None
            here = self.range(session, problem.span)
            if fix is None or here.end < among.start or among.end < here.start:
                continue
            yield lsp.CodeAction(
                title=fix.title,
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[self._diagnostic(session, problem)],
                edit=self.workspace_edit(session, {shown: [fix.edit]}),
                is_preferred=True,
            )


def make_server() -> TreecServer:
    """Return a server with all that it can do; `start_io` runs it on standard input and output."""
    server = TreecServer()

    def opened(
        ls: TreecServer,
        params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams,
    ) -> None:
        uri = params.text_document.uri
        if (found := ls.file_of(uri)) is not None:
            session, shown = found
            session.edit(shown, ls.workspace.get_text_document(uri).source)
            ls.published.setdefault(session.root, set()).add(shown)  # also if nothing is wrong
            ls.check_soon(session)

    def closed(ls: TreecServer, params: lsp.DidCloseTextDocumentParams) -> None:
        if (found := ls.file_of(params.text_document.uri)) is not None:
            session, shown = found
            session.close(shown)
            ls.check_soon(session)

    def changed_outside(
        ls: TreecServer,
        params: lsp.DidSaveTextDocumentParams | lsp.DidChangeWatchedFilesParams,
    ) -> None:
        for session in ls.sessions.values():
            session.forget()
            ls.check_soon(session)

    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(opened)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(opened)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(closed)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(changed_outside)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(changed_outside)
    _add_reading(server)
    _add_names(server)
    return server


def _add_reading(server: TreecServer) -> None:
    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "$", "{", " "])
    )
    def completion(ls: TreecServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        if (here := _here(ls, params)) is None:
            return []
        session, shown, at = here
        return [_item(one, n) for n, one in enumerate(complete(session.library, shown, at))]

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def describe(ls: TreecServer, params: lsp.HoverParams) -> lsp.Hover | None:
        if (here := _here(ls, params)) is None:
            return None
        session, shown, at = here
        if (found := hover(session.library, shown, at)) is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0])
        return lsp.Hover(text, ls.range(session, found[1]))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: TreecServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        if (found := ls.file_of(params.text_document.uri)) is None:
            return []
        session, shown = found
        return [_symbol(ls, session, one) for one in outline(session.library, shown)]

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix])
    )
    def actions(ls: TreecServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        if (found := ls.file_of(params.text_document.uri)) is None:
            return []
        return [*ls.fixes(*found, params.range)]


def _add_names(server: TreecServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: TreecServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        if (here := _here(ls, params)) is None:
            return []
        session, shown, at = here
        found = declarations_at(session.library, shown, at)
        return [ls.location(session, one.span) for one in found]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    @server.thread()
    def references(ls: TreecServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        if (here := _here(ls, params)) is None:
            return []
        session, shown, at = here
        library = session.library
        spans = []
        for declaration in declarations_at(library, shown, at):
            found = uses_of(library, declaration, session.check).spans
            with_it = params.context.include_declaration
            spans += [one for one in found if with_it or one != declaration.span]
        return [ls.location(session, span) for span in dict.fromkeys(spans)]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: TreecServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        if (here := _here(ls, params)) is None:
            return None
        session, shown, at = here
        word = word_at(session.library, shown, at)
        if word is None or not declarations_at(session.library, shown, at):
            return None
        return ls.range(session, word[1])

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    @server.thread()
    def change_name(ls: TreecServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        if (here := _here(ls, params)) is None:
            return None
        session, shown, at = here
        try:
            edits = rename(session.library, shown, at, params.new_name, session.check)
        except CannotRename as error:
            raise JsonRpcInvalidParams(str(error)) from None
        return ls.workspace_edit(session, edits)


class _AtPosition(Protocol):
    """What requests about a position have in common."""

    @property
    def text_document(self) -> lsp.TextDocumentIdentifier: ...

    @property
    def position(self) -> lsp.Position: ...


def _here(ls: TreecServer, params: _AtPosition) -> tuple[EditorSession, str, int] | None:
    """Return the session, the path and the offset that a request is about."""
    uri = params.text_document.uri
    found = ls.file_of(uri)
    file = found[0].library.sources.get(found[1]) if found is not None else None
    if found is None or file is None:
        return None
    return (*found, ls.offset(uri, file, params.position))


def _item(one: Completion, number: int) -> lsp.CompletionItem:
    about = lsp.MarkupContent(lsp.MarkupKind.Markdown, one.about) if one.about else None
    return lsp.CompletionItem(
        label=one.text,
        kind=_ITEMS[one.what],
        detail=one.detail or None,
        documentation=about,
        insert_text=f"{one.text}: " if one.what == "key" else one.text,
        sort_text=f"{number:04}",
    )


def _symbol(ls: TreecServer, session: EditorSession, one: Heading) -> lsp.DocumentSymbol:
    kind = lsp.SymbolKind.Class if one.below else lsp.SymbolKind.Field
    return lsp.DocumentSymbol(
        name=one.name,
        detail=one.what,
        kind=kind,
        range=ls.range(session, one.span),
        selection_range=ls.range(session, one.name_span),
        children=[_symbol(ls, session, below) for below in one.below],
    )
