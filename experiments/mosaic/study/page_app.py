"""The web application of a study's page: its files, what it shows, and what a participant sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from treec.run.live_run import OrderRefused
from treec_serve.app import FILES as SHARED_FILES
from treec_serve.app import ICON, Guard, JsonData, read_json
from treec_serve.app import PAGE as SHARED

if TYPE_CHECKING:
    from experiments.mosaic.study.on_page import StudyDesk

PAGE = Path(__file__).parent / "page"
FILES = {
    **{name: SHARED / name for name in SHARED_FILES},  # its modules import one another
    "": PAGE / "study.html",
    "study.js": PAGE / "study.js",
    "study.css": PAGE / "study.css",
}


def make_study_app(desk: StudyDesk, token: str, hosts: tuple[str, ...]) -> ASGIApp:
    """Return the application; ``hosts`` are the values of `Host` that it answers to."""
    page = _StudyPage(desk)
    routes = [
        Route("/{token}/", page.file, methods=["GET"]),
        Route("/{token}/state", page.state, methods=["GET"]),
        Route("/{token}/live/{what}", page.order, methods=["POST"]),
        Route("/{token}/{name}", page.file, methods=["GET"]),
    ]
    return Guard(Starlette(routes=routes), token, hosts)


class _StudyPage:
    def __init__(self, desk: StudyDesk) -> None:
        self._desk = desk

    async def file(self, request: Request) -> Response:
        name = request.path_params.get("name", "")
        if name == "icon.svg":
            return Response(ICON, media_type="image/svg+xml")
        file = FILES.get(name)
        return PlainTextResponse("not found", 404) if file is None else FileResponse(file)

    async def state(self, request: Request) -> Response:
        """What is shown; 204 if the page has it already."""
        found = await run_sync(self._desk.data)
        key = f"{found['number']}.{found.get('n', 0)}.{len(found.get('stopped', ()))}"  # type: ignore[arg-type]
        if request.query_params.get("have") == key:
            return Response(status_code=204)
        return JsonData({**found, "key": key})

    async def order(self, request: Request) -> Response:
        """Words, the stop button, and what ends a stage."""
        body = await read_json(request)
        if not isinstance(body, dict):
            return PlainTextResponse("an object is sent", 400)
        order = self._orders(body).get(request.path_params["what"])
        if order is None:
            return PlainTextResponse("not found", 404)
        try:
            order()
        except OrderRefused as error:
            return PlainTextResponse(str(error), error.status)
        return JsonData({"ok": True})

    def _orders(self, body: Mapping[str, Any]) -> dict[str, Callable[[], None]]:
        desk, number = self._desk, body.get("number")
        text = body.get("text")
        words = text if isinstance(text, str) else ""
        return {
            "say": lambda: desk.live().say(words) if words.strip() else None,
            "stop": lambda: desk.live().stop(),
            "go_on": lambda: desk.live().go_on(),
            "begin": lambda: desk.send(number, "instructions", {}),
            "end": lambda: desk.end(number),
            "answers": lambda: desk.send(number, "survey", body),
        }
