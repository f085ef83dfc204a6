"""Holds a program against what it may use, before its first step: all that is wrong, at its place.

Types are followed through assignments, conditions and loops. A name that is given a value on one
of two ways has none behind them; a value whose type could fit is looked at again when its step is
reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from treec.files.types import ANY, Type, union
from treec.program.api import DOER, Api, Skill
from treec.program.binding import Misbound, bind
from treec.program.judge_values import Enough, Values
from treec.program.places import Place, StepsError
from treec.program.statements import (
    Assign,
    Call,
    Do,
    For,
    If,
    Items,
    Program,
    Statement,
    Value,
)
from treec.program.steps import Literal, NameRef

MAX_ROUNDS = 100
"""How often a loop may go round."""
RANGE = "range"


def judge(program: Program, api: Api) -> list[StepsError]:
    """What is wrong with a program, in the order of its text; nothing for one that may run."""
    found: list[StepsError] = []
    with suppress(Enough):
        _Judge(api, found).block(program, {})
    return sorted(found, key=lambda error: error.offset)


class _Judge(Values):
    """Goes through statements; ``known`` are the names given so far, with their types."""

    def block(self, program: Program, known: dict[str, Type]) -> dict[str, Type]:
        """Judge statements one after the other; the names that are known behind them."""
        for statement in program:
            known = self._statement(statement, known)
        return known

    def _statement(self, statement: Statement, known: dict[str, Type]) -> dict[str, Type]:
        match statement:
            case Do(call=call):
                self._step(call, known)
            case Assign():
                self._new_name(statement.name, statement.at)
                return {**known, statement.name: self.value(statement.value, known)}
            case For():
                return self._loop(statement, known)
            case If():
                return self._if(statement, known)
        return known

    def _if(self, statement: If, known: dict[str, Type]) -> dict[str, Type]:
        ways = []
        for condition, body in statement.branches:
            self.value(condition, known)
            ways.append(self.block(body, dict(known)))
        ways.append(self.block(statement.otherwise, dict(known)))
        first, *others = ways
        for other in others:
            first = {n: union(first[n], other[n]) for n in first if n in other}
        return first

    def _loop(self, statement: For, known: dict[str, Type]) -> dict[str, Type]:
        item = self._items(statement.items, known)
        self._new_name(statement.name, statement.at)
        before = {**known, statement.name: item}
        # What a round leaves behind is there in the next: looked at once without telling.
        silent = _Judge(self.api, None)
        after = silent.block(statement.body, dict(before))
        before = {n: union(kind, after.get(n, kind)) for n, kind in before.items()}
        before[statement.name] = item
        after = self.block(statement.body, dict(before))
        return {n: union(kind, after.get(n, kind)) for n, kind in known.items()}

    def _items(self, items: Value, known: Mapping[str, Type]) -> Type:
        if isinstance(items, Call) and items.name == RANGE and items.on is None:
            return self._range(items, known)
        kind = self.value(items, known)
        found: Type | None = None
        for option in self.list_options(kind):
            found = option.item if found is None else union(found, option.item)
        if isinstance(items, Items) and len(items.items) > MAX_ROUNDS:
            self.tell(items.at, f"a loop goes round at most {MAX_ROUNDS} times")
        if found is None:
            help = "write for item in ['crate', 'pallet'], or for attempt in range(3)"
            self.tell(items.at, "this is no list", help)
        return found or ANY

    def _range(self, call: Call, known: Mapping[str, Type]) -> Type:
        if len(call.args) != 1 or call.kwargs:
            self.tell(call.at, "range takes one number", "write range(3)")
            return self.number
        (limit,) = call.args
        if isinstance(limit, Literal):
            whole = isinstance(limit.value, int) and not isinstance(limit.value, bool)
            if not whole or not 0 <= limit.value <= MAX_ROUNDS:  # type: ignore[operator]
                self.tell(limit.at, f"range takes a whole number from 0 to {MAX_ROUNDS}")
        elif not self.api.types.could_be(self.value(limit, known), self.number):
            self.tell(limit.at, "range takes a number", "write range(3)")
        return self.number

    def _new_name(self, name: str, at: Place) -> None:
        api = self.api
        what = ""
        if name in api.skills or name in api.lacking:
            what = "a skill"
        elif name in api.functions:
            what = "a fact or function"
        elif name in api.constructors or name == RANGE:
            what = "a function"
        elif name == DOER:
            what = "whoever runs this program"
        if what:
            self.tell(at, f"'{name}' is {what} already", "take another name")

    # Steps

    def _step(self, call: Call, known: Mapping[str, Type]) -> None:
        api = self.api
        for value in call.args:
            self.value(value, known)
        for keyword in call.kwargs:
            self.value(keyword.value, known)
        receiver = self.value(call.on, known) if call.on is not None else None
        skill = api.skills.get(call.name)
        if skill is None:
            if call.name not in api.unread:
                self._no_skill(call)
            return
        if not self._in_style(call, skill, receiver):
            return
        given: list[tuple[Value, Type | None]] = [(arg, None) for arg in call.args]
        names = list(skill.args)
        if call.on is not None:
            first = api.receiver(skill, receiver or ANY)
            given.insert(0, (call.on, receiver))
            if first != DOER:
                names = list(skill.things)
        bound = bind(skill.name, names, len(given), [k.name for k in call.kwargs])
        if isinstance(bound, Misbound):
            self._misbound(call, skill, bound)
            return
        for name, (value, _) in zip(bound, given, strict=True):
            self._argument(skill, name, value, known)
        for keyword in call.kwargs:
            self._argument(skill, keyword.name, keyword.value, known)

    def _argument(self, skill: Skill, name: str, value: Value, known: Mapping[str, Type]) -> None:
        wanted = skill.args[name]
        if name == DOER:
            self._doer(value, known)
            return
        kind = self.quiet(value, known)
        self.fits(value, kind, wanted, f"{skill.name}'s '{name}' of the type", known)

    def _doer(self, value: Value, known: Mapping[str, Type]) -> None:
        """A program moves its own robot and no other."""
        name = value.name if isinstance(value, NameRef) else getattr(value, "value", None)
        own = name == DOER or (name == self.api.agent and name not in known)
        if not own and not (self.api.agent is None and name in self.api.things):
            help = "leave the agent out"
            self.tell(value.at, "a program's steps are done by the agent that runs it", help)

    def _in_style(self, call: Call, skill: Skill, receiver: Type | None) -> bool:
        api, written = self.api, self.api.written(skill)
        if call.on is None:
            if api.is_method(skill):
                self.tell(call.at, f"'{call.name}' is called for a thing", f"write {written}")
                return False
            return True
        if api.style != "objects":
            help = f"write {written}"
            self.tell(call.on.at, "skills are not called for a thing here", help)
            return False
        if api.receiver(skill, receiver or ANY) is None:
            message = f"'{call.name}' is not about a thing"
            self.tell(call.at, message, f"write {written}")
            return False
        return True

    def _no_skill(self, call: Call) -> None:
        api = self.api
        if call.name in api.lacking:
            has = ", ".join(api.skills) or "none"
            self.tell(call.at, f"{api.agent} has no skill '{call.name}'", f"it has: {has}")
            return
        if call.name in api.functions or call.name in api.constructors:
            help = "a step is a skill; facts and functions stand among its arguments"
        else:
            help = self.suggestion(call.name, api.skills, "skills")
        self.tell(call.at, f"there is no skill '{call.name}'", help)

    def _misbound(self, call: Call, skill: Skill, wrong: Misbound) -> None:
        at = call.at
        index = None if wrong.index is None else wrong.index - (call.on is not None)
        if index is not None and 0 <= index < len(call.args):
            at = call.args[index].at
        for keyword in call.kwargs:
            if keyword.name == wrong.keyword:
                at = keyword.at
        self.tell(at, wrong.message, f"write {self.api.written(skill)}")
