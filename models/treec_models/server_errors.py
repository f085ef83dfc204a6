"""What servers say went wrong: by a status, or in the body of a response whose status is 200."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from treec.ask.transport import TransportError, Unavailable
from treec.source.text import shorten
from treec_models.model_client import AccountError, ModelError, RequestRefused

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, *range(520, 525), 529})
"""Statuses after which the same request may be answered; Cloudflare's from 520 on."""

REFUSALS = frozenset({400, 404, 415, 422, 501})
"""Statuses with which servers refuse a schema, among other things."""

REJECTIONS = frozenset({401, 402, 403})
"""Statuses that hold for every request of the account."""

SHOWN = 160
"""Characters of an unreadable response that an error quotes."""

_FINAL = re.compile(
    r"insufficient[ _-]?(quota|credit|balance|funds)|credit balance is too low|out of credits"
    r"|billing_hard_limit_reached|billing_not_active|account_deactivated",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_?not_?found|\bmodels?\b[\s/:]*\S{0,120}?\s+(?:is |was |does |could )?not (?:be )?"
    r"(?:found|exist)|(?:no such|unknown) model\b|invalid model (?:name|id)|not a valid model",
    re.IGNORECASE,
)
_WAIT = re.compile(
    r'"retry_?-?(?:after|delay|in)(_?ms)?(?:_seconds)?"\s*:\s*"?(\d+(?:\.\d+)?)(ms)?', re.I
)
_FILTERS = re.compile(r"content_filter|content_policy|ResponsibleAIPolicyViolation")
_BUSY = re.compile(
    r"rate[ _-]?limit|too[ _]many[ _]requests|overloaded|server_error|resource_?exhausted"
    r"|internal[ _]?(server[ _]?)?error|unavailable|timeout|timed out|bad gateway"
    r"|currently loading|\b50[234]\b",
    re.IGNORECASE,
)
_FORM = re.compile(r"response_format|json_schema|schema|grammar|temperature", re.IGNORECASE)
_ANSWERS = ("choices", "candidates", "answers", "content", "output", "response", "delta")
_CODES = ("status", "status_code", "statusCode", "http_status", "code", "type")


def status_error(
    status: int | None, message: str, retry_after: float | None, body: str
) -> TransportError:
    """The error of a request that a server answered with this status.

    ``body`` has what the server says beside ``message``: the code of the error, for example.
    """
    said = f"{body} {message}"
    missing = status in (400, 404) and _NO_MODEL.search(said)
    if status in REJECTIONS or _FINAL.search(said) or missing:
        return AccountError(message)
    if _FILTERS.search(said):
        return ModelError(message)
    if status in RETRYABLE:
        return Unavailable(message, wait_in(body) if retry_after is None else retry_after)
    if status in REFUSALS:
        return RequestRefused(message)
    return ModelError(message)


def wait_in(body: str) -> float | None:
    """The seconds to wait that a body names: `retry_after`, `retryDelay`, `retry_after_ms`."""
    found = _WAIT.search(body)
    if found is None:
        return None
    return float(found[2]) / (1000 if found[1] or found[3] else 1)


def error_in(data: Mapping[str, Any]) -> object:
    """What a body says went wrong; false for one that says nothing of the kind."""
    error = data.get("error")
    if error or data.get("object") == "error" or data.get("type") == "error":
        return error or data
    if any(data.get(name) for name in _ANSWERS) or isinstance(data.get("message"), Mapping):
        return None
    if data.get("errors") or data.get("success") is False:
        return data.get("errors") or data
    told = any(isinstance(data.get(name), str) for name in ("message", "title"))
    has_code = any(re.fullmatch(r"[45]\d\d", str(data.get(name))) for name in _CODES)
    is_detail = isinstance(data.get("detail"), str | list)
    return data if is_detail or (told and has_code) else None


def error_of(error: object, retry_after: float | None) -> TransportError:
    """The error that a body with status 200 says."""
    if isinstance(error, str) and error.lstrip().startswith("{"):
        with suppress(ValueError, RecursionError):
            error = json.loads(error)
    if isinstance(error, list) and error:
        error = error[0]
    fields = error if isinstance(error, Mapping) else {"message": error}
    named = (fields[n] for n in ("message", "detail", "error", "title") if fields.get(n))
    message = next(named, error)
    words = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)
    told = f"the server answered 200 with an error: {shorten(words, SHOWN)}"
    codes = [fields.get(name) for name in _CODES]
    names = " ".join(str(code) for code in codes if code is not None)
    status = next((int(str(code)) for code in codes if re.fullmatch(r"\d{3}", str(code))), None)
    if status is None and _BUSY.search(f"{names} {words}"):
        status = 503
    if status is None and _FORM.search(words):
        status = 400
    wait = wait_in(json.dumps(fields, default=str))
    return status_error(status, told, retry_after if wait is None else wait, names)


def unreadable_error(body: bytes, what: str) -> TransportError:
    """What is wrong with a body, and its beginning: perhaps the page of a busy server."""
    why = unreadable(body, what)
    return Unavailable(why) if _BUSY.search(why) else ModelError(why)


def unreadable(body: bytes, what: str) -> str:
    """What is wrong with a body, and its beginning."""
    text = shorten(body[:2000].decode("utf-8", "replace"), SHOWN)
    if not text:
        return "the server answered 200 with an empty body"
    return f"the server answered 200 {what}: {text}"
