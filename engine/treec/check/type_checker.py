"""Infers types of expressions and reports type errors.

:func:`infer` returns the type of one expression; :func:`findings` walks a whole expression or
template, with the names that its own loops and `set` bind, and reports every name, field and
comparison that is certainly wrong. Nothing is reported where a type is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jinja2 import nodes

from treec.check.calls import Calls
from treec.check.comparisons import null_help
from treec.check.fields import ACTS, CHOICES, GROUP, LOOP, skills_of
from treec.check.filters import filter_type, path_arguments, wrong_input
from treec.check.finding import Finding
from treec.check.names import TypeEnvironment
from treec.files.types import (
    ANY,
    BOOL,
    NUMBER,
    TEXT,
    ListOf,
    Named,
    OneOf,
    Type,
    a,
    type_of,
    union,
    without_none,
)
from treec.source.diagnostics import did_you_mean
from treec.source.expression import Text
from treec.source.grammar import children, offset, walk
from treec.team.names import SPECIALS

_BOOL = (nodes.Not, nodes.Test)
_TESTS = {"select": 0, "reject": 0, "selectattr": 1, "rejectattr": 1}
"""Filters that test their items, and the position of the test among their arguments."""
_SIGNS = {
    nodes.Add: "+",
    nodes.Sub: "-",
    nodes.Mul: "*",
    nodes.Div: "/",
    nodes.FloorDiv: "//",
    nodes.Mod: "%",
    nodes.Neg: "-",
    nodes.Pos: "+",
}


class TypeChecker(Calls):
    """One walk over an expression or a template in an environment."""

    set_names: frozenset[str] = frozenset()
    """The names that the text has set in the blocks around."""

    # Expressions

    def expression(self, node: nodes.Node) -> Type:
        """Return the type of an expression, ``any`` if unknown."""
        match node:
            case nodes.Const():
                return type_of(node.value) or ANY
            case nodes.Name():
                return self.name(node)
            case nodes.Getattr():
                return self.field(self.expression(node.node), node.attr, node.lineno)
            case nodes.Getitem():
                return self.item(node)
            case nodes.Call():
                return self.call(node)
            case nodes.Filter():
                return self.filter(node)
            case nodes.Compare():
                return self.compare(node)
            case nodes.And() | nodes.Or():
                left, right = self.expression(node.left), self.expression(node.right)
                return union(without_none(left) if isinstance(node, nodes.Or) else left, right)
            case nodes.CondExpr():
                self.expression(node.test)
                last = self.expression(node.expr2) if node.expr2 is not None else None
                return union(self.expression(node.expr1), last)
            case nodes.List() | nodes.Tuple():
                items = [self.expression(item) for item in node.items]
                return ListOf(union(*items))
            case nodes.BinExpr() | nodes.Neg() | nodes.Pos() if sign := _SIGNS.get(type(node)):
                return self.arithmetic(node, sign)
        for child in children(node):
            self.expression(child)
        if isinstance(node, _BOOL):
            return BOOL
        if isinstance(node, nodes.Concat):
            return TEXT
        return Named("mapping") if isinstance(node, nodes.Dict) else ANY

    def arithmetic(self, node: nodes.Node, sign: str) -> Type:
        """Return the type of a sum, a product, …; note an operand that it never takes."""
        sides = [self.expression(child) for child in children(node)]
        wrong = [side for side in sides if not self.env.types.could_be(side, NUMBER)]
        is_sum = sign == "+" and len(sides) == 2
        if is_sum and (len(wrong) == 2 or ANY in sides):  # two texts, or two lists
            return sides[0] if sides[0] == sides[1] else ANY
        if wrong:
            help = "join texts with '~'" if is_sum and wrong[0] == TEXT else None
            self.note("TC213", offset(node), f"'{sign}' takes numbers, not {a(wrong[0])}", help)
        return ANY if wrong else NUMBER

    def name(self, node: nodes.Name) -> Type:
        """Return the type of a name; note one that cannot be used here."""
        name, at, env = node.name, node.lineno, self.env
        type_ = env.type_of(name) if name not in env.partly else None
        if type_ is not None:
            hidden = env.visible is not None and name not in env.local and name in env.names
            if hidden and name not in (env.visible or ()):
                self.note(
                    "TC206",
                    at,
                    f"'{name}' is used here, but the node does not see it",
                    f"add '{name}' to sees, recalls or knows",
                )
            return type_
        if name in env.partly:
            self.note("TC203", at, *_split(env.partly[name]))
        elif name in env.facts or name in env.functions or name in SPECIALS:
            what = "fact" if name in env.facts else "function"
            self.note("TC203", at, f"'{name}' is a {what}", f"call it: {self.signature(name)}")
        elif env.whole and env.things_whole:
            self.note("TC203", at, *self.unknown(name))
        return ANY

    def unknown(self, name: str) -> tuple[str, str | None]:
        """Note an unknown name."""
        near = did_you_mean(name, self.env.usable())
        if near is None:
            near = next((thing for thing in self.env.things if _words(thing) == _words(name)), None)
        if near is not None:
            help: str | None = f"did you mean '{near}'?"
            if not near.isidentifier():
                help = f"did you mean '{near}', in quotes?"
        elif word := _fixed_word(name):
            help = f"write a fixed word in quotes: '{word}'"
        else:
            help = null_help(name)
        return f"unknown name '{name}'", help

    def field(self, type_: Type, name: str, at: int, length: int = 0) -> Type:
        """Return the type of a field; note one that does not exist."""
        fields = self.env.readable(type_)
        if fields is None:
            return ANY
        found = fields.get(name)
        if found is not None:
            return found
        if type_ == ACTS:
            message = f"unknown kind of act '{name}'"
        elif skills := skills_of(type_):
            message = f"unknown argument '{name}' of {' or '.join(map(repr, skills[:3]))}"
        else:
            of = type_.item if isinstance(type_, ListOf) and fields else type_
            message = f"unknown field '{name}' of {a(without_none(of))}"
        near = did_you_mean(name, fields)
        if near is not None:
            help: str | None = f"did you mean '{near}'?"
        elif name in self.env.facts:
            help = f"call the fact: {self.signature(name)}"
        elif fields:
            help = f"its fields: {', '.join(fields)}"
        elif isinstance(type_, ListOf):
            help = f"for the field of each item write map(attribute='{name}')"
        else:
            help = None
        self.note("TC205", at, message, help, length)
        return ANY

    def path(self, type_: Type, path: str, at: int, length: int) -> Type:
        """Return the type of a field by a path such as ``agent.name``."""
        for name in path.split("."):
            type_ = self.field(type_, name, at, length)
        return type_

    def item(self, node: nodes.Getitem) -> Type:
        """Return the type of an item: of a list by its index, of an entity by a field's name."""
        type_ = self.expression(node.node)
        if isinstance(node.arg, nodes.Slice):
            self.expression(node.arg)
            return type_
        key = self.expression(node.arg)
        constant = node.arg.value if isinstance(node.arg, nodes.Const) else None
        if isinstance(type_, ListOf) and key == Named("integer"):
            return type_.item
        if isinstance(type_, Named) and isinstance(constant, str) and self.env.readable(type_):
            return self.field(type_, constant, node.arg.lineno)
        return ANY

    def filter(self, node: nodes.Filter) -> Type:
        """Return the type of a filter's result; note unknown fields in its arguments."""
        type_ = self.expression(node.node) if node.node is not None else ANY
        if problem := wrong_input(str(node.name), type_):
            self.note("TC213", node.lineno, problem)
        for child in (*node.args, *node.kwargs):
            self.expression(child.value if isinstance(child, nodes.Keyword) else child)
        inner: Type = ANY
        for argument in path_arguments(node):
            at = offset(argument)
            if isinstance(type_, ListOf) or type_ == ACTS:
                inner = self.path(item_of(type_), str(argument.value), at, self.length(at))
        self._tested(node, inner if node.name in ("selectattr", "rejectattr") else item_of(type_))
        return filter_type(node, type_, inner)

    def _tested(self, node: nodes.Filter, tested: Type) -> None:
        """Note words that what a filter tests never equals: `selectattr('kind', 'eq', 'stpo')`."""
        start = _TESTS.get(str(node.name))
        if start is None or len(node.args) != start + 2 or tested == ANY:
            return
        test, value = node.args[start:]
        name = test.value if isinstance(test, nodes.Const) else None
        if name in ("eq", "==", "equalto", "ne", "!="):
            self.constant(value, tested)
        elif name == "in" and isinstance(value, nodes.List | nodes.Tuple):
            for item in value.items:
                self.constant(item, tested)

    # Statements of templates

    def block(self, body: Iterable[nodes.Node]) -> None:
        """Walk statements in order; what they bind is known to those after them."""
        for node in body:
            self.statement(node)

    def inside(self, body: Sequence[nodes.Node], names: Mapping[str, Type]) -> Mapping[str, Type]:
        """Walk a block with more names; return the local names at its end."""
        outer, self.env, before = self.env, self.env.child(names), self.set_names
        self.block(body)
        end, self.env, self.set_names = self.env.local, outer, before
        return end

    def statement(self, node: nodes.Node) -> None:
        """Walk one statement, or an expression that stands for itself."""
        match node:
            case nodes.TemplateData():
                pass
            case nodes.Output():
                self.block(node.nodes)
            case nodes.For():
                item = item_of(self.expression(node.iter))
                if isinstance(node.target, nodes.Tuple):
                    self._unpacked(node.target, item)
                names = targets(node.target, item)
                if node.test is not None:
                    self.inside([node.test], names)
                self._lost_in(node.body)
                self.inside(node.body, {**names, "loop": LOOP})
                self.inside(node.else_, {})
            case nodes.If():
                self._if(node)
            case nodes.Assign():
                self.set_names = self.set_names | targets(node.target, ANY).keys()
                self.env = self.env.child(targets(node.target, self.expression(node.node)))
            case nodes.AssignBlock():
                self.set_names = self.set_names | targets(node.target, ANY).keys()
                self.inside(node.body, {})
                self.env = self.env.child(targets(node.target, TEXT))
            case nodes.With():
                bound: dict[str, Type] = {}
                for target, value in zip(node.targets, node.values, strict=True):
                    bound.update(targets(target, self.expression(value)))
                self.inside(node.body, bound)
            case nodes.FilterBlock():
                self.expression(node.filter)
                self.inside(node.body, {})
            case _:
                self.expression(node)

    def _unpacked(self, target: nodes.Tuple, item: Type) -> None:
        """Note an item of a loop that is no list, where the loop binds several names."""
        if item != ANY and isinstance(item, Named):
            help = "take one name, and read its fields"
            if item.name.startswith(GROUP):
                help = "take one name: it has the fields 'grouper' and 'list'"
            message = f"{a(item)} cannot be unpacked into {len(target.items)} names"
            self.note("TC213", offset(target), message, help)

    def _lost_in(self, body: Sequence[nodes.Node]) -> None:
        """Note names of the text that are set in a loop's body, which forgets them."""
        for node, _ in walk(tuple(body)) if self.set_names else ():
            if isinstance(node, nodes.Assign | nodes.AssignBlock):
                for name in targets(node.target, ANY).keys() & self.set_names:
                    self.note(
                        "TC215",
                        node.target.lineno,
                        f"'{name}' is set for this turn of the loop alone",
                        "use a filter: sum, select, map, first, or length",
                    )

    def _if(self, node: nodes.If) -> None:
        """A name is bound after an `if` when every branch binds it."""
        ends = []
        for branch in (node, *node.elif_):
            self.expression(branch.test)
            ends.append(self.inside(branch.body, {}))
        ends.append(self.inside(node.else_, {}))
        common = set.intersection(*(set(end) for end in ends))
        self.env = self.env.child({name: union(*(end[name] for end in ends)) for name in common})


