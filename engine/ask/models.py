"""A model made ready to be asked: the choice of it, what it needs, and the policies around it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from treec.ask.limits import NO_LIMITS, Limited, Limits
from treec.ask.redaction import Redacting, Redactor
from treec.ask.retry import Retrying
from treec.ask.transport import Answer, Request, Transport, TransportError


class CannotAsk(Exception):
    """The model cannot be asked as things stand, and what would help."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which model, `provider/name`; where, if not at its provider's; how much a run may spend."""

    name: str
    api_base: str | None = None
    limits: Limits = NO_LIMITS


class ModelTransport:
    """A transport with what a run needs around it: tries, limits, no keys in what comes out."""

    def __init__(
        self, transport: Transport, limits: Limits, environment: Mapping[str, str]
    ) -> None:
        self.limited = Limited(Retrying(transport), limits)
        self._outer = Redacting(self.limited, Redactor.of_environment(environment))

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError."""
        return await self._outer.ask(request)


def open_model(choice: Choice) -> ModelTransport:
    """A model that runs in asyncio. Raises CannotAsk.

    It takes seconds, since LiteLLM is imported here, before the first deadline begins.
    """
    from treec.ask.litellm_model import LiteLLMModel, price
    from treec.ask.litellm_setup import load_litellm, require_litellm

    name = choice.name
    if "/" not in name:
        raise CannotAsk(f"'{name}' names no provider: write provider/model, such as openai/{name}")
    try:
        require_litellm()
        litellm = load_litellm()
    except TransportError as error:
        raise CannotAsk(str(error)) from None
    try:
        litellm.get_llm_provider(name)
        needs = litellm.validate_environment(name, api_base=choice.api_base)
    except Exception:
        provider = name.partition("/")[0]
        raise CannotAsk(f"'{name}': LiteLLM knows no provider '{provider}'") from None
    missing = [one for one in needs.get("missing_keys") or () if not one.endswith("_API_BASE")]
    if choice.api_base is None and not needs.get("keys_in_environment") and missing:
        raise CannotAsk(
            f"asking {name} needs {' and '.join(missing)} in the environment, or --api-base"
        )
    if choice.limits.cost is not None and price(litellm, name, 1, 1) is None:
        raise CannotAsk(
            f"no price of {name} is known, so a limit on cost would not hold: limit the tokens"
        )
    return ModelTransport(LiteLLMModel(name, choice.api_base), choice.limits, os.environ)
