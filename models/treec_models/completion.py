"""Reads a chat completion as servers send it, and names the ones that are no answer.

The text may be a string, a list of parts, the arguments of a call that nobody asked for, or stand
where a model thinks; the whole may be a stream that nobody asked for, or an error with status 200.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from treec.ask.transport import Answer, TooLarge, Unavailable
from treec.source.text import shorten
from treec_asking.extract import LONGEST, NoObject, find_object
from treec_models.model_client import NoUse
from treec_models.other_spelling import in_json
from treec_models.server_errors import SHOWN, error_in, error_of, unreadable_error

FILTERED = frozenset(
    {"contentfilter", "contentfiltered", "refusal", "safety", "recitation", "prohibitedcontent"}
    | {"blocklist", "spii", "guardrailintervened"}
)
"""Reasons to finish, as letters: the provider, or the model, holds the answer back."""

CUT_OFF = frozenset(
    {"length", "maxtokens", "maxoutputtokens", "modellength", "modelcontextwindowexceeded"}
)
"""Reasons to finish: the answer has as many tokens as it may have."""

BROKEN_OFF = frozenset({"error", "insufficientsystemresource"})
"""Reasons to finish: the server broke off."""

REASONS = (
    *("finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"),
    "native_finish_reason",
)
"""Where servers say why an answer is finished."""


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
        raise unreadable_error(body, "with a body that is not JSON")
    for piece in pieces if whole else ():
        if isinstance(piece, Mapping) and whole in piece:
            return piece
    return _joined(pieces)


def read_completion(
    model: str, data: Any, body: bytes = b"", retry_after: float | None = None
) -> Answer:
    """The answer in a chat completion. Raises TransportError."""
    choice = _choice(data)
    message = _message(choice)
    for holder in (*(data if isinstance(data, list) else [data]), choice, message):
        if isinstance(holder, Mapping) and (error := error_in(holder)):
            raise error_of(error, retry_after)
    text = _content(message.get("content"))
    if text is None or not (choice and message):
        shown = body or json.dumps(data, default=str).encode()
        raise unreadable_error(shown, "without a chat completion")
    text = text if "{" in text else _called(message) or text
    data = data[0] if isinstance(data, list) else data
    by = signature(model, _text(data.get("model")), _text(data.get("system_fingerprint")))
    usage = data.get("usage")
    spent = Answer(
        "",
        by,
        input_tokens=token_count(usage, "prompt_tokens", "input_tokens"),
        output_tokens=token_count(usage, "completion_tokens", "output_tokens"),
    )
    refusal = message.get("refusal") or _refusal_part(message.get("content"))
    if refusal and "{" not in text:
        words = text if refusal is True else _content(refusal) or text
        raise NoUse(f"the model refuses to answer: {shorten(words, SHOWN) or 'no reason'}", spent)
    if _REFUSES.match(text) and "{" not in text and "```" not in text:
        raise NoUse(f"the model refuses to answer: {shorten(text, SHOWN)}", spent)
    reasons = [found for name in REASONS if (found := _text(choice.get(name)))]
    letters = {re.sub("[^a-z]", "", one.lower()): one.lower() for one in reasons}
    if not text.strip() and _is_filtered(choice):
        letters |= {"contentfilter": "content_filter"}
    for letter, reason in letters.items():
        if letter in FILTERED:
            raise NoUse(f"the provider's filter holds the answer back ({reason})", spent)
        if letter in CUT_OFF and not _is_whole(text):
            raise NoUse(f"the answer is cut off: it has as many tokens as it may ({reason})", spent)
        if letter in BROKEN_OFF and not _is_whole(text):
            raise Unavailable(f"the server broke the answer off ({reason})", retry_after)
    text = in_json(bounded_text(text if text.strip() else _thought(message)))
    return replace(spent, text=text)


def _choice(data: Any) -> Any:
    """The first choice, in the form of a chat completion; None if there is none.

    A server may send its message alone, or what its own interface has in place of choices: that of
    Anthropic, Gemini, Ollama, or OpenAI's responses.
    """
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if not isinstance(data, Mapping):
        return None
    choices = data.get("choices", data.get("candidates"))
    if isinstance(choices, Mapping):
        choices = [choices] if {"message", "text"} & choices.keys() else [*choices.values()]
    if isinstance(choices, list) and choices:
        return choices[0]
    if isinstance(data.get("output"), list):
        details = data.get("incomplete_details")
        why = details.get("reason") if isinstance(details, Mapping) else None
        return {"finish_reason": why, "message": {"content": _output_parts(data["output"])}}
    if isinstance(data.get("message"), Mapping):
        return data
    if isinstance(data.get("delta"), str | Mapping):
        return _delta(data["delta"])
    content = next((found for name in _TEXTS if isinstance(found := data.get(name), str)), None)
    if data.get("role") == "assistant" or content is not None:
        return {**data, "message": {**data, "content": data.get("content", content)}}
    feedback = data.get("promptFeedback")
    if isinstance(feedback, Mapping) and feedback.get("blockReason"):
        return {"finish_reason": "content_filter", "message": {"content": ""}}
    inner = [data[name] for name in ("data", "response", "result", "output") if name in data]
    if len(inner) != 1 or not isinstance(inner[0], Mapping):
        return None
    found = _choice(inner[0])
    reasons = {name: data[name] for name in REASONS if name in data}
    return {**reasons, **found} if isinstance(found, Mapping) else found


def _delta(delta: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """A piece of a stream of Anthropic's, or of OpenAI's responses, as a choice."""
    if isinstance(delta, str):
        return {"message": {"content": delta}}
    return {**delta, "message": {"content": delta.get("text", delta.get("partial_json"))}}


_TEXTS = ("response", "generated_text", "output_text", "completion", "content", "text", "output")
"""Where servers with other interfaces have the text of an answer."""

_REFUSES = re.compile(
    r"\W*(?:(?:i['\u2019]?m |i am )?(?:very |so |really )?sorry\W+(?:but )?)?"
    r"(?:as an ai\b[^.]{0,60}?)?"
    r"\bi(?: can(?:no|['\u2019])t|(?: am|['\u2019]m) (?:unable|not able) to| won['\u2019]t)"
    r" (?:help|assist|comply|provide|answer|do (?:that|this)|fulfil|continue|engage|support"
    r"|generate|create|participate)\b",
    re.IGNORECASE,
)
"""Words that begin as a refusal does, of models that are not given a field for it."""


def _output_parts(output: Iterable[object]) -> list[object]:
    """The parts of all messages of OpenAI's responses interface, and its calls."""
    found: list[object] = []
    for one in output:
        if isinstance(one, str):
            found.append(one)
        if isinstance(one, Mapping):
            inner = one.get("content")
            is_message = one.get("type") == "message" and isinstance(inner, list)
            found += inner if is_message and isinstance(inner, list) else [one]
    return found


