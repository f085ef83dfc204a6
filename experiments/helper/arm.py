"""``python -m experiments.helper.arm``: HELPER's requests on one arm in a kitchen with physics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.progress import progress
from treec_testing.cli.pool_options import JobsOption, OnOption, make_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.helper.arm_trial import ArmResult

_WIDE = 66


def command(
    env: Annotated[
        str, typer.Option("--env", help="Environment: sapien, household, household_partial.")
    ] = "sapien",
    requests: Annotated[
        Path | None,
        typer.Option(
            "--requests", help="Scene, memory and requests with their goals (default: arm.yaml)."
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, max=1000, help="Seeds per request.")] = 1,
    jitter: Annotated[
        bool, typer.Option("--jitter", help="Vary the poses of things by the seed.")
    ] = False,
    only: Annotated[
        list[int] | None, typer.Option("--only", help="Number of a request, from 1; repeatable.")
    ] = None,
    jobs: JobsOption = None,
    on: OnOption = "",
    show: Annotated[bool, typer.Option("--show", help="Show each request's program.")] = False,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Carry out requests with one arm.

    The programs come from a memory, and the state in the end is judged.

    Programs are those of remembered requests; no model is asked.
    """
    import json
    from dataclasses import asdict

    from experiments.helper.arm_trial import make_trials, read_requests, run_trials

    known = ("sapien", "household", "household_partial")
    if env not in known:
        raise Stop(f"--env is one of {', '.join(known)}, not '{env}'")
    try:
        data = read_requests(requests)
    except (OSError, ValueError) as error:
        raise Stop(str(error)) from None
    unknown = [one for one in only or () if not 1 <= one <= len(data["requests"])]
    if unknown:
        raise Stop(f"--only is from 1 to {len(data['requests'])}, not {unknown[0]}")
    opened = open_library(library, or_none=True)
    trials = make_trials(data, n, jitter=jitter, only=only or ())
    with progress("requests", len(trials)) as advance:

        def tell(result: ArmResult) -> None:
            advance()
            if not sys.stderr.isatty():
                verdict = "done" if result.met else "not done"
                print(f"{verdict}: {result.trial.says}", file=sys.stderr)

        results = run_trials(opened, trials, env, make_pool(jobs, on, 2), tell, data)
    if output_format is OutputFormat.json:
        rows = [asdict(result) for result in results]
        print(json.dumps({"env": env, "results": rows}, indent=1, ensure_ascii=False))
    else:
        _print_table(results, n, show=show)
    return 0


def _print_table(results: Sequence[ArmResult], n: int, *, show: bool) -> None:
    by_number: dict[int, list[ArmResult]] = {}
    for result in results:
        by_number.setdefault(result.trial.number, []).append(result)
    print(f"{'':3}{'request':{_WIDE}}{'done':>8}{'skills':>8}{'time':>8}  why not")
    for number, own in sorted(by_number.items()):
        done = f"{sum(one.met for one in own)} of {len(own)}"
        skills = sum(one.skills for one in own) / len(own)
        seconds = sum(one.seconds for one in own) / len(own)
        why = dict.fromkeys((one.failures or one.wrong)[-1] for one in own if not one.met)
        row = f"{number:2} {own[0].trial.says:{_WIDE}}{done:>8}{skills:8.1f}{seconds:7.0f}s"
        print(f"{row}  {'; '.join(why)}".rstrip())
        if show:
            print(f"   from: {own[0].memory}")
            print("".join(f"     {line}\n" for line in own[0].program.splitlines()), end="")
    whole = sum(all(one.met for one in own) for own in by_number.values())
    met = sum(result.met for result in results)
    claims = [one for one in results if one.claimed]
    false = [one.trial.says for one in claims if one.is_false]
    print(f"\n{len(claims)} called done, {len(false)} of them falsely", end="")
    print(f": {'; '.join(false)}" if false else "")
    print(f"{met} of {len(results)} runs reached their goals", end="")
    print(f"; {whole} of {len(by_number)} requests with every seed" if n > 1 else "", end=".\n")


if __name__ == "__main__":
    sys.exit(main(command))
