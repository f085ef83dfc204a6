"""Models through LiteLLM: `openai/…`, `anthropic/…`, `ollama/…` and whatever else it knows.

It asks once, under the request's deadline, and says how that ended: tries, limits and redaction
are above it. Where a server takes no schema the schema goes into the prompt, from then on.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from treec.ask.answer_form import asked_in_words, response_format
from treec.ask.extract import LONGEST
from treec.ask.http_guard import EXCHANGE, KEPT, Exchange
from treec.ask.litellm_clients import Clients
from treec.ask.litellm_lane import Lane, lane_for
from treec.ask.litellm_setup import load_litellm
from treec.ask.transport import Answer, Request, TooLarge, TransportError, Unavailable

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may be answered."""

REFUSED = frozenset({400, 404, 415, 422, 501})
"""Statuses with which servers refuse a schema, among other things."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a server wants to be asked: whether it takes a schema, and a temperature."""

    schema: bool
    temperature: bool


WAYS = (Way(True, True), Way(False, True), Way(True, False), Way(False, False))
"""Tried in order until a server does not refuse; then it is asked that way."""

SHOWN = 160
"""Characters of what a server sent that is no answer, in the error."""

ACCOUNT = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
"""Variables that say on whose account a key of OpenAI's is used, and the headers that tell it."""

_CHAT = re.compile(r"^ollama/")
_NOISE = re.compile(r"litellm\.\w+: |\bAPIError: |\w+Exception - |\w+Error: \w+Exception - ")

_MESSAGE = re.compile(r'"message": ?"((?:[^"\\]|\\.){1,400})"')


class LiteLLMModel:
    """A model by its name, `provider/model`. One for each thread that asks."""

    def __init__(self, model: str, api_base: str | None = None) -> None:
        self.model = model
        self.api_base = api_base
        self._ways: dict[str, Way] = {}
        self._unpriced: set[str] = set()
        self._clients: dict[str, Clients] = {}
        self._lanes: dict[str, Lane | None] = {}
        self._loop: object = None

    async def ask(self, request: Request) -> Answer:
        """The model's answer. Raises TransportError, Unavailable, TimeoutError."""
        import asyncio

        begun = time.monotonic()
        try:
            async with asyncio.timeout(request.timeout):
                answer = await self._asked(request)
        except TimeoutError:
            raise TimeoutError(f"no answer within {request.timeout:g} s") from None
        return replace(answer, seconds=time.monotonic() - begun)

    async def _asked(self, request: Request) -> Answer:
        model = request.model or self.model
        known = self._ways.get(model)
        ways = WAYS if known is None else (known,)
        first: _Refused | None = None
        for way in ways:
            if not way.temperature and request.temperature is None:
                continue
            try:
                answer = await self._once(model, request, way)
            except _Refused as refused:
                # Servers refuse what they do not know in many ways: the same without it tells.
                first = first or refused
            else:
                self._ways[model] = way
                return answer
        raise ModelError(str(first)) from None

    async def _once(self, model: str, request: Request, way: Way) -> Answer:
        litellm = load_litellm()
        exchange = Exchange()
        token = EXCHANGE.set(exchange)
        try:
            options = self._options(litellm, model, request, way)
            lane = self._lane(litellm, options)
            asked = litellm.acompletion(**options) if lane is None else lane.ask(options)
            response = await asked
        except Exception as error:
            raise _reason(error, exchange) from None
        finally:
            EXCHANGE.reset(token)
        answer = _answer(model, response)
        if model in self._unpriced:
            return answer
        cost = price(litellm, model, answer.input_tokens, answer.output_tokens)
        if cost is None:  # to find that out takes as long as to send a request
            self._unpriced.add(model)
        return replace(answer, cost=cost)

    def _options(self, litellm: Any, model: str, request: Request, way: Way) -> dict[str, Any]:
        messages = request.messages if way.schema else asked_in_words(request)
        options: dict[str, Any] = {
            "model": _CHAT.sub("ollama_chat/", model),
            "messages": [{"role": one.role, "content": one.content} for one in messages],
            "max_retries": 0,
            "num_retries": 0,
            "timeout": request.timeout,
            "client": self._client_for(litellm, model),
            "no-log": True,
        }
        if self.api_base is not None and _provider(model) == _provider(self.model):
            options["api_base"] = self.api_base
        if _provider(model) == "openai":
            told = {
                header: os.environ[name] for name, header in ACCOUNT.items() if name in os.environ
            }
            options["extra_headers"] = told or None
        if way.schema:
            options["response_format"] = response_format(request)
        if way.temperature and request.temperature is not None:
            options["temperature"] = request.temperature
        return options

    def _lane(self, litellm: Any, options: Mapping[str, Any]) -> Lane | None:
        model = options["model"]
        if model not in self._lanes:
            self._lanes[model] = lane_for(litellm, model, options.get("api_base"))
        return self._lanes[model]

    def _client_for(self, litellm: Any, model: str) -> Any:
        import asyncio

        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._clients = loop, {}
        provider = _provider(model)
        if provider not in self._clients:
            base = self.api_base if provider == _provider(self.model) else None
            self._clients[provider] = Clients(base)
        return self._clients[provider].of(litellm, model)


