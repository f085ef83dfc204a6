"""The reference on kinds of files, nodes, names and actions: what `treec explain WORD` prints.

All of it is read from the code: from the models of files, their descriptions and docstrings.
``docs/make_reference.py`` makes the pages of the site from the same rows.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from treec.files.fields import Field, LoopHead
from treec.source.errors import TreecError, suggest

if TYPE_CHECKING:
    from treec.team.actions import HighLevelAction

WIDTH = 88
WORDS = {
    LoopHead: "string",
    str: "string",
    bool: "true or false",
    int: "whole number",
    float: "number",
    Any: "any",
    NoneType: "nothing",
}
KEPT = {"about": "In one sentence.", "import": "Python object"}


class KeyRow(NamedTuple):
    """A key, a name or an argument: what its value is, its default, what it says."""

    key: str
    words: str
    default: str = ""
    about: str = ""


def doc(thing: object) -> str:
    """A docstring as Markdown."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


def type_words(annotation: Any) -> str:
    """A field's type in the words of the files, with links of Markdown to models."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        kind = next((m.kind for m in args[1:] if isinstance(m, Field)), None)
        return KEPT.get(kind, kind) if kind else type_words(args[0])
    if origin in (Union, UnionType):
        parts = [type_words(part) for part in args if part is not NoneType]
        return " or ".join(dict.fromkeys(parts))
    if origin in (list, tuple):
        return f"list of {type_words(args[0])}"
    if origin is dict:
        return f"name → {type_words(args[1])}"
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in args)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    name = getattr(annotation, "__name__", "")
    return "[node](nodes.md)" if name == "Node" else WORDS.get(annotation, name)


def default_words(info: FieldInfo) -> str:
    """A field's default as code of Markdown, `required`, or nothing."""
    if info.is_required():
        return "required"
    value = info.default
    if info.default_factory or value in (None, [], {}, "") or isinstance(value, BaseModel | dict):
        return ""
    if any(isinstance(m, Field) and m.kind == "duration" for m in info.metadata):
        return f"`{value:g}s`"
    return _written(value)


def key_rows(model: type[BaseModel], kind: str = "") -> list[KeyRow]:
    """A model's keys, the one that names the kind first."""
    model.model_rebuild()
    rows = []
    for name, info in model.model_fields.items():
        key = info.alias or name
        about = info.description or KEPT.get(key, "")
        if key == kind:
            about = "Its name, unique in the packs that a system uses."
        rows.append(KeyRow(key, type_words(info.rebuild_annotation()), default_words(info), about))
    return sorted(rows, key=lambda row: row.key != kind)


def node_rows(model: type[BaseModel]) -> Iterator[KeyRow]:
    """What stands behind a node's key, and its companions."""
    from treec.files.nodes import NodeBase

    model.model_rebuild()
    for name, info in model.model_fields.items():
        if name in NodeBase.model_fields:
            continue
        shown = info.alias or name
        annotation = info.rebuild_annotation()
        bodies = [m for m in models_in(annotation) if m.__module__ == model.__module__]
        for body in bodies:
            body.model_rebuild()
            for inner, part in body.model_fields.items():
                inside = f"{shown}: {{{part.alias or inner}: …}}"
                words = type_words(part.rebuild_annotation())
                yield KeyRow(inside, words, default_words(part), part.description or "")
        if bodies and len(get_args(annotation)) < 2:
            continue
        rest = re.sub(r"\[\w+\]\(#\w+\)( or )?", "", type_words(annotation))
        if rest:
            yield KeyRow(shown, rest, default_words(info), info.description or "")


