"""Invalid program in an example.

The program of an example is validated for the agent in `given` by the same checker that validates
a model's program before its first step: it may call skills that the agent has, with arguments that
fit, facts, and the functions listed under `functions`, and use names that the node sees and things
of the scene. docs/programs.md describes the allowed subset of Python. The names in the rest of the
file are looked up, too: `kind` and `whole` of a constructor are its arguments, `asserts` skills,
and `values` arguments of a constructor, a skill or a function. A text of `values` that is a slip of
one in another program is reported, and a word of `fields` that is no argument and that no text of
the file says after a dot.

Wrong, where `pick` takes (agent, item):

    program: Subtask_To_Skills
    args: [agent, subtask]
    functions: [placeof]
    examples:
      - given: {agent: R2, subtask: get crate}
        answer:
          program: |
            pik('crate')

Right:

    program: Subtask_To_Skills
    args: [agent, subtask]
    functions: [place_of]
    examples:
      - given: {agent: R2, subtask: get crate}
        answer:
          program: |
            pick('crate')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from treec.check.base import Loc, all_entries, entries
from treec.check.environments import world
from treec.check.example_data import data_misfits
from treec.check.names import TypeEnvironment
from treec.check.unreadable import unreadable_names
from treec.files.entry import AnyEntry
from treec.files.prompts import ConstructorSpec, ProgramExample, ProgramFile
from treec.files.types import Type, read_type
from treec.files.view import View
from treec.program.binding import DOER
from treec.program.places import StepsError
from treec.source.diagnostics import Diagnostic, likely_meant, suggestion
from treec.team.names import team_functions, team_names

if TYPE_CHECKING:
    from treec_program.api import Api

CODE = "TC417"

_SO_FAR = "so_far"


def check(view: View) -> Iterator[Diagnostic]:
    """Check programs of examples, their `given`, and the functions that programs may use."""
    env = world(view)
    for entry in entries(view, "program"):
        yield from _check_declarations(view, env, entry)
        for index, example in enumerate(entry.model.examples):
            yield from _check_given(env, entry, index, example)
            yield from _check_program(view, env, entry, index, example)


def _check_declarations(view: View, env: TypeEnvironment, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report unknown functions, and constructors whose name is taken."""
    model: ProgramFile = entry.model
    for index, name in enumerate(model.functions):
        if name not in team_functions() and env.whole:
            help = suggestion(name, team_functions(), "functions")
            if name in view.facts:
                help = "facts may be used without being listed"
            message = f"unknown function '{name}'"
            yield Diagnostic(CODE, "error", entry.span("functions", index), message, help)
    yield from _check_words(view, env, entry)
    skills = view.all("skill")
    for name in model.objects:
        taken = "a skill" if name in skills else "a fact" if name in view.facts else ""
        if name in team_functions():
            taken = "a function"
        message = f"'{name}' is already {taken}" if taken else f"'{name}' is not a function name"
        if taken or not (name.isidentifier() and name.isascii()):
            span = entry.span("objects", name, key=True)
            yield Diagnostic(CODE, "error", span, message, "write a name such as InteractionObject")