def _provider(model: str) -> str:
    return model.partition("/")[0]


class ModelError(TransportError):
    """The server, or LiteLLM, says that there is no answer to this request."""


class _Refused(ModelError):
    """The server refused the request: perhaps for the schema in it."""


def _reason(error: Exception, exchange: Exchange) -> Exception:
    """Why there is no answer: what was seen on the wire, before what LiteLLM makes of it."""
    if exchange.wrong is not None:
        return exchange.wrong
    if isinstance(error, TimeoutError):
        return error
    status = exchange.status or getattr(error, "status_code", None)
    told = _said(error) if exchange.status is None else _came(exchange.status, exchange.begins)
    if status in AGAIN:
        return Unavailable(told, exchange.retry_after)
    if status in REFUSED:
        return _Refused(told)
    return ModelError(told or type(error).__name__)


def _came(status: int, body: bytes) -> str:
    """What a server answered that is no model's answer, by the beginning of it.

    What LiteLLM says of it speaks of its own inside: parsers, classes, tracebacks.
    """
    text = body.decode("utf-8", "replace").strip()
    if status >= 400:
        inner = _MESSAGE.search(text)
        told = inner[1] if inner else _begins(text)
        return f"the server answered {status}: {told}" if told else f"the server answered {status}"
    if not text:
        return f"the server answered {status} with nothing in it"
    what = "with what is no answer of a model's" if _is_json(text) else "with what is no JSON"
    return f"the server answered {status} {what}: it begins {_begins(text)}"


def _is_json(text: str) -> bool:
    """Whether a text, of which this may be the beginning alone, is JSON."""
    if len(text) >= KEPT:
        return text[0] in "{["
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _begins(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= SHOWN else f"{words[: SHOWN - 1]}…"


def _said(error: Exception) -> str:
    """An error's words, without the names of classes before them and a traceback behind."""
    text = str(getattr(error, "message", None) or error).partition("\nTraceback")[0]
    text = _NOISE.sub("", text).strip()
    inner = _MESSAGE.search(text)
    text = inner[1] if inner else text
    return text if len(text) <= 500 else text[:499] + "…"


def _answer(model: str, response: Any) -> Answer:
    choices = getattr(response, "choices", None)
    if not choices:
        raise Unavailable("the server's answer holds no choices")
    text = choices[0].message.content or ""
    if len(text) > LONGEST:
        raise TooLarge(f"the answer has {len(text):,} characters; at most {LONGEST:,} are read")
    usage = getattr(response, "usage", None)
    return Answer(
        text,
        by=f"{model}@{_version(model, response)}",
        input_tokens=getattr(usage, "prompt_tokens", None),
        output_tokens=getattr(usage, "completion_tokens", None),
    )


def _version(model: str, response: Any) -> str:
    """The version that the server reports: its own name of the model, and its fingerprint."""
    told = str(getattr(response, "model", None) or "unknown")
    told = told.rpartition("/")[2]
    print_ = getattr(response, "system_fingerprint", None)
    return f"{told}+{print_}" if print_ else told


def price(litellm: Any, model: str, prompt: int | None, written: int | None) -> float | None:
    """What these tokens cost in US dollars by LiteLLM's own list; None when it does not know."""
    try:
        costs = litellm.cost_per_token(
            model=model, prompt_tokens=prompt or 0, completion_tokens=written or 0
        )
    except Exception:  # it raises a dozen kinds for a model that it has no price of
        return None
    return float(sum(costs))
