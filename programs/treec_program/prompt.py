"""Asks a model for a program: prompt values, examples, parsing and checking the answer."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from treec.files.prompts import ProgramFile
from treec.files.types import parse_type
from treec.nodes.runtime import Runtime
from treec.program.places import StepsError
from treec_asking.examples import parse_value
from treec_asking.extract import fenced_parts
from treec_asking.prompt import object_schema
from treec_program.api import Api, fact_lines, skill_lines, thing_lines
from treec_program.checker import check_program
from treec_program.statements import Program, parse_program

SO_FAR = "so_far"
"""An input of a program's prompt beside its arguments: the completed steps."""

SCHEMA = object_schema({"reasoning": {"type": "string"}, "program": {"type": "string"}})

LONGEST = 100_000
_MOST_SHOWN = 5
"""Findings that are sent back at once."""


def prompt_values(api: Api) -> dict[str, object]:
    """Values for a program's texts: lines that list what a program may use."""
    constructors = [constructor_line(name, api) for name in api.constructors]
    return {
        "skills": skill_lines(api),
        "facts": fact_lines(api),
        "things": thing_lines(api),
        "classes": class_names(api),
        "constructors": constructors,
    }


def class_names(api: Api) -> list[str]:
    """The types that things of constructors may be of, those of no subtype."""
    if api.types is None:
        return []
    gives = [spec.gives for spec in api.specs.values() if spec.kind is not None]
    wanted = [n for n in api.types.names if any(api.types.is_a(n, top) for top in gives)]
    return [n for n in wanted if not any(o != n and api.types.is_a(o, n) for o in wanted)]


def constructor_line(name: str, api: Api) -> str:
    """How a constructor is called, and what it gives."""
    spec = api.specs.get(name)
    if spec is None:
        return f"{name}('NAME') gives {api.constructors[name]}"
    args = ", ".join(f"{arg}: {kind}" for arg, kind in spec.args.items())
    return f"{name}({args}) gives {api.constructors[name]}"


def example(runtime: Runtime, model: ProgramFile, given: Mapping[str, object]) -> dict[str, object]:
    """An example's arguments, typed, and its steps so far."""
    knowledge = runtime.team.knowledge
    values: dict[str, object] = {
        name: parse_value(knowledge, parse_type(kind), given.get(name))
        for name, kind in model.args.items()
    }
    steps = given.get(SO_FAR) or ()
    values[SO_FAR] = list(steps) if isinstance(steps, list | tuple) else [steps]
    return values


def parse(text: str, api: Api) -> Program:
    """Parse and check a program. Raises ValueError with the errors and their lines."""
    try:
        program = parse_program(text, api.own_words)
        found = check_program(program, api)
    except StepsError as error:
        found = [error]
    if found:
        raise ValueError(
            "; ".join(_format_error(error, text) for error in found[:_MOST_SHOWN]) + "."
        )
    if not program:
        raise ValueError("the program has no steps.")
    return program


def find_program(text: str) -> Mapping[str, str] | None:
    """The last program in a fence, in an answer that is no JSON; None without one."""
    fenced = [part for part in _parts(text) if not part.lstrip().startswith("{")]
    return {"program": fenced[-1]} if fenced else None


def program_text(data: Mapping[str, Any]) -> str:
    """The program of an answer, without a fence around it."""
    text = str(data["program"])
    text = (_parts(text) or [text])[-1]
    return textwrap.dedent(text).strip("\n") + "\n"


def _parts(text: str) -> list[str]:
    """The parts in fences, of a text that is no longer than any answer with a program."""
    return fenced_parts(text) if len(text) <= LONGEST else []


def _format_error(error: StepsError, text: str) -> str:
    line = text.split("\n")[error.line - 1].strip()[:80] if len(text) <= LONGEST else ""
    excerpt = f" in `{line}`" if line else ""
    help = f" ({error.help})" if error.help else ""
    return f"line {error.line}, column {error.column}{excerpt}: {error.message}{help}"
