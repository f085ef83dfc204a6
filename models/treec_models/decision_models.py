"""Decision models: typed questions about a state in, probabilities out, no text.

``systemone/NAME`` speaks ``POST /v1/systemone``; ``decisions/PROVIDER/NAME`` is asked through
LiteLLM in the form of OpenAI's Decisions. Questions that are asked at one moment, of a decision and
of those below it, leave in one request.
"""

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treec.ask.transport import QUESTIONS, Answer, Request
from treec_asking.marks import unmark_text
from treec_asking.open_model import NO_SETTINGS, RequestSettings
from treec_models.completion import completion_data, signature, token_count
from treec_models.http_client import HttpClient, require_httpx
from treec_models.litellm_model import LiteLLMModel, error_reason, load_litellm
from treec_models.model_client import ModelClient, ModelError, NotReady, NoUse, RequestForm
from treec_models.openai_chat import checked_address, header_value, require_success
from treec_models.pictures import refuse_pictures
from treec_models.server_errors import error_in, error_of, unreadable_error
from treec_models.typed_answers import NoTypedAnswer, answers_by_name, typed_answer

if TYPE_CHECKING:
    import asyncio

BASE, KEY = "SYSTEMONE_API_BASE", "SYSTEMONE_API_KEY"
"""The variables of the environment for `systemone/NAME`."""

MOST_QUESTIONS = 128
"""Questions in one request."""

PROBE = {"answers": {"type": "noul", "instructions": "Is the service reachable?"}}

Questions = Mapping[str, Mapping[str, Any]]


@dataclass(eq=False)
class _Part:
    """What one node asks in a request, and the answer that it waits for."""

    node: str
    state: str
    questions: Questions
    answer: asyncio.Future[Answer]


@dataclass
class _Batch:
    """The parts of one request."""

    parts: list[_Part] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """A name for each part: its node's, numbered if there are several."""
        nodes = [part.node for part in self.parts]
        return [n if nodes.count(n) == 1 else f"{n} {i}" for i, n in enumerate(nodes, 1)]

    @property
    def state(self) -> str | dict[str, str]:
        """What all see; by name, if they see different things."""
        states = [part.state for part in self.parts]
        return states[0] if len({*states}) == 1 else dict(zip(self.names, states, strict=True))

    def questions(self) -> dict[str, dict[str, Any]]:
        """All questions, by the names of their parts and their own."""
        shared = isinstance(self.state, str)
        return {
            self.key(number, name): {
                **question,
                "instructions": question["instructions"]
                if shared
                else f"As '{self.names[number]}' sees it: {question['instructions']}",
            }
            for number, part in enumerate(self.parts)
            for name, question in part.questions.items()
        }

    def key(self, number: int, name: str) -> str:
        """The name of a part's question in the request."""
        return name if len(self.parts) == 1 else f"{self.names[number]}.{name}"


_Key = tuple[str, object]
"""A model, and the run that asks it."""


class DecisionModel(ModelClient):
    """Gathers what a run asks at one moment into one request; samples are asked each alone."""

    def __init__(
        self, model: str, api_base: str | None = None, settings: RequestSettings = NO_SETTINGS
    ) -> None:
        super().__init__(model, api_base, settings)
        self._gathered: dict[_Key, _Batch] = {}

    @abstractmethod
    async def post(
        self, model: str, state: str | dict[str, str], questions: Questions
    ) -> tuple[Any, bytes, float | None]:
        """The data of a response, its body, and when to ask again. Raises TransportError."""

    async def ask_alone(self, model: str, state: str, questions: Questions) -> Mapping[str, object]:
        """The answers to questions, by name, as the server gave them. Raises TransportError."""
        data, body, retry_after = await self.post(model, state, questions)
        return _find_answers(data, questions, body, retry_after)

    async def send(self, model: str, request: Request, form: RequestForm) -> Answer:
        """The answers to a request's typed questions, as JSON. Raises TransportError."""
        import asyncio

        refuse_pictures(model, request.messages)
        questions = PROBE if request.kind == "probe" else request.schema.get(QUESTIONS)
        if not isinstance(questions, Mapping) or not questions:
            kind = f"{'an' if request.kind[:1] in 'aeiou' else 'a'} {request.kind}"
            raise ModelError(f"{model} answers typed questions only, and {kind} has none")
        loop = asyncio.get_running_loop()
        state = unmark_text(request.messages[-1].content)
        part = _Part(request.node, state, questions, loop.create_future())
        key = model, part if request.asker is None else request.asker
        batch = self._gathered.get(key)
        size = sum(len(one.questions) for one in batch.parts) if batch else 0
        if batch is None or size + len(questions) > MOST_QUESTIONS:
            batch = self._gathered[key] = _Batch()
            loop.call_soon(self._begin, key, batch)
        batch.parts.append(part)
        return await part.answer

    def _begin(self, key: _Key, batch: _Batch) -> None:
        import asyncio

        if self._gathered.get(key) is batch:
            del self._gathered[key]
        task = asyncio.get_running_loop().create_task(self._answer(key[0], batch))
        for part in batch.parts:  # nobody waits any more: close the connection
            part.answer.add_done_callback(
                lambda _: all(p.answer.done() for p in batch.parts) and task.cancel()
            )

    async def _answer(self, model: str, batch: _Batch) -> None:
        batch.parts = [part for part in batch.parts if not part.answer.done()]
        if not batch.parts:
            return
        questions = batch.questions()
        try:
            data, body, retry_after = await self.post(model, batch.state, questions)
            found = _find_answers(data, questions, body, retry_after)
        except Exception as error:
            for part in batch.parts:
                if not part.answer.done():
                    part.answer.set_exception(error)
            return
        usage = data.get("usage")
        by = signature(model, data["model"] if isinstance(data.get("model"), str) else None, None)
        counted = Answer(
            "",
            by,
            input_tokens=token_count(usage, "input_tokens", "prompt_tokens"),
            output_tokens=token_count(usage, "output_tokens", "completion_tokens"),
        )
        first = batch.names[0]
        shared = (f"asked in one request with {first}",)
        for number, part in enumerate(batch.parts):
            spent = counted if number == 0 else Answer("", by, tries=shared)
            if not part.answer.done():
                _deliver(part, {n: found.get(batch.key(number, n)) for n in part.questions}, spent)


