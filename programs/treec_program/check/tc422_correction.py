"""Invalid correction of a program.

A program file's `correction` names the program file that corrects a step which failed. That file
is given what it has arguments for: the arguments of the program, and the texts `failed_step`,
`failure` and `remaining`. It has no correction of its own.

Wrong, where no program file is called Rectify, or where its args are {agent: Robot, why: text}:

    program: Household_Program
    args: {agent: Robot, dialogue: text}
    correction: {program: Rectify}

Right, with the arguments {agent: Robot, dialogue: text, failure: text}:

    program: Household_Program
    args: {agent: Robot, dialogue: text}
    correction: {program: Rectifier, times: 2}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.unreadable import unreadable_names
from treec.files.prompts import CorrectionSpec
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC422"


def check(view: View) -> Iterator[Diagnostic]:
    """Report corrections by unknown programs, and by programs that ask for what there is not."""
    unread = {name for kind, name in unreadable_names(view.library) if kind == "program"}
    for entry in entries(view, "program"):
        spec = entry.model.correction
        if spec is None:
            continue
        span = entry.span("correction", "program")
        other = view.find("program", spec.program)
        if other is None:
            if spec.program not in unread:
                help = suggestion(spec.program, view.all("program"), "programs")
                yield Diagnostic(CODE, "error", span, f"no program '{spec.program}'", help)
            continue
        if other.model.correction is not None:
            message = f"'{other.name}' has a correction itself"
            yield Diagnostic(CODE, "error", span, message, "what corrects is not corrected")
        given = (*entry.model.args, *CorrectionSpec.gives)
        for name in other.model.args:
            if name not in given:
                message = f"'{other.name}' has the argument '{name}', which it is not given"
                yield Diagnostic(CODE, "error", span, message, f"given are: {', '.join(given)}")
