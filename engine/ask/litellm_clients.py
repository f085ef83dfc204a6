"""What LiteLLM sends with: our guarded HTTP client, in the handler that its own code asks for."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

from treec.ask.http_guard import guarded_client

GUARDED = frozenset({"openai", "lm_studio", "anthropic", "ollama", "ollama_chat", "hosted_vllm"})
"""Providers that LiteLLM asks through the HTTP handler that it is given."""

_HANDLER = "litellm.llms.custom_httpx.http_handler"


class Clients:
    """The clients of one event loop, by model; other providers keep LiteLLM's own."""

    def __init__(self, api_base: str | None) -> None:
        self._api_base = api_base
        self._handler: Any = None
        self._closing: asyncio.Future[None] | None = None
        self._known: dict[str, Any] = {}

    def of(self, litellm: Any, model: str) -> Any:
        """The client for a model, or None for LiteLLM's own."""
        if model not in self._known:
            _, provider, _, _ = litellm.get_llm_provider(model, api_base=self._api_base)
            self._known[model] = self._guarded() if provider in GUARDED else None
        return self._known[model]

    def _guarded(self) -> Any:
        """LiteLLM's handler, with its transport (aiohttp: half of httpx' time) behind our guard."""
        if self._handler is None:
            handler = import_module(_HANDLER).AsyncHTTPHandler(timeout=None)
            handler.client = guarded_client(handler.client._transport)
            self._handler = handler
            self._closing = asyncio.ensure_future(_close_with_the_loop(handler.client))
        return self._handler


async def _close_with_the_loop(client: Any) -> None:
    """Keep a client until its loop ends: who ends one cancels what is left in it."""
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        await client.aclose()
