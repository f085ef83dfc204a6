"""What expressions, templates and YAML come to, or what is said of them.

`outcomes.txt` has lines that begin with ``=``, ``%`` or ``:``: an expression, a template, a YAML
text (``|`` is a new line). Below each stands what comes of it, with the place of what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.source.test_expression import Robot
from tests.support import golden
from treec.source.errors import SourceError
from treec.source.expression import EvaluationError, Expression, MappingScope
from treec.source.template import TextTemplate
from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents

FILE = Path(__file__).with_name("outcomes.txt")
SCOPE = MappingScope(
    {
        "n": 7,
        "half": 0.5,
        "yes": True,
        "nothing": None,
        "word": "Big apple",
        "words": ["pear", "Fig", "apple", "fig"],
        "numbers": [3, 1, 2, 3],
        "deep": [[1, 2], [3]],
        "rows": [
            {"id": 2, "name": "b", "ok": True, "in": {"x": 1}},
            {"id": 1, "name": "a", "ok": False, "in": {"x": 2}},
            {"id": 3, "name": "b", "ok": None, "in": {}},
        ],
        "pairs": {"b": 2, "a": 1, "C": 3},
        "robot": Robot("R1"),
        "foreign": object(),
    },
    {"twice": lambda x: x + x, "fails": lambda: 1 / 0},
)


def _outcome(kind: str, text: str) -> str:
    if kind == ":":
        documents, problems = read_documents(SourceFile("a.yaml", text.replace("|", "\n")))
        found = [f"{p.code} {p.severity} {p.span.line}:{p.span.column}-{p.span.end_line}:"
                 f"{p.span.end_column}: {p.message}; {p.help}" for p in problems]  # fmt: skip
        return "\n  ".join([*found, *(repr(plain(document.root)) for document in documents)])
    try:
        if kind == "=":
            return repr(Expression.parse(text).evaluate(SCOPE))
        return repr(TextTemplate.parse(text.replace("|~", "\n")).render(SCOPE))
    except (SourceError, EvaluationError) as error:
        place = f"{error.offset}+{error.length}"
        return f"{type(error).__name__} {place}: {error.message}; {error.help}"


def _lines() -> Iterator[str]:
    for line in FILE.read_text("utf-8").splitlines():
        if line[:2] in ("= ", "% ", ": "):
            yield line
            yield f"  {_outcome(line[0], line[2:])}"
        elif line.startswith("#"):
            yield line


def test_outcomes() -> None:
    golden.check(FILE, "\n".join(_lines()) + "\n")
