"""The models that a run may ask: their clients, and the policies around them."""

from __future__ import annotations

import os
import time
from collections.abc import Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from treec.ask.limits import LimitReached, Limits
from treec.ask.transport import QUESTIONS, Answer, Request, Transport, TransportError
from treec.files.fields import model_name
from treec_asking.open_model import NO_SETTINGS, CannotAsk, ModelChoice, RequestSettings
from treec_models import litellm_model, prices
from treec_models.breaker import Breaker
from treec_models.decision_models import DECISION_CLIENTS
from treec_models.fingerprint import request_fingerprint
from treec_models.limited import LimitedTransport
from treec_models.local_model import LOCAL, LocalModel
from treec_models.model_client import ModelClient, NotReady, NoUse
from treec_models.openai_chat import PROVIDERS, OpenAIChat
from treec_models.redacting import RedactingTransport
from treec_models.redaction import Redactor
from treec_models.retry import RetryTransport

OWN_CLIENTS: Mapping[str, type[ModelClient]] = {LOCAL: LocalModel, **DECISION_CLIENTS}
"""The clients of models that LiteLLM does not know, by the first part of their names."""


class ModelTransport:
    """Transports with what a run needs around them: tries, limits, no keys in what comes out.

    The next transport is asked where one does not answer, or would not for now (see
    :mod:`treec_models.breaker`); the time is shared among them. Requests of one asker that are the
    same share one answer while it is on its way; those without an asker are samples, and never do.
    """

    def __init__(
        self,
        transport: Transport,
        limits: Limits,
        environment: Mapping[str, str],
        *others: Transport,
        keys: Iterable[str] = (),
        timeout: float | None = None,
        model: str | None = None,
        decisions: str | None = None,
    ) -> None:
        self.decisions = decisions
        """The decision model that is asked beside it, if one is chosen."""
        self.model = model
        """The model that is asked where a node's file names none; '' if none is."""
        self.timeout = timeout
        """Seconds that an answer may take, whatever a prompt says; None: as the prompts say."""
        self.limited = LimitedTransport(transport, limits)
        in_turn = _InTurn((transport, *others), self.limited)
        redact = Redactor.of_environment(environment, keys)
        self._outer = RedactingTransport(in_turn, redact)
        self._flights: dict[tuple[object, str], _SharedRequest] = {}

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError, TimeoutError."""
        import asyncio

        if self.timeout is not None:
            request = replace(request, timeout=self.timeout)
        if request.asker is None:
            return await self._outer.ask(request)
        key = request.asker, request_fingerprint(request)
        flight = self._flights.get(key)
        is_shared = flight is not None and flight.loop is asyncio.get_running_loop()
        if flight is None or not is_shared:
            flight = self._flights[key] = _SharedRequest(self._outer.ask(request))
        try:
            answer = await flight.wait()
        finally:
            if not flight.waiting and self._flights.get(key) is flight:
                del self._flights[key]
        if not is_shared:
            return answer
        shared = ("the answer to the same request of another node",)
        return replace(answer, input_tokens=None, output_tokens=None, cost=None, tries=shared)


class _InTurn:
    """Transports of which the next is asked where one does not answer."""

    def __init__(self, transports: Iterable[Transport], limited: LimitedTransport) -> None:
        self._limited = limited
        self._breakers = [self._breaker(one) for one in transports]

    def _breaker(self, transport: Transport) -> Breaker:
        retrying = RetryTransport(transport)

        async def ask(request: Request) -> Answer:
            return await self._limited.ask_through(retrying, request)

        async def probe(request: Request) -> Answer:
            return await self._limited.ask_through(transport, request)

        return Breaker(ask, probe)

    async def ask(self, request: Request) -> Answer:
        """The answer of the first model that gives one; each may take its share of the time.

        Typed questions are for the model that they name: another answerer is named by the file.
        """
        breakers = self._breakers[:1] if QUESTIONS in request.schema else self._breakers
        reasons: list[str] = []
        start = time.monotonic()
        for number, breaker in enumerate(breakers):
            asked = request if number == 0 else replace(request, model=None)
            if request.timeout is not None and len(breakers) > 1:
                left = request.timeout - (time.monotonic() - start)
                asked = replace(asked, timeout=left / (len(breakers) - number))
            try:
                answer = await breaker.ask(asked)
            except LimitReached:
                raise
            except (TransportError, TimeoutError) as error:
                reasons.append(str(error))
                if number < len(breakers) - 1:
                    continue
                error.args = ("; another model: ".join(reasons), *error.args[1:])
                raise
            return replace(answer, tries=(*reasons, *answer.tries))
        raise AssertionError("a transport is always asked")


class _SharedRequest:
    """A request on its way: it is cancelled once nobody waits for its answer any more."""

    def __init__(self, asking: Coroutine[Any, Any, Answer]) -> None:
        import asyncio

        self.loop = asyncio.get_running_loop()
        self.task = self.loop.create_task(asking)
        self.waiting = 0

    async def wait(self) -> Answer:
        """The answer. Raises what the request raises."""
        import asyncio

        self.waiting += 1
        try:
            return await asyncio.shield(self.task)
        finally:
            self.waiting -= 1
            if not self.waiting and not self.task.done():
                self.task.cancel()


class ModelClients:
    """Asks each request's model through the client of its provider, and prices the answer.

    ``model`` is asked where a request names none; ``api_base`` is the address of its provider, and
    ``settings`` are for its provider's models.
    ``decisions`` has the same of the provider of the decision model beside it. OpenAI's chat
    interface has a client of its own, and so have those of `OWN_CLIENTS`; all other models are
    asked through LiteLLM, those too that OpenAI serves by its responses interface only.
    """

    def __init__(
        self,
        model: str,
        api_base: str | None = None,
        settings: RequestSettings = NO_SETTINGS,
        decisions: ModelChoice | None = None,
    ) -> None:
        self._model = model
        self._of_provider = {_provider(model): (api_base, settings)}
        if decisions is not None:
            own = decisions.api_base, decisions.settings
            self._of_provider.setdefault(_provider(decisions.name), own)
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
        spent = answer.input_tokens or 0, answer.output_tokens or 0
        return replace(answer, cost=self._cost(self._by_model[model], model, *spent))

    def _cost(self, client: ModelClient, model: str, prompt: int, written: int) -> float | None:
        by_list = prices.token_cost if isinstance(client, OpenAIChat) else litellm_model.token_cost
        return by_list(model, prompt, written)

    def prepare(self, model: str) -> None:
        """Import and check what a model needs, once. Raises NotReady."""
        if model in self._by_model:
            return
        provider = _provider(model)
        chat = provider in PROVIDERS and not prices.needs_responses_interface(model)
        client = self._client(provider, chat)
        client.prepare(model)
        self._by_model[model] = client
        listed = (provider == "openai" or not chat) and provider.partition("/")[
            0
        ] not in OWN_CLIENTS
        if listed and self._cost(client, model, 1, 1) is not None:
            self._priced.add(model)

    def prices(self, model: str) -> bool:
        """Whether the cost of a prepared model's answers is known."""
        return model in self._priced or model == LOCAL

    def _client(self, provider: str, chat: bool) -> ModelClient:
        """A provider's client: its models share connections."""
        if (provider, chat) not in self._by_provider:
            base, settings = self._of_provider.get(provider, (None, NO_SETTINGS))
            make: type[ModelClient] = OpenAIChat if chat else litellm_model.LiteLLMModel
            make = OWN_CLIENTS.get(provider.partition("/")[0], make)
            self._by_provider[provider, chat] = make(self._model, base, settings)
        return self._by_provider[provider, chat]


