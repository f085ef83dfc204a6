"""Where in a library a request of the Language Server Protocol is about, and how one is refused."""

from __future__ import annotations

import logging
from typing import Protocol

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from treec_editor.server import TreecServer
from treec_editor.session import EditorSession


class RequestFailed(JsonRpcException):
    """A request that cannot be done, and why: the protocol's `RequestFailed`, for the user."""

    CODE = lsp.LSPErrorCodes.RequestFailed


def log_no_refusals() -> None:
    """Keep refused requests out of pygls's log, which has a traceback for each error."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_no_refusal)


def _is_no_refusal(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], RequestFailed))


class AtPosition(Protocol):
    """What requests about a position have in common."""

    @property
    def text_document(self) -> lsp.TextDocumentIdentifier:
        """The document."""

    @property
    def position(self) -> lsp.Position:
        """The place in it."""


def position_in(ls: TreecServer, params: AtPosition) -> tuple[EditorSession, str, int] | None:
    """Return the session, the path and the offset that a request is about."""
    uri = params.text_document.uri
    found = ls.file_of(uri)
    file = found[0].library.sources.get(found[1]) if found is not None else None
    if found is None or file is None:
        return None
    return (*found, ls.offset(uri, file, params.position))
