"""Unknown system, node, name, option or judge in a test case.

Cases in `tests/decisions` are checked though most libraries exclude their tests. `system` names a
system; `node` what asks a model there; `given` and `args` have names that it is given, and an
expected `choose` is one of its options. `scored_by` names a judge that answers by a probability, a
yes or no, or a scale. `answers` are of nodes, too; a `world` has agents and facts that there are.

Wrong:

    case: stop_hauler
    system: warehose
    says: ["Hauler, stop!"]
    must: [status('Hauler') == 'Interrupted']

Right:

    case: stop_hauler
    system: warehouse
    says: ["Hauler, stop!"]
    must: [status('Hauler') == 'Interrupted']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treec.check.base import Loc, entries
from treec.check.tc603_scenario import unknown_system
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry, Entry
from treec.files.kinds import behaviours, prompts
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec_testing.case_file import CaseFile

CODE = "TC614"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names in cases that nothing has."""
    cases = list(entries(view, "case"))
    unread = bool(unreadable_kinds(view.library) & {*prompts(), "judge", "agent", "domain"})
    nodes = _nodes(view) if cases and not unread else {}
    for entry in cases:
        model = entry.model
        if model.system is not None and view.library.find_system(model.system, entry) is None:
            yield from unknown_system(CODE, view, entry)
            continue
        if unread:
            continue  # what they name may be in those files
        if model.node is not None:
            yield from _node(view, entry, nodes)
        yield from _world(view, entry)
        for author, answers in model.answers.items():
            for name in answers:
                if name not in nodes:
                    loc = ("answers", author, name)
                    yield _unknown(entry, loc, "node", name, sorted(nodes), key=True)


def _world(view: View, entry: Entry[CaseFile]) -> Iterator[Diagnostic]:
    """Report agents and facts in a moment of a run that there are not."""
    world = entry.model.world or {}
    agents, facts = world.get("agents"), world.get("facts")
    known = sorted(one.name for one in view.library.of_kind("agent"))
    for name in agents if isinstance(agents, Mapping) else ():
        if name not in known:
            yield _unknown(entry, ("world", "agents", name), "agent", name, known, key=True)
    known = sorted({name for one in view.library.of_kind("domain") for name in one.model.facts})
    for index, given in enumerate(facts if isinstance(facts, list) else ()):
        name = given.get("fact") if isinstance(given, Mapping) else None
        if isinstance(name, str) and name not in known:
            yield _unknown(entry, ("world", "facts", index, "fact"), "fact", name, known)


def _nodes(view: View) -> dict[str, list[AnyEntry]]:
    """Everything in the library that asks a model, by name."""
    found: dict[str, list[AnyEntry]] = {}
    for kind in prompts():
        for entry in view.library.of_kind(kind):
            found.setdefault(entry.name, []).append(entry)
    return found


def _node(
    view: View, entry: Entry[CaseFile], nodes: Mapping[str, list[AnyEntry]]
) -> Iterator[Diagnostic]:
    """Report what the node of a case is not given, does not choose, or is not scored by."""
    model = entry.model
    asked = nodes.get(str(model.node), [])
    if not asked:
        yield _unknown(entry, ("node",), "node", str(model.node), sorted(nodes))
        return
    if len(asked) == 1:  # of several, those of other systems have other names
        yield from _names(entry, asked[0])
        yield from _choice(view, entry, asked[0])
    if model.scored_by is not None:
        yield from _judge(view, entry, model.scored_by)


def _names(entry: Entry[CaseFile], node: AnyEntry) -> Iterator[Diagnostic]:
    args = getattr(node.model, "args", {})
    given = [*node.model.sees, *node.model.recalls, *args, *node.model.gives]
    for key, known in (("given", given), ("args", [*args])):
        for name in getattr(entry.model, key):
            if name not in known:
                what = "is not given" if key == "given" else "has no argument"
                message = f"'{node.name}' {what} '{name}'"
                help = suggestion(name, known, "it is given") if known else "leave out 'args'"
                span = entry.span(key, name, key=True)
                yield Diagnostic(CODE, "error", span, message, help)


def _choice(view: View, entry: Entry[CaseFile], node: AnyEntry) -> Iterator[Diagnostic]:
    """Report an expected choice that a decision does not offer."""
    choice = (entry.model.expect or {}).get("choose")
    if choice is None or node.kind != "decision" or choice in node.model.options:
        return
    offered = (e for kind in behaviours() for e in view.library.of_kind(kind) if e.name == choice)
    if not any(getattr(one.model, "offer", None) for one in offered):
        message = f"'{choice}' is not an option of '{node.name}'"
        help = suggestion(str(choice), node.model.options, "options")
        yield Diagnostic(CODE, "error", entry.span("expect", "choose"), message, help)


def _judge(view: View, entry: Entry[CaseFile], name: str) -> Iterator[Diagnostic]:
    """Report a judge that there is not, or that gives no score."""
    judges = {one.name: one for one in view.library.of_kind("judge")}
    if name not in judges:
        yield _unknown(entry, ("scored_by",), "judge", name, sorted(judges))
        return
    fact, asked = next(iter(judges[name].model.sets.items()))
    if not (asked.yes or asked.no or asked.scale):
        message = f"the judge '{name}' gives no score"
        help = f"'{fact}' needs 'yes' or a 'scale'"
        yield Diagnostic(CODE, "error", entry.span("scored_by"), message, help)


def _unknown(
    entry: AnyEntry, loc: Loc, what: str, name: str, known: Sequence[str], *, key: bool = False
) -> Diagnostic:
    span = entry.span(*loc, key=key)
    help = suggestion(name, known, f"{what}s")
    return Diagnostic(CODE, "error", span, f"unknown {what} '{name}'", help)