def _provider(model: str) -> str:
    """The provider of a model; for `decisions/openai/NAME` it is `decisions/openai`."""
    return "/".join(model.split("/")[: 2 if model.startswith("decisions/") else 1])


def open_model(choice: ModelChoice, others: Iterable[str] = ()) -> ModelTransport:
    """A model that runs in asyncio. Raises CannotAsk.

    Packages are imported here, before the first deadline begins; LiteLLM takes seconds. ``others``
    are the models that nodes name for themselves: what keeps one from being asked is said when its
    node asks.
    """
    chosen = [choice] if choice.fallback is None else [choice, choice.fallback]
    opened = [_open_clients(one, choice.limits) for one in chosen]
    for other in others:
        with suppress(NotReady):
            opened[0].prepare(other)
    known = [*chosen, *([choice.decisions] if choice.decisions else ())]
    keys = [value for one in known for value in one.settings.headers.values()]
    return ModelTransport(
        opened[0],
        choice.limits,
        os.environ,
        *opened[1:],
        keys=keys,
        timeout=choice.timeout,
        model="" if choice.if_named else choice.name,
        decisions=None if choice.decisions is None else choice.decisions.name,
    )


def _open_clients(choice: ModelChoice, limits: Limits) -> ModelClients:
    name = choice.name
    try:
        model_name(name)
    except ValueError as error:
        raise CannotAsk(str(error)) from None
    clients = ModelClients(name, choice.api_base, choice.settings, choice.decisions)
    try:
        clients.prepare(name)
    except NotReady as error:
        raise CannotAsk(str(error)) from None
    if limits.cost is not None and not clients.prices(name):
        raise CannotAsk(
            f"no price of {name} is known, so a limit on cost would not hold: limit the tokens"
        )
    return clients
