"""``python -m experiments.hearing.train``: fit the network that hears beside templates."""

from __future__ import annotations

import random
import sys
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main
from experiments.hearing.evaluate import Half, PhrasesOption, load
from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.progress import progress
from treec_hearing.hear import ear_of_reading, reading_of

if TYPE_CHECKING:
    from treec.files.entry import Entry
    from treec.files.library import Library
    from treec.files.prompts import ReadingFile
    from treec.files.view import View
    from treec_hearing.encoder import WordEncoder


def command(
    system: Annotated[str, typer.Argument(help="System whose reading hears.")],
    phrases: PhrasesOption,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File to write (default: the hearing file's)."),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option("--leave-out", help="Leave out this round, to measure on it; repeatable."),
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Passes over the phrases.")] = 20,
    pairs: Annotated[
        int, typer.Option("--pairs", min=0, help="Pairs of phrases that are joined.")
    ] = 6000,
    framed_orders: Annotated[
        int,
        typer.Option(
            "--frames",
            min=0,
            help="Orders in sentences that mean them or do not, from *.frames.yaml.",
        ),
    ] = 9000,
    encoder: Annotated[
        Path | None,
        typer.Option(
            "--encoder", help="Folder of a pretrained encoder to put under it (transformers)."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 1,
    library: LibraryOption = None,
) -> int:
    """Fit the network to labelled phrases; held-back ones are not read.

    Needs torch. About a minute an epoch for 20,000 examples on 2 cores.
    """
    try:
        from experiments.hearing.training import example, fit, framed, joined
    except ImportError as error:
        message = f"{error.name} is missing: pip install -r experiments/requirements.txt"
        raise Stop(message) from None
    from experiments.hearing.phrases import PhraseError, load_frames

    found = open_library(library)
    view, entry = reading_of(found, system)
    ear = ear_of_reading(view, entry, with_network=False)
    out = out or _default(found, view, entry)
    if not out.parent.is_dir():
        raise Stop(f"no such folder: {out.parent}")
    under = _encoder(encoder)
    chosen = load(phrases, Half.seen, [])
    rounds = {phrase.round for phrase in chosen}
    if unknown := sorted({*(leave_out or ())} - rounds):
        raise Stop(f"no round {', '.join(unknown)}: there are {', '.join(sorted(rounds))}")
    chosen = [phrase for phrase in chosen if phrase.round not in (leave_out or ())]
    if not chosen:
        raise Stop("no phrases: every round is left out")
    try:
        frames = load_frames(phrases)
    except PhraseError as error:
        raise Stop(str(error)) from None
    chance = random.Random(seed)
    moments = [*{id(phrase.moment): phrase.moment for phrase in chosen}.values()]
    with progress("phrases", len(chosen) + pairs + framed_orders) as advance:
        examples = []
        for one in chain(
            (example(ear, p.text, p.moment, p.readings) for p in chosen),
            joined(ear, chosen, pairs, chance),
            framed(ear, moments, frames, framed_orders, chance) if frames else (),
        ):
            examples.append(one)
            advance()
    begun = time.monotonic()

    def show(epoch: int, loss: float) -> None:
        seconds = time.monotonic() - begun
        left = seconds / epoch * (epochs - epoch)
        line = f"epoch {epoch} of {epochs}: loss {loss:.3f}, {seconds:.0f} s, {left:.0f} s left"
        print(line, file=sys.stderr)

    model = fit(examples, epochs, seed, show, under)
    model.write(
        out,
        {
            "command": f"python -m experiments.hearing.train {system} --phrases {phrases} "
            f"--epochs {epochs} --pairs {pairs} --frames {framed_orders} --seed {seed}",
            "phrases": len(chosen),
            **({} if encoder is None else {"encoder": _from(encoder, out.parent)}),
        },
    )
    print(f"{out}: fitted to {len(chosen)} phrases; experiments.hearing.evaluate measures it")
    return 0


def _default(library: Library, view: View, entry: Entry[ReadingFile]) -> Path:
    """The file that the reading's hearing file names. Raises Stop."""
    from treec_hearing.reading import weights_of

    shared = view.find("hearing", entry.model.hearing) if entry.model.hearing else None
    path = weights_of(library, shared) if shared is not None else None
    if path is None:
        raise Stop("where to? give --out, or `network: NAME.npz` in the reading's hearing file")
    return path


def _encoder(folder: Path | None) -> WordEncoder | None:
    """The encoder in a folder. Raises Stop."""
    from treec_hearing.encoder import load_encoder
    from treec_hearing.network_error import NetworkError

    try:
        return None if folder is None else load_encoder(folder.resolve())
    except NetworkError as error:
        raise Stop(f"--encoder: {error}") from None


def _from(folder: Path, base: Path) -> str:
    """The encoder's folder as the weights name it: from where they lie, if it lies below that."""
    folder, base = folder.resolve(), base.resolve()
    return str(folder.relative_to(base) if folder.is_relative_to(base) else folder)


if __name__ == "__main__":
    sys.exit(main(command))
