"""Services of recognition, each by its own format, against a server on loopback."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tests.voice.fakes import tone
from treec_voice.doors import CannotTalk
from treec_voice.services import GoogleRecognizer, OpenAIRecognizer


class Service:
    """Answers what it is told to, and keeps what it was sent."""

    def __init__(self) -> None:
        self.status, self.answer = 200, {}  # type: ignore[var-annotated]
        self.path, self.headers, self.body = "", {}, b""  # type: ignore[var-annotated]
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                service.path, service.headers = self.path, dict(self.headers)
                service.body = self.rfile.read(int(self.headers["Content-Length"]))
                data = json.dumps(service.answer).encode()
                self.send_response(service.status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None: ...

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("GOOGLE_API_KEY", "b-key")
    made = Service()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_openai_gets_a_form_with_a_wav_file_and_names(service: Service) -> None:
    service.answer = {"text": " R2, stop.", "logprobs": [{"logprob": -0.1}, {"logprob": -0.3}]}
    hears = OpenAIRecognizer(api_base=f"{service.url}/v1")
    heard = hears(tone(500), ["R2", "ranch sauce"])
    assert (heard.text, heard.confidence) == ("R2, stop.", 0.819)
    assert service.path == "/v1/audio/transcriptions"
    assert service.headers["Authorization"] == "Bearer a-key"
    kind = f"Content-Type: {service.headers['Content-Type']}\r\n\r\n".encode()
    form = BytesParser().parsebytes(kind + service.body)
    parts = {
        str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True)
        for part in form.get_payload()  # type: ignore[union-attr]
        if not isinstance(part, str)
    }
    assert parts["model"] == b"gpt-4o-mini-transcribe"
    assert parts["prompt"] == b"R2, ranch sauce"
    assert parts["include[]"] == b"logprobs"
    assert parts["file"][:4] == b"RIFF"  # type: ignore[index]


def test_google_gets_samples_and_phrases_and_gives_alternatives(service: Service) -> None:
    alternatives = [{"transcript": "get the pepper", "confidence": 0.9}, {"transcript": "paper"}]
    service.answer = {"results": [{"alternatives": alternatives}]}
    heard = GoogleRecognizer(api_base=service.url)(tone(500), ["pepper"])
    assert (heard.text, heard.confidence, heard.alternatives) == (
        "get the pepper",
        0.9,
        ("paper",),
    )
    sent = json.loads(service.body)
    assert service.path == "/v1/speech:recognize"
    assert service.headers["X-Goog-Api-Key"] == "b-key"
    assert sent["config"]["speechContexts"] == [{"phrases": ["pepper"]}]
    assert len(base64.b64decode(sent["audio"]["content"])) == 2 * 6400


def test_what_a_service_says_is_told_without_the_key(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.status, service.answer = 401, {"error": {"message": "wrong key"}}
    with pytest.raises(CannotTalk, match=r"answers 401.*wrong key") as told:
        OpenAIRecognizer(api_base=service.url)(tone(500), [])
    assert "a-key" not in str(told.value)
    monkeypatch.delenv("GOOGLE_API_KEY")
    with pytest.raises(CannotTalk, match="set the variable GOOGLE_API_KEY"):
        GoogleRecognizer()