def parts_of(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """The models of mappings inside a file's model, outer ones first; nodes have their own."""
    for info in model.model_fields.values():
        for found in models_in(info.annotation):
            yield found
            yield from parts_of(found)


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that an annotation names."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for part in getattr(annotation, "__args__", ()):
        yield from models_in(part)


def is_own_part(part: type[BaseModel]) -> bool:
    """Whether a part is shown with the kinds of files: nodes have a page of their own."""
    return not part.__module__.startswith(("treec.files.nodes", "treec.nodes."))


def modifiers() -> Mapping[str, object]:
    """The modules of the modifiers by their keys, from the outside in."""
    from treec.core import MODIFIER_MODULES
    from treec.files.nodes import MODIFIERS

    modules = {import_module(name).MODIFIER.key: import_module(name) for name in MODIFIER_MODULES}
    return {key: modules[key] for key in MODIFIERS}


def name_rows() -> Iterator[KeyRow]:
    """The names that every expression may use."""
    from treec.team.names import team_names

    for name, info in team_names().items():
        yield KeyRow(name, str(info.type), "", info.about)


def function_rows() -> Iterator[KeyRow]:
    """The functions that every expression may call, as they are called."""
    from treec.team.names import SPECIALS, team_functions

    for name, info in team_functions().items():
        yield KeyRow(f"{name}({', '.join(info.args)})", str(info.returns), "", info.about)
    for name, about in SPECIALS.items():
        yield KeyRow(f"{name}(fact(…))", "", "", about)


def argument_rows(action: HighLevelAction) -> Iterator[KeyRow]:
    """The arguments of a high-level action."""
    for one in action.parameters:
        yield KeyRow(one.name, str(one.type), "required" if one.required else _written(one.default))


def explain(word: str) -> str:
    """What the reference says of a word, in plain text.

    A kind of file (`scene`), a node (`parallel`), a key of any node (`retry`), a name, a function
    or a filter of expressions (`now`, `status`, `selectattr`), a high-level action (`assign`).
    Raises `TreecError` for a word that is none of these, with the nearest one.
    """
    found = list(_entries(word))
    if told := [text for name, text in found if name == word]:
        return "\n\n".join(told)
    near = suggest(word, dict.fromkeys(name for name, _ in found))
    help = near or "'treec explain all' lists the rules, 'treec new' the kinds of files"
    raise TreecError(f"unknown rule, kind of file, node or name '{word}'; {help}")


def _entries(wanted: str | None = None) -> Iterator[tuple[str, str]]:
    """Names and their texts; the texts of others than the one that is wanted are left empty."""

    def entry(name: str, what: str, about: object, rows: Iterator[KeyRow]) -> tuple[str, str]:
        return name, _page(f"{name} ({what})", about, rows) if name == wanted else ""

    from treec.extensions import registry
    from treec.files.kinds import MODELS, models_of
    from treec.files.nodes import node_specs
    from treec.source.registry import FILTERS, TESTS
    from treec.team.actions import action_names, find_action

    for kind in MODELS:
        for model in models_of(kind):
            yield entry(kind, "kind of file", model, _kind_rows(model, kind))
    for spec in node_specs():
        about = f"{doc(spec.model)}\n\n{doc(import_module(spec.model.__module__))}"
        yield entry(spec.key, "node", about, node_rows(spec.model))
    for key, module in modifiers().items():
        yield entry(key, "key of any node", module, _modifier_rows(key))
    for row in (*name_rows(), *function_rows()):
        name, called, _ = row.key.partition("(")
        what = f"{row.key}, gives {row.words}" if called and row.words else row.words
        yield name, f"{row.key}: {row.about}\n  {what}" if name == wanted else ""
    for table, what in ((FILTERS, "filter"), (TESTS, "test")):
        sign = "|" if what == "filter" else "is"
        for name in table:
            if name.isidentifier():
                takes = ", ".join(table[name].parameters) if name == wanted else ""
                yield name, f"value {sign} {name}{f'({takes})' if takes else ''} ({what})"
    for name in action_names():
        action = find_action(name)
        if action is not None:
            yield entry(name, "high-level action", action.about, argument_rows(action))
    for claim in registry().statements.values():
        yield claim.signature.partition("(")[0], f"{claim.signature} (claim): {claim.about}"


def _written(value: object) -> str:
    """A default as files have it, as code of Markdown."""
    return f"`{str(value).lower() if value is None or isinstance(value, bool) else value}`"


def _kind_rows(model: type[BaseModel], kind: str) -> Iterator[KeyRow]:
    """A kind's keys, then those of the mappings in it."""
    yield from key_rows(model, kind)
    for part in dict.fromkeys(parts_of(model)):
        if is_own_part(part) and part.model_fields:
            yield KeyRow(f"\n{part.__name__}", "", "", doc(part))
            yield from key_rows(part)


def _modifier_rows(key: str) -> Iterator[KeyRow]:
    """A modifier's key, then those of the mapping that it may be."""
    from treec.files.nodes import NodeBase

    yield from (row for row in key_rows(NodeBase) if row.key == key)
    info = next(i for name, i in NodeBase.model_fields.items() if key in (name, i.alias))
    for body in models_in(info.rebuild_annotation()):
        yield from (row._replace(key=f"{key}: {{{row.key}: …}}") for row in key_rows(body))


def _page(title: str, about: object, rows: Iterator[KeyRow]) -> str:
    text = about if isinstance(about, str) else doc(about)
    lines = [f"{title}: {text}".rstrip(), ""]
    for key, kind, default, said in rows:
        kind = re.sub(r"\[(.+?)\]\(.*?\)", r"\1", kind)
        if default:
            kind += ", required" if default == "required" else f", default {default}"
        lines.append(f"{key}: {kind}" if kind else key)
        lines += textwrap.wrap(
            " ".join(said.split()), WIDTH, initial_indent="    ", subsequent_indent="    "
        )
    return "\n".join(lines).strip()
