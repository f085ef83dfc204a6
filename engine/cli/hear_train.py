"""``treec hear train``: fit the network that hears where templates are silent."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.evaluate_hearing import Half, PhrasesOption, load
from treec.cli.hear import reading_of


def command(
    system: Annotated[str, typer.Argument(help="System whose reading hears.")],
    phrases: PhrasesOption,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write (default: the hearing file's).")
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option("--leave-out", help="Leave out this round, to measure on it; repeatable."),
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Passes over the phrases.")] = 20,
    pairs: Annotated[
        int, typer.Option("--pairs", min=0, help="Pairs of phrases that are joined.")
    ] = 5000,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 1,
    library: LibraryOption = None,
) -> int:
    """Fit the network to labelled phrases; held-back ones are not read.

    Needs the extra `hear-train` (torch). About 30 s an epoch for the kitchen's corpus on 2 cores.
    """
    try:
        from treec.hearing.training import example, fit, joined
    except ImportError as error:
        message = f"{error.name} is missing: pip install -c constraints.txt 'treec[hear-train]'"
        raise Stop(message) from None
    from treec.hearing.reading import ear_of

    found = open_library(library)
    view, entry = reading_of(found, system)
    ear = ear_of(view, entry, with_network=False)
    chosen = load(phrases, Half.seen, [])
    chosen = [phrase for phrase in chosen if phrase.round not in (leave_out or ())]
    out = out or _default(found, view, entry)
    if not out.parent.is_dir():
        raise Stop(f"there is no folder {out.parent}")
    examples = [example(ear, p.text, p.moment, p.readings) for p in chosen]
    examples += joined(ear, chosen, pairs, random.Random(seed))
    begun = time.monotonic()

    def progress(epoch: int, loss: float) -> None:
        seconds = time.monotonic() - begun
        left = seconds / epoch * (epochs - epoch)
        line = f"epoch {epoch} of {epochs}: loss {loss:.3f}, {seconds:.0f} s, {left:.0f} s left"
        print(line, file=sys.stderr)

    model = fit(examples, epochs, seed, progress)
    model.write(
        out,
        {
            "command": f"treec hear train {system} --phrases {phrases} --epochs {epochs} "
            f"--pairs {pairs} --seed {seed}",
            "phrases": len(chosen),
        },
    )
    print(f"{out}: fitted to {len(chosen)} phrases; treec evaluate hearing measures it")
    return 0
