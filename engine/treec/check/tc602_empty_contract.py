"""Contract that promises nothing.

A contract constrains actions (`each` and `require`) or the run (`eventually`). One that does
neither can never be broken.

Wrong:

    contract: ask_first
    about: Nobody gets work unless the user asked or agreed.
    each: assign(agent, because)

Right:

    contract: ask_first
    about: Nobody gets work unless the user asked or agreed.
    each: assign(agent, because)
    require: because in acts.request
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.systems import ContractFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC602"


def check(view: View) -> Iterator[Diagnostic]:
    """Report contracts without `each` or without `require`, and empty ones."""
    for entry in entries(view, "contract"):
        contract: ContractFile = entry.model
        if contract.each and contract.require is None:
            message = "this contract names actions but requires nothing of them"
            span = entry.span("each", key=True)
            help = "add 'require: …', the condition that each must satisfy"
        elif contract.require is not None and not contract.each:
            message = "this contract has a requirement but names no action"
            span = entry.span("require", key=True)
            help = "add 'each: …', the actions it applies to: assign(agent, because)"
        elif not contract.each and contract.eventually is None:
            message = "this contract promises nothing"
            span = entry.span("contract")
            help = "add 'each' and 'require', or 'eventually'"
        else:
            continue
        yield Diagnostic(CODE, "error", span, message, help)
