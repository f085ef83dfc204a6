"""Misspelt environment.

`runs` of a skill and `sensed` of a fact name environments, and so does `runs_on` of a system. A
name that nothing else uses and that is nearly the name of an environment of a system, of an
extension, of treec.toml or of other skills and facts is taken for a typo: nothing would ever run
there.

Wrong, where other skills have workers for `symbolic`:

    runs:
      symblic: treec.envs.symbolic:Effects

Right:

    runs:
      symbolic: treec.envs.symbolic:Effects
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import suggest

CODE = "TC525"


def check(view: View) -> Iterator[Diagnostic]:
    """Report environments of workers and sensors that are nearly the name of another one."""
    systems = [entry.model for entry in view.library.of_kind("system")]
    own = view.library.settings.environments
    known = {*registry().environments, *own, *(env for s in systems for env in s.runs_on.values())}
    uses = Counter(
        str(loc[-1])
        for kind in ("skill", "domain")
        for entry in view.library.of_kind(kind)
        for loc in _environments(entry)
    )
    known |= {name for name, number in uses.items() if number > 1}
    for entry in entries(view, "skill", "domain"):
        for loc in _environments(entry):
            name = str(loc[-1])
            help = suggest(name, known) if name not in known else None
            if help is not None:
                message = f"unknown environment '{name}'"
                span = entry.span(*loc, key=True)
                yield Diagnostic(CODE, "error", span, message, help)


def _environments(entry: AnyEntry) -> Iterator[Loc]:
    """Yield the place of each environment that a skill or a domain names."""
    if entry.kind == "skill":
        yield from (("runs", name) for name in entry.model.runs)
    else:
        for fact, spec in entry.model.facts.items():
            yield from (("facts", fact, "sensed", name) for name in spec.sensed)
