"""What must and must not hold while a case of a whole system is played."""

from __future__ import annotations

from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.view import View
from treec.run.run import Run
from treec.source.diagnostics import unknown
from treec.source.errors import EvaluationError, EvaluationProblem, UndefinedName
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec_testing.case_file import CaseFile
from treec_testing.decisions.cases import CaseError


def require_names(entry: Entry[CaseFile], view: View, scope: Scope) -> None:
    """Raise CaseError for a name or function that does not exist."""
    functions = {*registry().functions, *view.facts}
    known = [*functions, *registry().names, *view.state, *view.derived]
    for key in ("must", "must_not"):
        for index, text in enumerate(getattr(entry.model, key)):
            expression = Expression.parse(text)
            called = [call.name for call in expression.calls]
            wrong = [n for n in called if n not in functions and scope.special(n) is None]
            for name in {name.name for name in expression.names} - set(called):
                try:
                    scope.lookup(name)
                except UndefinedName:
                    wrong.append(name)
                except EvaluationProblem:
                    continue
            if wrong:
                where = entry.span(key, index)
                raise CaseError(f"{where}: {unknown('name', wrong[0], known)}")


class ExpectationMonitor:
    """Evaluates what must and must not hold after each tick."""

    def __init__(self, file: CaseFile, run: Run, scope: Scope) -> None:
        self._run = run
        self._scope = scope
        self._missing = list(file.must)
        self._must_not = file.must_not
        self._violations: dict[str, float] = {}
        self._errors: dict[str, str] = {}
        self._evaluated: set[str] = set()
        self._began = run.clock.now()

    def check(self) -> None:
        """Evaluate them in the world as it is now."""
        for text in self._must_not:
            if self._holds(text):
                self._violations.setdefault(text, self._run.clock.now() - self._began)
        if self._run.user is None or self._run.user.finished:
            self._missing = [text for text in self._missing if not self._holds(text)]

    def failures(self) -> list[str]:
        """A sentence for each expectation that was not met."""
        unknown = [text for text in self._must_not if text not in self._evaluated]
        return [
            *(f"must, but never held: {text}" for text in self._missing),
            *(f"must not, but held after {t:g} s: {e}" for e, t in self._violations.items()),
            *(f"must not, but never evaluated: {e}: {self._errors.get(e, '')}" for e in unknown),
        ]

    def _holds(self, text: str) -> bool:
        try:
            value = Expression.parse(text).evaluate(self._scope)
        except EvaluationError as error:  # what it speaks of may not exist yet
            self._errors[text] = error.message
            return False
        self._evaluated.add(text)
        return bool(value)
