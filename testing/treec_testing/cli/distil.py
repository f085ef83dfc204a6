"""``treec distil``: fit a scorer to what a node decides, with a bound on its error."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library, reason
from treec.cli.progress import progress
from treec.files.prompts import DISTILLED
from treec.source.diagnostics import unknown
from treec_testing.cli.open_snapshot import open_snapshot
from treec_testing.cli.read_run import read_run
from treec_testing.cli.snapshot import percent

if TYPE_CHECKING:
    from treec.files.entry import AnyEntry
    from treec.files.library import Library
    from treec_models.distil import ErrorBound
    from treec_models.distilled import DistilledScorer
    from treec_testing.decisions.distil_cases import TaughtCase


def command(
    node: Annotated[str, typer.Argument(help="A decision, reading or judge.")],
    run: Annotated[
        list[Path] | None,
        typer.Option("--run", help="A recorded run, or a folder of such; repeatable."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="AUTHOR",
            help="Learn only what this author decided: the name of a model without its provider, "
            "rules, hand, or 'expected' by the cases (default: all of them).",
        ),
    ] = None,
    error: Annotated[
        float,
        typer.Option(
            "--error",
            parser=percent,
            metavar="PERCENT",
            help="The share of its answers that may be wrong.",
        ),
    ] = "5%",  # type: ignore[assignment]
    confidence: Annotated[
        float,
        typer.Option(
            "--confidence",
            parser=percent,
            metavar="PERCENT",
            help="How certain the bound on its error must be.",
        ),
    ] = "90%",  # type: ignore[assignment]
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    name: Annotated[
        str | None, typer.Option("--name", help="The scorer's name (default: the node's).")
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Fit a scorer to what a node decides, with a bound on its error.

    A prompt names it among its answerers: `answers: [{distilled: NAME}, …]`.

    It learns one half of the cases: what they expect, what was recorded, what runs decided. On the
    other half it is measured from which confidence on it may answer alone. Cases of one scenario,
    recipe or run count as one there.
    """
    from treec_asking.distilled import FOLDER, prompt_fingerprint
    from treec_models.distil import NoBound, group, write_scorer

    if not (0 < error < 100 and 0 < confidence < 100):
        raise Stop("--error and --confidence are between 0 and 100 percent")
    found = open_library(library)
    entry = _find(found, node)
    cases = gather(found, entry, run or [], by, library)
    if by is not None and not cases:
        known = {case.by for case in gather(found, entry, run or [], None, library)}
        raise Stop(unknown("author", by, sorted(known)))
    counts = Counter(case.by for case in cases)
    made_by = ", ".join(f"{author} {number}" for author, number in counts.most_common())
    groups = len(set(group([case.example for case in cases])))
    print(f"{entry.name}: {len(cases)} cases in {groups} independent groups ({made_by or 'none'})")
    try:
        scorer, bound = distil(cases, error / 100, confidence / 100, seed)
    except NoBound as why:
        raise Stop(f"{entry.name}: {why}; no scorer was written", 1) from None
    path = found.root / FOLDER / f"{name or entry.name}.json"
    about = {
        "distilled": path.stem,
        "node": entry.name,
        "kind": entry.kind,
        "prompt": prompt_fingerprint(entry),
        "made": {"seed": seed, "cases": len(cases), "groups": groups, "by": dict(counts)},
        "bound": {"method": "Learn then Test, exact binomial, a case a group", **vars(bound)},
    }
    try:
        write_scorer(path, scorer, about)
    except OSError as why:
        raise Stop(f"{path}: cannot be written: {reason(why)}") from None
    size = path.with_suffix(".npz").stat().st_size
    print(
        f"of one case of each of {bound.groups} held-out groups it answers {bound.answered} alone "
        f"({bound.answered / bound.groups:.0%}), {bound.wrong} of them wrongly"
    )
    print(
        f"where its confidence is {bound.sure:g} or more, its error is at most {error:g} % with a "
        f"confidence of {confidence:g} %: the bound rests on {bound.groups} independent groups"
    )
    print(f"{FOLDER}/{path.name}, and its weights beside it ({size / 1e3:.0f} kB)")
    if all(spec.kind != DISTILLED for spec in entry.model.answerers):
        print(f"  name it in {entry.span().path}: answers: [{{distilled: {path.stem}}}, model]")
    return 0


SCORED = "scorers answer decisions, readings and judges"


def _find(library: Library, node: str) -> AnyEntry:
    from treec_testing.decisions.cases import CaseError, find_node

    try:
        entry = find_node(library, node, None, "distil").entry
    except CaseError as why:
        raise Stop(str(why)) from None
    if DISTILLED not in entry.model.answered_by:
        raise Stop(f"'{node}' is of the kind {entry.kind}: {SCORED}")
    return entry


def gather(
    library: Library, entry: AnyEntry, runs: list[Path], by: str | None, where: Path | None = None
) -> list[TaughtCase]:
    """The cases of a node. Raises Stop."""
    from treec.cli.find_run import journals_in
    from treec_testing.decisions.distil_cases import taught_cases
    from treec_testing.decisions.moments import MomentError

    journals = [journal for run in runs for journal in journals_in(run) or [run]]
    recorded = [read_run(journal, where) for journal in journals]
    try:
        with progress("cases", None) as advance:
            cases = []
            for case in taught_cases(open_snapshot(library), library, entry, recorded, by):
                cases.append(case)
                advance()
    except MomentError as why:
        raise Stop(str(why)) from None
    return cases


def distil(
    cases: list[TaughtCase], error: float, confidence: float, seed: int
) -> tuple[DistilledScorer, ErrorBound]:
    """A scorer of cases, and the bound on its error. Raises NoBound."""
    from treec_models import distil as fitting
    from treec_testing.decisions.distil_cases import outcome

    groups = fitting.group([case.example for case in cases])
    learned, held_out = fitting.split(groups, seed)
    drawn = fitting.draw(held_out, groups, seed)
    fitting.require_groups(len(drawn), len(set(groups)), error, confidence)
    with progress("rounds", fitting.EPOCHS) as advance:
        scorer = fitting.fit([cases[at].example for at in learned], seed, advance)
    _, tuned = fitting.split_learned([groups[at] for at in learned], seed)
    outcomes = []
    chosen = [learned[at] for at in tuned] + drawn
    with progress("held-out cases", len(chosen)) as advance:
        for at in chosen:
            outcomes.append(outcome(cases[at], scorer))
            advance()
    others, held = outcomes[: len(tuned)], outcomes[len(tuned) :]
    start = fitting.find_start(others, len(held), error, confidence)
    return scorer, fitting.find_bound(held, error, confidence, start)
