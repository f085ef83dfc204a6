"""The models that a run may ask: the choice of one, their clients, the policies around them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from treec.ask import litellm_model
from treec.ask.limits import NO_LIMITS, LimitedTransport, Limits
from treec.ask.model_client import ModelClient, NotReady
from treec.ask.openai_chat import PROVIDERS, OpenAIChat
from treec.ask.redaction import RedactingTransport, Redactor
from treec.ask.retry import RetryTransport
from treec.ask.transport import Answer, NoUse, Request, Transport


class CannotAsk(Exception):
    """The model cannot be asked as things stand, and what would help."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model, `provider/name`; where, if not at its provider's; how much a run may spend."""

    name: str
    api_base: str | None = None
    limits: Limits = NO_LIMITS


class ModelTransport:
    """A transport with what a run needs around it: tries, limits, no keys in what comes out."""

    def __init__(
        self, transport: Transport, limits: Limits, environment: Mapping[str, str]
    ) -> None:
        self.limited = LimitedTransport(RetryTransport(transport), limits)
        self._outer = RedactingTransport(self.limited, Redactor.of_environment(environment))

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError."""
        return await self._outer.ask(request)


class ModelClients:
    """Asks each request's model through the client of its provider, and prices the answer.

    ``model`` is asked where a request names none; ``api_base`` is the address of its provider.
    OpenAI's chat interface has a client of its own; all other models are asked through LiteLLM,
    those too that OpenAI serves by its responses interface only.
    """

    def __init__(self, model: str, api_base: str | None = None) -> None:
        self._model = model
        self._api_base = api_base
        self._by_model: dict[str, ModelClient] = {}
        self._by_provider: dict[tuple[str, bool], ModelClient] = {}
        self._priced: set[str] = set()

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError, TimeoutError."""
        model = request.model or self._model
        self.prepare(model)
        try:
            answer = await self._by_model[model].ask(request)
        except NoUse as error:
            raise NoUse(str(error), self._priced_answer(model, error.spent)) from None
        return self._priced_answer(model, answer)

    def _priced_answer(self, model: str, answer: Answer) -> Answer:
        if model not in self._priced:
            return answer
        cost = litellm_model.token_cost(model, answer.input_tokens or 0, answer.output_tokens or 0)
        return replace(answer, cost=cost)

    def prepare(self, model: str) -> None:
        """Import and check what a model needs, once. Raises NotReady."""
        if model in self._by_model:
            return
        provider = model.partition("/")[0]
        chat, listed = provider in PROVIDERS, provider not in PROVIDERS
        if provider == "openai" and litellm_model.has_litellm():
            listed = True
            chat = not litellm_model.needs_responses_interface(model)
        client = self._client(provider, chat)
        client.prepare(model)
        self._by_model[model] = client
        if listed and litellm_model.token_cost(model, 1, 1) is not None:
            self._priced.add(model)

    def prices(self, model: str) -> bool:
        """Whether the cost of a prepared model's answers is known."""
        return model in self._priced

    def _client(self, provider: str, chat: bool) -> ModelClient:
        """A provider's client: its models share connections."""
        if (provider, chat) not in self._by_provider:
            base = self._api_base if provider == self._model.partition("/")[0] else None
            if chat:
                made: ModelClient = OpenAIChat(self._model, base)
            else:
                made = litellm_model.LiteLLMModel(self._model, base)
            self._by_provider[provider, chat] = made
        return self._by_provider[provider, chat]


def open_model(choice: ModelChoice, others: Iterable[str] = ()) -> ModelTransport:
    """A model that runs in asyncio. Raises CannotAsk.

    Packages are imported here, before the first deadline begins; LiteLLM takes seconds. ``others``
    are the models that nodes name for themselves: what keeps one from being asked is said when its
    node asks.
    """
    name = choice.name
    if "/" not in name:
        raise CannotAsk(f"'{name}' has no provider: write provider/model, such as openai/{name}")
    clients = ModelClients(name, choice.api_base)
    try:
        clients.prepare(name)
    except NotReady as error:
        raise CannotAsk(str(error)) from None
    for other in others:
        with suppress(NotReady):
            clients.prepare(other)
    if choice.limits.cost is not None and not clients.prices(name):
        raise CannotAsk(
            f"no price of {name} is known, so a limit on cost would not hold: limit the tokens"
        )
    return ModelTransport(clients, choice.limits, os.environ)
