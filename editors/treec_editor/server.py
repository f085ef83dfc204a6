"""The language server: the Language Server Protocol, spoken by pygls, over an EditorSession.

Problems are published a moment after the last key, of what the edit reaches; of the whole library
once nothing is written for a while. Everything else comes from the text as it is at that moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from treec.check.edits import Edit
from treec.files.library import NoLibrary, find_root
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec_editor.rule_pages import rule_page
from treec_editor.session import EditorSession, Interrupted

PAUSE = 0.15
"""Seconds without a key after which what an edit reaches is checked."""
REST = 1.0
"""Seconds after that until the whole library is."""


class TreecServer(LanguageServer):
    """Sessions by the roots of their libraries, and what was last published."""

    def __init__(self) -> None:
        super().__init__("treec", version("treec"))
        self.sessions: dict[Path, EditorSession] = {}
        self.checks: dict[Path, asyncio.Task[None]] = {}
        self.wanted: dict[Path, threading.Event] = {}
        self.problems: dict[Path, list[Diagnostic]] = {}
        self.published: dict[Path, set[str]] = {}
        self.is_shut_down = False

    def serve(self) -> int:
        """Speak on standard input and output until told to exit; return the exit status.

        That is 0 after an orderly shutdown, else 1.
        """
        # pygls closes what it writes to: standard output stays open for treec.
        with contextlib.suppress(ValueError):
            self.start_io(sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
        return 0 if self.is_shut_down else 1

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
        if file.text.isascii():
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

    def version_of(self, uri: str) -> int | None:
        """Return the version of an open document; None if it is not open."""
        open_documents = self.workspace.text_documents
        return open_documents[uri].version if uri in open_documents else None

    def workspace_edit(
        self, session: EditorSession, edits: Mapping[str, Sequence[Edit]]
    ) -> lsp.WorkspaceEdit:
        """Return edits by file as a client takes them: of versions of files, if it knows these."""
        by_uri = {
            self.uri(session, path): [
                lsp.TextEdit(self.range(session, edit.span), edit.text) for edit in of_file
            ]
            for path, of_file in edits.items()
        }
        workspace = self.client_capabilities.workspace
        if not (workspace and (it := workspace.workspace_edit) and it.document_changes):
            return lsp.WorkspaceEdit(changes=by_uri)
        return lsp.WorkspaceEdit(
            document_changes=[
                lsp.TextDocumentEdit(
                    lsp.OptionalVersionedTextDocumentIdentifier(uri, self.version_of(uri)), of_file
                )
                for uri, of_file in by_uri.items()
            ]
        )

    # Checking

    def check_soon(self, session: EditorSession) -> None:
        """Check a library once no key has been pressed for a moment."""
        if running := self.checks.get(session.root):
            running.cancel()
        if wanted := self.wanted.get(session.root):
            wanted.clear()
        self.checks[session.root] = asyncio.ensure_future(self._check(session))

    async def _check(self, session: EditorSession) -> None:
        await asyncio.sleep(PAUSE)
        wanted = self.wanted[session.root] = threading.Event()
        wanted.set()
        if not session.is_judged:
            async with self._progress() as progress:
                await self._publish(session, lambda: session.check(wanted.is_set, progress))
            gc.freeze()  # no collection walks through the library again: 0.14 s each
            return
        await self._publish(session, session.check_reached)
        await asyncio.sleep(REST)
        await self._publish(session, lambda: session.check(wanted.is_set))

    async def _publish(self, session: EditorSession, check: Callable[[], list[Diagnostic]]) -> None:
        try:
            problems = await asyncio.to_thread(check)
        except Interrupted:
            return
        self.problems[session.root] = problems
        by_file: dict[str, list[Diagnostic]] = {}
        for problem in problems:
            by_file.setdefault(problem.span.path, []).append(problem)
        before = self.published.get(session.root, set())
        for shown in sorted(before | by_file.keys()):
            found = [self.diagnostic(session, problem) for problem in by_file.get(shown, ())]
            uri = self.uri(session, shown)
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, found, self.version_of(uri))
            )
        self.published[session.root] = set(by_file)

    @contextlib.asynccontextmanager
    async def _progress(self):  # type: ignore[no-untyped-def]
        """Show how far a check is, if the client can; gives what takes done and to be done."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            yield lambda done, of: None
            return
        token = f"treec-check-{uuid4()}"
        # A check that is given up leaves the client's answer something to arrive at.
        await asyncio.shield(self.work_done_progress.create_async(token))
        begin = lsp.WorkDoneProgressBegin(title="treec: check", percentage=0)
        self.work_done_progress.begin(token, begin)
        loop = asyncio.get_running_loop()

        def told(done: int, of: int) -> None:
            report = lsp.WorkDoneProgressReport(
                message=f"{done} of {of} views", percentage=100 * done // max(of, 1)
            )
            loop.call_soon_threadsafe(self.work_done_progress.report, token, report)

        try:
            yield told
        finally:
            self.work_done_progress.end(token, lsp.WorkDoneProgressEnd())

    def diagnostic(self, session: EditorSession, problem: Diagnostic) -> lsp.Diagnostic:
        """Return a problem as the protocol has it, with a link to its rule's page."""
        is_error = problem.severity == "error"
        help = "" if problem.help is None else f"\nhelp: {problem.help}"
        page = rule_page(problem.code)
        return lsp.Diagnostic(
            range=self.range(session, problem.span),
            message=problem.message + help,
            severity=lsp.DiagnosticSeverity.Error if is_error else lsp.DiagnosticSeverity.Warning,
            code=problem.code,
            code_description=None if page is None else lsp.CodeDescription(page.as_uri()),
            source="treec",
        )
