"""OpenAI's chat interface over HTTP: OpenAI's own server, Ollama, vLLM, LM Studio and the like.

One request is one POST to ``/chat/completions`` with the answer's JSON Schema as its
``response_format``. What a server sends is read defensively: any of it may be missing or wrong.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from treec.ask.transport import Answer, Request
from treec.source.text import shorten
from treec_asking.open_model import NO_SETTINGS, RequestSettings
from treec_models.answer_form import response_format
from treec_models.completion import completion_data, read_completion
from treec_models.http_client import HttpClient, HttpResponse, require_httpx
from treec_models.model_client import (
    ModelClient,
    NotReady,
    RequestForm,
)
from treec_models.pictures import content_parts
from treec_models.server_errors import SHOWN, status_error


@dataclass(frozen=True, slots=True)
class Provider:
    """A server with this interface, and the variables of the environment that configure it.

    ``address`` is where it listens unless one of ``address_variables`` says otherwise; ``account``
    maps headers to the variables that name the account that is charged.
    """

    address: str | None
    address_variables: tuple[str, ...]
    key_variable: str
    needs_key: bool = False
    account: Mapping[str, str] | None = None


_OLLAMA = Provider("http://localhost:11434", ("OLLAMA_API_BASE",), "OLLAMA_API_KEY")
PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(
        "https://api.openai.com/v1",
        ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        "OPENAI_API_KEY",
        needs_key=True,
        account={"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"},
    ),
    "ollama": _OLLAMA,
    "ollama_chat": _OLLAMA,
    "hosted_vllm": Provider(None, ("HOSTED_VLLM_API_BASE",), "HOSTED_VLLM_API_KEY"),
    "lm_studio": Provider("http://localhost:1234/v1", ("LM_STUDIO_API_BASE",), "LM_STUDIO_API_KEY"),
}
"""The providers that :class:`OpenAIChat` asks, by the first part of a model's name."""

_MESSAGE = re.compile(r'"message": ?"((?:[^"\\]|\\.){1,400})"')


class OpenAIChat(ModelClient):
    """The models of one provider, asked through OpenAI's chat interface."""

    def __init__(
        self,
        model: str,
        api_base: str | None = None,
        settings: RequestSettings = NO_SETTINGS,
        http: HttpClient | None = None,
    ) -> None:
        super().__init__(model, api_base, settings)
        self._http = http or HttpClient()
        self._endpoint: tuple[str, Mapping[str, str]] | None = None

    def prepare(self, model: str) -> None:
        """Import httpx, and check the provider's key and address. Raises NotReady."""
        if self._endpoint is None:
            require_httpx()
            self._endpoint = self._read_endpoint(model)

    async def send(self, model: str, request: Request, form: RequestForm) -> Answer:
        """Send a request once. Raises TransportError."""
        self.prepare(model)
        assert self._endpoint is not None
        url, headers = self._endpoint
        body: dict[str, object] = {
            "model": model.partition("/")[2],
            "messages": [
                {"role": one.role, "content": content_parts(one)} for one in form.messages(request)
            ],
        }
        if form.schema:
            grammar = model.partition("/")[0] != "openai"  # on one's own machine
            body["response_format"] = response_format(request, keeps_names=grammar)
        if form.temperature and request.temperature is not None:
            body["temperature"] = request.temperature
        body |= self.settings.parameters()
        if "max_tokens" in body and url.startswith(f"{PROVIDERS['openai'].address}/"):
            body["max_completion_tokens"] = body.pop("max_tokens")  # its newer models know no other
        body |= self.settings.extra_body
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        return _answer(model, await self._http.post(url, headers, content))

    def _read_endpoint(self, model: str) -> tuple[str, Mapping[str, str]]:
        """The URL and the headers for the provider's models, by the environment."""
        provider = PROVIDERS[model.partition("/")[0]]
        from_environment = filter(None, map(os.environ.get, provider.address_variables))
        given = self.api_base or next(from_environment, None)
        address = given or provider.address
        if address is None:
            variable = provider.address_variables[0]
            raise NotReady(f"asking {model} needs --api-base, or {variable} in the environment")
        key = os.environ.get(provider.key_variable, "").strip()
        if provider.needs_key and not key and given is None:
            variable = provider.key_variable
            raise NotReady(f"asking {model} needs {variable} in the environment, or --api-base")
        headers = {"Content-Type": "application/json", "User-Agent": "treec"}
        if key:
            headers["Authorization"] = f"Bearer {header_value(provider.key_variable, key)}"
        for header, variable in (provider.account or {}).items():
            if value := os.environ.get(variable):
                headers[header] = header_value(variable, value)
        for header, value in self.settings.headers.items():
            headers[header] = header_value(f"the header {header}", value)
        return _chat_url(address, provider), headers


def header_value(variable: str, value: str) -> str:
    """A header's value. Raises NotReady for one that no header may have."""
    if not (value.isascii() and value.isprintable()):
        raise NotReady(f"{variable} holds a character that no HTTP header may hold")
    return value


def _chat_url(address: str, provider: Provider) -> str:
    """The URL to post to. Raises NotReady for an address that is none."""
    base = checked_address(address)
    if provider is _OLLAMA and not base.endswith("/v1"):
        base += "/v1"
    return f"{base}/chat/completions"


def checked_address(address: str) -> str:
    """The address of a server, without a slash at its end. Raises NotReady for one that is none."""
    try:
        parts = urlsplit(address)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        valid = valid and parts.username is None
    except ValueError:
        valid = False
    if not valid or not address.isprintable():
        raise NotReady("the address of the model's server must read http://HOST:PORT/v1")
    return address.rstrip("/")


def _answer(model: str, response: HttpResponse) -> Answer:
    """The answer in a response. Raises TransportError."""
    require_success(response)
    data = completion_data(response.body)
    return read_completion(model, data, response.body, response.retry_after)


def require_success(response: HttpResponse) -> None:
    """Raise TransportError for a status that is no success."""
    if not 200 <= response.status < 300:
        text = response.body[:2000].decode("utf-8", "replace")
        raise status_error(response.status, _refusal(response, text), response.retry_after, text)


def _refusal(response: HttpResponse, text: str) -> str:
    """A status that is no success, with what the server says of it."""
    message = _MESSAGE.search(text)
    reason = message[1] if message else shorten(text, SHOWN)
    status = f"the server answered {response.status}"
    return f"{status}: {reason}" if reason else status
