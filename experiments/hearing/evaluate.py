"""``python -m experiments.hearing.evaluate``: how many labelled phrases are heard right."""

from __future__ import annotations

import json
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library, reason
from treec.cli.progress import progress
from treec.extensions import registry
from treec_hearing.hear import SystemOption, ear_of_reading, reading_of

if TYPE_CHECKING:
    from experiments.hearing.judging import HearingScore
    from experiments.hearing.phrases import Phrase


class Half(StrEnum):
    """Which phrases of rounds with a held-back half."""

    seen = "seen"
    held_back = "held_back"
    all = "all"


PhrasesOption = Annotated[
    Path, typer.Option("--phrases", help="File or folder of labelled phrases (docs/hearing.md).")
]


def command(
    phrases: PhrasesOption,
    system: SystemOption = None,
    half: Annotated[
        Half, typer.Option("--half", help="Phrases that were open to the makers, or not.")
    ] = Half.seen,
    rounds: Annotated[
        list[str] | None, typer.Option("--round", help="Only this round; repeatable.")
    ] = None,
    network: Annotated[
        bool, typer.Option("--network/--templates", help="With the network, or templates alone.")
    ] = True,
    show: Annotated[
        bool,
        typer.Option("--show", help="Print what was heard wrong (never of held-back phrases)."),
    ] = False,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Measure what is heard right of labelled phrases.

    Prints phrases and acts that are right, by kind, and yeses, orders and stops that nobody meant.
    """
    from experiments.hearing.judging import HearingScore
    from experiments.hearing.phrases import meaning

    found = open_library(library)
    chosen = load(phrases, half, rounds or [])
    kinds = dict.fromkeys(
        str(act[0])
        for phrase in chosen
        for reading in phrase.readings
        for act in sorted(reading, key=str)
    )
    view, entry = reading_of(found, system, kinds)
    ear = ear_of_reading(view, entry, with_network=network)
    if network and ear.network is None:
        why = "the hearing file names none"
        if "npz" not in registry().scorers:
            why = "treec-hearing is missing (pip install 'treec[hear]')"
        raise Stop(f"no network: {why}, or use --templates")
    score = HearingScore()
    begun = time.perf_counter()
    with progress("phrases", len(chosen)) as advance:
        for phrase in chosen:
            score.add(phrase, meaning([*ear(phrase.text, phrase.moment)]))
            advance()
    each = 1000 * (time.perf_counter() - begun) / max(len(chosen), 1)
    if output_format is OutputFormat.json:
        rows = {name.strip(): [right, of] for name, right, of in score.rows()}
        print(json.dumps({"right": rows, "not_meant": score.harmful, "ms": round(each, 2)}))
    else:
        _print(score, each)
        for phrase, heard in score.wrong if show else ():
            if not phrase.held_back:
                _print_wrong(phrase, heard)
    return 0


def load(path: Path, half: Half, rounds: list[str]) -> list[Phrase]:
    """The chosen phrases. Raises Stop."""
    from experiments.hearing.phrases import PhraseError, load_phrases

    try:
        every = load_phrases(path)
    except PhraseError as error:
        raise Stop(str(error)) from None
    except OSError as error:
        raise Stop(f"{path} cannot be read: {reason(error)}") from None
    of_rounds = [phrase for phrase in every if not rounds or phrase.round in rounds]
    held_back = {Half.seen: (False,), Half.held_back: (True,), Half.all: (False, True)}[half]
    chosen = [phrase for phrase in of_rounds if phrase.held_back in held_back]
    if not chosen:
        known = ", ".join(sorted({phrase.round for phrase in every}))
        rounds_of_it = f", in rounds {known}" if known else ""
        raise Stop(f"no phrases: {path} has {len(every)}{rounds_of_it}")
    return chosen


def _print(score: HearingScore, each: float) -> None:
    for name, right, of in score.rows():
        print(f"{name:<12}{right:>6} of{of:>6}{100 * right / of if of else 100:>8.1f} %")
    harmful = ", ".join(f"{kind} {score.harmful[kind]}" for kind in ("accept", "request", "stop"))
    print(f"not meant by anybody: {harmful}")
    print(f"{each:.1f} ms an utterance")


def _print_wrong(phrase: Phrase, heard: object) -> None:
    print(f'[{phrase.theme}] "{phrase.text}"')
    print(f"    heard  {_acts(heard)}")
    print(f"    right  {_acts(phrase.readings[0])}")


def _acts(acts: object) -> str:
    assert isinstance(acts, frozenset)
    words = (" ".join(str(part) for part in act) for act in acts)
    return "; ".join(sorted(words)) or "remark"


if __name__ == "__main__":
    sys.exit(main(command))
