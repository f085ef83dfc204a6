"""What can be written at a place: keys, values, names, and what expressions can use there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from jinja2 import nodes

from treec.check.environments import environment, world
from treec.check.names import TypeEnvironment, function_names
from treec.check.texts import all_places
from treec.check.type_checker import TypeChecker
from treec.extensions import registry
from treec.files.kinds import MODELS, behaviours
from treec.files.library import Library, kind_of
from treec.files.nodes import node_spec
from treec.files.types import Named, Type
from treec.files.view import View
from treec.source.errors import SourceError
from treec.source.expression import Expression, Text
from treec.source.template import TextTemplate
from treec.source.text import SourceFile
from treec.source.yaml import plain
from treec.team.actions import action_names
from treec_editor.arguments import argument_at, arguments, bound_names, called_file, type_name
from treec_editor.place import HERE, DataPlace, follows_colon, places_of_word
from treec_editor.reload import reloaded
from treec_editor.schema_walk import SchemaWalk, choices, keys
from treec_editor.views import view_of

What = Literal["key", "value", "name", "function", "field"]
_PLURALS = {f"{kind}s": kind for kind in ("agent", "contract", "skill")}
_ANYWHERE = ("system", "domain", "scene", "agent", "contract")
"""Kinds that a system's file chooses from."""
_STATE = ("sees", "recalls", "knows")
"""Keys that list names of state."""
_NAMING = {"root": "tree", "then": "tree", "like": "recipe", "can": "task"}
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_KEYS_NAME: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "options": behaviours,
    "skills": lambda: ("skill",),
}
"""Keys below which keys are names of definitions, and of which kinds."""


@dataclass(frozen=True, slots=True)
class Completion:
    """Something that can be written: its text, what it is, its type or signature, and more."""

    text: str
    what: What
    detail: str = ""
    about: str = ""
    follows_colon: bool = False
    """A space goes before it."""


def complete(
    library: Library, path: str, offset: int, file: SourceFile | None = None
) -> list[Completion]:
    """Return what can be written at an offset of a file's text, as the library has it.

    The file may be half written; ``file`` is it as it is, if the library has it mended. Where it
    cannot be read at all, nothing is offered.
    """
    kind, file = kind_of(path), file or library.sources.get(path)
    if kind is None or file is None:
        return []
    before = file.text[file.text.rfind("\n", 0, offset) + 1 : offset]
    for place, written, tried in places_of_word(file, offset):
        offered = _offered(library, kind, place, tried)
        if not place.is_key and any(" " in one.text for one in offered):
            written = place.scalar.text.partition(HERE)[0] + written  # names of several words
        near = [one for one in offered if one.text.lower().startswith(written.lower())]
        if near := near or [one for one in offered if written.lower() in one.text.lower()]:
            return (
                [replace(it, follows_colon=True) for it in near] if follows_colon(before) else near
            )
    return []


def _offered(library: Library, kind: str, place: DataPlace, tried: str) -> list[Completion]:
    if place.loc[:1] and place.loc[0] in _STATE and place.loc[int(place.is_key) :]:
        return _state(view_of(library, place.scalar.file.path))
    if not place.is_key:
        return _values(library, kind, place, tried)
    offered = _keys(library, kind, place)
    if not offered and len(place.loc) > 1 and isinstance(place.loc[-2], int):
        item = replace(place, loc=place.loc[:-1], is_key=False)  # `- fet`
        offered = [*_names(view_of(library, place.scalar.file.path), item)]
    return offered


def _keys(library: Library, kind: str, place: DataPlace) -> list[Completion]:
    data = plain(place.document.root)
    parts = SchemaWalk(kind).parts(data, place.loc[:-1])
    there = data
    for step in place.loc[:-1]:
        there = there[step]
    found = [
        Completion(name, "key", str(part.get("type", "")), str(part.get("description", "")))
        for name, part in keys(parts).items()
    ]
    called = called_file(view_of(library, place.scalar.file.path), data, place.loc)
    for name, one in ({} if called is None else arguments(called)).items():
        found.append(Completion(name, "key", one.what, one.about))
    for kind_of_key in _KEYS_NAME.get(str(place.loc[-2]), lambda: ())() if place.loc[1:] else ():
        for name, entry in view_of(library, place.scalar.file.path).all(kind_of_key).items():
            found.append(
                Completion(name, "key", kind_of_key, str(getattr(entry.model, "about", "")))
            )
    return [one for one in found if one.text not in there]


def _values(library: Library, kind: str, place: DataPlace, tried: str) -> list[Completion]:
    computed = place.scalar.text
    if computed.lstrip().startswith("="):  # a broken expression would hide its node
        tried = tried.replace(computed, _closed(computed, False), 1)
    edited = reloaded(library, {**library.edited, place.scalar.file.path: tried})
    view = view_of(edited, place.scalar.file.path)
    data = plain(place.document.root)
    if place.scalar.text == f"${HERE}":
        bound = dict(bound_names(view, place.scalar.file.path, data, place.loc))
        return [Completion(name, "name", about) for name, about in bound.items()]
    for entry in view.entries:
        if entry.path == place.scalar.file.path:
            for one in all_places(entry):
                if one.loc == place.loc and one.key is False and one.kind in ("expression", "text"):
                    text = str(one.value)
                    return list(_in_text(environment(view, one), text, one.kind == "text"))
    parts = SchemaWalk(kind).parts(data, place.loc)
    found = [Completion(value, "value") for value in choices(parts)]
    argument = argument_at(view, data, place.loc)
    found += _names(view, place) if argument is None else _things(view, type_name(*argument))
    if not found and any(part.get("description", "").startswith("An expr") for part in parts):
        found += _in_text(world(view), place.scalar.text, False)
    return found


