"""Names and functions of expressions in a running team: their declarations and their evaluation.

The check and the reference read the same declarations, which `treec.core` and extensions make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from math import inf
from operator import is_
from typing import TYPE_CHECKING, Any, cast

from jinja2 import nodes

from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files.types import Type, own_values, parse_type
from treec.foreign import is_foreign
from treec.frozen import frozen
from treec.source.errors import EvaluationProblem, UndefinedName
from treec.source.expression import Expression
from treec.source.registry import guarded
from treec.source.scope import MappingScope, Special

if TYPE_CHECKING:
    from treec.team.team import Team


@frozen(slots=False)
class NameInfo:
    """A name that the team brings to every domain."""

    type: Type
    about: str


@frozen(slots=False)
class FunctionInfo:
    """A function that expressions may call."""

    args: tuple[str, ...]
    returns: Type
    about: str
    optional: int = 0
    classes: tuple[str, ...] = ()
    """Arguments that name a type of the domain."""


SPECIALS: Mapping[str, str] = {
    "age": "Seconds since a fact was set or confirmed: age(at(item)) < 5.",
    "source": "What a fact rests on: source(at(item)) == 'sensed'.",
    "sensor": "The cameras that a fact is from: 'head' in sensor(at(item)). Empty for other facts.",
    "uncertainty": "Millimetres by which what a camera saw may be off: uncertainty(at(item)) < 10.",
    "doubted": "Whether what a camera saw is older than its file trusts it: doubted(at(item)).",
}


@lru_cache(maxsize=1)
def team_names() -> Mapping[str, NameInfo]:
    """The names that a team brings to every domain: treec's own and those of extensions."""
    return {
        n.name: NameInfo(own_values(n.name) if n.values else parse_type(n.type), n.about)
        for n in registry().names.values()
    }


@lru_cache(maxsize=1)
def team_texts() -> Mapping[str, tuple[str, ...]]:
    """All texts that names can have, by the name of the type."""
    return {own_values(n.name).name: tuple(n.values) for n in registry().names.values() if n.values}


@lru_cache(maxsize=1)
def team_functions() -> Mapping[str, FunctionInfo]:
    """The functions of expressions: treec's own and those of extensions."""
    return {
        f.name: FunctionInfo(f.args, parse_type(f.returns), f.about, f.optional, f.classes)
        for f in registry().functions.values()
    }


@cache
def _load(target: str) -> Callable[..., object]:
    """The code of a name or a function. Raises EvaluationProblem, which names the package."""
    try:
        function = cast(Callable[..., object], registry().load(target))
    except ExtensionError as error:
        raise EvaluationProblem(str(error)) from error
    return guarded(target, function) if is_foreign(target) else function


for _cached in (team_names, team_texts, team_functions, _load):
    depends_on_extensions(_cached.cache_clear)


def _is_selection(derived: Expression) -> bool:
    """Whether it goes through lists, and reads nothing but names."""
    loops = any(isinstance(node, nodes.Filter) for node in derived.parts)
    return loops and not any(free.called for free in derived.names)


class WorldScope:
    """Evaluates a team's names, a domain's state, facts and derived names, and the scene's things.

    Looked up in this order: state, derived names, the team's names, things by their name. Each
    call of a fact's name reads that fact; an unknown one is none, or false.
    """

    def __init__(self, team: Team) -> None:
        self.team = team
        self.world = team.world
        self._specials: dict[str, Special] = {name: getattr(self, f"_{name}") for name in SPECIALS}
        self.renew()

    def renew(self) -> None:
        """Take the names of the team's present knowledge."""
        self._view = self.team.knowledge.view
        self._derived = {n: Expression.parse(e) for n, e in self._view.derived.items()}
        self._reads = {
            name: tuple(sorted({free.name for free in derived.names}))
            for name, derived in self._derived.items()
            if _is_selection(derived)
        }
        """The names that selections read."""
        self._last: dict[str, tuple[tuple[object, ...], object]] = {}
        self._values: dict[str, tuple[int, object, object]] = {}
        """Those of derived names, with their version, and the moment if that counts."""
        self._state = frozenset(self._view.state)
        self._facts = self._view.facts
        self._things = frozenset((*self._view.objects, *self._view.agents))

    def lookup(self, name: str) -> object:
        """The value of a name."""
        if name in self._state:
            return self.world.state[name]
        derived = self._derived.get(name)
        if derived is not None:
            return self._evaluate(name, derived)
        found = registry().names.get(name)
        if found is not None:
            self.world.watch.variable += is_foreign(found.get)
            return _load(found.get)(self.team)
        if name in self._things:
            return self.team.agent(name) or name
        raise UndefinedName(name, (*self._state, *self._derived, *registry().names))

    def _evaluate(self, name: str, derived: Expression) -> object:
        """A derived name's value, made once a version of the world, or a moment if it varies."""
        watch, version = self.world.watch, self.world.version
        moment = watch.tick, self.world.now()
        known = self._values.get(name)
        if known is not None and known[0] == version and known[1] in (None, moment):
            watch.variable += known[1] is not None
            return known[2]
        before = watch.variable
        value = self._select(name, derived)
        self._values[name] = version, None if watch.variable == before else moment, value
        return value

    def _select(self, name: str, derived: Expression) -> object:
        """Its value; a selection's last one, if it was made of the same objects."""
        if name not in self._reads:
            return derived.evaluate(self)
        read = tuple(map(self.lookup, self._reads[name]))
        last = self._last.get(name)
        if last is None or not all(map(is_, last[0], read)):
            last = self._last[name] = read, derived.evaluate(self)
        return last[1]

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Call a function, or read a fact."""
        if name in self._facts and not kwargs:
            return self.team.fact(name, args)
        found = registry().functions.get(name)
        if found is None:
            raise UndefinedName(name, (*self._facts, *registry().functions))
        function = _load(found.call)
        self.world.watch.variable += is_foreign(found.call)
        try:
            return function(self.team, *args, **kwargs)
        except TypeError:
            raise EvaluationProblem(f"{name} takes ({', '.join(found.args)})") from None

    def special(self, name: str) -> Special | None:
        """The forms that look at a fact itself."""
        return self._specials.get(name)

    def child(self, names: Mapping[str, object]) -> MappingScope:
        """This scope with more names."""
        return MappingScope(names, parent=self)

    def _age(self, name: str, args: tuple[object, ...]) -> object:
        age = self.world.facts.age(self.world.now(), name, [str(arg) for arg in args])
        return inf if age is None else self.world.watch.elapsed(age)

    def _source(self, name: str, args: tuple[object, ...]) -> object:
        return self.world.facts.source(name, [str(arg) for arg in args])

    def _evidence(self, name: str, args: tuple[object, ...], part: str) -> Any:
        found = self.world.facts.get(name, [str(arg) for arg in args])
        return getattr(found and found.evidence, part, None)

    def _sensor(self, name: str, args: tuple[object, ...]) -> object:
        return self._evidence(name, args, "sensor") or ""

    def _uncertainty(self, name: str, args: tuple[object, ...]) -> object:
        metres = self._evidence(name, args, "uncertainty")
        return inf if metres is None else round(1000 * metres, 1)

    def _doubted(self, name: str, args: tuple[object, ...]) -> object:
        lasts = self._evidence(name, args, "lasts")
        return lasts is not None and cast(float, self._age(name, args)) >= lasts
