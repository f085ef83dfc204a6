"""Requests to the application of the page, without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import httpx

TOKEN = "secret-token"
HOST = "127.0.0.1:8000"
OWN = {"origin": f"http://{HOST}", "content-type": "application/json"}
"""The headers that the page's own requests have."""

Get = Callable[..., httpx.Response]


def sender(app: object) -> Get:
    """A function that sends one request: its path, method, body and headers."""

    def send(
        path: str, method: str = "GET", content: bytes | None = None, **headers: str
    ) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=cast("Any", app))
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                return await client.request(method, path, headers=headers, content=content)

        return asyncio.run(ask())

    return send