def _names(view: View, place: DataPlace) -> Iterator[Completion]:
    """The names of the kind of file that a key names: `task`, `ask`, `agents`."""
    key = next((step for step in reversed(place.loc) if isinstance(step, str)), "")
    spec = node_spec(key)
    kind: str | None = spec.refers if spec is not None else None
    if not kind:
        kind = key if key in MODELS else _PLURALS.get(key, _NAMING.get(key))
    if key in ("choose", "fallback"):
        options = plain(place.document.root).get("options")
        for name, about in options.items() if isinstance(options, dict) else ():
            yield Completion(str(name), "value", "option", str(about))
    if key == "after":
        subtasks = plain(place.document.root).get("subtasks")
        for name in subtasks if isinstance(subtasks, dict) else ():
            if (str(name),) != place.loc[1:2]:
                yield Completion(str(name), "value", "subtask")
    if key == "may":
        for name in action_names():
            yield Completion(name, "value", "high-level action")
    entries = view.library.of_kind(kind) if kind in _ANYWHERE else view.all(kind or "").values()
    for entry in entries:
        about = getattr(entry.model, "about", None) or ""
        yield Completion(entry.name, "value", entry.kind, " ".join(about.split()))
    if key in ("type", "is", "args"):
        for name in view.types.parents:
            yield Completion(name, "value", "type")


def _state(view: View) -> list[Completion]:
    """The names of state, which prompts see."""
    env = world(view)
    return [one for one in _usable(env) if one.what == "name" and one.text not in env.things]


def _things(view: View, type_: str) -> Iterator[Completion]:
    """The things and agents of a type."""
    env = world(view)
    for name, kind in env.things.items():
        if isinstance(kind, Named) and env.types.is_a(kind.name, type_):
            yield Completion(name, "value", kind.name)


def _filters() -> Iterator[Completion]:
    for name, one in registry().filters.items():
        about = (registry().load(one.call).__doc__ or "").strip().partition("\n")[0]
        yield Completion(name, "function", f"→ {one.returns}", about)


def _in_text(env: TypeEnvironment, text: str, is_template: bool) -> Iterator[Completion]:
    """What an expression can use in place of HERE."""
    if re.search(rf"(?<!\|)\|\s*{HERE}", text) and (not is_template or _in_braces(text)):
        yield from _filters()
        return
    read = TextTemplate.parse if is_template else Expression.parse
    try:
        parsed: Text | None = read(text)
    except SourceError:
        parsed = None
    if parsed is None:
        closed = _closed(text, is_template)
        if closed != text:
            yield from _in_text(env, closed, is_template)
            return
        if not is_template or _in_braces(text):
            yield from _usable(env)
        return
    seeker = _Seeker(env, parsed.length)
    seeker.block(parsed.ast)
    if seeker.of is not None:
        for name, type_ in (env.readable(seeker.of) or {}).items():
            yield Completion(name, "field", str(type_))
    elif seeker.there is not None:
        yield from _usable(seeker.there)


def _closed(text: str, is_template: bool) -> str:
    """A text with what is open at HERE closed behind it: of a template, its braces."""
    at = text.find(HERE) + len(HERE)
    if at < len(HERE):
        return text
    start = max(text.rfind("{{", 0, at), text.rfind("{%", 0, at)) if is_template else -2
    stack: list[str] = []
    for sign in re.sub(r"'[^']*'|\"[^\"]*\"", "", text[start + 2 : at]):
        if sign in _BRACKETS:
            stack.append(_BRACKETS[sign])
        elif stack and sign == stack[-1]:
            stack.pop()
    closers = "".join(reversed(stack))
    if not is_template:
        return text[:at] + closers
    if not _in_braces(text):
        return text
    end = "}}" if text.startswith("{{", start) else "%}"
    stops = [
        it for it in (text.find("\n", at), text.find("{{", at), text.find("{%", at)) if it >= 0
    ]
    found = text.find(end, at)
    rest = found if 0 <= found <= min(stops, default=len(text)) else -1
    after = text[rest + 2 :] if rest >= 0 else text[min(stops, default=len(text)) :]
    return f"{text[:at]}{closers} {end}{after}"


def _in_braces(text: str) -> bool:
    before = text[: text.find(HERE)]
    opened = max(before.rfind("{{"), before.rfind("{%"))
    return opened > max(before.rfind("}}"), before.rfind("%}"))


def _usable(env: TypeEnvironment) -> Iterator[Completion]:
    for name in env.usable():
        if name.isidentifier() and name != HERE:
            yield Completion(name, "name", str(env.type_of(name) or ""))
    typer = TypeChecker(env, lambda at: 1)
    for name in function_names(env):
        info = env.functions.get(name)
        spec = env.view.facts.get(name)
        about = info.about if info else (spec.about or "") if spec else ""
        yield Completion(name, "function", typer.signature(name), about)


class _Seeker(TypeChecker):
    """Finds what stands around HERE: the names that can be used there, or the type before a dot."""

    there: TypeEnvironment | None = None
    of: Type | None = None

    def name(self, node: nodes.Name) -> Type:
        if node.name == HERE:
            self.there = self.env
        return super().name(node)

    def field(self, type_: Type, name: str, at: int, length: int = 0) -> Type:
        if name == HERE:
            self.of = type_
        return super().field(type_, name, at, length)

    def call(self, node: nodes.Call) -> Type:
        named = [it.name for it in (node.node, *node.args) if isinstance(it, nodes.Name)]
        if HERE in named:
            self.there = self.env
        return super().call(node)
