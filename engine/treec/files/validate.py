"""Validates documents by the models of kinds; errors become diagnostics at their places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError

from treec.extensions import ExtensionError, registry
from treec.files.bindings import Binding
from treec.files.entry import AnyEntry, Entry
from treec.files.kinds import MODELS, UnknownForm, model_of
from treec.files.nodes import NODE, NodeBase, PythonNode, node_model
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.source.rules import register
from treec.source.yaml import Document, locate, plain
from treec.source.yaml import Mapping as MappingNode

UNKNOWN_KEY = register(
    "TC101",
    "Unknown key",
    """A key that this kind of file does not have is an error, since it would be ignored in silence.

    Wrong:

        decision: Execution
        about: What to do next.
        offlin: []

    Right:

        decision: Execution
        about: What to do next.
        offline: []
    """,
)
MISSING_KEY = register(
    "TC102",
    "Missing key",
    """A key that this kind of file must have is not there.

    Wrong:

        task: get
        args: {item: Item}

    Right:

        task: get
        about: Fetch something and put it on the table.
        args: {item: Item}
    """,
)
WRONG_VALUE = register(
    "TC103",
    "Invalid value",
    """The value is not of the form that the key asks for.

    Wrong:

        skill: pick
        about: Pick something up.
        takes: soon

    Right:

        skill: pick
        about: Pick something up.
        takes: 6s
    """,
)
WRONG_KIND = register(
    "TC104",
    "First key that does not match the file's kind",
    """A file's name ends in its kind, and a key, by custom the first, says kind and name.

    Wrong, in `get.task.yaml`:

        skill: get
        about: Fetch something.

    Right:

        task: get
        about: Fetch something.
    """,
)


def read_entry(document: Document, kind: str) -> tuple[AnyEntry | None, list[Diagnostic]]:
    """Validate a document as an entry of a kind; return the entry, or None, and the problems."""
    root = document.root
    if not isinstance(root, MappingNode) or not root.entries:
        return None, [
            Diagnostic(
                WRONG_KIND.code,
                "error",
                root.span,
                f"{a(kind)} file must be a mapping whose first key is '{kind}'",
                f"begin with '{kind}: NAME'",
            )
        ]
    first = root.entries[0][0]
    data = plain(root)
    if kind not in data:
        other = first.value if first.value in MODELS else None
        hint = f"begin with '{kind}: NAME'"
        if other:
            hint += f", or rename the file so that it ends in .{other}.yaml"
        message = f"the first key of {a(kind)} file must be '{kind}', not '{first.value}'"
        return None, [Diagnostic(WRONG_KIND.code, "error", first.span, message, hint)]
    name = data[kind]
    if not isinstance(name, str) or not name.strip():
        span = locate(root, (kind,)).span
        return None, [
            Diagnostic(WRONG_VALUE.code, "error", span, f"{a(kind)}'s name must be text", None)
        ]
    try:
        expected = model_of(kind, data)
    except UnknownForm as error:
        span = locate(root, ("answers",)).span
        return None, [Diagnostic(WRONG_VALUE.code, "error", span, str(error), error.help)]
    except ExtensionError as error:
        hint = f"{a(kind)} file cannot be read: {error}"
        return None, [Diagnostic(WRONG_KIND.code, "error", first.span, hint, None)]
    try:
        model = expected.model_validate(data)
    except ValidationError as error:
        return None, problems_of(error, data, root, expected)
    return Entry(kind, name, model, root, document.file), []


def a(kind: str) -> str:
    """Return a kind with its article."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def problems_of(
    error: ValidationError, data: Any, root: MappingNode, model: type[BaseModel]
) -> list[Diagnostic]:
    """Convert pydantic's errors to diagnostics at their places below the root."""
    found: list[Diagnostic] = []
    suggested: set[tuple[tuple[str | int, ...], str]] = set()
    missing: list[tuple[tuple[str | int, ...], str]] = []
    for item in error.errors(include_url=False):
        loc = _real_loc(item["loc"], data)
        if item["type"] == "extra_forbidden":
            key = str(item["loc"][-1])
            known = _known_keys(model, item["loc"][:-1], data)
            near = did_you_mean(key, known) or getattr(model, "former_keys", {}).get(key)
            if near is not None:
                suggested.add((loc[:-1], near))
            found.append(
                Diagnostic(
                    UNKNOWN_KEY.code,
                    "error",
                    locate(root, loc, key=True).span,
                    f"unknown key '{key}'",
                    f"did you mean '{near}'?"
                    if near
                    else _two_nodes(key, data, loc)
                    or _inside(key, model, item["loc"][:-1], data)
                    or f"known keys: {', '.join(known)}",
                )
            )
        elif item["type"] == "missing":
            missing.append((loc, str(item["loc"][-1])))
        else:
            found.append(
                Diagnostic(
                    WRONG_VALUE.code,
                    "error",
                    locate(root, loc).span,
                    _message(item["type"], str(item["msg"]), loc),
                    _help(item, _known_keys(model, item["loc"], data)),
                )
            )
    for loc, key in missing:
        if (loc, key) in suggested:  # the misspelt key is reported already
            continue
        found.append(
            Diagnostic(
                MISSING_KEY.code,
                "error",
                locate(root, loc).span if not loc else locate(root, loc, key=True).span,
                f"the key '{key}' is missing",
                f"add '{key}: …'",
            )
        )
    return found


