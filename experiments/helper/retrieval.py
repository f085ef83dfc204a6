"""``python -m experiments.helper.retrieval``: whether near memories are of the same task."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from experiments.command import main
from treec.cli.common import FormatOption, OutputFormat, Stop, reason


def command(
    episodes: Annotated[
        Path, typer.Option("--episodes", help="Episodes, one JSON object a line (ICAL's format).")
    ],
    embedder: Annotated[
        list[str] | None,
        typer.Option(
            "--embedder",
            help="lexical, sentences (both by default, if installed), sentences:FOLDER (or a name "
            "on the hub), or litellm:PROVIDER/MODEL; repeatable.",
        ),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Compare the types of the nearest dialogues.

    One row for each embedder: how often the nearest, or one of the three nearest, is of its type.
    """
    import json
    import sys

    from experiments.helper.episodes import EpisodeError, read_episodes
    from experiments.helper.nearest import leave_one_out
    from treec_memory.embedders import EMBEDDERS, open_embedder
    from treec_memory.models import EmbedderFault, installed_embedders

    unread: list[str] = []
    try:
        read = read_episodes(episodes, lambda error: unread.append(str(error)))
    except EpisodeError as error:
        raise Stop("\n".join((*unread, str(error)))) from None
    except OSError as error:
        raise Stop(f"{error.filename} cannot be read: {reason(error)}") from None
    for told in unread:
        print(f"left out: {told}", file=sys.stderr)
    if len(read) < 2:
        raise Stop(f"{episodes}: there is nothing to compare one dialogue with")
    names = embedder or [one for one in EMBEDDERS if one != "auto"]
    if embedder is None and any(installed_embedders()):
        names.append("sentences")
    try:
        found = [leave_one_out(read, open_embedder(name)) for name in names]
    except EmbedderFault as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        data = [
            {
                "embedder": one.embedder,
                "dialogues": one.dialogues,
                "possible": one.possible,
                "hits": {str(k): n for k, n in one.hits.items()},
                "by_chance": {str(k): round(n, 2) for k, n in one.by_chance.items()},
                "confused": [[*kinds, n] for kinds, n in one.confused.most_common()],
            }
            for one in found
        ]
        print(json.dumps(data, indent=1, ensure_ascii=False))
        return 0
    width = max(20, *(len(one.embedder) for one in found)) + 1
    print(f"{'embedder':{width}}{'nearest':>16}{'of 3 nearest':>16}{'possible':>12}")
    for one in found:
        shares = [f"{n}/{one.dialogues} {100 * n / one.dialogues:.1f}%" for n in one.hits.values()]
        print(f"{one.embedder:{width}}{shares[0]:>16}{shares[1]:>16}{one.possible:>12}")
    chances = [f"{n:.1f}/{found[0].dialogues}" for n in found[0].by_chance.values()]
    print(f"{'by chance':{width}}{chances[0]:>16}{chances[1]:>16}{found[0].possible:>12}")
    for one in found:
        print(f"\nThe nearest is of another type, {one.embedder}:")
        for (kind, other), number in one.confused.most_common(10):
            print(f"  {number:3}  {kind} → {other}")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))
