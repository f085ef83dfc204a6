"""Asks a model for a program: the prompt, the answer's form, and what is wrong with an answer."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from treec.ask.transport import Answer, Message
from treec.files.entry import Entry
from treec.files.prompts import ProgramFile
from treec.files.types import parse_type
from treec.nodes.asking import Asking, answer_json, closed, messages, parse_answer
from treec.nodes.observation import Observation, observe
from treec.nodes.runtime import Runtime
from treec.program.api import Api, fact_lines, skill_lines, thing_lines
from treec.program.judge import judge
from treec.program.places import StepsError
from treec.program.statements import Program, parse_program
from treec.source.scope import Scope
from treec.team.given import typed

SO_FAR = "so_far"
"""What a program's prompt is given beside its arguments: the steps that are done already."""

SCHEMA = closed({"reasoning": {"type": "string"}, "program": {"type": "string"}})

_FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
LONGEST = 100_000
_TOLD = 5
"""How many findings a model is told at once."""


class Refused(ValueError):
    """An answer that is no program which may run; the reason is for whoever wrote it."""


def ask_for_program(
    runtime: Runtime,
    entry: Entry[ProgramFile],
    path: str,
    scope: Scope,
    api: Api,
    given: Mapping[str, object],
) -> Asking:
    """Ask for a program; `given` are the arguments and ``so_far``, `scope` knows them, too."""
    model = entry.model
    extra = told(api)
    prompt: Sequence[Message] = messages(
        runtime,
        entry,
        scope,
        extra,
        answer_json,
        lambda example: _example(runtime, model, example),
        data=("things",),
    )
    seen = observe((*model.sees, *model.recalls), scope)
    observation = Observation({**seen.values, **given}, seen.key)
    return Asking(runtime, entry, path, prompt, SCHEMA, observation)


def told(api: Api) -> dict[str, object]:
    """What a program's texts are given: lines about all that a program may use."""
    constructors = [f"{name}('NAME') gives {kind}" for name, kind in api.constructors.items()]
    return {
        "skills": skill_lines(api),
        "facts": fact_lines(api),
        "things": thing_lines(api),
        "constructors": constructors,
    }


def _example(
    runtime: Runtime, model: ProgramFile, given: Mapping[str, object]
) -> dict[str, object]:
    knowledge = runtime.team.knowledge
    values: dict[str, object] = {
        name: typed(knowledge, parse_type(kind), given.get(name))
        for name, kind in model.args.items()
    }
    done = given.get(SO_FAR) or ()
    values[SO_FAR] = list(done) if isinstance(done, list | tuple) else [done]
    return values


def read_answer(answer: Answer, api: Api) -> tuple[str, Program]:
    """The program in an answer and its text. Raises Refused."""
    text = program_text(answer)
    try:
        program = parse_program(text)
        found = judge(program, api)
    except StepsError as error:
        found = [error]
    if found:
        raise Refused("; ".join(_finding(error, text) for error in found[:_TOLD]) + ".")
    if not program:
        raise Refused("the program has no step.")
    return text, program


def program_text(answer: Answer) -> str:
    """The program's text: of a JSON object, or in a fence. Raises Refused."""
    try:
        data: Mapping[str, Any] = parse_answer(answer, SCHEMA)
    except ValueError as error:
        fenced = [part for part in _fenced(answer.text) if not part.lstrip().startswith("{")]
        if not fenced:
            raise Refused(str(error)) from None
        return _plain(fenced[-1])
    text = str(data["program"])
    return _plain((_fenced(text) or [text])[-1])


def _fenced(text: str) -> list[str]:
    """The parts in fences, of a text that is no longer than any answer with a program."""
    return _FENCE.findall(text) if len(text) <= LONGEST else []


def _plain(text: str) -> str:
    return textwrap.dedent(text).strip("\n") + "\n"


def _finding(error: StepsError, text: str) -> str:
    line = text.split("\n")[error.line - 1].strip()[:80] if len(text) <= LONGEST else ""
    shown = f" in `{line}`" if line else ""
    help = f" ({error.help})" if error.help else ""
    return f"line {error.line}, column {error.column}{shown}: {error.message}{help}"