def _message(choice: Any) -> Mapping[str, Any]:
    """The message of a choice; empty if it has none."""
    if not isinstance(choice, Mapping):
        return {}
    for name in ("message", "delta", "content"):
        found = choice.get(name)
        if isinstance(found, Mapping):
            return {"content": found.get("parts"), **found} if "parts" in found else found
        if isinstance(found, str | list):
            return {"content": found}
    return {"content": choice.get("text")}


def _is_filtered(choice: Mapping[str, Any]) -> bool:
    """Whether a filter's results, beside an answer that is empty, say that it was filtered."""
    results = choice.get("content_filter_results")
    found = results.values() if isinstance(results, Mapping) else ()
    return any(isinstance(one, Mapping) and one.get("filtered") is True for one in found)


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
    """The text of a part, but of a thought, a call or a picture."""
    if part.get("type", "text") not in ("text", "output_text", "json"):
        return ""
    names = [name for name in ("text", "json", "content") if name in part]
    if not names and "type" not in part and part.keys() not in _THOUGHTS:
        return json.dumps(part, ensure_ascii=False)  # the answer itself
    value = part[names[0]] if names else None
    if isinstance(value, Mapping):
        value = value.get("value", value)
    return _content(value) or ""


def _parts(content: object) -> list[Mapping[str, Any]]:
    parts = content if isinstance(content, list) else ()
    return [part for part in parts if isinstance(part, Mapping)]


def _refusal_part(content: object) -> str:
    refused = [part for part in _parts(content) if "refusal" in (part.get("type"), *part)]
    found = (part.get("refusal", part.get("text")) for part in refused)
    return next((one for one in found if isinstance(one, str)), "")


