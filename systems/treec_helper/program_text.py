"""Checks the text of a generated program against a program file of a system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.prompts import ProgramFile
from treec.files.view import View, in_scene
from treec.frozen import frozen
from treec.program.places import StepsError
from treec.source.diagnostics import Diagnostic, unknown
from treec.source.rules import Rule
from treec.source.text import SourceFile, Span
from treec.team.names import team_functions, team_names
from treec_helper.program_rules import CANNOT_BE, CANNOT_RUN, UNREADABLE
from treec_helper.rehearsal import instances, rehearse
from treec_program.api import Api, FunctionLike, api_of
from treec_program.checker import check_program
from treec_program.statements import parse_program

_WORD = re.compile(r"[A-Za-z_]\w*")


class NoProgramFile(Exception):
    """No program file to check against; the message says what there is."""


@frozen(slots=False)
class CheckedProgram:
    """The findings in a program, and the system and program file that it was checked against."""

    system: str
    program: str
    problems: tuple[Diagnostic, ...]


def check_text(
    library: Library, source: SourceFile, system: str | None, scene: str | None
) -> CheckedProgram:
    """Check a program as one of a system, or of that in which least is wrong.

    Raises NoProgramFile.
    """
    best: CheckedProgram | None = None
    rank: tuple[bool, int, int] | None = None
    for view, entry in _program_files(library, system, scene):
        assert view.system is not None
        found = check_in_view(view, entry.model, source, known_things=scene is not None)
        checked = CheckedProgram(view.system.name, entry.name, tuple(found))
        own = (*_errors(checked), -_known_words(view, entry.model, source))
        if rank is None or own < rank:
            best, rank = checked, own
    if best is None:
        raise NoProgramFile("no system of this library has a program file")
    return best


def _errors(checked: CheckedProgram) -> tuple[bool, int]:
    """Whether the text cannot even be read, and the number of errors."""
    codes = [problem.code for problem in checked.problems]
    return UNREADABLE.code in codes, codes.count(CANNOT_RUN.code)


def _known_words(view: View, model: ProgramFile, source: SourceFile) -> int:
    """How many of the text's words are skills or constructors: of use where it cannot be read."""
    return len({*model.objects, *view.all("skill")} & set(_WORD.findall(source.text)))


def _program_files(
    library: Library, name: str | None, scene: str | None
) -> Iterator[tuple[View, Entry[ProgramFile]]]:
    systems = {entry.name: entry for entry in library.of_kind("system")}
    if name is not None and name not in systems:
        raise NoProgramFile(unknown("system", name, systems))
    scenes = {entry.name for entry in library.of_kind("scene")}
    if scene is not None and scene not in scenes:
        raise NoProgramFile(unknown("scene", scene, scenes))
    for entry in systems.values() if name is None else [systems[name]]:
        view = View(library, entry if scene is None else in_scene(entry, scene))
        if not view.scenes or not view.domains:
            continue
        for program in view.all("program").values():
            yield view, program


def check_in_view(
    view: View, model: ProgramFile, source: SourceFile, *, known_things: bool
) -> list[Diagnostic]:
    """All findings in a program, in the order of its text."""
    api = make_api(view, model)
    try:
        program = parse_program(source.text, api.own_words)
    except StepsError as error:
        return [_diagnostic(UNREADABLE, source, error)]
    if not known_things:
        api = replace(api, things={**api.things, **dict(instances(program, api))})
    wrong = check_program(program, api)
    found = [_diagnostic(CANNOT_RUN, source, one) for one in wrong]
    if not program:
        at = Span(source.path, 1, 1, 1, 2)
        found.append(CANNOT_RUN.at(at, "the program has no steps"))
    for step in rehearse(program, api, view, known_things=known_things):
        found.append(_diagnostic(CANNOT_BE, source, step))
    return sorted(found)


def make_api(view: View, model: ProgramFile) -> Api:
    """What a program of this file may use when a robot of the view runs it."""
    known = {name: info.type for name, info in team_names().items()}
    functions: dict[str, FunctionLike] = dict(team_functions())
    agent = next(iter(view.robots), None)
    return api_of(view, model, functions, known, agent)


def _diagnostic(rule: Rule, source: SourceFile, error: StepsError) -> Diagnostic:
    at = error.at
    span = Span(source.path, at.line, at.column, at.line, at.column + at.length)
    return rule.at(span, error.message, error.help)
