"""The common base of the type checker's parts: the names in scope, and the findings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from jinja2 import nodes

from treec.check.finding import Finding
from treec.check.names import TypeEnvironment
from treec.files.types import Type


class Walk(ABC):
    """Walks one text in an environment and collects findings."""

    def __init__(self, env: TypeEnvironment, length: Callable[[int], int] = lambda at: 1) -> None:
        """``length`` gives the length of the token at an offset."""
        self.env = env
        self.length = length
        self.found: list[Finding] = []

    def note(
        self, code: str, at: int, message: str, help: str | None = None, length: int = 0
    ) -> None:
        """Add a finding."""
        self.found.append(Finding(code, at, length or self.length(at), message, help))

    @abstractmethod
    def expression(self, node: nodes.Node) -> Type:
        """Return the type of an expression, ``any`` if unknown."""
