"""Asks a node in one situation, for the Python API: ``treec.Definition.ask``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

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


@dataclass(frozen=True)
class CaseQuestion:
    """What a node is asked, as a case of it is; see ``treec.api.node_asker.NodeQuestion``."""

    case: DecisionCase
    transport: Transport | None

    def ask(self) -> DecisionResult:
        """Ask it, and wait, also in an event loop. Raises TreecError."""
        if self.transport is None:
            return run_sync(self.ask_async())
        if asyncio._get_running_loop() is None:
            return asyncio.run(self.ask_async())
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, self.ask_async()).result()

    async def ask_async(self) -> DecisionResult:
        """Ask it, in an event loop. Raises TreecError."""
        try:
            pins = self.case.pins()
            return await self.case.situation(pins).decide(self.transport, pins)
        except (CaseError, InvalidWorld) as error:
            raise TreecError(str(error)) from None


def make_question(
    library: Library,
    entry: AnyEntry,
    observation: Mapping[str, object],
    args: Mapping[str, object] | None,
    system: str | None,
    open_transport: OpenTransport | None,
) -> CaseQuestion:
    """The question of a node, which the extension names. Raises TreecError."""
    try:
        view = find_node(library, entry.name, system, str(entry.path))[0]
    except CaseError as error:
        raise TreecError(str(error)) from None
    provide_package(library)
    unknown = sorted(set(observation) - {*visible_names(entry), "so_far"})
    if unknown:
        hint = suggestion(unknown[0], visible_names(entry), "it sees")
        raise NotFound(f"unknown name '{unknown[0]}' for {entry.name}; {hint}")
    case = DecisionCase(
        f"{entry.name}/asked",
        "",
        str(entry.path),
        view,
        entry,
        given=dict(observation),
        args=dict(args or {}),
        scores=True,
    )
    if open_transport is None:
        return CaseQuestion(case, None)
    assert view.system is not None
    return CaseQuestion(case, open_transport(view.system))
