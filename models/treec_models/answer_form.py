"""The answer's schema in a request: as a `response_format`, or in words in the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from treec.ask.transport import Message, Request
from treec_asking.answer_schema import schema_errors

MOST_ENUM_VALUES = 1000
"""Values of all enums that OpenAI accepts in a strict schema."""

LISTED_TWICE = 8
"""Names of a list that may stand in the prompt and in the schema; longer ones stand once."""

_SCALARS = ("string", "number", "boolean", "null")


def response_format(
    request: Request, *, keeps_schema: bool = False, keeps_names: bool = False
) -> dict[str, object]:
    """The `response_format` of OpenAI's interface for a request's schema.

    ``keeps_schema``: not in the form of strict mode, for providers that take few alternatives.
    ``keeps_names``: with the lists that the prompt has, for servers that make a grammar of it,
    where it costs no tokens.
    """
    schema = dict(request.schema) if keeps_names else schema_without_lists(request)
    strict = strict_schema(schema)
    kept = strict is None or keeps_schema
    form = {
        "name": form_name(request.node),
        "schema": schema if kept else strict,
        "strict": strict == schema if kept else True,
    }
    return {"type": "json_schema", "json_schema": form}


def form_name(node: str) -> str:
    """A node's name as the name of a schema: letters, digits, `_` and `-`, at most 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", node)[:64] or "answer"


def messages_with_schema(request: Request) -> tuple[Message, ...]:
    """The messages with the schema in the system prompt, for servers that accept no schema."""
    titled = {"title": form_name(request.node), **schema_without_lists(request)}
    schema = json.dumps(titled, ensure_ascii=False, separators=(",", ":"))
    instruction = (
        "Answer with one JSON object and nothing else, no words around it. "
        f"It must fit this JSON Schema:\n{schema}"
    )
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return (Message("system", f"{first[0].content}\n\n{instruction}"), *rest)
    return (Message("system", instruction), *request.messages)


def schema_without_lists(request: Request) -> dict[str, object]:
    """A request's schema without the long lists of names that its prompt has already.

    A name that is not in them is refused when the answer is read. The options of a decision stay:
    they are the question.
    """
    if request.kind == "decision":
        return dict(request.schema)
    text = "\n".join(message.content for message in request.messages)
    short = _without_lists(request.schema, text)
    assert isinstance(short, dict)
    return short


def _without_lists(schema: object, text: str) -> object:
    if isinstance(schema, list | tuple):
        return [_without_lists(one, text) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    if isinstance(schema.get("anyOf"), list | tuple):
        schema = {**schema, "anyOf": _merged(schema["anyOf"])}
    names = schema.get("enum")
    long = isinstance(names, list) and len(names) > LISTED_TWICE
    if long and all(isinstance(name, str) and name in text for name in names or ()):
        rest = {name: value for name, value in schema.items() if name != "enum"}
        schema = {"type": "string", **rest}
    return {name: _without_lists(value, text) for name, value in schema.items()}


def _merged(alternatives: Iterable[Any]) -> list[Any]:
    """Alternatives, those of the same fields as one: acts of several kinds."""
    found: dict[str, Any] = {}
    for one in alternatives:
        properties = one.get("properties") or {}
        kind = properties.get("kind") or {}
        key = json.dumps({**one, "properties": {**properties, "kind": "const" in kind}})
        if "const" not in kind or key not in found:
            found[key] = one
            continue
        first = found[key]["properties"]["kind"]
        enum = [*first.get("enum", [first.get("const")]), kind["const"]]
        merged = {**properties, "kind": {"type": "string", "enum": enum}}
        found[key] = {**one, "properties": merged}
    return list(found.values())


def strict_schema(schema: Mapping[str, object]) -> dict[str, object] | None:
    """A schema in the form of strict mode, to which servers hold a model; None if it has none.

    Each field is required: one that may be missing may be null instead. An object of any names
    becomes a list of pairs. What is answered in this form, `fit_answer` brings back into the
    schema's own.
    """
    try:
        strict = _strict(schema)
    except ValueError:
        return None
    return strict if _enum_values(strict) <= MOST_ENUM_VALUES else None


def _strict(schema: object) -> dict[str, object]:
    """Raises ValueError for a schema without a strict form."""
    if not isinstance(schema, Mapping):
        raise ValueError(schema)
    if not schema:
        return {"type": list(_SCALARS)}
    if "const" in schema:
        return {"type": "string", "enum": [schema["const"]]}
    made = {"type": "string", **schema} if "enum" in schema else dict(schema)
    alternatives = schema.get("anyOf")
    if isinstance(alternatives, Sequence):
        made["anyOf"] = [_strict(one) for one in alternatives]
    if "items" in schema:
        made["items"] = _strict(schema["items"])
    if schema.get("type") == "array" and "items" not in schema:
        raise ValueError(schema)
    if schema.get("type") != "object":
        return made
    properties, others = schema.get("properties"), schema.get("additionalProperties")
    if isinstance(others, Mapping) and not properties:
        pair = {"name": {"type": "string"}, "value": _strict(others)}
        return {"type": "array", "items": _object(pair)}
    if not isinstance(properties, Mapping) or others is not False:
        raise ValueError(schema)
    required = schema.get("required")
    needed = required if isinstance(required, Sequence) else ()
    fields = {
        n: _strict(s) if n in needed else _nullable(_strict(s))
        for n, s in properties.items()
        if n in needed or s != {"type": "null"}
    }
    return _object(fields)


def _object(fields: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _nullable(schema: dict[str, object]) -> dict[str, object]:
    """A schema that allows null, too."""
    if not schema_errors(None, schema):
        return schema
    alternatives = schema.get("anyOf")
    if isinstance(schema.get("type"), str) and schema["type"] != "object" and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    inner = alternatives if isinstance(alternatives, list) and len(schema) == 1 else [schema]
    return {"anyOf": [*inner, {"type": "null"}]}


def _enum_values(schema: object) -> int:
    if isinstance(schema, Mapping):
        enum = schema.get("enum")
        own = len(enum) if isinstance(enum, Sequence) else 0
        return own + sum(map(_enum_values, schema.values()))
    if isinstance(schema, list):
        return sum(map(_enum_values, schema))
    return 0
