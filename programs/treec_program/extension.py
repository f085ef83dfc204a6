"""The extension of programs that models write: the nodes that run them, and their rules."""

from __future__ import annotations

from treec.extensions import Extension, Rules

EXTENSION = Extension(
    name="program",
    asks={"program": "treec_program.node:WrittenProgram"},
    rules=(Rules("treec_program.check", ("program",)),),
    events=("treec_program.events",),
    reports={"programs": "treec_program.report:programs"},
)
