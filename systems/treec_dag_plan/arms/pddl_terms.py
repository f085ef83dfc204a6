"""Terms as PDDL: conditions with existential, effects with universal variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from treec.files.places import FactSpec
from treec_dag_plan.arms.world_logic import (
    Choice,
    Constant,
    Either,
    Equal,
    LogicFact,
    LogicName,
    Not,
    Term,
    facts_in,
)

Bound = Mapping[str, str]
"""An argument → its variable."""


class _Lookups:
    """The variables that stand for the nested facts of an expression."""

    def __init__(self) -> None:
        self.variables: list[tuple[str, str]] = []
        self.atoms: list[str] = []
        self.known: dict[LogicFact, str] = {}


class Terms:
    """Renders terms of one domain; `type_of` returns a type's PDDL name."""

    def __init__(
        self,
        facts: Mapping[str, FactSpec],
        names: Mapping[str, str],
        type_of: Callable[[str], str],
    ) -> None:
        self.facts = facts
        self.names = names
        self.type_of = type_of
        self._count = 0

    def declaration(self, name: str) -> str:
        """Return a predicate's declaration; its arguments may be of any type."""
        spec = self.facts[name]
        kinds = [*spec.args, *([] if spec.value is None else [spec.value])]
        args = " ".join(f"?a{n}" for n in range(len(kinds)))
        return f"({name} {args} - object)"

    def condition(self, term: Term, bound: Bound) -> str:
        """Render a condition."""
        match term:
            case Constant(value):
                return "(and)" if value else "(or)"
            case Not(inner):
                return f"(not {self.condition(inner, bound)})"
            case Either(left, right, both):
                word = "and" if both else "or"
                return f"({word} {self.condition(left, bound)} {self.condition(right, bound)})"
            case Choice(test, then, other):
                test_ = self.condition(test, bound)
                yes, no = self.condition(then, bound), self.condition(other, bound)
                return f"(or (and {test_} {yes}) (and (not {test_}) {no}))"
            case Equal(left, right, negated):
                found = self._equal(left, right, bound)
                return f"(not {found})" if negated else found
            case LogicFact() if self._has_value(term):
                return self._exists(term, None, bound)
            case LogicFact():
                return self._atom(term, bound)
        return "(and)"  # a thing is always something

    def effects(self, fact: str, args: Sequence[Term], value: Term, bound: Bound) -> Iterator[str]:
        """Yield the effects that set a fact: delete its old value, add the new one."""
        lookups = _Lookups()
        given = [self._place(arg, bound, lookups) for arg in args]
        atom = " ".join([fact, *given])
        if self.facts[fact].value is None:
            for when, yes in self._boolean(value, bound):
                done = f"({atom})" if yes else f"(not ({atom}))"
                yield self._for_all(lookups.variables, [*lookups.atoms, *when], done)
            return
        for tests, chosen in self._values(value):
            own = LogicFact(fact, tuple(args))
            if own in (chosen, tests[-1][0] if tests else None):
                continue  # the fact does not change
            if any(yes and set(facts_in(test)) & _absent(tests) for test, yes in tests):
                continue  # facts nested in a true condition have a value
            when, inner = self._conditions(tests, bound)
            new = None if chosen == Constant(None) else self._place(chosen, bound, inner)
            variables = [*lookups.variables, *inner.variables]
            atoms = [*lookups.atoms, *inner.atoms, *when]
            kind = self.type_of(self.facts[fact].value or "")
            old = self._variable(kind, _Lookups())
            conditions = [*atoms, f"({atom} {old})", *([f"(not (= {old} {new}))"] if new else [])]
            yield self._for_all([*variables, (old, kind)], conditions, f"(not ({atom} {old}))")
            if new is not None:
                yield self._for_all(variables, atoms, f"({atom} {new})")

    def _conditions(
        self, tests: Sequence[tuple[Term, bool]], bound: Bound
    ) -> tuple[list[str], _Lookups]:
        """Render the tests that select a value; it may use the variables of true tests."""
        lookups = _Lookups()
        when: list[str] = []
        for test, truth in tests:
            if truth and isinstance(test, LogicFact) and not self._has_value(test):
                given = [self._place(arg, bound, lookups) for arg in test.args]
                when.append(f"({' '.join([test.name, *given])})")
            else:
                found = self.condition(test, bound)
                when.append(found if truth else f"(not {found})")
        return when, lookups

    def _boolean(self, value: Term, bound: Bound) -> Iterator[tuple[list[str], bool]]:
        if isinstance(value, Constant):
            yield [], bool(value.value)
            return
        test = self.condition(value, bound)
        yield [test], True
        yield [f"(not {test})"], False

    def _values(self, value: Term) -> Iterator[tuple[list[tuple[Term, bool]], Term]]:
        """Yield the possible values of a term, each with the tests that select it."""
        match value:
            case Choice(test, then, other):
                for tests, chosen in self._values(then):
                    yield [(test, True), *tests], chosen
                for tests, chosen in self._values(other):
                    yield [(test, False), *tests], chosen
            case LogicFact():
                yield [], value
                yield [(value, False)], Constant(None)
            case _:
                yield [], value

    def _has_value(self, fact: LogicFact) -> bool:
        return self.facts[fact.name].value is not None

    def _equal(self, left: Term, right: Term, bound: Bound) -> str:
        if not isinstance(left, LogicFact):
            left, right = right, left
        if not isinstance(left, LogicFact):
            if isinstance(left, Constant) or isinstance(right, Constant):
                return "(and)" if left == right else "(or)"
            lookups = _Lookups()
            return f"(= {self._place(left, bound, lookups)} {self._place(right, bound, lookups)})"
        if not self._has_value(left):
            one, other = self._atom(left, bound), self.condition(right, bound)
            return f"(or (and {one} {other}) (and (not {one}) (not {other})))"
        if right == Constant(None):
            return f"(not {self._exists(left, None, bound)})"
        if isinstance(right, LogicFact):
            lookups = _Lookups()
            value = self._place(right, bound, lookups)
            same = self._quantify(lookups, self._exists(left, value, bound))
            none = [f"(not {self._exists(fact, None, bound)})" for fact in (left, right)]
            return f"(or {same} (and {none[0]} {none[1]}))"
        return self._exists(left, self._place(right, bound, _Lookups()), bound)

    def _exists(self, fact: LogicFact, value: str | None, bound: Bound) -> str:
        """Render that a fact has this value, or any value if None."""
        lookups = _Lookups()
        given = [self._place(arg, bound, lookups) for arg in fact.args]
        if value is None:
            value = self._variable(self.type_of(self.facts[fact.name].value or ""), lookups)
        return self._quantify(lookups, f"({' '.join([fact.name, *given, value])})")

    def _atom(self, fact: LogicFact, bound: Bound) -> str:
        lookups = _Lookups()
        given = [self._place(arg, bound, lookups) for arg in fact.args]
        return self._quantify(lookups, f"({' '.join([fact.name, *given])})")

    def _place(self, term: Term, bound: Bound, lookups: _Lookups) -> str:
        """Render an argument; the value of a fact becomes a variable."""
        if isinstance(term, LogicName):
            return bound.get(term.name) or self.names.get(term.name, term.name)
        if isinstance(term, Constant):
            return self.names.get(str(term.value), str(term.value))
        assert isinstance(term, LogicFact), (
            "conditions and choices do not stand in an argument's place"
        )
        if term not in lookups.known:
            given = [self._place(arg, bound, lookups) for arg in term.args]
            variable = self._variable(self.type_of(self.facts[term.name].value or ""), lookups)
            lookups.atoms.append(f"({' '.join([term.name, *given, variable])})")
            lookups.known[term] = variable
        return lookups.known[term]

    def _variable(self, kind: str, lookups: _Lookups) -> str:
        self._count += 1
        name = f"?v{self._count}"
        lookups.variables.append((name, kind))
        return name

    def _quantify(self, lookups: _Lookups, inner: str) -> str:
        if not lookups.variables:
            return inner
        variables = " ".join(f"{name} - {kind}" for name, kind in lookups.variables)
        body = f"(and {' '.join([*lookups.atoms, inner])})" if lookups.atoms else inner
        return f"(exists ({variables}) {body})"

    def _for_all(self, variables: Sequence[tuple[str, str]], when: Sequence[str], done: str) -> str:
        if len(when) > 1:
            done = f"(when (and {' '.join(when)}) {done})"
        elif when:
            done = f"(when {when[0]} {done})"
        if not variables:
            return done
        bindings = " ".join(f"{name} - {kind}" for name, kind in variables)
        return f"(forall ({bindings}) {done})"


def _absent(tests: Sequence[tuple[Term, bool]]) -> set[LogicFact]:
    """Return the facts that must be false for a value to be selected."""
    return {test for test, yes in tests if not yes and isinstance(test, LogicFact)}
