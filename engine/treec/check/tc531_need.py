"""Need that nothing provides.

Each value of a skill's `needs:`, and its `diagnose:`, is a call of a provider, which an extension
declares; its arguments are expressions over the skill's own arguments. The key of a need is what
the skill's worker reads: a slip of the key that workers usually read is reported.

Wrong:

    skill: pick
    about: Pick a crate up.
    args: {agent: Robot, item: Item}
    needs: {pose: localise(item)}

Right:

    skill: pick
    about: Pick a crate up.
    args: {agent: Robot, item: Item}
    needs: {pose: localize(item)}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.companions import missing
from treec.extensions import NeedProvider, registry
from treec.files.view import View
from treec.program.effects import CallSpec, EffectError, parse_need
from treec.source.diagnostics import Diagnostic, likely_meant, suggestion
from treec.source.errors import LocatedError

CODE = "TC531"


def check(view: View) -> Iterator[Diagnostic]:
    """Report needs that are no calls of providers, or have the wrong number of arguments."""
    providers = registry().providers
    for entry in entries(view, "skill"):
        texts: dict[tuple[str, ...], str] = {
            ("needs", name): text for name, text in entry.model.needs.items()
        }
        if entry.model.diagnose is not None:
            texts["diagnose",] = entry.model.diagnose
        for loc, text in texts.items():
            try:
                call = parse_need(text)
            except EffectError as error:
                span = entry.span_in(loc, error.offset, error.length)
                yield Diagnostic(CODE, "error", span, error.message, error.help)
                continue
            except LocatedError:  # reported by TC201
                continue
            span = entry.span_in(loc, call.offset, len(call.name))
            if call.name not in providers and missing("providers", call.name):
                continue  # what it needs can be judged where the package is installed
            if call.name not in providers:
                message = f"unknown provider '{call.name}'"
                help = suggestion(call.name, providers, "providers")
                yield Diagnostic(CODE, "error", span, message, help)
            elif len(call.parts) != len(providers[call.name].args):
                yield Diagnostic(CODE, "error", span, *_count(call, providers[call.name]))
            usual = providers[call.name].key if call.name in providers else ""
            is_need = loc[0] == "needs" and usual not in entry.model.needs
            if is_need and likely_meant(loc[-1], [usual]):
                message = f"workers read '{call.name}' as '{usual}', not '{loc[-1]}'"
                span = entry.span(*loc, key=True)
                yield Diagnostic(CODE, "warning", span, message, f"did you mean '{usual}'?")


def _count(call: CallSpec, provider: NeedProvider) -> tuple[str, str]:
    wanted = f"{call.name}({', '.join(provider.args)})"
    return f"'{call.name}' has {len(call.parts)} arguments, not {len(provider.args)}", wanted
