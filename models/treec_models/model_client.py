"""What the clients of models share: the deadline, the request's form, and the kinds of errors.

A client asks once, under the request's deadline, and says how that ended; retries, limits and
redaction are above it. Where a server accepts no schema, the schema goes into the prompt, from
then on.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from treec.ask.transport import Answer, Message, Request, TransportError
from treec_asking.open_model import NO_SETTINGS, RequestSettings
from treec_models.answer_form import messages_with_schema


@dataclass(frozen=True, slots=True)
class RequestForm:
    """What a request carries beside its messages: the answer's schema, a temperature."""

    schema: bool
    temperature: bool

    def messages(self, request: Request) -> tuple[Message, ...]:
        """The messages to send; without a schema beside them they hold it in words."""
        return request.messages if self.schema else messages_with_schema(request)


FORMS = (
    RequestForm(True, True),
    RequestForm(False, True),
    RequestForm(True, False),
    RequestForm(False, False),
)
"""Tried in order until a server accepts one, which is then used for all further requests."""


class ModelError(TransportError):
    """The server, or the library that asks it, says that this request has no answer."""


class AccountError(ModelError):
    """The server refuses all requests of the account: its key, or what it has paid for."""


class RequestRefused(ModelError):
    """The server refused the request: perhaps for its form."""


class NoUse(ModelError):
    """What was answered, and paid for, is no answer, and would be none again."""

    spent: Answer

    def __init__(self, reason: str, spent: Answer) -> None:
        super().__init__(reason)
        self.spent = spent


class NotReady(TransportError):
    """The model cannot be asked as things stand: a package, a key or an address is missing."""


class ModelClient(ABC):
    """Asks the models of some providers. One for each thread that asks.

    ``model`` is ``provider/name``, asked where a request names none; ``api_base`` the address of
    its server, if not the provider's own.
    """

    def __init__(
        self, model: str, api_base: str | None = None, settings: RequestSettings = NO_SETTINGS
    ) -> None:
        self.model = model
        self.api_base = api_base
        self.settings = settings
        self._forms: dict[str, RequestForm] = {}

    @abstractmethod
    def prepare(self, model: str) -> None:
        """Import what the model needs, and check keys and addresses. Raises NotReady."""

    @abstractmethod
    async def send(self, model: str, request: Request, form: RequestForm) -> Answer:
        """Send a request once. Raises TransportError, and Refused for one of the wrong form."""

    async def ask(self, request: Request) -> Answer:
        """The model's answer. Raises TransportError, TimeoutError."""
        import asyncio

        start = time.monotonic()
        try:
            async with asyncio.timeout(request.timeout):
                answer = await self._send_in_accepted_form(request)
        except TimeoutError:
            seconds = round(request.timeout or 0.0, 2)  # what tries and waits have left of it
            raise TimeoutError(f"no answer within {seconds:g} s") from None
        return replace(answer, seconds=time.monotonic() - start)

    async def _send_in_accepted_form(self, request: Request) -> Answer:
        model = request.model or self.model
        known = self._forms.get(model)
        first: RequestRefused | None = None
        for form in FORMS if known is None else (known,):
            if not form.temperature and request.temperature is None:
                continue
            try:
                answer = await self.send(model, request, form)
            except RequestRefused as refused:
                # Servers refuse what they do not know in many ways: only another try can tell.
                first = first or refused
            else:
                self._forms[model] = form
                return answer
        raise ModelError(str(first)) from None
