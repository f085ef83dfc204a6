"""The interfaces that the fake model speaks: OpenAI's and Anthropic's."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Dialect = Literal["openai", "anthropic"]

_PATHS: Mapping[str, Dialect] = {
    "/chat/completions": "openai",
    "/messages": "anthropic",
}
_COMPLETION = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0}
_TITLE = re.compile(r'"title": ?"([A-Za-z0-9_-]{1,64})"')
_IN_WORDS = re.compile(r"JSON Schema:\n(\{.*)")


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as the server received it."""

    dialect: Dialect
    model: str
    node: str
    text: str
    schema: Mapping[str, Any] | None
    in_words: bool
    headers: Mapping[str, str] = field(repr=False)
    body: Mapping[str, Any] = field(repr=False)

    @property
    def brings_schema(self) -> bool:
        """Whether the request has a schema outside the prompt."""
        return self.schema is not None and not self.in_words


def dialect_of(path: str) -> Dialect | None:
    """The interface of a path; None for an unknown path."""
    return next((one for end, one in _PATHS.items() if path.partition("?")[0].endswith(end)), None)


def read_request(
    dialect: Dialect, headers: Mapping[str, str], body: Mapping[str, Any]
) -> ReceivedRequest:
    """Read a request. Raises KeyError, TypeError or AttributeError for an invalid one."""
    messages = [*body["messages"]]
    if "system" in body:
        messages.insert(0, {"role": "system", "content": body["system"]})
    text = "\n".join(_words(one.get("content")) for one in messages)
    schema, node = _schema(dialect, body)
    in_words = False
    if schema is None:
        schema, in_words = _schema_in(text), True
        title = _TITLE.search(text)
        node = title[1] if title else ""
    return ReceivedRequest(dialect, str(body["model"]), node, text, schema, in_words, headers, body)


def answer_body(
    request: ReceivedRequest, model: str, text: str, tokens: tuple[int, int]
) -> dict[str, Any]:
    """An answer in the form of the interface."""
    input_tokens, output_tokens = tokens
    if request.dialect == "anthropic":
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        tool = request.body.get("tools")
        if tool and isinstance(parsed := _object(text), dict):
            content = [{"type": "tool_use", "id": "t1", "name": tool[0]["name"], "input": parsed}]
        usage = {"input_tokens": input_tokens, "output_tokens": output_tokens}
        head = {"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "end_turn"}
        return {**head, "model": model, "content": content, "usage": usage}
    message = {"role": "assistant", "content": text}
    usage = {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": input_tokens + output_tokens,
    }
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop"}
    return {**_COMPLETION, "model": model, "choices": [choice], "usage": usage}


def error_body(message: str, status: int) -> dict[str, Any]:
    """An error in a form that clients of both interfaces understand."""
    return {"type": "error", "error": {"message": message, "type": "fake", "code": status}}


def _schema(dialect: Dialect, body: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, str]:
    """The schema in the request's own field, and its name."""
    if dialect == "openai":
        form = body.get("response_format") or {}
        inner = form.get("json_schema") or {}
        return inner.get("schema"), str(inner.get("name", ""))
    output = body.get("output_format") or (body.get("output_config") or {}).get("format") or {}
    if "schema" in output:
        return output["schema"], ""
    tools = body.get("tools") or ()
    return (tools[0].get("input_schema"), "") if tools else (None, "")


def _schema_in(text: str) -> Mapping[str, Any] | None:
    match = _IN_WORDS.search(text)
    found = _object(match[1]) if match else None
    return found if isinstance(found, dict) else None


def _object(text: str) -> object:
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except ValueError:
        return None


def _words(content: object) -> str:
    """The text of a message; of a picture the beginning of its URL, such as `data:image/png`."""
    if isinstance(content, list):
        parts = (part for part in content if isinstance(part, dict))
        return "\n".join(str(part.get("text") or _picture(part)) for part in parts)
    return str(content or "")


def _picture(part: Mapping[str, Any]) -> str:
    held = part.get("image_url")
    url = held.get("url") if isinstance(held, dict) else held
    return str(url or "").partition(";")[0][:200]