def _check_words(view: View, env: TypeEnvironment, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report names that are no argument of a constructor, no skill, and no argument of anything."""
    model: ProgramFile = entry.model
    arguments = {name for one in team_functions().values() for name in one.args}
    for name, spec in model.objects.items():
        if not isinstance(spec, ConstructorSpec):
            continue
        arguments |= spec.args.keys()
        for key in ("kind", "whole"):
            said = getattr(spec, key)
            if said is not None and said not in spec.args:
                help = suggestion(said, spec.args, "its arguments")
                message = f"unknown argument '{said}' of '{name}'"
                span = entry.span("objects", name, key)
                yield Diagnostic(CODE, "error", span, message, help)
        for index, word in enumerate(spec.fields):
            said = re.search(rf"\.{re.escape(word)}\b", entry.file.text)
            if word not in spec.args and not said:
                help = suggestion(word, spec.args, "its arguments")
                message = f"unknown argument '{word}' of '{name}': no text says '.{word}' either"
                span = entry.span("objects", name, "fields", index)
                yield Diagnostic(CODE, "warning", span, message, help)
    yield from _check_values(view, entry)
    if unreadable_names(view.library):
        return
    skills = view.all("skill")
    for index, name in enumerate(model.asserts):
        if name not in skills:
            help = suggestion(name, skills, "skills")
            span = entry.span("asserts", index)
            yield Diagnostic(CODE, "error", span, f"unknown skill '{name}'", help)
    arguments |= {name for skill in skills.values() for name in skill.model.args}
    for name in model.values:
        if name not in arguments and env.whole:
            help = suggestion(name, sorted(arguments), "arguments")
            message = f"no constructor, skill or function has an argument '{name}'"
            yield Diagnostic(CODE, "error", entry.span("values", name, key=True), message, help)


def _check_values(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report texts of `values` that are slips of a text that another program has for this name."""
    programs = [other for other in all_entries(view, "program") if other.model.values]
    files = {other.path: other for other in programs}
    for name, texts in entry.model.values.items():
        known = [other.model.values.get(name, ()) for other in programs if other is not entry]
        others = {text for listed in known for text in listed}
        for index, text in enumerate(texts):
            meant = None if text in others else likely_meant(text, sorted(others.difference(texts)))
            if meant is None:
                continue
            of_text, of_meant = (
                sum(len(_mentions(word, one)) for one in files.values()) for word in (text, meant)
            )
            if of_meant > of_text:  # of two that stand as often nobody knows which is meant
                message = f"no other program has '{text}' for '{name}'"
                span = entry.span("values", name, index)
                yield Diagnostic(CODE, "warning", span, message, f"did you mean '{meant}'?")


def _mentions(word: str, entry: AnyEntry) -> list[str]:
    return re.findall(rf"\b{re.escape(word)}\b", entry.file.text)


def _check_given(
    env: TypeEnvironment, entry: AnyEntry, index: int, example: ProgramExample
) -> Iterator[Diagnostic]:
    model: ProgramFile = entry.model
    kinds: dict[str, Type | None] = {
        name: env.names.get(name) for name in (*model.sees, *model.recalls)
    }
    kinds.update({name: read_type(kind) for name, kind in model.args.items()})
    kinds[_SO_FAR] = read_type("list of text")
    for name, value in example.given.items():
        loc: Loc = ("examples", index, "given", name)
        if name not in kinds:
            message = f"'{name}' is neither an argument of '{entry.name}' nor among what it sees"
            help = suggestion(name, kinds, "it is given")
            yield Diagnostic(CODE, "error", entry.span(*loc, key=True), message, help)
            continue
        kind = kinds[name]
        for item in data_misfits(env, kind, value) if kind is not None else ():
            span = entry.span(*loc, *item.loc, key=item.key)
            yield Diagnostic(CODE, "error", span, item.message, item.help)


def _check_program(
    view: View, env: TypeEnvironment, entry: AnyEntry, index: int, example: ProgramExample
) -> Iterator[Diagnostic]:
    from treec_program.checker import check_program  # only where there are examples
    from treec_program.statements import parse_program

    loc: Loc = ("examples", index, "answer", "program")
    agent = example.given.get(DOER)
    api = _api(view, env, entry.model, agent if isinstance(agent, str) else None)
    try:
        program = parse_program(example.answer.program, api.own_words)
        found = check_program(program, api)
    except StepsError as error:
        found, program = [error], ()
    for one in found:
        span = entry.span_in(loc, one.offset, one.length)
        yield Diagnostic(CODE, "error", span, one.message, one.help)
    if not found and not program:
        yield Diagnostic(CODE, "error", entry.span(*loc), "this program has no steps", None)


def _api(view: View, env: TypeEnvironment, model: ProgramFile, agent: str | None) -> Api:
    from treec_program.api import api_of

    known = {name: info.type for name, info in team_names().items()}
    api = api_of(view, model, team_functions(), known, agent)
    unread = frozenset(n for kind, n in unreadable_names(view.library) if kind == "skill")
    return replace(api, unread=unread, things_whole=env.whole and env.things_whole)
