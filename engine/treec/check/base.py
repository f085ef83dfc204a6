"""Building blocks of rules; a rule is a module with a docstring, an id, and one function.

``code`` names the rule, the module's docstring is its documentation page, and ``check(view)``
yields its diagnostics for the files of one view. :func:`places` finds expressions, texts and types
by the annotations of the models' fields; ``treec.check.texts`` parses them once for all rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast, get_args

from pydantic import BaseModel

from treec.files.bindings import Binding
from treec.files.entry import AnyEntry, Entry, per_entry
from treec.files.fields import Field
from treec.files.library import Library
from treec.files.nodes import PythonNode
from treec.files.systems import SystemFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.text import Span
from treec.source.values import computed
from treec.source.yaml import Scalar

Check = Callable[[View], Iterator[Diagnostic]]
Loc = tuple[str | int, ...]
Where = tuple[str, str, Loc, bool]
"""A text: its file, its entry, its place, and whether it is a key."""


class FieldPlace(NamedTuple):
    """A field's value in an entry, its place, and the kind of text it is."""

    entry: AnyEntry
    loc: Loc
    kind: str
    value: Any
    owner: BaseModel
    """The model that the field belongs to."""
    field: str
    key: bool = False
    """Whether the value is the key that ``loc`` ends in: a condition before its repair."""
    shift: int = 0
    """Offset of ``value`` in the text at ``loc``: after ``x in`` of a rule's ``for``."""

    def span(self, offset: int | None = None, length: int = 1) -> Span:
        """Return the span of the value; with ``offset``, of a part of its text."""
        node = self.entry.at(*self.loc, key=self.key)
        if offset is None and not self.shift:
            return node.span
        if not isinstance(node, Scalar):
            return node.span
        if offset is None:
            offset, length = 0, len(str(self.value))
        return node.at(self.shift + offset, length)

    def problem(
        self,
        code: str,
        message: str,
        help: str | None = None,
        *,
        offset: int | None = None,
        length: int = 1,
        severity: str = "error",
    ) -> Diagnostic:
        """Return a diagnostic here; with ``offset``, at a part of the text."""
        span = self.span(offset, length)
        return Diagnostic(code, severity, span, message, help)  # type: ignore[arg-type]


P = ParamSpec("P")
T = TypeVar("T")


def once(
    judge: Callable[Concatenate[Library, P], Iterator[T]],
) -> Callable[Concatenate[Library, P], tuple[T, ...]]:
    """Call a function once in a check for the same arguments, in however many views."""

    @wraps(judge)
    def cached(library: Library, /, *args: P.args, **kwargs: P.kwargs) -> tuple[T, ...]:
        key = (judge, args)
        if key not in library.results:
            library.results[key] = tuple(judge(library, *args, **kwargs))
        return cast("tuple[T, ...]", library.results[key])

    return cached


@per_entry
def places(entry: AnyEntry) -> tuple[FieldPlace, ...]:
    """Return every field of an entry that is an expression, a text, a value, a type or steps."""
    return tuple(_walk(entry, entry.model, ()))


def _walk(entry: AnyEntry, model: BaseModel, loc: Loc) -> Iterator[FieldPlace]:
    set_fields = model.model_fields_set
    for name, key, kind, within in _fields(type(model)):
        if name not in set_fields:
            continue
        value = getattr(model, name)
        here = (*loc, key)
        if kind is not None:
            yield from with_expressions(FieldPlace(entry, here, kind, value, model, name))
        else:
            yield from _inside(entry, value, within, here, model, name)
    if isinstance(model, PythonNode):
        for key, value in (model.model_extra or {}).items():
            place = FieldPlace(entry, (*loc, key), "value", value, model, key)
            yield from with_expressions(place)


def with_expressions(place: FieldPlace) -> Iterator[FieldPlace]:
    """Yield a place, and those of the expressions in its value."""
    yield place
    if is_resolved(place):
        for found in computed(place.value):
            loc = (*place.loc, *found.loc)
            yield place._replace(loc=loc, kind="expression", value=found.text, shift=found.offset)


def has_values(entry: AnyEntry) -> bool:
    """Whether a file is of a kind whose values and texts are evaluated in a scope."""
    names_what_it_sees = isinstance(getattr(entry.model, "sees", None), Mapping)
    return entry.kind in ("tree", "action", "decision") or names_what_it_sees


def is_resolved(place: FieldPlace) -> bool:
    """Whether a place has a value in which references and expressions are replaced by values."""
    is_bound = has_values(place.entry) or isinstance(place.owner, Binding)
    return place.kind == "value" and is_bound and place.loc[0] not in ("examples", "offer")


@lru_cache(maxsize=256)
def _fields(model: type[BaseModel]) -> tuple[tuple[str, str, str | None, str | None], ...]:
    """Return a model's fields: name, key, the kind of its text, and the kind of texts within it."""
    found = []
    for name, info in model.model_fields.items():
        kind = next((m.kind for m in info.metadata if isinstance(m, Field)), None)
        found.append((name, info.alias or name, kind, _kind_of(info.annotation)))
    return tuple(found)


def _inside(
    entry: AnyEntry, value: Any, kind: str | None, loc: Loc, owner: BaseModel, field: str
) -> Iterator[FieldPlace]:
    if isinstance(value, str):
        if kind is not None:
            yield from with_expressions(FieldPlace(entry, loc, kind, value, owner, field))
    elif isinstance(value, BaseModel):
        yield from _walk(entry, value, loc)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(entry, item, kind, (*loc, index), owner, field)
    elif isinstance(value, Mapping) and kind != "value":
        for key, item in value.items():
            if field == "before":  # the key is a condition, the value its repair
                yield FieldPlace(entry, (*loc, key), "expression", key, owner, field, key=True)
            yield from _inside(entry, item, kind, (*loc, key), owner, field)
    elif kind is not None:
        yield from with_expressions(FieldPlace(entry, loc, kind, value, owner, field))


def _kind_of(annotation: Any) -> str | None:
    """Return the kind of text in an annotation such as ``dict[str, Expr] | None``."""
    for metadata in getattr(annotation, "__metadata__", ()):
        if isinstance(metadata, Field):
            return metadata.kind
    return next(filter(None, map(_kind_of, get_args(annotation))), None)


@once
def _views(library: Library, system: Entry[SystemFile]) -> Iterator[View]:
    yield View(library, system)


def view_of(library: Library, system: Entry[SystemFile]) -> View:
    """Return the view of a system, the same for all rules."""
    return _views(library, system)[0]


def entries(view: View, *kinds: str) -> Iterator[AnyEntry]:
    """Return the entries of some kinds that are checked in a view, in order of path."""
    return (entry for entry in view.own if entry.kind in kinds)


def all_entries(view: View, *kinds: str) -> Iterator[AnyEntry]:
    """Return all entries of some kinds in a view, including those checked in another view."""
    return (entry for entry in view.entries if entry.kind in kinds)


def near(view: View, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the names of some kinds, for suggestions."""
    return tuple(name for kind in kinds for name in view.all(kind))
