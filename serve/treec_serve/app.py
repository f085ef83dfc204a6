"""The web application of ``treec serve``: the page, data of runs as JSON, and orders to a live run.

Every address begins with a random token; other hosts and origins are refused, and the page may load
nothing but its own files. Sound that it sends is answered with words, where a package hears. Only
six requests change anything: one starts a run; words, a stop of all robots, letting them go on,
orders of whoever debugs it, and its end go to the run that takes orders. It never waits for whoever
watches it, unless they have told it to. With `--edit` two more change trees of the library.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import math
import threading
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treec import crash
from treec.extensions import registry
from treec.run.live_run import OrderRefused
from treec.run.replay import ReplayMomentError
from treec_serve.films import NoFilm, RunFilms
from treec_serve.link import RunLink
from treec_serve.palette import palette_css
from treec_serve.runs import NoSuchRun, RunArchive
from treec_serve.sources import NotShown, OpenLibrary, RunSources

if TYPE_CHECKING:
    from treec_serve.drafts import TreeDrafts
    from treec_serve.starter import RunStarter

PAGE = Path(__file__).parent / "page"
FILES = {
    "": "index.html",
    **{
        name: name
        for name in (
            "page.js",
            "view.js",
            "tree.js",
            "timeline.js",
            "detail.js",
            "parts.js",
            "debug.js",
            "start.js",
            "hear.js",
            "edit.js",
            "inspect.js",
            "play.js",
            "page.css",
            "picture.js",
            "picture.css",
        )
    },
}
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path stroke="#0969da" '
    'd="M8 3v4M8 7H3v5M8 7h5v5M8 7v5" fill="none" stroke-width="2"/></svg>'
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
MAX_ADDRESS = 2000
"""Characters that an address may have."""

MAX_BODY = 16_384
"""Bytes that a request may send."""

HEAR, MAX_SOUND = "/live/hear", 900_000
"""Where sound is sent, and its bytes: 20 s."""

READERS, MAX_QUEUE = 2, 64
"""How many requests read journals and files at the same time, and how many may wait for that.
Beyond that the oldest is refused, never the newest: its client has probably gone."""

MAX_WAITING = 4
"""How many requests wait for a run to go on. A browser opens six connections to a server: two must
be left for a stop and what else is asked for."""

WAIT, LOOK = 10.0, 0.025
"""Seconds that a request waits for a run to go on, and between two looks at its journal."""

NO_RECORD = "'n' is the number of a record"

NO_EDIT = "trees are not edited here: start treec serve with --edit"

LATER = 1000
"""Milliseconds after which a page asks again that could not wait."""


class JsonData(Response):
    """Data of a run. Files may hold any text, half a pair of characters included."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """ASCII, which can say every text. Raises ValueError for NaN."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class WordsResponse(PlainTextResponse):
    """What is wrong, in words, which may quote any text, half a pair of characters included."""

    def render(self, content: object) -> bytes:
        """UTF-8."""
        return str(content).encode("utf-8", "replace")


class _Busy(Exception):
    """Too much is asked for at once."""


