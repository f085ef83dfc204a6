"""Asks cases now, several authors and several times, and keeps no answer: their rates."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from treec.ask.transport import Transport
from treec_testing.decisions.authors import BESIDE
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.equivalence import format_decision
from treec_testing.decisions.findings import CaseFinding, Tally
from treec_testing.decisions.judge import expected, impossible
from treec_testing.decisions.situation import DecisionResult
from treec_testing.decisions.snapshot import AnyCase
from treec_testing.decisions.soft_scores import soft_score
from treec_testing.decisions.system_cases import SystemCase, play

AT_ONCE = 4
"""Concurrent requests."""


@dataclass(frozen=True)
class Author:
    """Who answers, and the cases, which are those of another library for other prompts.

    ``open`` makes the transport, once for each use; without it the files' own rules answer.
    """

    name: str
    cases: Sequence[AnyCase]
    model: str | None = None
    open: Callable[[AnyCase], Transport] | None = None


async def ask_nodes(
    authors: Iterable[Author], repeat: int, tally: Tally, progress: Callable[[], None]
) -> None:
    """Count what each author decides in the cases of nodes. Raises CaseError."""
    gate = asyncio.Semaphore(AT_ONCE)
    cases_of = [
        (author, [case for case in author.cases if isinstance(case, DecisionCase)])
        for author in authors
    ]
    opened = [
        author.open(cases[0]) if author.open is not None and cases else None
        for author, cases in cases_of
    ]
    judging = next(filter(None, opened), None)  # one model's judge scores all authors

    async def ask(author: str, case: DecisionCase, transport: Transport | None) -> DecisionResult:
        async with gate:
            pins = case.pins()
            result = await case.situation(pins).decide(transport, pins)
            if case.scored_by is not None:
                score = await soft_score(case, result, judging)
                tally.rates.of(case.id, author).scores += [] if score is None else [score]
        progress()
        return result

    for (author, cases), transport in zip(cases_of, opened, strict=True):
        asked = [
            asyncio.gather(*(ask(author.name, case, transport) for _ in range(repeat)))
            for case in cases
        ]
        for case, results in zip(cases, await asyncio.gather(*asked), strict=True):
            _count(case, author, results, tally)


def _count(
    case: DecisionCase, author: Author, results: Sequence[DecisionResult], tally: Tally
) -> None:
    """Count what an author decided; where no answer of a model came, that is not as expected."""
    wanted, refused = expected(case)
    if refused is not None:
        tally.findings.append(impossible(case, refused))
    rate = tally.rates.of(case.id, author.name)
    others: Counter[str] = Counter()
    for result in results:
        failed = None if author.open is None or result.attempts else result.failed
        if wanted is None:
            same = None
        else:
            same = failed is None and case.is_equivalent(wanted, result.decision)
        rate.count(same)
        rate.spend(*result.attempts)
        if same is False:
            decided = format_decision(result.decision)
            others[decided if failed is None else f"nothing: no answer came: {failed}"] += 1
    id = f"{case.id}{BESIDE}{author.name}"
    tally.ids.append(id)
    if others and wanted is not None:
        text = f"it decides {rate.as_expected} of {rate.asked} as expected"
        told = (
            f"decided  {words}  ({number} of {len(results)})" for words, number in others.items()
        )
        details = (f"expected {format_decision(wanted)}", *told)
        help = "mend the case, its prompt or the rules, or say how many suffice: --at-least 95%"
        tally.findings.append(CaseFinding("unlike", id, text, help, case.where, details))


def play_systems(
    authors: Iterable[Author], repeat: int, tally: Tally, progress: Callable[[], None]
) -> None:
    """Count what the cases of whole systems come to with each author. Raises CaseError."""
    for author in authors:
        for case in author.cases:
            if not isinstance(case, SystemCase):
                continue
            played = case.by(author.name)
            tally.ids.append(played.id)
            failures: dict[str, None] = {}
            for _ in range(repeat):
                transport = None if author.open is None else author.open(case)
                result = play(played, transport, author.model)
                tally.count_played(result)
                failures |= dict.fromkeys(result.failures)
                progress()
            rate = tally.rates.of(case.entry.name, author.name)
            if failures:
                text = f"it does as it must {rate.as_expected} of {rate.asked} times"
                help = "mend it, or say how many suffice: --at-least 95%"
                found = CaseFinding("unlike", played.id, text, help, case.where, tuple(failures))
                tally.findings.append(found)
