"""What a program may use: an agent's skills, facts, functions, names, things and constructors.

Made from a system's files for one program file and one agent. Programs are checked against it, the
prompt lists it, and a running program can use nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Protocol

from treec.files.places import FactSpec
from treec.files.prompts import ConstructorSpec, ProgramFile
from treec.files.tasks import SkillFile
from treec.files.types import (
    ANY,
    BOOL,
    NONE,
    TEXT,
    ListOf,
    Named,
    Names,
    OneOf,
    Type,
    TypeTree,
    read_type,
    union,
    without_none,
)
from treec.files.view import View
from treec.frozen import frozen
from treec.program.binding import DOER


class FunctionLike(Protocol):
    """A function of the vocabulary: its arguments, how many are optional, its type."""

    @property
    def args(self) -> tuple[str, ...]:
        """The names of its arguments."""

    @property
    def returns(self) -> Type:
        """The type of its value."""

    @property
    def about(self) -> str:
        """A description of its value."""

    @property
    def optional(self) -> int:
        """How many arguments at the end are optional."""


@frozen
class SkillSignature:
    """A skill's arguments with their types, and its description."""

    name: str
    args: Mapping[str, Type]
    about: str

    @property
    def things(self) -> tuple[str, ...]:
        """Its arguments without the agent."""
        return tuple(name for name in self.args if name != DOER)


@frozen
class FunctionSignature:
    """A fact or a function: the types of its arguments (None: any) and of its value."""

    name: str
    args: tuple[Type | None, ...]
    gives: Type
    about: str
    optional: int = 0
    shown: tuple[str, ...] = ()


@frozen(slots=False)
class Api(Names):
    """All that a program may use."""

    agent: str | None
    """The agent that runs it; None if not known."""
    skills: Mapping[str, SkillSignature]
    lacking: frozenset[str]
    """Skills that exist and that the agent does not have."""
    functions: Mapping[str, FunctionSignature]
    names: Mapping[str, Type]
    """The program's arguments and what it sees."""
    things: Mapping[str, Type]
    constructors: Mapping[str, Type]
    types: TypeTree
    style: str = "functions"
    unread: frozenset[str] = field(default_factory=frozenset)
    """Skills whose files could not be read; their calls are not checked."""
    specs: Mapping[str, ConstructorSpec] = field(default_factory=dict)
    """The constructors that take arguments."""
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The texts that arguments may have, by the arguments' names."""
    asserts: frozenset[str] = frozenset()
    """Skills that state what should hold by now."""
    things_whole: bool = True
    """Whether all names and things are known; if not, unknown ones are not reported."""

    @property
    def own_words(self) -> frozenset[str]:
        """Words after a dot that stand for the thing itself."""
        return frozenset(word for spec in self.specs.values() for word in spec.fields)

    @property
    def readable(self) -> Mapping[str, Type]:
        """Words after a dot that give what a thing was described by, and their types."""
        return {
            word: read_type(spec.args[word])
            for spec in self.specs.values()
            for word in spec.fields
            if word in spec.args and spec.args[word].startswith(("text", "list of text"))
        }

    @property
    def lists(self) -> frozenset[str]:
        """Those of them that give a list: an empty one, if the thing was described by none."""
        kinds = {
            word: kind.options if isinstance(kind, OneOf) else (kind,)
            for word, kind in self.readable.items()
        }
        return frozenset(w for w, of in kinds.items() if any(isinstance(one, ListOf) for one in of))

    def is_agent(self, kind: Type) -> bool:
        """Whether a type is that of an agent."""
        return isinstance(kind, Named) and self.types.is_a(kind.name, "Agent")

    def receiver(self, skill: SkillSignature, kind: Type) -> str | None:
        """The argument that the thing before the dot is bound to: the skill's first thing."""
        if skill.things:
            return skill.things[0]
        return DOER if DOER in skill.args and self.is_agent(kind) else None

    def is_method(self, skill: SkillSignature) -> bool:
        """Whether a skill is called as a method of a thing."""
        things = skill.things
        return self.style != "functions" and bool(things) and skill.args[things[0]] != TEXT

    def call_text(self, skill: SkillSignature) -> str:
        """How a skill's call is written."""
        if self.is_method(skill):
            first, *others = skill.things
            return f"{first}.{skill.name}({', '.join(others)})"
        return f"{skill.name}({', '.join(skill.things)})"


