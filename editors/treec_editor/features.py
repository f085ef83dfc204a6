"""All that the language server can do, and what it is told of files and documents."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from treec_editor.language_features import add_language_features
from treec_editor.name_features import add_name_features
from treec_editor.requests import log_no_refusals
from treec_editor.server import TreecServer

WATCHED = ("**/*.yaml", "**/treec.toml", "**/*.py", "**/*.json")
"""Files of which an editor tells when they change on disk."""


def make_server() -> TreecServer:
    """Return a server with all that it can do; `serve` runs it on standard input and output."""
    server = TreecServer()
    log_no_refusals()

    @server.feature(lsp.INITIALIZED)
    async def initialized(ls: TreecServer, params: lsp.InitializedParams) -> None:
        workspace = ls.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace else None
        if watching is None or not watching.dynamic_registration:
            return
        watchers = [lsp.FileSystemWatcher(glob) for glob in WATCHED]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        one = lsp.Registration("treec-files", method, options)
        await ls.client_register_capability_async(lsp.RegistrationParams([one]))

    @server.feature(lsp.SHUTDOWN)
    def shut_down(ls: TreecServer, *_: object) -> None:
        ls.is_shut_down = True
        for wanted in ls.wanted.values():
            wanted.clear()

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

    def saved(ls: TreecServer, params: lsp.DidSaveTextDocumentParams) -> None:
        _read_again(ls, [params.text_document.uri])

    def changed_outside(ls: TreecServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        _read_again(ls, [change.uri for change in params.changes])

    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(opened)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(opened)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(closed)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(saved)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(changed_outside)
    add_language_features(server)
    add_name_features(server)
    return server


def _read_again(ls: TreecServer, changed: Sequence[str]) -> None:
    """Read files that have changed on disk, beside the open ones, whose texts are known."""
    others = [uri for uri in changed if ls.file_of(uri) is None or ls.version_of(uri) is None]
    if not others:
        return
    for session in ls.sessions.values():
        session.forget(verdicts=not all(uri.endswith((".yaml", ".yml")) for uri in others))
        ls.check_soon(session)
