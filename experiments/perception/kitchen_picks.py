"""``python -m experiments.perception.kitchen_picks``: things picked by sight where they stand.

In a system's scene, displaced at random as in runs with `--jitter`, a robot fetches each of some
things from where it begins; every pick is a run of its own.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from experiments.command import main
from treec.cli.common import LibraryOption, Stop, open_library


def command(
    item: Annotated[list[str], typer.Option("--item", help="What to pick; repeatable.")],
    system: Annotated[str, typer.Option("--system", help="System to evaluate.")] = "mosaic",
    agent: Annotated[str, typer.Option("--agent", help="The robot that picks.")] = "R2",
    n: Annotated[int, typer.Option("--n", min=1, help="Seeds.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="The first seed.")] = 0,
    told: Annotated[
        bool, typer.Option("--told", help="Tell the robot where things are, instead of cameras.")
    ] = False,
    library: LibraryOption = None,
) -> int:
    """Let a robot pick things by sight where they stand in the displaced scene.

    Prints how each pick ended, how far the last look was off, and how many came off.
    """
    from experiments.perception.picks import pick_thing
    from treec.files.view import View, on_environment
    from treec.run.run import CannotRun
    from treec.world.spec import RunSpec
    from treec_perception.models import ModelUnavailable
    from treec_testing.skill_trial import CannotTry

    found = open_library(library)
    entry = found.find("system", system)
    if entry is None:
        raise Stop(f"unknown system '{system}'")
    view = View(found, on_environment(entry, "sapien"))
    count = 0
    for number in range(seed, seed + n):
        for thing in item:
            spec = RunSpec(seed=number, env="sapien", see=not told, jitter=True)
            try:
                one = pick_thing(view, agent, thing, spec)
            except (ModelUnavailable, CannotRun, CannotTry) as error:
                raise Stop(str(error)) from None
            count += one.picked
            off = "" if one.error is None else f", {1000 * one.error:.0f} mm off"
            how = "picked" if one.picked else one.reason
            looks = "" if told else f" ({one.looks} looks{off})"
            print(f"{thing}, seed {number}: {how}{looks}", flush=True)
    print(f"{count} of {n * len(item)} picked")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))