def make_app(
    runs: Path,
    token: str,
    hosts: tuple[str, ...],
    live: Callable[[], RunLink | None] = lambda: None,
    open_library: OpenLibrary = lambda: None,
    ending: threading.Event | None = None,
    drafts: TreeDrafts | None = None,
    starter: RunStarter | None = None,
) -> ASGIApp:
    """Return the application; ``hosts`` are the values of `Host` that it answers to.

    ``live`` leads to the run that takes orders, if any; ``open_library`` loads the library of the
    runs. Once ``ending`` is set no request waits for a run to go on. With ``drafts`` trees can be
    edited, with ``starter`` runs started.
    """
    page = _Page(runs, live, open_library, ending or threading.Event(), drafts, starter)
    routes = [
        Route("/{token}/", page.file, methods=["GET"]),
        Route("/{token}/runs", page.listing, methods=["GET"]),
        Route("/{token}/runs/{run}", page.overview, methods=["GET"]),
        Route("/{token}/runs/{run}/at", page.at, methods=["GET"]),
        Route("/{token}/runs/{run}/film", page.film, methods=["GET"]),
        Route("/{token}/runs/{run}/node", page.node, methods=["GET"]),
        Route("/{token}/runs/{run}/rules", page.rules, methods=["GET"]),
        Route("/{token}/runs/{run}/nodes", page.nodes, methods=["GET"]),
        Route("/{token}/runs/{run}/history", page.history, methods=["GET"]),
        Route("/{token}/runs/{run}/prompt", page.prompt, methods=["GET"]),
        Route("/{token}/compare", page.compare, methods=["GET"]),
        Route("/{token}/live", page.live, methods=["GET"]),
        Route("/{token}/live/say", page.say, methods=["POST"]),
        Route("/{token}/live/hear", page.hear, methods=["POST"]),
        Route("/{token}/live/stop", page.stop, methods=["POST"]),
        Route("/{token}/live/go_on", page.go_on, methods=["POST"]),
        Route("/{token}/live/debug", page.debug, methods=["POST"]),
        Route("/{token}/live/end", page.end, methods=["POST"]),
        Route("/{token}/start", page.choices, methods=["GET"]),
        Route("/{token}/start", page.start, methods=["POST"]),
        Route("/{token}/live/faults", page.faults, methods=["GET"]),
        Route("/{token}/edit/{what}", page.look_at_draft, methods=["GET"]),
        Route("/{token}/edit/{what}", page.edit, methods=["POST"]),
        Route("/{token}/{name}", page.file, methods=["GET"]),
    ]
    return Guard(Starlette(routes=routes, exception_handlers={500: _tell_of_bug}), token, hosts)


async def _tell_of_bug(request: Request, error: Exception) -> Response:
    return WordsResponse(f"{crash.BUG}: {type(error).__name__}: {error}", 500)