def infer(expression: nodes.Node, env: TypeEnvironment) -> Type | None:
    """Return the type of an expression's syntax tree; None if unknown."""
    found = TypeChecker(env).expression(expression)
    return None if found == ANY else found


def findings(text: Text, env: TypeEnvironment) -> list[Finding]:
    """Return the problems in a parsed expression or template, in order of its text."""
    typer = TypeChecker(env, text.length)
    typer.block(text.ast)
    return sorted(set(typer.found), key=lambda finding: (finding.offset, finding.code))


def item_of(type_: Type) -> Type:
    """Return the type of a list's items."""
    if isinstance(type_, ListOf):
        return type_.item
    if isinstance(type_, OneOf):
        return union(*(item_of(option) for option in type_.options))
    return Named("Act") if type_ == ACTS else ANY


def targets(node: nodes.Node, type_: Type) -> dict[str, Type]:
    """Return the names that a loop or a `set` binds."""
    if isinstance(node, nodes.Name):
        return {node.name: type_}
    return {name.name: ANY for name in node.find_all(nodes.Name)}


def _fixed_word(name: str) -> str | None:
    """The fixed word that a name without quotes stands for: `RUNNING` for 'Running'."""
    words = [word for choices in CHOICES.values() for word in choices]
    same = [word for word in words if word == name]
    return next(iter(same or [word for word in words if word.lower() == name.lower()]), None)


def _words(name: str) -> str:
    return name.replace("_", " ").lower()


def _split(text: str) -> tuple[str, str | None]:
    message, _, help = text.partition("\n")
    return message, help or None
