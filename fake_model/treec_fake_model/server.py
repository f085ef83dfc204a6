"""The fake model's HTTP server: asyncio, loopback only, one script.

Connections that the client closes before the answer are recorded, so that a test can see that
halting a node closes its request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from treec_fake_model.dialects import (
    ReceivedRequest,
    answer_body,
    dialect_of,
    error_body,
    read_request,
)
from treec_fake_model.script import Play, Script, ScriptCase, simplest

HOST = "127.0.0.1"
_CHUNK = 65536
_FILL = "x"
_WRAPS = {
    "fence": "Here you are:\n```json\n{}\n```\nAnything else?",
    "prose": "I have thought about it, and I would say {} since that is best.",
    "markup": "<answer><b>[bold red]\x1b[31m{}\x1b[0m[/]</b></answer>",
}
_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 429: "Too Many Requests"}


class FakeModel:
    """A server that answers by a script.

    ``asked`` holds the requests, ``dropped`` those whose client closed the connection early,
    ``connections`` counts the connections. ``log`` is called in the server's loop with a line of
    log for each request and each early close.
    """

    def __init__(
        self, script: Script | None = None, log: Callable[[str], None] = lambda line: None
    ) -> None:
        self.asked: list[ReceivedRequest] = []
        self.dropped: list[ReceivedRequest] = []
        self.connections = 0
        self.waiting = 0
        self.most_waiting = 0
        self._play = Play(script or Script.model_validate({}))
        self._log = log
        self._server: asyncio.Server | None = None
        self._let_go = asyncio.Event()
        self.changed: Callable[[], None] = lambda: None

    @property
    def url(self) -> str:
        """The address for `--api-base` (OpenAI's interface)."""
        return f"http://{HOST}:{self.port}/v1"

    @property
    def port(self) -> int:
        """The port on which it listens."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def start(self, port: int = 0) -> None:
        """Start listening. Raises OSError if the port is taken."""
        self._server = await asyncio.start_server(self._serve, HOST, port)

    async def close(self) -> None:
        """Stop listening and answer held requests."""
        if self._server is not None:
            self._server.close()
        self.let_go()

    def let_go(self) -> None:
        """Answer all held requests."""
        self._let_go.set()
        self._let_go = asyncio.Event()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                request = await _read(reader)
                if request is None or not await self._respond(*request, reader, writer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError, ValueError, asyncio.CancelledError):
            return  # the client, or the server, has gone
        finally:
            writer.close()

    async def _respond(
        self,
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Answer one request. Returns whether the connection stays open."""
        dialect = dialect_of(path)
        try:
            request = read_request(dialect, headers, json.loads(body)) if dialect else None
        except (ValueError, KeyError, TypeError, AttributeError):
            return await _send(writer, 400, error_body("this is not a request for an answer", 400))
        if request is None:
            return await _send(writer, 404, error_body(f"unknown path {path}", 404))
        self.asked.append(request)
        case = self._play.next(request.node, request.text, request.brings_schema)
        if not await self._wait(case, request, reader):
            return False
        self._log(f"{request.node or '?'}: {_about(case)}")
        try:
            return await self._answer(case, request, writer)
        except ConnectionError:
            self._note_disconnect(request)
            return False

    async def _wait(
        self, case: ScriptCase, request: ReceivedRequest, reader: asyncio.StreamReader
    ) -> bool:
        """Wait as long as the case says. Returns whether the client is still connected."""
        if not case.hold and not case.delay:
            self.changed()
            return True
        waits = self._let_go.wait() if case.hold else asyncio.sleep(case.delay)
        thought = asyncio.ensure_future(waits)
        disconnect = asyncio.ensure_future(reader.read(1))
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)
        self.changed()
        try:
            await asyncio.wait({thought, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.waiting -= 1
        if disconnect.done():
            thought.cancel()
            self._note_disconnect(request)
            return False
        disconnect.cancel()
        await asyncio.gather(disconnect, return_exceptions=True)
        return True

    def _note_disconnect(self, request: ReceivedRequest) -> None:
        self.dropped.append(request)
        self._log(f"{request.node or '?'}: the client has closed the connection")
        self.changed()

    async def _answer(
        self, case: ScriptCase, request: ReceivedRequest, writer: asyncio.StreamWriter
    ) -> bool:
        extra = dict(case.headers)
        if case.retry_after is not None:
            extra["Retry-After"] = f"{case.retry_after:g}"
        if case.raw is not None:
            body = case.raw.encode()
            return await _send(writer, case.status, body, extra, case.content_type, case.cut_off)
        if case.no_schema:
            refusal = error_body("response_format json_schema is not supported", 400)
            return await _send(writer, 400, refusal)
        if case.status >= 400:
            problem = error_body(f"scripted: {case.status}", case.status)
            return await _send(writer, case.status, problem, extra)
        model = self._play.script.model or request.model
        text = _text(case, request)
        tokens = case.tokens or (len(request.text) // 4, len(text) // 4)
        if case.size is not None:
            return await _send_large(writer, answer_body(request, model, _FILL, tokens), case.size)
        found = answer_body(request, model, text, tokens)
        return await _send(writer, 200, found, extra, case.content_type, case.cut_off)


def _text(case: ScriptCase, request: ReceivedRequest) -> str:
    answer = case.answer
    if answer is None:
        answer = simplest(request.schema, -1 if case.last else 0)
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return text if case.wrap is None else _WRAPS[case.wrap].replace("{}", text, 1)


def _about(case: ScriptCase) -> str:
    if case.status >= 400:
        return str(case.status)
    given = case.model_dump(exclude_defaults=True)
    return ", ".join(name for name in given if name not in ("node", "when", "times")) or "answered"


async def _read(
    reader: asyncio.StreamReader,
) -> tuple[str, dict[str, str], bytes] | None:
    """The next request of a connection: path, headers by lower-case name, body; None at its end."""
    line = (await reader.readline()).decode("latin-1").split()
    if len(line) != 3:
        return None
    headers: dict[str, str] = {}
    while (text := (await reader.readline()).decode("latin-1").strip()) and len(headers) < 100:
        name, _, value = text.partition(":")
        headers[name.lower()] = value.strip()
    length = int(headers.get("content-length", "0"))
    return line[1], headers, await reader.readexactly(length)


async def _send(
    writer: asyncio.StreamWriter,
    status: int,
    body: bytes | Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
    content_type: str = "application/json",
    cut_off: int | None = None,
) -> bool:
    """Send a response. Returns whether the connection stays open."""
    data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    writer.write(_head(status, len(data), content_type, headers or {}))
    writer.write(data if cut_off is None else data[:cut_off])
    await writer.drain()
    return cut_off is None


async def _send_large(writer: asyncio.StreamWriter, body: Mapping[str, Any], size: int) -> bool:
    """Send an answer of a given size, chunked and without its length."""
    before, _, after = json.dumps(body).partition(f'"{_FILL}"')
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    writer.write(head.encode())
    async for piece in _pieces(before.encode() + b'"', size, b'"' + after.encode()):
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


async def _pieces(before: bytes, size: int, after: bytes) -> AsyncIterator[bytes]:
    yield before
    while size > 0:
        yield _FILL.encode() * min(size, _CHUNK)
        size -= _CHUNK
    yield after


def _head(status: int, length: int, content_type: str, extra: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}"]
    lines += [f"Content-Type: {content_type}", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in extra.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
