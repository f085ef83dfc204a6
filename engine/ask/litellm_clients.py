"""What LiteLLM sends with: our guarded HTTP client, wrapped as a provider's code wants it."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from engine.ask.http_guard import guarded_client

BY_SDK = frozenset({"openai", "lm_studio"})
"""Providers that LiteLLM asks through OpenAI's package."""

BY_HANDLER = frozenset({"anthropic", "ollama", "ollama_chat", "hosted_vllm"})
"""Providers that it asks through an HTTP handler of its own."""

NO_KEY = "no-key"
"""Sent to a server of one's own when there is no key: OpenAI's package will not go without one."""


class Clients:
    """The clients of one event loop, by provider; other providers keep LiteLLM's own."""

    def __init__(self, api_base: str | None) -> None:
        self._api_base = api_base
        self._http: Any = None
        self._handler: Any = None
        self._sdk: dict[str, Any] = {}
        self._known: dict[str, Any] = {}

    def of(self, litellm: Any, model: str) -> Any:
        """The client for a model, or None for LiteLLM's own."""
        if model not in self._known:
            self._known[model] = self._made(litellm, model)
        return self._known[model]

    def _made(self, litellm: Any, model: str) -> Any:
        _, provider, key, base = litellm.get_llm_provider(model, api_base=self._api_base)
        if provider in BY_SDK:
            if provider not in self._sdk:
                self._sdk[provider] = self._openai(key, base)
            return self._sdk[provider]
        if provider in BY_HANDLER:
            if self._handler is None:
                module = import_module("litellm.llms.custom_httpx.http_handler")
                self._handler = module.AsyncHTTPHandler()
                self._handler.client = self._guarded()
            return self._handler
        return None

    def _openai(self, key: str | None, base: str | None) -> Any:
        env = os.environ
        base = base or self._api_base or env.get("OPENAI_BASE_URL") or env.get("OPENAI_API_BASE")
        key = key or env.get("OPENAI_API_KEY") or (NO_KEY if base else None)
        return import_module("openai").AsyncOpenAI(
            api_key=key, base_url=base, http_client=self._guarded(), max_retries=0
        )

    def _guarded(self) -> Any:
        if self._http is None:
            self._http = guarded_client()
        return self._http
