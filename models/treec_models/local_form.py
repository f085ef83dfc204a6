"""Translates a request for a small tool-calling model: tools from the schema, a query from the
prompt, and the calls back into the answer that the schema asks for.

Such a model chooses by the names and descriptions of few tools, and reads little. A decision is one
tool per option, a list of acts or actions one per kind; any other answer is one tool with its
fields. What each is for stands in the prompt (``- NAME(…): …``), as does the situation: the last
message with data, of which the model reads no more than ``LONGEST`` characters, from the end.
A system text beside it did not help (docs/local-model.md).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from treec.ask.transport import Request
from treec.source.text import shorten

LONGEST = 2400
"""Characters of the situation that are told."""

DESCRIPTION = 160
"""Characters of a tool's description."""

ANSWER = "answer"
"""The only tool where the schema offers no choice between names."""

_DATA = re.compile(r"</?data>\n?")
_LINE = re.compile(r"^- ([\w ,]+?)(?: ?\(([^)]*)\))?: (.+(?:\n  .+)*)", re.MULTILINE)
_SAID = re.compile(r"^[^\n]*\bsaid: (.*)\Z", re.MULTILINE | re.DOTALL)


@dataclass
class ToolQuestion:
    """What the model is asked, and how its calls become an answer."""

    tools: list[dict[str, Any]]
    query: str
    request: Request
    lists: str | None = None
    """The field that holds a list of what is called."""
    kinds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of a list: each tool's alternative in the schema."""
    names: Mapping[str, list[str]] = field(default_factory=dict)
    """The names of the arguments of what the prompt explains."""

    def answer(self, response: Mapping[str, Any]) -> str:
        """The answer as JSON. What the engine withheld for its low confidence counts, too."""
        calls = response.get("function_calls") or response.get("suppressed_calls") or []
        made: dict[str, Any] = {"reasoning": shorten(str(response.get("reasoning") or ""), 300)}
        if "choose" in self._properties():
            if calls:
                made["choose"] = str(calls[0]["name"])
        elif self.lists is not None:
            made[self.lists] = [self._item(call) for call in calls]
        else:
            made |= {k: v for call in calls[:1] for k, v in call["arguments"].items()}
        return json.dumps(made, ensure_ascii=False)

    def _properties(self) -> Mapping[str, Any]:
        return _mapping(self.request.schema.get("properties"))

    def _item(self, call: Mapping[str, Any]) -> dict[str, Any]:
        """An act or action as the list holds it."""
        name, arguments = str(call["name"]), dict(call.get("arguments") or {})
        schema = self.kinds.get(name, {})
        properties = _mapping(schema.get("properties"))
        tagged = "const" in _mapping(properties.get("kind"))
        fields = properties if tagged else _mapping(_mapping(properties.get(name))["properties"])
        for key, value in list(arguments.items()):
            if _is_open(_mapping(fields.get(key))) and isinstance(value, list):
                names = self.names.get(str(arguments.get("task")), [])
                arguments[key] = dict(zip(names, value, strict=False))
        if not tagged:
            return {name: arguments}
        if "quote" in fields:
            arguments["quote"] = _words(self.query)
        return {"kind": name, **arguments}


def question(request: Request) -> ToolQuestion:
    """The question that a request comes to."""
    prompt = "\n".join(one.content for one in request.messages if one.role == "system")
    lines = dict(_explained(_DATA.sub("", prompt)))
    properties = _mapping(request.schema.get("properties"))
    about = shorten(_DATA.sub("", prompt).partition("\n\n")[0].replace("\n", " "), 300)
    made = ToolQuestion([], _situation(request), request)
    made.names = {name: names for name, (names, _) in lines.items()}

    def add(name: str, parameters: Mapping[str, Any], skip: tuple[str, ...] = ()) -> None:
        description = lines.get(name, ([], name.replace("_", " ")))[1]
        made.tools.append(_tool(name, description, parameters, skip))

    if "choose" in properties:
        for option in _mapping(properties["choose"]).get("enum") or ():
            add(str(option), {})
        return made
    for key, inner in properties.items():
        alternatives = _mapping(_mapping(inner).get("items")).get("anyOf")
        if isinstance(alternatives, list) and alternatives:
            made.lists, kinds = key, {}
            for schema in alternatives:
                fields = _mapping(schema.get("properties"))
                kind = _mapping(fields.get("kind")).get("const")
                name = str(kind) if kind is not None else next(iter(fields))
                kinds[name] = schema
                add(name, schema if kind is not None else fields[name], ("kind", "quote"))
            made.kinds = kinds
            return made
    made.tools.append(_tool(ANSWER, about, request.schema, ("reasoning",)))
    return made


def _explained(prompt: str) -> Iterator[tuple[str, tuple[list[str], str]]]:
    """What a prompt explains in lines: each name, with its arguments' names and its purpose."""
    for found in _LINE.finditer(prompt):
        arguments = [one.strip() for one in (found[2] or "").split(",") if one.strip()]
        text = shorten(" ".join(found[3].split()), DESCRIPTION)
        for name in found[1].split(","):
            yield name.strip(), (arguments, text)


def _situation(request: Request) -> str:
    """The last message with data, and what was wrong with the answer to it."""
    told = [one.content for one in request.messages if one.role == "user"]
    last = next((n for n in reversed(range(len(told))) if "<data>" in told[n]), len(told) - 1)
    text = "\n".join(_DATA.sub("", one).strip() for one in told[last : last + 1])
    text = text if len(text) <= LONGEST else text[-LONGEST:]
    again = told[-1] if last < len(told) - 1 else ""
    return f"{shorten(again, 200)}\n{text}" if again else text


def _words(query: str) -> str:
    """What somebody said: it stands at the end of a reading's prompt."""
    said = _SAID.search(query)
    return said[1].strip() if said else query.splitlines()[-1]


def _tool(
    name: str, description: str, schema: Mapping[str, Any], skip: tuple[str, ...]
) -> dict[str, Any]:
    properties = _mapping(schema.get("properties"))
    fields = {key: _parameter(_mapping(v)) for key, v in properties.items() if key not in skip}
    required = [key for key in schema.get("required") or () if key in fields]
    parameters = {"type": "object", "properties": fields, "required": required}
    return {"name": name, "description": description, "parameters": parameters}


def _parameter(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A field in the words that the model's grammar knows: no null, no object of any names."""
    alternatives = [one for one in schema.get("anyOf") or () if one != {"type": "null"}]
    if len(alternatives) == 1:
        return _parameter(alternatives[0])
    if _is_open(schema):
        return {"type": "array", "items": _parameter(schema["additionalProperties"])}
    made = {k: schema[k] for k in ("type", "enum") if k in schema} or {"type": "string"}
    if isinstance(made.get("type"), list):
        made["type"] = "string"
    if "items" in schema:
        made["items"] = _parameter(_mapping(schema["items"]))
    if "properties" in schema:
        made |= _tool("", "", schema, ())["parameters"]
    return made


def _is_open(schema: Mapping[str, Any]) -> bool:
    return isinstance(schema.get("additionalProperties"), Mapping) and not schema.get("properties")


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
