"""Type-checks calls of facts, of functions, and of special forms such as `age(at(x))`."""

from __future__ import annotations

from jinja2 import nodes

from treec.check.comparisons import Comparisons
from treec.check.fields import AGENT_STATUS, SUBTASK_STATUS
from treec.check.names import RETURNS, function_names
from treec.check.unreadable import unreadable_names
from treec.files.types import ANY, TEXT, ListOf, Named, Type, a, options, union, without_none
from treec.source.errors import suggest
from treec.source.grammar import offset
from treec.source.names import FUNCTIONS as BUILTIN
from treec.source.registry import FILTERS
from treec.team.names import SPECIALS, FunctionInfo

_PARAMETERS: dict[str, Type] = {
    "agent": Named("Agent"),
    "agents": ListOf(Named("Agent")),
    "utterance": Named("Utterance"),
    "text": TEXT,
}
"""Types of built-in functions' parameters, by name; other parameters take several types."""


class Calls(Comparisons):
    """The part of the type checker for calls."""

    def call(self, node: nodes.Call) -> Type:
        """Return the type of a call's result, and note what is wrong with the call."""
        assert isinstance(node.node, nodes.Name)
        name, at, env = node.node.name, node.node.lineno, self.env
        if name in env.facts:
            return self._fact(node, name)
        if name in SPECIALS:
            return self._special(node, name)
        info = env.functions.get(name)
        if info is not None:
            return self._function(node, name, info)
        self._visit(node)
        if name in BUILTIN:
            return ListOf(Named("integer"))
        if env.calls is None or name in env.calls or not env.whole:
            return ANY
        if ("skill", name) in unreadable_names(env.view.library):
            return ANY
        if env.type_of(name) is not None:
            self.note("TC204", at, f"'{name}' is not a function", "leave the parentheses out")
            return ANY
        help = suggest(name, function_names(env))
        if help is None and name in env.view.all("skill"):
            help = "a skill is called in the steps of a task, or by the node 'skill'"
        filter = {"len": "length", "str": "string", "sorted": "sort"}.get(name, name)
        if help is None and filter in FILTERS and node.args:
            several = len(node.args) > 1
            value = "[…]" if several and filter in ("max", "min", "sum") else "value"
            more = "(…)" if several and value == "value" else ""
            help = f"'{filter}' is a filter: write {value} | {filter}{more}"
        self.note("TC204", at, f"unknown function '{name}'", help)
        return ANY

    def signature(self, name: str) -> str:
        """Return how something is called: ``queue(agent)``, ``at(Item)``."""
        fact = self.env.facts.get(name)
        if fact is not None:
            return f"{name}({', '.join(map(str, fact.args))})"
        info = self.env.functions.get(name)
        return f"{name}({', '.join(info.args)})" if info else f"{name}(a fact)"

    def _visit(self, node: nodes.Call) -> None:
        for argument in node.args:
            self.expression(argument)
        for keyword in node.kwargs:
            self.expression(keyword.value)

    def _fact(self, node: nodes.Call, name: str) -> Type:
        fact = self.env.facts[name]
        if node.kwargs or len(node.args) != len(fact.args):
            self._wrong_number(node, name, len(fact.args), len(fact.args))
            self._visit(node)
            return fact.gives
        for argument, expected in zip(node.args, fact.args, strict=True):
            self.argument(argument, expected, name)
        return fact.gives

    def argument(self, node: nodes.Node, expected: Type, name: str) -> None:
        """Note an argument that cannot be of the parameter's type."""
        if isinstance(node, nodes.Name) and self.bare_thing(node, expected):
            return
        given = self.expression(node)
        if not self.constant(node, expected) and not self.env.types.can_be_equal(given, expected):
            message = f"'{name}' takes {a(expected)} here, not {a(given)}"
            self.note("TC213", offset(node), message)

    def _special(self, node: nodes.Call, name: str) -> Type:
        inner = node.args[0] if len(node.args) == 1 and not node.kwargs else None
        called = inner.node if isinstance(inner, nodes.Call) else None
        if not isinstance(called, nodes.Name) or called.name not in self.env.facts:
            if self.env.whole:
                at = node.node.lineno
                self.note("TC204", at, f"'{name}' takes a fact", f"write {name}(at(item))")
            self._visit(node)
        else:
            assert isinstance(inner, nodes.Call)
            self._fact(inner, called.name)
        return RETURNS[name]

    def _function(self, node: nodes.Call, name: str, info: FunctionInfo) -> Type:
        keywords = [keyword.key for keyword in node.kwargs]
        number = len(node.args) + len(keywords)
        least = len(info.args) - info.optional
        unknown = [key for key in keywords if key not in info.args]
        if unknown:
            message = f"unknown argument '{unknown[0]}' of '{name}'"
            self.note("TC204", node.node.lineno, message, f"it takes {self.signature(name)}")
        elif not least <= number <= len(info.args):
            self._wrong_number(node, name, least, len(info.args))
        given: list[tuple[str, nodes.Node]] = list(zip(info.args, node.args, strict=False))
        given += [(keyword.key, keyword.value) for keyword in node.kwargs]
        for parameter, argument in given:
            expected = _PARAMETERS.get(parameter)
            if expected is not None:
                self.argument(argument, expected, name)
            elif name != "status":
                self.expression(argument)
            if parameter in info.classes:
                self._class(argument, given[0][1] if name == "is_a" else None)
        for argument in node.args[len(info.args) :]:
            self.expression(argument)
        if name == "status":
            return self._status([argument for _, argument in given])
        if name == "place_of" and "at" in self.env.facts:
            return self.env.facts["at"].gives
        return info.returns

    def _class(self, node: nodes.Node, thing: nodes.Node | None) -> None:
        """Note a fixed text that is not a type of the domain, or one that a thing never has."""
        types = self.env.view.types
        text = node.value if isinstance(node, nodes.Const) else None
        if self.env.whole and isinstance(text, str) and not types.has(text):
            help = suggest(text, types.names)
            self.note("TC208", offset(node), f"unknown type '{text}'", help)
        elif isinstance(text, str) and thing is not None and types.has(text):
            own = without_none(self.expression(thing))
            if not self.env.types.can_be_equal(own, Named(text)):
                self.note("TC213", offset(node), f"{a(own)} is never {a(Named(text))}")

    def _status(self, arguments: list[nodes.Node]) -> Type:
        """Return the type of ``status(…)``, which depends on its argument: agent or subtask."""
        types = [self.expression(argument) for argument in arguments]
        kinds = {str(option) for type_ in types for option in options(type_)}
        if kinds and all(self.env.types.is_a(kind, "Agent") for kind in kinds):
            return AGENT_STATUS
        return SUBTASK_STATUS if kinds == {"Subtask"} else union(AGENT_STATUS, SUBTASK_STATUS)

    def _wrong_number(self, node: nodes.Call, name: str, least: int, most: int) -> None:
        expected = str(most) if least == most else f"{least} to {most}"
        given = len(node.args) + len(node.kwargs)
        noun = "argument" if expected == "1" else "arguments"
        keyword = "; it takes no keywords" if name in self.env.facts and node.kwargs else ""
        self.note(
            "TC204",
            node.node.lineno,
            f"'{name}' takes {expected} {noun}, not {given}{keyword}",
            f"write {self.signature(name)}",
        )
