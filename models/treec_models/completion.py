"""Reads a chat completion as servers send it, and names the ones that are no answer.

The text may be a string, a list of parts, the arguments of a call that nobody asked for, or stand
where a model thinks; the whole may be a stream that nobody asked for, or an error with status 200.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from treec.ask.extract import LONGEST
from treec.ask.transport import Answer, TooLarge, TransportError, Unavailable
from treec.source.text import shorten
from treec_models.model_client import AccountError, ModelError, NoUse, RequestRefused

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may be answered."""

REFUSALS = frozenset({400, 404, 415, 422, 501})
"""Statuses with which servers refuse a schema, among other things."""

REJECTIONS = frozenset({401, 402, 403})
"""Statuses that hold for every request of the account."""

SHOWN = 160
"""Characters of an unreadable response that an error quotes."""

FILTERED = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "prohibited_content", "blocklist", "spii"}
)
"""Reasons to finish: the provider, or the model, holds the answer back."""

CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
"""Reasons to finish: the answer has as many tokens as it may have."""

_FINAL = re.compile(
    r"insufficient_quota|billing_hard_limit_reached|billing_not_active|account_deactivated"
)
_FILTERS = re.compile(r"content_filter|content_policy|ResponsibleAIPolicyViolation")
_BUSY = re.compile(
    r"rate_?limit|too_many_requests|overloaded|server_error|internal_?(server_)?error|unavailable"
    r"|timeout",
    re.IGNORECASE,
)
_FORM = re.compile(r"response_format|json_schema|schema|grammar|temperature", re.IGNORECASE)


def status_error(
    status: int | None, message: str, retry_after: float | None, body: str = ""
) -> TransportError:
    """The error of a request that a server answered with this status.

    ``body`` has what the server says beside ``message``: the code of the error, for example.
    """
    said = f"{body} {message}"
    if status in REJECTIONS or _FINAL.search(said):
        return AccountError(message)
    if _FILTERS.search(said):
        return ModelError(message)
    if status in RETRYABLE:
        return Unavailable(message, retry_after)
    if status in REFUSALS:
        return RequestRefused(message)
    return ModelError(message)


def bounded_text(text: str) -> str:
    """An answer's text. Raises TooLarge for one that is longer than any answer may be."""
    if len(text) > LONGEST:
        raise TooLarge(f"the answer has {len(text):,} characters; at most {LONGEST:,} are read")
    return text


def signature(model: str, reported: str | None, fingerprint: str | None) -> str:
    """``MODEL@VERSION``; the version is the name and the fingerprint that the server reports."""
    version = (reported or "unknown").rpartition("/")[2]
    return f"{model}@{version}+{fingerprint}" if fingerprint else f"{model}@{version}"


def completion_data(body: bytes, whole: str = "") -> Any:
    """The JSON of a response's body; the pieces of a stream are joined. Raises TransportError.

    A piece with the key ``whole`` is the whole response.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        pieces = stream_pieces(body)
    if pieces is None:
        raise ModelError(unreadable(body, "with a body that is not JSON"))
    for piece in pieces if whole else ():
        if isinstance(piece, Mapping) and whole in piece:
            return piece
    return _joined(pieces)


def read_completion(
    model: str, data: Any, body: bytes = b"", retry_after: float | None = None
) -> Answer:
    """The answer in a chat completion. Raises TransportError."""
    choice = _choice(data)
    for holder in (data, choice):
        if isinstance(holder, Mapping) and (error := error_in(holder)):
            raise error_of(error, retry_after)
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        message = {"content": choice.get("text")} if isinstance(choice, Mapping) else {}
    text = _content(message.get("content"))
    if text is None or not (choice and message):
        shown = body or json.dumps(data, default=str).encode()
        raise ModelError(unreadable(shown, "without a chat completion"))
    text = text if text.strip() else _called(message)
    by = signature(model, _text(data.get("model")), _text(data.get("system_fingerprint")))
    usage = data.get("usage")
    spent = Answer(
        "",
        by,
        input_tokens=token_count(usage, "prompt_tokens", "input_tokens"),
        output_tokens=token_count(usage, "completion_tokens", "output_tokens"),
    )
    refusal = _content(message.get("refusal")) or _refusal_part(message.get("content"))
    if refusal and not text.strip():
        raise NoUse(f"the model refuses to answer: {shorten(refusal, SHOWN)}", spent)
    reason = (_text(choice.get("finish_reason")) or "").lower()
    if reason in FILTERED:
        raise NoUse(f"the provider's filter holds the answer back ({reason})", spent)
    if reason in CUT_OFF and not _is_object(text):
        raise NoUse(f"the answer is cut off: it has as many tokens as it may ({reason})", spent)
    text = text if text.strip() else _thought(message)
    return Answer(
        bounded_text(text), by, input_tokens=spent.input_tokens, output_tokens=spent.output_tokens
    )


def _choice(data: Any) -> Any:
    """The first choice; a server without choices may send its message alone."""
    if not isinstance(data, Mapping):
        return None
    choices = data.get("choices")
    if isinstance(choices, list) and choices:
        return choices[0]
    return data if isinstance(data.get("message"), Mapping) else None


def _content(content: object) -> str | None:
    """A content as text; None for one that holds none."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return json.dumps(content, ensure_ascii=False)
    if not isinstance(content, list):
        return None
    parts = [part for part in content if isinstance(part, str | Mapping)]
    if content and not parts:
        return None
    return "".join(part if isinstance(part, str) else _part(part) for part in parts)