class _Page:
    def __init__(
        self,
        runs: Path,
        live: Callable[[], RunLink | None],
        open_library: OpenLibrary,
        ending: threading.Event,
        drafts: TreeDrafts | None,
        starter: RunStarter | None,
    ) -> None:
        self._starter = starter
        self._ending = ending
        self._drafts = drafts
        self._archive = RunArchive(runs)
        self._sources = RunSources(open_library)
        self._films = RunFilms()
        self._live = live
        self._free_readers = READERS
        self._queue: deque[asyncio.Future[bool]] = deque()
        """Those that wait for a reader, the oldest first, and are told whether they get one."""
        self._waiting = 0

    async def file(self, request: Request) -> Response:
        if request.path_params.get("name") == "icon.svg":
            return Response(ICON, media_type="image/svg+xml")
        if request.path_params.get("name") == "palette.css":
            return Response(palette_css(), media_type="text/css")
        name = FILES.get(request.path_params.get("name", ""))
        return WordsResponse("not found", 404) if name is None else FileResponse(PAGE / name)

    async def listing(self, request: Request) -> Response:
        return await self._data(self._archive.listing)

    async def overview(self, request: Request) -> Response:
        return await self._data(self._archive.overview, request.path_params["run"])

    async def compare(self, request: Request) -> Response:
        asked = request.query_params
        return await self._data(self._archive.compare, asked.get("one", ""), asked.get("other", ""))

    async def at(self, request: Request) -> Response:
        """A moment; with ``after``, once the run has more records than that (204: not yet)."""
        run, asked = request.path_params["run"], request.query_params
        wait = 0
        try:
            tree = int(asked["tree"]) if "tree" in asked else None
            after = int(asked["after"]) if "after" in asked else None
        except ValueError:
            return WordsResponse("'tree' and 'after' are numbers of records", 400)
        if after is not None:
            if self._waiting >= MAX_WAITING:
                wait = LATER
            elif not await self._wait_for(request, run, after):
                return Response(status_code=204)
        answer = await self._data(self._at, run, asked.get("moment", "end"), tree)
        answer.headers["Treec-Ask-Again"] = str(wait)
        return answer

    def _at(self, run: str, moment: str, tree: int | None) -> dict[str, Any]:
        found = self._archive.at(run, moment, tree)
        try:
            folder, goes_on = self._archive.folder(run)
            found["film"] = self._films.has(folder, goes_on=goes_on)
        except NoFilm as error:
            found["film"], found["problem"] = False, found["problem"] or str(error)
        return found

    async def film(self, request: Request) -> Response:
        """A picture of the scene at a time of a run."""
        try:
            t = float(request.query_params.get("t", ""))
        except ValueError:
            t = math.nan
        if not math.isfinite(t):
            return WordsResponse("'t' is a time in seconds", 400)

        def make() -> bytes:
            folder, goes_on = self._archive.folder(request.path_params["run"])
            return self._films.still(folder, t, goes_on=goes_on).data

        try:
            return Response(await self._read(make), media_type="image/webp")
        except _Busy as error:
            return WordsResponse(str(error), 503)
        except (NoSuchRun, NoFilm) as error:
            return WordsResponse(str(error), 404)

    async def node(self, request: Request) -> Response:
        def read() -> object:
            with self._archive.reading(request.path_params["run"]) as run:
                records = run.records[:]
            return self._sources.node(run.journal, records, request.query_params.get("path", ""))

        return await self._data(read)

    async def rules(self, request: Request) -> Response:
        """The rules of a run's decisions."""

        def read() -> object:
            with self._archive.reading(request.path_params["run"]) as run:
                records = run.records[:1]
            return self._sources.rules(run.journal, records)

        return await self._data(read)

    async def nodes(self, request: Request) -> Response:
        """How often and how long the nodes of a run were ticked up to a record."""
        if (n := _record(request)) is None:
            return WordsResponse(NO_RECORD, 400)
        return await self._data(self._archive.nodes, request.path_params["run"], n)

    async def history(self, request: Request) -> Response:
        """The statuses of a node up to a record."""
        if (n := _record(request)) is None:
            return WordsResponse(NO_RECORD, 400)
        path = request.query_params.get("path", "")
        return await self._data(self._archive.history, request.path_params["run"], path, n)

    async def prompt(self, request: Request) -> Response:
        if (n := _record(request)) is None:
            return WordsResponse(NO_RECORD, 400)

        def read() -> object:
            with self._archive.reading(request.path_params["run"]) as run:
                records = run.records[:]
            path = request.query_params.get("path", "")
            return self._sources.prompt(run.journal, records, path, n)

        return await self._data(read)

    async def live(self, request: Request) -> Response:
        """The run that takes orders, and whether it can be spoken to; null without one."""
        if self._live() is None:
            return JsonData(None)
        return await self._order("data", more={"hears": "words_said" in registry().tools})

    async def say(self, request: Request) -> Response:
        body = await read_json(request)
        text = body.get("text") if isinstance(body, dict) else None
        if not isinstance(text, str) or not text.strip():
            return WordsResponse('words are sent as {"text": "…"}', 400)
        return await self._order("say", text=text)

    async def hear(self, request: Request) -> Response:
        """The words of what was said into the page; saying them to the run is another order."""
        body = await read_json(request)
        run, given = (body.get("run"), body.get("sound")) if isinstance(body, dict) else (0, 0)
        if not isinstance(run, str) or not isinstance(given, str):
            return WordsResponse('sound is sent as {"run": "…", "sound": "…"}', 400)
        try:
            samples = b64decode(given, validate=True)
        except ValueError:
            return WordsResponse("'sound' is base64 of 16-bit samples at 16 kHz", 400)

        def hear() -> object:
            with self._archive.reading(run) as found:
                records = found.records[:1]
            return self._sources.words_said(found.journal, records, samples)

        return await self._data(hear)

    async def stop(self, request: Request) -> Response:
        return await self._order("stop")

    async def go_on(self, request: Request) -> Response:
        return await self._order("go_on")

    async def end(self, request: Request) -> Response:
        """End the run in order: it can be resumed."""
        return await self._order("end")

    async def choices(self, request: Request) -> Response:
        """What can be started; null if nothing can."""
        return JsonData(None) if self._starter is None else await self._data(self._starter.choices)

    async def start(self, request: Request) -> Response:
        """Start a run, the same again, or go on with one; returns its name once it begins."""
        body = await read_json(request)
        if not isinstance(body, dict):
            return WordsResponse('a run is started by {"system": "…", "seed": 3}', 400)
        if self._starter is None:
            return WordsResponse("no run can be started here", 409)
        try:
            run = await self._starter.start(body)
            for _ in range(int(WAIT / LOOK)):  # it can be shown once its beginning is written
                with suppress(NoSuchRun):
                    await self._read(self._archive.count, run)
                    break
                await asyncio.sleep(LOOK)
            return JsonData({"run": run})
        except OrderRefused as error:
            return WordsResponse(str(error), error.status)

    async def debug(self, request: Request) -> Response:
        body = await read_json(request)
        did, about = (body.get("did"), body.get("about", "")) if isinstance(body, dict) else (0, 0)
        if not isinstance(did, str) or not isinstance(about, str):
            return WordsResponse('an order is sent as {"did": "…", "about": "…"}', 400)
        return await self._order("debug", did=did, about=about)

    async def faults(self, request: Request) -> Response:
        return await self._order("faults")

    async def look_at_draft(self, request: Request) -> Response:
        """The trees that can be edited, one of them, a node of it, what can be written there."""
        what, asked = request.path_params["what"], request.query_params
        drafts, file = self._drafts, asked.get("file", "")
        if drafts is None:
            return JsonData(None) if what == "files" else PlainTextResponse(NO_EDIT, 409)
        reads: dict[str, Callable[[], object]] = {
            "files": drafts.files,
            "tree": lambda: drafts.show(file),
            "palette": lambda: drafts.palette(file),
            "node": lambda: drafts.node(file, asked.get("id", "")),
            "complete": lambda: drafts.complete(
                file, asked.get("id", ""), asked.get("key", ""), asked.get("value", "")
            ),
        }
        return await self._draft_data(reads.get(what))

    async def edit(self, request: Request) -> Response:
        """An edit of a draft, or its end: it is saved."""
        drafts, body = self._drafts, await read_json(request)
        if drafts is None:
            return WordsResponse(NO_EDIT, 409)
        if not isinstance(body, dict) or not isinstance(body.get("file"), str):
            return WordsResponse('an edit is sent as {"file": "…", "op": "…"}', 400)
        file = body["file"]
        does: dict[str, Callable[[], object]] = {
            "do": lambda: drafts.edit(file, body),
            "save": lambda: drafts.save(
                file, body.get("version"), as_new=body.get("as_new") is True
            ),
        }
        return await self._draft_data(does.get(request.path_params["what"]))

    async def _draft_data(self, do: Callable[[], object] | None) -> Response:
        if do is None:
            return WordsResponse("not found", 404)
        try:
            return await self._data(do)
        except ValueError as error:  # treec_editor.edits.CannotEdit
            return WordsResponse(str(error), 400)

    async def _order(
        self, name: str, more: Mapping[str, object] | None = None, **args: object
    ) -> Response:
        """Give an order to the run; it only posts there, so it does not wait for the loop.

        ``more`` is added to its answer.
        """
        live = self._live()
        if live is None:
            return WordsResponse("no run was started here: start one, or treec serve SYSTEM", 409)
        try:
            found = await live.order(name, args)
        except OrderRefused as error:
            return WordsResponse(str(error), error.status)
        if more is not None and isinstance(found, Mapping):
            found = {**found, **more}
        return JsonData({"ok": True} if found is None else found)

    async def _data(self, read: Callable[..., Any], *args: Any) -> Response:
        try:
            return JsonData(await self._read(read, *args))
        except _Busy as error:
            return WordsResponse(str(error), 503)
        except NoSuchRun as error:
            return WordsResponse(str(error), 404)
        except (ReplayMomentError, NotShown) as error:
            return WordsResponse(str(error), 400)

    async def _read(self, read: Callable[..., Any], *args: Any) -> Any:
        await self._take_reader()
        try:
            return await run_sync(lambda: read(*args))
        finally:
            self._give_reader()

    async def _take_reader(self) -> None:
        """Wait for a reader. Raises _Busy."""
        if self._free_readers:
            self._free_readers -= 1
            return
        if len(self._queue) >= MAX_QUEUE:
            oldest = self._queue.popleft()
            if not oldest.done():
                oldest.set_result(False)
        place = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            is_given = await place
        except asyncio.CancelledError:
            if not place.cancelled() and place.result():  # as it was being given one
                self._give_reader()
            raise
        if not is_given:
            raise _Busy("too much is asked for at once")

    def _give_reader(self) -> None:
        """Give a reader to who has waited longest."""
        self._free_readers += 1
        while self._queue and self._free_readers:
            if not (place := self._queue.popleft()).done():  # it is, if it was cancelled
                place.set_result(True)
                self._free_readers -= 1

    async def _wait_for(self, request: Request, run: str, after: int) -> bool:
        """Whether a run has more than ``after`` records, before long; False if nobody waits."""
        self._waiting += 1
        try:
            seen = None
            for _ in range(int(WAIT / LOOK)):
                mark = self._archive.mark(run)
                if mark != seen:
                    seen = mark
                    if await self._read(self._archive.count, run) > after:
                        return True
                await asyncio.sleep(LOOK)
                if self._ending.is_set() or await request.is_disconnected():
                    return False
            return False
        except (NoSuchRun, _Busy):
            return True  # which is then told
        finally:
            self._waiting -= 1


