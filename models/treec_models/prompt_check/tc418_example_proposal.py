"""Unknown proposal in an example.

An example names proposals by their ids. Those that its acts accept or decline are among the
`proposals` that it gives.

Wrong:

    given:
      user_input: Yes, please.
      proposals: [{id: p1, agent: R2, subtask: get crate}]
    answer:
      acts: [{kind: accept, quote: Yes, proposals: [p2]}]

Right:

    given:
      user_input: Yes, please.
      proposals: [{id: p1, agent: R2, subtask: get crate}]
    answer:
      acts: [{kind: accept, quote: Yes, proposals: [p1]}]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import Loc, entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC418"


def check(view: View) -> Iterator[Diagnostic]:
    """Report ids of proposals in examples that are not among those given."""
    for entry in entries(view, "decision", "action", "reading"):
        for index, example in enumerate(entry.model.examples):
            given = example.given.get("proposals")
            listed = given if isinstance(given, list) else []
            known = [p.get("id") if isinstance(p, Mapping) else p for p in listed]
            texts = [str(one) for one in known if one is not None]
            if given is None or len(texts) < len(known):  # some have no id
                continue
            parts: list[tuple[Loc, object]] = [
                (("given", "acts"), example.given.get("acts")),
                (("answer", "acts"), getattr(example.answer, "acts", None)),
            ]
            for loc, acts in parts:
                for where, name in _named(acts, loc):
                    if name not in texts:
                        span = entry.span("examples", index, *where)
                        message = f"unknown proposal '{name}'"
                        help = suggestion(name, texts, "proposals of the example")
                        yield Diagnostic(CODE, "error", span, message, help)


def _named(acts: object, loc: Loc) -> Iterator[tuple[Loc, str]]:
    """Yield the proposals that acts name, each with its place."""
    for number, act in enumerate(acts if isinstance(acts, list) else ()):
        named = act.get("proposals") if isinstance(act, Mapping) else None
        for index, name in enumerate(named if isinstance(named, list) else ()):
            if isinstance(name, str):
                yield (*loc, number, "proposals", index), name
