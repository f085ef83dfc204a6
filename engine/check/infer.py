"""Of what type an expression is, and what in it is certainly wrong.

:func:`infer` answers for one expression; :func:`findings` walks a whole expression or template,
with the names that its own loops and `set` bind, and tells of every name, field and comparison
that cannot be right. Where a type cannot be told, nothing is said.
"""

from __future__ import annotations

from jinja2 import nodes

from treec.check.finding import Finding
from treec.check.judge import Typer
from treec.check.names import Environment
from treec.files.types import ANY, Type
from treec.source.expression import Text

__all__ = ["Finding", "findings", "infer"]


def infer(expression: nodes.Node, env: Environment) -> Type | None:
    """The type of an expression's syntax tree; None when it cannot be told."""
    found = Typer(env).expression(expression)
    return None if found == ANY else found


def findings(text: Text, env: Environment) -> list[Finding]:
    """What is wrong in a parsed expression or template, in order of its text."""
    typer = Typer(env, text.length)
    typer.block(text.ast)
    return sorted(set(typer.found), key=lambda finding: (finding.offset, finding.code))
