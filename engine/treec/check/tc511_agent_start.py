"""Wrong type of an agent, or wrong initial fact.

`is` names Robot, Person, or a type of the domain that is an Agent. `starts` sets facts about the
agent, with values of the types that the domain declares.

Wrong, where `near` has a Place as its value:

    agent: R2
    is: Item
    about: Fetches things.
    starts: {near: crate}

Right:

    agent: R2
    is: Robot
    about: Fetches things.
    starts: {near: table}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.fact_values import fact_misfits
from treec.check.unreadable import unreadable_kinds
from treec.files.places import AgentFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, list_names

CODE = "TC511"


def check(view: View) -> Iterator[Diagnostic]:
    """Report types that are not agents, and invalid facts in `starts`."""
    if "domain" in unreadable_kinds(view.library) or not view.domains:
        return
    kinds = [name for name in view.types.names if view.types.is_a(name, "Agent")]
    for entry in entries(view, "agent"):
        agent: AgentFile = entry.model
        if not view.types.has(agent.is_):  # reported by TC208
            continue
        if not view.types.is_a(agent.is_, "Agent"):
            message = f"'{agent.is_}' is not a type of agents"
            help = f"types of agents: {list_names(kinds)}"
            yield Diagnostic(CODE, "error", entry.span("is"), message, help)
            continue
        yield from fact_misfits(CODE, view, entry, ("starts",), agent.starts, agent.is_)
