"""The web application of ``treec serve``: the page, and data of runs as JSON.

It only reads. Every address begins with a random token; other hosts and origins are refused, and
the page may load nothing but its own files.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from treec.run.replay import ReplayMomentError
from treec.serve.runs import NoSuchRun, RunArchive

PAGE = Path(__file__).parent / "page"
FILES = {"": "index.html", "page.js": "page.js", "page.css": "page.css"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}
MAX_ADDRESS = 2000
"""Characters that an address may have."""


def make_app(runs: Path, token: str, hosts: tuple[str, ...]) -> Starlette:
    """Return the application; ``hosts`` are the values of `Host` that it answers to."""
    archive = RunArchive(runs)

    async def data(request: Request, read: Callable[..., Any], *args: str) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(read, *args))
        except NoSuchRun as error:
            return PlainTextResponse(str(error), 404)
        except ReplayMomentError as error:
            return PlainTextResponse(str(error), 400)

    async def file(request: Request) -> Response:
        name = FILES.get(request.path_params.get("name", ""))
        return PlainTextResponse("not found", 404) if name is None else FileResponse(PAGE / name)

    async def listing(request: Request) -> Response:
        return await data(request, archive.listing)

    async def overview(request: Request) -> Response:
        return await data(request, archive.overview, request.path_params["run"])

    async def at(request: Request) -> Response:
        when = request.query_params.get("moment", "end")
        return await data(request, archive.at, request.path_params["run"], when)

    app = Starlette(
        routes=[
            Route("/{token}/", file, methods=["GET"]),
            Route("/{token}/runs", listing, methods=["GET"]),
            Route("/{token}/runs/{run}", overview, methods=["GET"]),
            Route("/{token}/runs/{run}/at", at, methods=["GET"]),
            Route("/{token}/{name}", file, methods=["GET"]),
        ]
    )

    async def guard(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        response = refused(request) or await call_next(request)
        response.headers.update(HEADERS)
        return response

    def refused(request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if host not in hosts:
            return PlainTextResponse("this host is not served", 403)
        if request.headers.get("origin", f"http://{host}") != f"http://{host}":
            return PlainTextResponse("this origin is not served", 403)
        if len(str(request.url)) > MAX_ADDRESS:
            return PlainTextResponse("the address is too long", 414)
        given = request.url.path.split("/")[1].encode()
        if not hmac.compare_digest(given, token.encode()):
            return PlainTextResponse("the address needs the token that treec serve printed", 403)
        return None

    from starlette.middleware.base import BaseHTTPMiddleware

    app.add_middleware(BaseHTTPMiddleware, dispatch=guard)
    return app
