"""All other providers, through LiteLLM: `anthropic/…`, `gemini/…`, `bedrock/…`.

Only what LiteLLM documents is used: `acompletion`, its list of prices and models, and its settings.
It is imported here and nowhere else, and only for a model that needs it: that takes seconds.
"""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from treec.ask.transport import Answer, Message, Request
from treec_models.answer_form import response_format
from treec_models.completion import read_completion
from treec_models.http_client import wait_of
from treec_models.model_client import ModelClient, NotReady, RequestForm
from treec_models.pictures import content_parts
from treec_models.server_errors import status_error

_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpcore", "aiohttp", "openai")
"""They log addresses, headers and prompts; what a request came to stands in the journal."""

_CACHES = frozenset({"anthropic", "bedrock", "vertex_ai", "openrouter"})
"""Providers that cache what is marked; the others do so without a mark, or not at all."""

_PREFIXES = re.compile(r"litellm\.\w+: |\bAPIError: |\w+Exception - |\w+Error: \w+Exception - ")
_MESSAGE = re.compile(r'"message": ?"((?:[^"\\]|\\.){1,400})"')


def has_litellm() -> bool:
    """Whether LiteLLM is installed. Costs nothing."""
    return find_spec("litellm") is not None


@cache
def load_litellm() -> Any:
    """LiteLLM, which fetches no price list, reads no `.env` and logs nothing. Raises NotReady."""
    if not has_litellm():
        raise NotReady(
            "asking a model of this provider needs the package litellm, which is not installed: "
            "pip install 'treec[models]'"
        )
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    os.environ.pop("LITELLM_LOG", None)
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    warnings.filterwarnings("ignore", "Pydantic serializer warnings")  # of what a server sent
    # A request that is cancelled while it is prepared leaves a coroutine behind that never began.
    warnings.filterwarnings("ignore", "coroutine '.*completion' was never awaited")
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return litellm


def token_cost(model: str, prompt: int, written: int) -> float | None:
    """What these tokens cost in US dollars, by LiteLLM's list; None for a model that it lacks."""
    litellm = load_litellm()
    try:
        costs = litellm.cost_per_token(model=model, prompt_tokens=prompt, completion_tokens=written)
    except Exception:  # it raises a dozen kinds for a model that it has no price of
        return None
    return float(sum(costs))


class LiteLLMModel(ModelClient):
    """A model that LiteLLM asks, with its own HTTP clients."""

    def prepare(self, model: str) -> None:
        """Import LiteLLM, and check the model's provider and key. Raises NotReady."""
        litellm = load_litellm()
        try:
            litellm.get_llm_provider(model)
            needs = litellm.validate_environment(model, api_base=self.api_base)
        except Exception:
            provider = model.partition("/")[0]
            raise NotReady(f"'{model}': unknown provider '{provider}' (of LiteLLM)") from None
        missing = [one for one in needs.get("missing_keys") or () if not one.endswith("_API_BASE")]
        if self.api_base is None and not needs.get("keys_in_environment") and missing:
            names = " and ".join(missing)
            raise NotReady(f"asking {model} needs {names} in the environment, or --api-base")

    async def send(self, model: str, request: Request, form: RequestForm) -> Answer:
        """Send a request once. Raises TransportError."""
        litellm = load_litellm()
        options: dict[str, Any] = {
            "model": model,
            "messages": _messages(model, form.messages(request)),
            "timeout": request.timeout,
            "max_retries": 0,
            "num_retries": 0,
            **self.settings.parameters(),
        }
        if self.settings.headers:
            options["extra_headers"] = dict(self.settings.headers)
        if self.settings.extra_body:
            options["extra_body"] = dict(self.settings.extra_body)
        if self.api_base is not None:
            options["api_base"] = self.api_base
        if form.schema:
            options["response_format"] = response_format(
                request, keeps_schema=model.partition("/")[0] not in ("openai", "azure")
            )
        if form.temperature and request.temperature is not None:
            options["temperature"] = request.temperature
        try:
            response = await litellm.acompletion(**options)
        except TimeoutError:
            raise
        except Exception as error:
            raise error_reason(error) from None
        return _answer(model, response)


def _messages(model: str, messages: Sequence[Message]) -> list[dict[str, object]]:
    """The messages; for a provider that wants it, what stays the same is marked for its cache.

    That is all before the last question: the instructions, and the examples.
    """
    found: list[dict[str, object]] = [
        {"role": m.role, "content": content_parts(m)} for m in messages
    ]
    if model.partition("/")[0] in _CACHES and "claude" in model:
        last = max((n for n, m in enumerate(messages) if m.role == "user"), default=0)
        for number in {0, last - 1} - {-1}:
            text = {"type": "text", "text": messages[number].content}
            found[number]["content"] = [{**text, "cache_control": {"type": "ephemeral"}}]
    return found


def error_reason(error: Exception) -> Exception:
    """Why there is no answer, by what LiteLLM's exceptions say of the response."""
    headers = getattr(error, "litellm_response_headers", None) or {}
    status = getattr(error, "status_code", None)
    message = f"LiteLLM reports {type(error).__name__}"
    text = _message(error)
    message = f"{message}: {text}" if text else message
    return status_error(status, message, wait_of(headers), str(error)[:2000])


def _message(error: Exception) -> str:
    """An error's words, without the names of classes before them and a traceback behind."""
    text = str(getattr(error, "message", None) or error).partition("\nTraceback")[0]
    text = _PREFIXES.sub("", text).strip()
    inner = _MESSAGE.search(text)
    text = inner[1] if inner else text
    return text if len(text) <= 500 else text[:499] + "…"


def _answer(model: str, response: Any) -> Answer:
    dump = getattr(response, "model_dump", None)
    return read_completion(model, dump() if dump is not None else response)
