"""Recognizers that are services: OpenAI's transcription and Google's Speech-to-Text.

What is said leaves this machine. Keys come from the environment, and stand in no message.
"""

from __future__ import annotations

import base64
import io
import json
import math
import os
import urllib.error
import urllib.request
import uuid
import wave
from collections.abc import Mapping, Sequence
from typing import Any

from treec_voice.doors import RATE, CannotTalk, Sound, Transcript
from treec_voice.sound import to_pcm

PHRASES = 100
"""Names that are given at most."""


class OpenAIRecognizer:
    """``POST /audio/transcriptions`` of OpenAI, or of a server with the same interface."""

    def __init__(
        self,
        model: str = "gpt-4o-mini-transcribe",
        api_base: str = "https://api.openai.com/v1",
        language: str = "en",
        timeout: float = 10.0,
    ) -> None:
        """The key is $OPENAI_API_KEY. Raises CannotTalk."""
        self._url = f"{api_base.rstrip('/')}/audio/transcriptions"
        self._headers = {"Authorization": f"Bearer {_key('OPENAI_API_KEY')}"}
        self._timeout = timeout
        self._fields = {"model": model, "language": language, "temperature": "0"}
        # Whisper tells how sure it is of segments, the newer models of tokens.
        if model.startswith("whisper"):
            self._fields["response_format"] = "verbose_json"
        else:
            self._fields |= {"response_format": "json", "include[]": "logprobs"}

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        """The words. Raises CannotTalk."""
        fields = {**self._fields, "prompt": ", ".join(hints[:PHRASES])}
        body, kind = _form({name: it for name, it in fields.items() if it}, _wav(sound))
        answer = _post(self._url, body, {**self._headers, "Content-Type": kind}, self._timeout)
        tokens = [it["logprob"] for it in answer.get("logprobs") or ()]
        tokens += [it["avg_logprob"] for it in answer.get("segments") or ()]
        mean = sum(tokens) / len(tokens) if tokens else math.log(0.5)  # it does not say
        return Transcript(str(answer.get("text", "")).strip(), round(math.exp(min(mean, 0)), 3))


class GoogleRecognizer:
    """``POST /v1/speech:recognize`` of Google's Speech-to-Text."""

    def __init__(
        self,
        api_base: str = "https://speech.googleapis.com",
        language: str = "en-US",
        model: str = "latest_short",
        timeout: float = 10.0,
    ) -> None:
        """The key is $GOOGLE_API_KEY. Raises CannotTalk."""
        self._url = f"{api_base.rstrip('/')}/v1/speech:recognize"
        self._headers = {"X-Goog-Api-Key": _key("GOOGLE_API_KEY")}
        self._config = {
            "encoding": "LINEAR16",
            "sampleRateHertz": RATE,
            "languageCode": language,
            "maxAlternatives": 3,
            "model": model,
        }
        self._timeout = timeout

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        """The words of the likeliest alternative of each result. Raises CannotTalk."""
        config = {**self._config, "speechContexts": [{"phrases": list(hints[:PHRASES])}]}
        content = base64.b64encode(to_pcm(sound).tobytes()).decode()
        body = json.dumps({"config": config, "audio": {"content": content}}).encode()
        headers = {**self._headers, "Content-Type": "application/json"}
        answer = _post(self._url, body, headers, self._timeout)
        found = [it["alternatives"] for it in answer.get("results", ()) if it.get("alternatives")]
        text = " ".join(one[0].get("transcript", "").strip() for one in found)
        sure = min((float(one[0].get("confidence", 0.0)) for one in found), default=0.0)
        others = found[0][1:] if len(found) == 1 else []
        return Transcript(text, sure, tuple(it.get("transcript", "").strip() for it in others))


def _key(name: str) -> str:
    if not os.environ.get(name):
        raise CannotTalk(f"no key: set the variable {name}")
    return os.environ[name]


def _wav(sound: Sound) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(to_pcm(sound).tobytes())
    return file.getvalue()


def _form(fields: Mapping[str, str], wav: bytes) -> tuple[bytes, str]:
    """A form with a file, and its content type."""
    limit = uuid.uuid4().hex
    head = 'Content-Disposition: form-data; name="'
    parts = [f'--{limit}\r\n{head}{name}"\r\n\r\n{it}\r\n'.encode() for name, it in fields.items()]
    file = f'--{limit}\r\n{head}file"; filename="said.wav"\r\nContent-Type: audio/wav\r\n\r\n'
    body = b"".join([*parts, file.encode(), wav, f"\r\n--{limit}--\r\n".encode()])
    return body, f"multipart/form-data; boundary={limit}"


def _post(url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> Any:
    """The answer, parsed. Raises CannotTalk."""
    request = urllib.request.Request(url, body, dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        why = error.read(300).decode(errors="replace")
        raise CannotTalk(f"{url} answers {error.code}: {why}") from None
    except (OSError, ValueError) as error:
        raise CannotTalk(f"{url} does not answer: {getattr(error, 'reason', error)}") from None
