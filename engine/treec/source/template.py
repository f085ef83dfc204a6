"""A template: text with Jinja tags, parsed once, checked statically, rendered in a scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from jinja2 import nodes

from treec.extensions import depends_on_extensions
from treec.source.budget import Budget
from treec.source.errors import EvaluationError
from treec.source.expression import Text
from treec.source.frame import ClosureFrame
from treec.source.grammar import check
from treec.source.jinja import parse_template
from treec.source.scope import Scope
from treec.source.statements import Statement, TemplateCompiler


class TextTemplate(Text):
    """A text such as `available: {{ available | join(', ') }}`.

    A line with only a tag or a comment produces no output, and one line break at the end of the
    text is dropped.
    """

    _run: Statement | None = None
    _slots = 0

    @staticmethod
    def parse(text: str) -> TextTemplate:
        """Parse a text; cached. Raises `SourceError`."""
        return _parse(text)

    def __repr__(self) -> str:
        return f"Template({self.text!r})"

    def with_body(self, body: Iterable[nodes.Node]) -> TextTemplate:
        """Return a template of the same text with another syntax tree."""
        return TextTemplate(self.text, replace(self._parsed, body=tuple(body)))

    def render(
        self,
        scope: Scope,
        budget: Budget | None = None,
        show: Callable[[str], str] | None = None,
    ) -> str:
        """Return the text in this scope. Raises `EvaluationError`.

        Printed values pass through `show`; the template's own text does not.
        """
        run = self._run
        if run is None:
            compiler = TemplateCompiler()
            run = compiler.block(self._parsed.body)
            self._slots = compiler.slots
            self._run = run
        frame = ClosureFrame(scope, self._slots, budget, show)
        try:
            run(frame)
        except EvaluationError as error:
            raise self._with_length(error) from error.__cause__
        except RecursionError:
            raise EvaluationError("this is nested too deeply", 0) from None
        return "".join(frame.out)


@lru_cache(maxsize=2048)
def _parse(text: str) -> TextTemplate:
    parsed = parse_template(text)
    check(parsed)
    return TextTemplate(text, parsed)


depends_on_extensions(_parse.cache_clear)
