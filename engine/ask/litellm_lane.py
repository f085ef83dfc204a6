"""OpenAI's interface asked through LiteLLM's translation alone, without what stands around it.

`litellm.acompletion` gets logging, hooks, fallbacks and a thread ready for every request, which
treec uses none of: half of a request's processor time. What turns a request into OpenAI's form,
sends it and reads the answer is the same code of LiteLLM's here as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_PROVIDER = "openai"
_PASSED = ("response_format", "temperature")


class Lane:
    """The way to the models of OpenAI's interface at one address. Use :func:`lane_for`."""

    def __init__(self, litellm: Any, name: str, api_base: str | None) -> None:
        main: Any = import_module("litellm.main")
        utils: Any = import_module("litellm.utils")
        self._litellm = litellm
        self._name = name
        self._base = main._resolve_openai_api_base(api_base)
        self._send = main.base_llm_http_handler.completion
        self._options = utils.get_optional_params
        self._secret = main.get_secret
        self._encoding = main._encoding_cache
        self._config = utils.ProviderConfigManager.get_provider_chat_config(
            model=name, provider=litellm.LlmProviders(_PROVIDER)
        )

    async def ask(self, options: Mapping[str, Any]) -> Any:
        """The response to what `acompletion` takes. Raises what LiteLLM's handler raises."""
        passed = {key: options[key] for key in _PASSED if key in options}
        passed |= {"model": self._name, "custom_llm_provider": _PROVIDER, "stream": None}
        return await self._send(
            model=self._name,
            messages=options["messages"],
            api_base=self._base,
            custom_llm_provider=_PROVIDER,
            model_response=self._litellm.ModelResponse(),
            encoding=self._encoding,
            logging_obj=_NOTHING,
            optional_params=self._options(**passed),
            timeout=options["timeout"],
            litellm_params={},
            acompletion=True,
            stream=None,
            api_key=self._secret("OPENAI_API_KEY"),
            headers=dict(options.get("extra_headers") or {}),
            client=options["client"],
            provider_config=self._config,
        )


class _Nothing:
    """What LiteLLM would log to: it notes nothing, so that no prompt stays in it."""

    dynamic_success_callbacks: tuple[()] = ()
    litellm_params: Mapping[str, object] = {}

    @property
    def model_call_details(self) -> dict[str, object]:
        return {}

    def pre_call(self, *args: object, **options: object) -> None:
        """A request is going out."""

    def post_call(self, *args: object, **options: object) -> None:
        """An answer has come."""


_NOTHING = _Nothing()


def lane_for(litellm: Any, model: str, api_base: str | None) -> Lane | None:
    """The lane to a model, `provider/model`; None where it is asked by `acompletion`.

    That are other providers, and models that OpenAI serves by its responses interface only.
    """
    name, provider, _, _ = litellm.get_llm_provider(model, api_base=api_base)
    if provider != _PROVIDER:
        return None
    about, _ = import_module("litellm.main").responses_api_bridge_check(name, provider)
    return None if about.get("mode") == "responses" else Lane(litellm, name, api_base)