def _record(request: Request) -> int | None:
    """The number of a record that is asked about; None if it is none."""
    try:
        return int(request.query_params.get("n", ""))
    except ValueError:
        return None


async def read_json(request: Request) -> object:
    """The JSON that a request sends; None if it is none. Its size was checked."""
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError, ClientDisconnect):
        return None


class Guard:
    """Refuses what does not come from the page itself, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, token: str, hosts: tuple[str, ...]) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        most = left = MAX_SOUND if scope["path"].endswith(HEAR) else MAX_BODY

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        async def take() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(
                    413, f"the request is too long: at most {most >> 10} KiB are read"
                )
            return message

        response = self._refused(scope)
        if response is not None:
            await response(scope, receive, answer)
            return
        try:
            await self._app(scope, take, answer)
        except Exception as error:  # it was answered by `_tell_of_bug`; the page goes on
            crash.report(error)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self._hosts:
            return WordsResponse("this host is not served", 403)
        own = f"http://{host}"
        changes = scope["method"] not in ("GET", "HEAD")
        if headers.get("origin", "" if changes else own) != own:
            return WordsResponse("this origin is not served", 403)
        raw = scope.get("raw_path") or scope["path"].encode()
        if len(raw) + len(scope["query_string"]) > MAX_ADDRESS:
            return WordsResponse("the address is too long", 414)
        given = scope["path"].lstrip("/").split("/")[0].encode("utf-8", "replace")
        if not hmac.compare_digest(given, self._token):
            return WordsResponse("the address needs the token that treec serve printed", 403)
        if changes and headers.get("content-type", "").partition(";")[0] != "application/json":
            return WordsResponse("only application/json is read", 415)
        return None
