"""A transport whose answers and errors contain no API keys."""

from __future__ import annotations

from dataclasses import replace

from treec.ask.transport import Answer, Request, Transport, TransportError, Unavailable
from treec_models.redaction import Redactor


class RedactingTransport:
    """A transport whose answers and errors contain no keys."""

    def __init__(self, transport: Transport, redact: Redactor) -> None:
        self._transport = transport
        self._redact = redact

    async def ask(self, request: Request) -> Answer:
        """The answer, or the error, without keys. Raises TransportError."""
        try:
            answer = await self._transport.ask(request)
        except TimeoutError:
            raise
        except Unavailable as error:
            again: TransportError = Unavailable(self._redact(str(error)), error.retry_after)
        except TransportError as error:
            again = error
            again.args = tuple(self._redact(str(arg)) for arg in error.args)
            if again.spent is not None:
                again.spent = self._redacted(again.spent)
        except Exception as error:
            again = TransportError(self._redact(f"{type(error).__name__}: {error}"))
        else:
            return self._redacted(answer)
        # Raised outside the handler, so that the original error and its text are not chained.
        again.__cause__ = again.__context__ = None
        raise again

    def _redacted(self, answer: Answer) -> Answer:
        tries = tuple(map(self._redact, answer.tries))
        text, by = self._redact(answer.text), self._redact(answer.by)
        return replace(answer, text=text, by=by, tries=tries)
