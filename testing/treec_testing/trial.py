"""Trials: what is tried, what would be right, and a short example, all in a docstring."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

WORKER, PARSER, NODE_CLASS, ENVIRONMENT = "worker", "parser", "node class", "environment"
TRIALS: dict[str, Trial] = {}
"""All trials by their ids; the modules of the four kinds register them."""


class CodePlace(NamedTuple):
    """A line of the tried code."""

    file: str
    line: int


class Misbehaviour(Exception):
    """What a trial has found; ``place`` is the line to blame, if it is known."""

    def __init__(self, what: str, place: CodePlace | None = None) -> None:
        super().__init__(what)
        self.place = place


class NotApplicable(Exception):
    """A trial cannot be made with this code; the message says why."""


@dataclass(frozen=True)
class Trial:
    """One way to misbehave; ``method`` is the method to show where no line is known."""

    id: str
    kind: str
    method: str
    play: Callable[[Any], None]
    tried: str
    right: str
    example: str


def trial(id: str, kind: str, method: str = "") -> Callable[[Callable[[Any], None]], None]:
    """Register a trial; its docstring has what is tried, what would be right, and an example."""

    def add(play: Callable[[Any], None]) -> None:
        tried, _, rest = (inspect.getdoc(play) or "").partition(".\n\n")
        right, _, example = rest.partition("::\n\n")
        right, example = f"{' '.join(right.split())}.", textwrap.dedent(example).rstrip()
        TRIALS[id] = Trial(id, kind, method, play, tried, right, example)

    return add


@contextmanager
def described(how: str) -> Iterator[None]:
    """Say of a finding when it is so."""
    try:
        yield
    except Misbehaviour as error:
        raise type(error)(f"{how}: {error}", error.place) from error