def _real_loc(loc: tuple[str | int, ...], data: Any) -> tuple[str | int, ...]:
    """Return pydantic's location without the names of union branches, which data lacks."""
    steps: list[str | int] = []
    here: Any = data
    for step in loc:
        if (isinstance(here, Mapping) and step in here) or (
            isinstance(here, list) and isinstance(step, int) and step < len(here)
        ):
            here = cast(Any, here)[step]
            steps.append(step)
    return tuple(steps)


def _inside(key: str, model: type[BaseModel], loc: tuple[str | int, ...], data: Any) -> str | None:
    """Return the help if an unknown key is one of a mapping that stands beside it."""
    for own, field in _model_at(model, loc, data).model_fields.items():
        name = field.alias or own
        options = get_args(field.annotation) if get_origin(field.annotation) in _UNIONS else ()
        for inner in options or (field.annotation,):
            if _is_model(inner) and key in inner.model_fields:
                return f"it belongs into '{name}': {name}: {{{key}: …}}"
    return None


def _known_keys(model: type[BaseModel], loc: tuple[str | int, ...], data: Any) -> list[str]:
    """Return the keys of the model at a location, for suggestions."""
    return [f.alias or n for n, f in _model_at(model, loc, data).model_fields.items()]


def _model_at(model: type[BaseModel], loc: tuple[str | int, ...], data: Any) -> type[BaseModel]:
    """Return the model at a location."""
    current: Any = model
    for step in loc:
        if step == NODE and isinstance(data, Mapping) and step not in data:
            current = node_model(data)
            continue
        if (isinstance(data, Mapping) and step in data) or (
            isinstance(data, list) and isinstance(step, int) and step < len(data)
        ):
            data = cast(Any, data)[step]
        if _is_model(current) and issubclass(current, Binding) and current.model_for(str(step)):
            current = current.model_for(str(step))
            continue
        if _is_model(current):
            current.model_rebuild()  # put off until now: its annotations may still be names
            field = next(
                (f for n, f in current.model_fields.items() if (f.alias or n) == step), None
            )
            current = field.annotation if field else current
        models = _models_in(current)
        if isinstance(step, str) and models and not _is_model(current):
            named = [m for m in models if m.__name__ == step]
            current = named[0] if named else (models[0] if len(models) == 1 else current)
        elif len(models) == 1:
            current = models[0]
    if not _is_model(current):
        models = list(_models_in(current))
        current = models[0] if models else model
    return cast("type[BaseModel]", current)


def _is_model(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseModel)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if _is_model(annotation):
        return [] if annotation in (NodeBase, PythonNode) else [annotation]
    found: list[type[BaseModel]] = []
    for part in getattr(annotation, "__args__", ()):
        found.extend(_models_in(part))
    return found


_UNIONS = (Union, UnionType)
_WORDS = {
    "string_type": "text is expected here",
    "list_type": "a list is expected here",
    "dict_type": "a mapping is expected here",
    "model_type": "a mapping is expected here",
    "model_attributes_type": "a mapping is expected here",
    "int_type": "a whole number is expected here",
    "int_parsing": "a whole number is expected here",
    "float_type": "a number is expected here",
    "float_parsing": "a number is expected here",
    "bool_type": "true or false is expected here",
    "bool_parsing": "true or false is expected here",
}


def _message(kind: str, message: str, loc: tuple[str | int, ...]) -> str:
    text = _WORDS.get(kind) or message.removeprefix("Value error, ").removeprefix("Input ")
    where = next((str(step) for step in reversed(loc) if isinstance(step, str)), None)
    return f"'{where}': {text}" if where else text


def _two_nodes(key: str, data: Any, loc: tuple[str | int, ...]) -> str | None:
    """Return the help if an unknown key is a second node in one list item."""
    known = registry().nodes
    if key not in known:
        return None
    for step in loc[:-1]:
        data = data[step]
    other = next((k for k in data if k in known and k != key), None)
    return f"'{other}' and '{key}' are two nodes: begin a new item, '- {key}: …'" if other else None


def _help(item: Any, keys: list[str]) -> str | None:
    """What would be right; `keys` are those of the mapping that is expected there."""
    given = item.get("input")
    if isinstance(given, str) and item["type"] in ("dict_type", "model_type"):
        if assigned := re.fullmatch(r"(\w+)\s*:?=\s*(\S.*)", given):
            return f"write {{{assigned[1]}: {assigned[2]}}}"
        first = next((key for key in ("type", "name") if key in keys), None)
        return f"write {{{first}: {given}}}" if first and item["type"] == "model_type" else None
    if item["type"] == "dict_type" and isinstance(given, list) and len(given) < 9:
        names = [str(name) for name in given if isinstance(name, str)]
        return f"write {{{', '.join(f'{name}: …' for name in names)}}}" if names else None
    if item["type"] == "node" and isinstance(given, str):
        called = re.match(r"\s*(\w+)\s*(?:\(|$)", given)
        if called and called[1] in registry().nodes:
            return f"write {{{called[1]}: …}}"
        return f"a skill is run by 'skill: {called[1]}' and 'with: {{…}}'" if called else None
    if item["type"] == "list_type" and isinstance(given, str) and len(given) < 60:
        return f"write [{', '.join(part.strip() for part in given.split(','))}]"
    expected = item.get("ctx", {}).get("expected")
    return f"one of: {expected}" if expected else None
