from __future__ import annotations

import asyncio
import json
import traceback

import pytest

from tests.ask.questions import QUESTION
from treec.ask.limits import LimitReached
from treec.ask.transport import Answer, Request, TransportError, Unavailable
from treec_models.redacting import RedactingTransport
from treec_models.redaction import HIDDEN, Redactor

KEY = 'k"/canary+1234'
ENVIRONMENT = {
    "OPENAI_API_KEY": KEY,
    "HF_TOKEN": "tok-canary-5678",
    "AWS_SECRET_ACCESS_KEY": "aws-canary-9999",
    "AZURE_KEY_2": "azure-canary-22",
    "MONKEY": "bananas-and-nuts",
    "SHORT_KEY": "pick",
    "HOME": "/home/somebody",
}


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        json.dumps({"key": KEY}),
        "https://x/?key=k%22%2Fcanary%2B1234",
        "tok-canary-5678 aws-canary-9999 azure-canary-22",
        "Authorization: Bearer canary.0123456789abcdef",
        "Incorrect API key provided: sk-proj-canary0123456789abc",
        "'x-api-key': 'canary0123456789abcdef'",
    ],
)
def test_no_spelling_of_a_key_is_left(text: str) -> None:
    told = Redactor.of_environment(ENVIRONMENT)(text)
    assert "canary" not in told
    assert HIDDEN in told


@pytest.mark.parametrize(
    "text",
    [
        "bananas-and-nuts in /home/somebody: pick the pepper",
        '{"reasoning": "the key: get_pepper_from_the_pantry", "choose": "Cook"}',
        "the bearer counterrevolutionaries of the api key: internationalization",
        "task-get-pepper-0123456789",
    ],
)
def test_words_that_are_no_keys_stay(text: str) -> None:
    assert Redactor.of_environment(ENVIRONMENT)(text) == text


class Telling:
    """A transport that tells the key in everything it says."""

    def __init__(self, outcome: Answer | Exception) -> None:
        self.outcome = outcome

    async def ask(self, request: Request) -> Answer:
        if isinstance(self.outcome, Exception):
            raise self.outcome from ValueError(KEY)
        return self.outcome


@pytest.mark.parametrize(
    "error",
    [Unavailable(f"429 {KEY}", 3.0), TransportError(KEY), LimitReached(KEY), RuntimeError(KEY)],
)
def test_no_error_tells_it_nor_what_was_before_the_error(error: Exception) -> None:
    redacting = RedactingTransport(Telling(error), Redactor([KEY]))
    with pytest.raises(TransportError) as caught:
        asyncio.run(redacting.ask(QUESTION))
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert HIDDEN in str(caught.value)
    if isinstance(error, Unavailable):
        assert isinstance(caught.value, Unavailable)
        assert caught.value.retry_after == 3.0


def test_no_answer_tells_it() -> None:
    told = Answer(f"it is {KEY}", by=f"x@{KEY}", input_tokens=3, tries=(KEY,))
    answer = asyncio.run(RedactingTransport(Telling(told), Redactor([KEY])).ask(QUESTION))
    assert KEY not in repr(answer)
    assert answer.input_tokens == 3


def test_a_deadline_stays_a_deadline() -> None:
    with pytest.raises(TimeoutError):
        asyncio.run(
            RedactingTransport(Telling(TimeoutError("late")), Redactor([KEY])).ask(QUESTION)
        )
