"""Rule or answerer that can never be reached.

The first rule of a decision that holds makes the choice, and that of a judge the answer: `always`
before the model is asked; without a model the offers, then `offline`. A rule never fires if its
condition never holds, or if one of the earlier ones holds whenever it does. An action applies every
rule of a list that holds; its `offline` rules count only if `always` yields nothing. One of
`answers` is asked only if those before it may pass on, if it was not asked already, and if it takes
such questions: decision models answer all but programs, scorers of `treec distil` decisions,
readings and judges, and only the prompt that they were fitted to (a warning); people where they can
choose, if talk is read.

Wrong:

    offline:
      - {when: true, choose: No_op}
      - {when: available, choose: Confirm_Subtask}

Right:

    offline:
      - {when: available, choose: Confirm_Subtask}
      - {when: true, choose: No_op}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treec.check.base import Loc, entries
from treec.check.conditions import (
    MOST,
    Demand,
    alternatives,
    by_place,
    clashing,
    condition,
)
from treec.check.graph import graph_of
from treec.check.texts import ParsedText, texts_of
from treec.files.entry import AnyEntry
from treec.files.kinds import prompts
from treec.files.prompts import DECISION_MODEL, DISTILLED, PERSON, RULES, AnswererSpec
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.expression import constant

CODE = "TC405"

Rule = tuple[AnyEntry, Loc, str]
"""The file of a condition, its place there, and its text."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report rules of decisions and actions that can never fire."""
    graph = graph_of(view)
    for entry in entries(view, *prompts()):
        offers = graph.offers.get(entry.name, [])
        if entry.model.answered_by and isinstance(getattr(entry.model, "offline", None), list):
            yield from _first_that_holds(view, _rules(entry, "always", "offline"))
        if entry.kind == "decision":
            yield from _offers(view, entry, offers)
        yield from _answerers(view, entry, offers)
    for entry in entries(view, "action"):
        yield from _all_that_hold(entry)


def _answerers(view: View, entry: AnyEntry, offers: list[AnyEntry]) -> Iterator[Diagnostic]:
    """Report those of `answers` that are never asked, or never answer."""
    before: dict[tuple[str, str | None], int] = {}
    always = ""
    for index, spec in enumerate(entry.model.answerers):
        name = getattr(spec, spec.kind) if spec.kind != PERSON else None
        why = always or _takes_none(view, entry, spec, offers)
        if (spec.kind, name) in before:
            why = f"it is asked before, as number {before[spec.kind, name] + 1}"
        before.setdefault((spec.kind, name), index)
        span = entry.span("answers", index)
        who = f"the answerer '{name or spec.kind}'"
        if why:
            yield Diagnostic(CODE, "error", span, f"{who} can never answer: {why}", "remove it")
        elif spec.kind == DISTILLED and (unfit := _why_unfit(view, entry, spec, offers)):
            from treec_asking.distilled import remedy

            help = remedy(spec.distilled or entry.name, entry.name)
            yield Diagnostic(CODE, "warning", span, f"{who} {unfit}", help)
        elif spec.kind == RULES and _rules_always_answer(entry, offers):
            always = "the rules before it always answer"


def _takes_none(
    view: View, entry: AnyEntry, spec: AnswererSpec, offers: list[AnyEntry]
) -> str | None:
    """Why a file's question is none for an answerer; None if it may answer."""
    asked = spec.model or ""
    is_typed = spec.kind == DECISION_MODEL or asked.startswith(("systemone/", "decisions/"))
    able = entry.model.answered_by
    if is_typed and DECISION_MODEL not in able:
        return f"decision models answer typed questions, and write no {entry.kind}s"
    if spec.kind == DISTILLED and DISTILLED not in able:
        return f"scorers answer decisions, readings and judges, not {entry.kind}s"
    if spec.kind not in able:
        return f"people are asked to choose, not for {entry.kind}s"
    if spec.kind == PERSON and not view.all("reading"):
        return "the system has no reading, so that nobody's words are heard"
    has_rules = getattr(entry.model, "offline", None) or offers or entry.kind == "reading"
    return None if spec.kind != RULES or has_rules else f"'{entry.name}' has no 'offline'"


def _why_unfit(
    view: View, entry: AnyEntry, spec: AnswererSpec, offers: list[AnyEntry]
) -> str | None:
    """What keeps a scorer that `treec distil` wrote from answering, and when; None if nothing."""
    from treec_asking.distilled import Unfit, fitting_header

    try:
        header = fitting_header(view.library.root, spec.distilled or entry.name, entry)
    except Unfit as error:
        return f"can never answer: {error}"
    new = [one.name for one in offers if header.options and one.name not in header.options]
    return f"passes on where '{new[0]}' is offered: it was not fitted to it" if new else None


def _rules_always_answer(entry: AnyEntry, offers: list[AnyEntry]) -> bool:
    rules = getattr(entry.model, "offline", ())
    if isinstance(rules, str):
        return True
    conditions = [
        *(one.model.offer.when for one in offers),
        *(rule.when for rule in rules or ()),
    ]
    return any(constant(when) is True for when in conditions)


def _rules(entry: AnyEntry, *parts: str) -> list[Rule]:
    return [
        (entry, (part, index, "when"), rule.when)
        for part in parts
        for index, rule in enumerate(getattr(entry.model, part, ()))
    ]


