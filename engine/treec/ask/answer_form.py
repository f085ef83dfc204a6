"""The answer's schema in a request: as a `response_format`, or in words in the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from treec.ask.transport import Message, Request


def response_format(request: Request) -> dict[str, object]:
    """The `response_format` of OpenAI's interface for a request's schema."""
    form = {
        "name": form_name(request.node),
        "schema": request.schema,
        "strict": _is_strict(request.schema),
    }
    return {"type": "json_schema", "json_schema": form}


def form_name(node: str) -> str:
    """A node's name as the name of a schema: letters, digits, `_` and `-`, at most 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", node)[:64] or "answer"


def messages_with_schema(request: Request) -> tuple[Message, ...]:
    """The messages with the schema in the system prompt, for servers that accept no schema."""
    schema = json.dumps({"title": form_name(request.node), **request.schema}, ensure_ascii=False)
    instruction = (
        "Answer with one JSON object and nothing else, no words around it. "
        f"It must fit this JSON Schema:\n{schema}"
    )
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return (Message("system", f"{first[0].content}\n\n{instruction}"), *rest)
    return (Message("system", instruction), *request.messages)


def _is_strict(schema: object) -> bool:
    """Whether a schema meets the rules of strict mode: all fields typed and required, no others."""
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return all(_is_strict(one) for one in schema)
    if not isinstance(schema, Mapping):
        return True
    if not schema:
        return False
    properties = schema.get("properties")
    if schema.get("type") == "object":
        if not isinstance(properties, Mapping) or schema.get("additionalProperties") is not False:
            return False
        required = schema.get("required")
        if not isinstance(required, Sequence) or set(required) != set(properties):
            return False
    inner = [*(properties.values() if isinstance(properties, Mapping) else ())]
    inner += [schema[key] for key in ("items", "anyOf") if key in schema]
    return all(_is_strict(one) for one in inner)