def api_of(
    view: View,
    model: ProgramFile,
    vocabulary: Mapping[str, FunctionLike],
    names: Mapping[str, Type],
    agent: str | None,
) -> Api:
    """What a program of this file may use when this agent runs it.

    `vocabulary` and `names` are the functions and names of every expression; of them a program
    has the functions that its file lists, and the names that it sees or recalls.
    """
    skills = {name: _skill(name, entry.model) for name, entry in view.all("skill").items()}
    spec = view.agents.get(agent) if agent is not None else None
    lacking = frozenset(
        name for name in skills if spec is not None and spec.skills and name not in spec.skills
    )
    functions = {name: _fact(name, spec) for name, spec in view.facts.items()}
    for name in model.functions:
        info = vocabulary.get(name)
        if info is not None:
            shown, unknown = info.args, tuple(None for _ in info.args)
            found = FunctionSignature(name, unknown, info.returns, info.about, info.optional, shown)
            functions[name] = found
    visible = {n: read_type(spec.type) for n, spec in view.state.items()}
    visible = {**names, **visible, **dict.fromkeys(view.derived, ANY)}
    own = {name: visible[name] for name in (*model.sees, *model.recalls) if name in visible}
    own.update({name: read_type(kind) for name, kind in model.args.items()})
    return Api(
        agent=agent,
        skills={name: skill for name, skill in skills.items() if name not in lacking},
        lacking=lacking,
        functions=functions,
        names=own,
        things=view.things,
        constructors={
            name: read_type(kind if isinstance(kind, str) else kind.gives)
            for name, kind in model.objects.items()
        },
        specs={n: spec for n, spec in model.objects.items() if isinstance(spec, ConstructorSpec)},
        values=model.values,
        asserts=frozenset(model.asserts),
        types=view.types,
        style=model.style,
    )


def skill_lines(api: Api) -> list[str]:
    """The skills for a prompt, a line each: ``pick(item: Item): Pick an object up.``"""
    return [f"{_signature(api, skill)}: {skill.about}" for skill in api.skills.values()]


def fact_lines(api: Api) -> list[str]:
    """Facts and functions for a prompt: ``at(Item) gives Place or Agent: Where it stands.``

    Those that are explained by their names alone are one line for each type of value.
    """
    lines: list[str] = []
    unexplained: dict[str, list[str]] = {}
    for function in api.functions.values():
        args = function.shown or [str(kind) for kind in function.args]
        call = f"{function.name}({', '.join(args)})"
        gives = "true or false" if function.gives == BOOL else str(without_none(function.gives))
        if function.about:
            lines.append(f"{call} gives {gives}: {function.about}")
        else:
            unexplained.setdefault(gives, []).append(call)
    for gives, calls in unexplained.items():
        lines.append(f"{', '.join(calls)} give{'s' * (len(calls) == 1)} {gives}")
    return lines


def thing_lines(api: Api) -> list[str]:
    """The things for a prompt, a line for each type: ``Item: 'crate', 'pallet'``."""
    by_type: dict[str, list[str]] = {}
    for name, kind in api.things.items():
        by_type.setdefault(str(kind), []).append(quote_text(name))
    return [f"{kind}: {', '.join(names)}" for kind, names in by_type.items()]


def quote_text(text: str) -> str:
    """A text as a literal of a program, on one line."""
    text = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return "'" + "".join(c if c.isprintable() else " " for c in text) + "'"


def _signature(api: Api, skill: SkillSignature) -> str:
    shown = [f"{name}: {skill.args[name]}" for name in skill.things]
    if api.is_method(skill):
        first = skill.things[0]
        return f"{first}.{skill.name}({', '.join(shown[1:])}), where {shown[0]}"
    return f"{skill.name}({', '.join(shown)})"


def _skill(name: str, model: SkillFile) -> SkillSignature:
    return SkillSignature(
        name, {arg: read_type(kind) for arg, kind in model.args.items()}, model.about
    )


def _fact(name: str, spec: FactSpec) -> FunctionSignature:
    gives = BOOL if spec.value is None else union(read_type(spec.value), NONE)
    return FunctionSignature(name, tuple(map(read_type, spec.args)), gives, spec.about or "")
