"""Asks a node in one situation, for the Python API: ``treec.Definition.ask``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from treec.api.errors import NotFound, TreecError
from treec.api.find import provide_package
from treec.api.node_asker import OpenTransport
from treec.ask.transport import Transport
from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.source.diagnostics import suggestion
from treec_testing.decisions.cases import CaseError, DecisionCase, find_node, visible_names
from treec_testing.decisions.request_queue import run_sync
from treec_testing.decisions.situation import DecisionResult
from treec_testing.decisions.stored_world import InvalidWorld


class CaseAsker:
    """Asks a node as a case of it is asked."""

    def ask(
        self,
        library: Library,
        entry: AnyEntry,
        observation: Mapping[str, object],
        args: Mapping[str, object] | None,
        system: str | None,
        open_transport: OpenTransport | None,
    ) -> DecisionResult:
        """Ask it, and wait, also in an event loop. Raises TreecError."""
        case = _case(library, entry, observation, args, system)
        transport = _open(case, open_transport)
        if transport is None:
            return run_sync(_decide(case, None))
        asking = _decide(case, transport)
        if asyncio._get_running_loop() is None:
            return asyncio.run(asking)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, asking).result()

    async def ask_async(
        self,
        library: Library,
        entry: AnyEntry,
        observation: Mapping[str, object],
        args: Mapping[str, object] | None,
        system: str | None,
        open_transport: OpenTransport | None,
    ) -> DecisionResult:
        """Ask it, in an event loop. Raises TreecError."""
        case = _case(library, entry, observation, args, system)
        return await _decide(case, _open(case, open_transport))


ASKER = CaseAsker()
"""What the extension names."""


def _case(
    library: Library,
    entry: AnyEntry,
    observation: Mapping[str, object],
    args: Mapping[str, object] | None,
    system: str | None,
) -> DecisionCase:
    try:
        view = find_node(library, entry.name, system, str(entry.path))[0]
    except CaseError as error:
        raise TreecError(str(error)) from None
    provide_package(library)
    unknown = sorted(set(observation) - {*visible_names(entry), "so_far"})
    if unknown:
        hint = suggestion(unknown[0], visible_names(entry), "it sees")
        raise NotFound(f"unknown name '{unknown[0]}' for {entry.name}; {hint}")
    return DecisionCase(
        f"{entry.name}/asked",
        "",
        str(entry.path),
        view,
        entry,
        given=dict(observation),
        args=dict(args or {}),
    )


def _open(case: DecisionCase, open_transport: OpenTransport | None) -> Transport | None:
    if open_transport is None:
        return None
    assert case.view.system is not None
    return open_transport(case.view.system)


async def _decide(case: DecisionCase, transport: Transport | None) -> DecisionResult:
    try:
        pins = case.pins()
        return await case.situation(pins).decide(transport, pins)
    except (CaseError, InvalidWorld) as error:
        raise TreecError(str(error)) from None