def _offers(view: View, entry: AnyEntry, offers: list[AnyEntry]) -> Iterator[Diagnostic]:
    """Check offers, which come before a decision's own offline rules."""
    offered: list[Rule] = [(e, ("offer", "when"), e.model.offer.when) for e in offers]
    certain = next((i for i, (_, _, text) in enumerate(offered) if constant(text)), len(offered))
    yield from _first_that_holds(view, [*_rules(entry, "always"), *offered[: certain + 1]])
    behind = [*offered[certain + 1 :], *_rules(entry, "offline")]
    if certain < len(offered) and any(constant(text) is None for _, _, text in behind):
        offering, loc, _ = offered[certain]
        yield Diagnostic(
            CODE,
            "error",
            offering.span(*loc),
            f"this offer always holds: no later offer or 'offline' rule of '{entry.name}' "
            "can ever fire",
            "give it a condition",
        )


def _first_that_holds(view: View, rules: list[Rule]) -> Iterator[Diagnostic]:
    conditions = {entry: by_place(texts_of(view).get(entry, ())) for entry, _, _ in rules}
    covered = EarlierConditions()
    certain: str | None = None
    for entry, loc, text in rules:
        if constant(text) is False:
            yield _never(entry, loc, text)
        elif certain is not None:
            yield Diagnostic(
                CODE,
                "error",
                entry.span(*loc),
                f"this rule can never fire: {certain} always holds, and comes first",
                _help(loc),
            )
        elif constant(text) is True:
            certain = _describe(entry, loc, text)
        else:
            parsed = conditions[entry].get(loc)
            earlier = parsed and covered.covering(parsed)
            if earlier is not None:
                yield Diagnostic(
                    CODE,
                    "error",
                    entry.span(*loc),
                    "this rule can never fire: whenever it holds, an earlier one does: "
                    f"'{earlier}'",
                    _help(loc),
                )
            if parsed is not None:
                covered.add(parsed)


def _all_that_hold(entry: AnyEntry) -> Iterator[Diagnostic]:
    certain = False
    for part in ("always", "offline"):
        for index, rule in enumerate(getattr(entry.model, part)):
            loc = (part, index, "when")
            if constant(rule.when) is False:
                yield _never(entry, loc, rule.when)
        if part == "always":
            certain = any(
                rule.for_ is None and rule.do and constant(rule.when) is True
                for rule in entry.model.always
            )
    if certain and entry.model.offline:
        yield Diagnostic(
            CODE,
            "error",
            entry.span("offline", key=True),
            "these rules can never fire: a rule of 'always' always holds",
            "remove them, or give that rule a condition",
        )


def _never(entry: AnyEntry, loc: Loc, text: str) -> Diagnostic:
    return Diagnostic(
        CODE,
        "error",
        entry.span(*loc),
        f"this rule can never fire: '{text}' never holds",
        "change the condition, or remove the rule",
    )


def _help(loc: Loc) -> str:
    if loc[0] == "offer":
        return "offers come after 'always', in order of file name: change the condition"
    return "move it before that one, or remove it"


def _describe(entry: AnyEntry, loc: Loc, text: str) -> str:
    return f"the offer of '{entry.name}'" if loc[0] == "offer" else f"'{text}' of '{loc[0]}'"


class EarlierConditions:
    """Earlier conditions of a list of rules, to find later ones that can never fire first.

    A later one is covered when each of its alternatives contradicts that none of the earlier holds.
    """

    def __init__(self) -> None:
        self._same: dict[frozenset[object], str] = {}
        self._by_key: dict[str, list[tuple[tuple[Demand, ...], str]]] = {}

    def add(self, text: ParsedText) -> None:
        """Add the next condition."""
        for demands in self._alternatives(text):
            written = str(text.place.value)
            self._same.setdefault(_identity(demands), written)
            buckets = [self._by_key.setdefault(demand.key, []) for demand in demands]
            if buckets and len(rarest := min(buckets, key=len)) < MOST:
                rarest.append((demands, written))

    def covering(self, text: ParsedText) -> str | None:
        """The earlier conditions of which one holds whenever this one does, joined by 'or'."""
        found: dict[str, None] = {}
        for demands in self._alternatives(text):
            earlier = self._earlier(demands)
            if earlier is None:
                return None
            found |= earlier
        return "' or '".join(found) or None

    def _alternatives(self, text: ParsedText) -> list[tuple[Demand, ...]]:
        found = alternatives(condition(text))
        return [] if len(found) > MOST else [one for one in found if clashing(one) is None]

    def _earlier(self, demands: tuple[Demand, ...]) -> dict[str, None] | None:
        """The conditions that cover an alternative, none of them needlessly."""
        if (same := self._same.get(_identity(demands))) is not None:
            return {same: None}
        near = [
            one
            for key in dict.fromkeys(d.key for d in demands)
            for one in self._by_key.get(key, ())
        ]
        found = _covering(demands, near)
        for written in list(found or ()):
            fewer = [one for one in near if one[1] != written]
            if (others := _covering(demands, fewer)) is not None:
                near, found = fewer, others
        return found


def _covering(
    demands: tuple[Demand, ...], near: Sequence[tuple[tuple[Demand, ...], str]]
) -> dict[str, None] | None:
    """The conditions of which one holds where demands are met; each may narrow what is left."""
    found: dict[str, None] = {}
    for _ in range(2):
        for others, written in near:
            missing = [d for d in others if clashing((d.inverse,), demands) is None]
            if not missing:
                return {**found, written: None}
            if len(missing) == 1 and written not in found:
                demands, found = (*demands, missing[0].inverse), {**found, written: None}
                if clashing(demands) is not None:
                    return found
    return None


def _identity(demands: Iterable[Demand]) -> frozenset[object]:
    return frozenset((d.key, d.relation, repr(d.value)) for d in demands)