def _deliver(part: _Part, found: Mapping[str, object], spent: Answer) -> None:
    from dataclasses import replace

    answers: dict[str, object] = {}
    for name, question in part.questions.items():
        try:
            answers[name] = typed_answer(question, found[name])
        except NoTypedAnswer as error:
            part.answer.set_exception(NoUse(f"no answer to '{name}': {error}", spent))
            return
    part.answer.set_result(replace(spent, text=json.dumps(answers, ensure_ascii=False)))


def _find_answers(
    data: Any, questions: Questions, body: bytes, retry_after: float | None
) -> Mapping[str, object]:
    """The answers in a response, perhaps below one more key. Raises TransportError."""
    if isinstance(data, Mapping):
        if error := error_in(data):
            raise error_of(error, retry_after)
        inner = [one for one in data.values() if isinstance(one, Mapping) and "answers" in one]
        holder = data if "answers" in data else (inner[0] if len(inner) == 1 else {})
        if isinstance(holder.get("answers"), Mapping | list | tuple):
            return answers_by_name(questions, holder["answers"])
    shown = body or json.dumps(data, default=str).encode()
    raise unreadable_error(shown, "without answers to typed questions")


class SystemOne(DecisionModel):
    """The models behind ``POST /v1/systemone``: of a provider, or of a server of one's own."""

    def __init__(
        self,
        model: str,
        api_base: str | None = None,
        settings: RequestSettings = NO_SETTINGS,
        http: HttpClient | None = None,
    ) -> None:
        super().__init__(model, api_base, settings)
        self._http = http or HttpClient()
        self._endpoint: tuple[str, dict[str, str]] | None = None

    def prepare(self, model: str) -> None:
        """Import httpx, and check the address. Raises NotReady."""
        if self._endpoint is not None:
            return
        require_httpx()
        given = self.api_base or os.environ.get(BASE)
        if not given:
            where = f"--api-base, 'decisions' of treec.toml, or {BASE} in the environment"
            raise NotReady(f"asking {model} needs the address of its server: {where}")
        base = checked_address(given)
        if not base.endswith(("/systemone", "/decisions")):
            base += "/systemone" if base.endswith("/v1") else "/v1/systemone"
        headers = {"Content-Type": "application/json", "User-Agent": "treec"}
        if key := os.environ.get(KEY, "").strip():
            headers["Authorization"] = f"Bearer {header_value(KEY, key)}"
        for header, value in self.settings.headers.items():
            headers[header] = header_value(f"the header {header}", value)
        self._endpoint = base, headers

    async def post(
        self, model: str, state: str | dict[str, str], questions: Questions
    ) -> tuple[Any, bytes, float | None]:
        """The data of a response. Raises TransportError."""
        self.prepare(model)
        assert self._endpoint is not None
        url, headers = self._endpoint
        own = {"model": model.partition("/")[2], "state": state, "questions": questions}
        body: dict[str, object] = {**own, **self.settings.extra_body}
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        response = await self._http.post(url, headers, content)
        require_success(response)
        return completion_data(response.body, "answers"), response.body, response.retry_after


class LiteLLMDecisions(DecisionModel):
    """The decision models that LiteLLM knows, in the form of OpenAI's Decisions."""

    _options: Mapping[str, str] = {}

    def prepare(self, model: str) -> None:
        """Import LiteLLM, and check the model's provider and key. Raises NotReady."""
        name = model.partition("/")[2]
        LiteLLMModel(name, self.api_base, self.settings).prepare(name)
        if self.api_base is not None:
            has_key = load_litellm().validate_environment(name)["keys_in_environment"]
            key = {} if has_key else {"api_key": "none"}  # a server of one's own may need none
            self._options = {"api_base": self.api_base, **key}

    async def post(
        self, model: str, state: str | dict[str, str], questions: Questions
    ) -> tuple[Any, bytes, float | None]:
        """The data of a response. Raises TransportError."""
        litellm = load_litellm()
        options: dict[str, Any] = dict(self._options)
        if self.settings.headers:
            options["extra_headers"] = dict(self.settings.headers)
        text = state if isinstance(state, str) else json.dumps(state, ensure_ascii=False, indent=1)
        try:
            response = await litellm.adecisions(
                model=model.partition("/")[2],
                input=text,
                questions=[_openai_question(name, one) for name, one in questions.items()],
                **options,
            )
        except TimeoutError:
            raise
        except Exception as error:
            raise error_reason(error) from None
        return response.model_dump(), b"", None


def _openai_question(name: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """A typed question in OpenAI's form."""
    criteria = question.get("criteria", ())
    asked = {"name": name, "instructions": question["instructions"]}
    if question["type"] == "choice":
        choices = [
            {"value": value, **({"description": about} if about else {})}
            for value, about in criteria.items()
        ]
        return {"type": "choice", **asked, "choices": choices}
    if question["type"] == "score":
        return {"type": "score", **asked, "levels": [{"label": level} for level in criteria]}
    return {"type": "predicate", **asked}


DECISION_CLIENTS: Mapping[str, type[DecisionModel]] = {
    "systemone": SystemOne,
    "decisions": LiteLLMDecisions,
}
"""The clients, by the first part of a model's name."""