def _part(part: Mapping[str, Any]) -> str:
    """The text of a part, but of a thought or a picture."""
    if part.get("type", "text") not in ("text", "output_text", "json"):
        return ""
    value = part.get("text", part.get("json"))
    if isinstance(value, Mapping):
        value = value.get("value", value)
    return _content(value) or ""


def _refusal_part(content: object) -> str:
    parts = content if isinstance(content, list) else ()
    found = (part.get("refusal") for part in parts if isinstance(part, Mapping))
    return next((one for one in found if isinstance(one, str)), "")


def _called(message: Mapping[str, Any]) -> str:
    """The arguments of the first call: a model that was trained to call answers by one."""
    calls = message.get("tool_calls")
    functions = [message.get("function_call")]
    for call in calls if isinstance(calls, list) else ():
        functions.append(call.get("function", call) if isinstance(call, Mapping) else None)
    for function in functions:
        if isinstance(function, Mapping) and (text := _content(function.get("arguments"))):
            return text
    return ""


def _thought(message: Mapping[str, Any]) -> str:
    """Where a server takes the whole answer for a thought."""
    for name in ("reasoning_content", "reasoning", "thinking"):
        if text := _content(message.get(name)):
            return text
    return ""


def _is_object(text: str) -> bool:
    """Whether a text is a JSON object from its beginning to its end."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def token_count(usage: object, *names: str) -> int | None:
    """A number of tokens; None for one that can be none."""
    for name in names:
        value = usage.get(name) if isinstance(usage, Mapping) else None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


# Errors with status 200


def error_in(data: Mapping[str, Any]) -> object:
    """What a body says went wrong; false for one that says nothing of the kind."""
    error = data.get("error")
    if error or data.get("object") == "error" or data.get("type") == "error":
        return error or data
    has_answer = any(name in data for name in ("choices", "message", "answers"))
    return data if not has_answer and isinstance(data.get("detail"), str | list) else None


def error_of(error: object, retry_after: float | None) -> TransportError:
    """The error that a body with status 200 says."""
    fields = error if isinstance(error, Mapping) else {"message": error}
    message = next((fields[n] for n in ("message", "detail", "error") if fields.get(n)), error)
    words = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)
    told = f"the server answered 200 with an error: {shorten(words, SHOWN)}"
    codes = [fields.get(name) for name in ("status", "status_code", "code", "type")]
    names = " ".join(str(code) for code in codes if code is not None)
    status = next((int(str(code)) for code in codes if re.fullmatch(r"\d{3}", str(code))), None)
    if status is None and _BUSY.search(names):
        status = 503
    if status is None and _FORM.search(words):
        status = 400
    return status_error(status, told, retry_after, names)


def unreadable(body: bytes, what: str) -> str:
    """What is wrong with a body, and its beginning."""
    text = shorten(body[:2000].decode("utf-8", "replace"), SHOWN)
    if not text:
        return "the server answered 200 with an empty body"
    return f"the server answered 200 {what}: {text}"


# Streams


def stream_pieces(body: bytes) -> list[Any] | None:
    """The events of a stream of JSON; None for a body that is none."""
    pieces: list[Any] = []
    for line in body.decode("utf-8", "replace").splitlines():
        name, colon, rest = line.strip().partition(":")
        if not name or (colon and name in ("event", "id", "retry")):
            continue
        text = rest.strip() if name == "data" else line
        if text == "[DONE]":
            pieces.append(None)
            continue
        try:
            pieces.append(json.loads(text))
        except (ValueError, RecursionError):
            return None
    return pieces if any(isinstance(piece, Mapping) for piece in pieces) else None


def _joined(pieces: Iterable[Any]) -> Any:
    """The completion of which these are the pieces. Raises Unavailable for one without an end."""
    found: dict[str, Any] = {}
    texts: dict[str, str] = {}
    calls: dict[object, dict[str, str]] = {}
    reason, ended = None, False
    for piece in pieces:
        if not isinstance(piece, Mapping):
            ended = ended or piece is None
            continue
        if error_in(piece):
            return piece
        found |= {name: value for name, value in piece.items() if value is not None}
        choice = _choice(piece)
        if not isinstance(choice, Mapping):
            continue
        reason = choice.get("finish_reason") or reason
        delta = choice.get("delta", choice.get("message"))
        for name, value in delta.items() if isinstance(delta, Mapping) else ():
            if name == "tool_calls" and isinstance(value, list):
                _add_calls(calls, value)
            elif name != "role" and (text := _content(value)):
                texts[name] = texts.get(name, "") + text
    if reason is None and not ended:
        raise Unavailable("the stream of the answer, which was not requested, broke off")
    message = {**texts, "tool_calls": [{"function": one} for one in calls.values()]}
    return {**found, "choices": [{"message": message, "finish_reason": reason}]}


def _add_calls(calls: dict[object, dict[str, str]], pieces: Iterable[Any]) -> None:
    for piece in pieces:
        function = piece.get("function") if isinstance(piece, Mapping) else None
        if isinstance(function, Mapping):
            call = calls.setdefault(piece.get("index", 0), {"arguments": ""})
            call["arguments"] += _content(function.get("arguments")) or ""