def _called(message: Mapping[str, Any]) -> str:
    """The arguments of a call: a model that was trained to call answers by one.

    Of calls that differ, a list: which one is meant is not known.
    """
    found: list[str] = []
    calls = message.get("tool_calls")
    called = [message.get("function_call"), *(calls if isinstance(calls, list) else [calls])]
    called += [one for one in _parts(message.get("content")) if one.get("type") in _CALLS]
    for call in called:
        function = call.get("function", call) if isinstance(call, Mapping) else call
        if isinstance(function, Mapping):
            given = (function.get(name) for name in ("arguments", "input", "parameters"))
            function = next((one for one in given if one), None)
        text = _content(function) if isinstance(function, str | Mapping) else ""
        if text not in ("", "{}", *found):
            found.append(text or "")
    return f"[{', '.join(found)}]" if found[1:] else "".join(found)


_CALLS = ("tool_use", "function_call", "tool_call")
_THOUGHTS = ({"thinking"}, {"reasoning"})
"""The keys of a part that is a thought, without a type."""


def _thought(message: Mapping[str, Any]) -> str:
    """Where a server takes the whole answer for a thought."""
    names = ("reasoning_content", "reasoning", "thinking", "reasoning_details", "thinking_blocks")
    for found in (*(message.get(name) for name in names), message.get("content")):
        told = [part.get("text") or part.get("thinking") for part in _parts(found)]
        if text := "".join(one for one in told if isinstance(one, str)) or _content(found):
            return text
    return ""


def _is_whole(text: str) -> bool:
    """Whether a text ends with a whole JSON object, however it is wrapped."""
    end = text.strip().removesuffix("```").rstrip()[-1:]
    try:
        return end in ("}", "]", '"') and bool(find_object(text))
    except NoObject:
        return False


def token_count(usage: object, *names: str) -> int | None:
    """A number of tokens; None for one that can be none."""
    for name in names:
        value = usage.get(name) if isinstance(usage, Mapping) else None
        if isinstance(value, str) and value.isdecimal():
            value = int(value[:20])
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


# Streams


def stream_pieces(body: bytes) -> list[Any] | None:
    """The events of a stream of JSON, None for its end; None for a body that is no stream.

    What is no JSON among them is an error that the server told in words.
    """
    pieces: list[Any] = []
    for event in re.split(r"\n\n+", re.sub(r"\r\n?", "\n", body.decode("utf-8", "replace"))):
        lines = [line for line in event.split("\n") if not _NO_DATA.match(line)]
        datas = [re.sub("^data: ?", "", line) for line in lines if line.strip()]
        for text in _whole_or_lines(datas):
            try:
                pieces.append(None if text.strip() == "[DONE]" else json.loads(text))
            except (ValueError, RecursionError):
                if not any(isinstance(piece, Mapping) for piece in pieces):
                    return None
                pieces.append({"error": text})
    return pieces if any(isinstance(piece, Mapping) for piece in pieces) else None


_NO_DATA = re.compile(r"\s*(?::|(?:event|id|retry):)")


def _whole_or_lines(datas: list[str]) -> list[str]:
    """The data of an event, whose lines are one text or a text each."""
    try:
        json.loads("\n".join(datas))
    except (ValueError, RecursionError):
        return datas
    return ["\n".join(datas)]


def _joined(pieces: Iterable[Any]) -> Any:
    """The completion of which these are the pieces. Raises Unavailable for one without an end."""
    pieces = list(pieces)
    for piece in pieces:
        if isinstance(piece, Mapping) and piece.get("type") in _WHOLE and piece.get("response"):
            return piece["response"]
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
        if not isinstance(choice, Mapping) or choice.get("index") not in (None, 0):
            continue
        reason = next((choice[name] for name in REASONS if choice.get(name)), reason)
        whole = "choices" in piece and "message" in choice  # no stream, but lines before an answer
        ended = ended or whole or piece.get("done") is True
        for name, value in _message(choice).items():
            if name == "tool_calls" and isinstance(value, list):
                _add_calls(calls, value)
            elif name != "role" and (text := _content(value)):
                texts[name] = texts.get(name, "") + text
    if reason is None and not ended:
        raise Unavailable("the stream of the answer, which was not requested, broke off")
    message = {**texts, "tool_calls": [{"function": one} for one in calls.values()]}
    return {**found, "choices": [{"message": message, "finish_reason": reason}]}


_WHOLE = ("response.completed", "response.incomplete", "response.failed")
"""Types of the piece that has the whole again, in a stream of OpenAI's responses."""


def _add_calls(calls: dict[object, dict[str, str]], pieces: Iterable[Any]) -> None:
    for piece in pieces:
        function = piece.get("function") if isinstance(piece, Mapping) else None
        if isinstance(function, Mapping):
            call = calls.setdefault(piece.get("index", 0), {"arguments": ""})
            call["arguments"] += _content(function.get("arguments")) or ""
