"""``treec prove``: explore all that can happen to a system, and prove what must hold."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop

if TYPE_CHECKING:
    from treec_prove.counterexample import Counterexample
    from treec_prove.prove import Proof

ANY, EACH = "any", "each"
REAL = "real"
MOST_ENDS = 8
UNUSED = ", but nothing happened that it is about"


def command(
    system: Annotated[
        str | None,
        typer.Argument(
            help="System (default: the only one of the library); or a tree by itself: its name, or "
            "a file of it."
        ),
    ] = None,
    properties: Annotated[
        list[str] | None,
        typer.Option(
            "--property",
            help="What must hold beside the contracts: 'never: CONDITION', 'always: CONDITION', "
            "'eventually: CONDITION', 'CONDITION leads to CONDITION', 'CONDITION until CONDITION', "
            "'rules are never refused'; repeatable.",
        ),
    ] = None,
    scene: Annotated[str | None, typer.Option("--scene", help="Scene.")] = None,
    scenario: Annotated[
        str | None,
        typer.Option(
            "--scenario",
            help="Whose lines people may say, at any time and in any order, and whose events may "
            "happen (default: the lines of all scenarios).",
        ),
    ] = None,
    says: Annotated[
        list[str] | None, typer.Option("--says", help="A line that people may say; repeatable.")
    ] = None,
    utterances: Annotated[
        str,
        typer.Option(
            "--utterances",
            help="How often people speak in a run, at most; or each: they say each line once.",
        ),
    ] = "2",
    failures: Annotated[
        str,
        typer.Option(
            "--failures",
            help="How many skills fail in a run, or take longer than a limit, at most; or any.",
        ),
    ] = "1",
    timers: Annotated[
        str,
        typer.Option(
            "--timers",
            help="real: they are due as time passes; or any: each at any moment, in any order, "
            "which has fewer states, but nothing comes in time then.",
        ),
    ] = REAL,
    offline: Annotated[
        bool, typer.Option("--offline", help="No model is asked: the rules decide.")
    ] = False,
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, help="Things that happen in a run, at most.")
    ] = None,
    budget: Annotated[
        str,
        typer.Option(
            "--budget",
            help="When to end: 10m, a number of states, memory such as 4GB, or several of these "
            "(10m,4GB).",
        ),
    ] = "10m",
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes that explore.")] = 1,
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="Explore without a budget, to the end.")
    ] = False,
    same_as: Annotated[
        str | None,
        typer.Option(
            "--same-as",
            help="A tree that does the same as the one that is named, in every case: its name, a "
            "file of it, or XML of BehaviorTree.CPP.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Folder for the scenarios of what is broken, and for what was visited: the same "
            "command goes on from there after its budget or Ctrl-C has ended it.",
        ),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Explore all that can happen to a system, and prove what must hold.

    Every answer that a model may give, every outcome of a skill, every line that people may say and
    every order of what happens at once is tried; equal states are visited once. What is broken is
    shown by the shortest scenario, which was really run. Of a tree by itself: which statuses it can
    return, and whether it does the same as another.

    Exit status 0 if nothing is broken, 1 otherwise.
    """
    from treec.api.errors import TreecError
    from treec.api.find import find_library
    from treec.api.prepare import prepare
    from treec.api.workspace import Workspace
    from treec.cli.interrupts import handle_interrupts
    from treec.run.run import CannotRun
    from treec.world.spec import RunSpec
    from treec_prove.expander import memory_bound
    from treec_prove.explored import Surroundings
    from treec_prove.properties import check_property, parse_property
    from treec_prove.prove import faults_of, lines_of, prove
    from treec_prove.prove_trees import is_tree, prove_trees
    from treec_prove.search import ProofLimits

    if same_as is not None or (system is not None and is_tree(system, library)):
        if system is None:
            raise Stop(f"--same-as {same_as}: name the tree that is compared with it first")
        of_systems = {
            "--property": properties,
            "--scene": scene,
            "--scenario": scenario,
            "--says": says,
            "--offline": offline,
            "--output": output,
            "--jobs": jobs > 1,
        }
        for option, value in of_systems.items():
            if value:
                raise Stop(f"{option} is about a system, and '{system}' is a tree")
        states, seconds, _ = _read_budget(budget)
        bounds = (None, None, depth) if exhaustive else (states, seconds, depth)
        return prove_trees(system, same_as, library, bounds, output_format is OutputFormat.json)
    try:
        workspace = Workspace(find_library(library))
        entry = workspace.system(system)
        setup = prepare(workspace.library, entry, RunSpec(scene=scene, scenario=scenario))
        asked = [parse_property(text) for text in properties or ()]
        for one in asked:
            check_property(setup.view, one)
        if failures != ANY and not failures.isdigit():
            raise TreecError(f"--failures is a number or '{ANY}', not '{failures}'")
        if timers not in (ANY, REAL):
            raise TreecError(f"--timers is '{REAL}' or '{ANY}', not '{timers}'")
        if utterances != EACH and not utterances.isdigit():
            raise TreecError(f"--utterances is a number or '{EACH}', not '{utterances}'")
        states, seconds, memory = _read_budget(budget)
    except (TreecError, ValueError) as error:
        raise Stop(str(error).replace("with --task", "with a --scenario that has a task")) from None
    lines = tuple(says) if says else lines_of(setup.view, scenario)
    world = Surroundings(
        says=lines,
        utterances=None if utterances == EACH else int(utterances) if lines else 0,
        faults=faults_of(setup.view, scenario),
        failures=None if failures == ANY else int(failures),
        asks=not offline,
        timed=timers == REAL,
    )
    limits = ProofLimits(depth, jobs=jobs, memory=memory or memory_bound())
    if not exhaustive:
        limits = replace(limits, states=states, seconds=seconds)
    spec = replace(setup.spec, scenario=None)
    stopped = Event()
    limits = replace(limits, is_stopped=stopped.is_set)
    try:
        if output is not None:
            output.mkdir(parents=True, exist_ok=True)
        with handle_interrupts(stopped.set):
            proof = prove(setup.view, spec, world, asked, limits, on_progress=_tell, folder=output)
    except CannotRun as error:
        explored = "'symbolic', and what only uses the run's clock, can be explored"
        raise Stop(f"{error}: only {explored}") from None
    except (TreecError, OSError) as error:
        raise Stop(str(error)) from None
    finally:
        _clear()
    files = _write(proof, output) if output is not None else {}
    if output_format is OutputFormat.json:
        print(json.dumps(_as_data(proof), ensure_ascii=False, indent=2))
    else:
        _print(proof, files, workspace.library.root)
    return 0 if proof.holds else 1


def _read_budget(text: str) -> tuple[int | None, float | None, int | None]:
    """A number of states, seconds, and bytes of memory. Raises Stop."""
    from treec.source.durations import parse_duration

    states = seconds = memory = None
    for part in text.split(","):
        one = part.strip()
        found = re.fullmatch(r"([0-9.]+) *([MG])i?B", one)
        try:
            if one.isdigit():
                states = int(one)
            elif found is not None:
                memory = int(float(found[1]) * {"M": 10**6, "G": 10**9}[found[2]])
            else:
                seconds = parse_duration(one)
        except ValueError:
            what = "a number of states, memory such as 4GB, or a time such as 10m"
            raise Stop(f"--budget {text}: '{one}' is not {what}") from None
    return states, seconds, memory


def _tell(visited: int, open_: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{visited:,} states, {open_:,} to be explored ", end="", file=sys.stderr)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)


def _write(proof: Proof, folder: Path) -> dict[str, Path]:
    written = {}
    for one in proof.counterexamples:
        if one.scenario is not None:
            path = folder / f"{one.scenario['scenario']}.scenario.yaml"
            path.write_text(one.text(), encoding="utf-8")
            written[one.broken.property] = path
    return written


def _print(proof: Proof, files: dict[str, Path], root: Path) -> None:
    found = proof.found
    broken = {one.broken.property: one for one in proof.counterexamples}
    width = max(map(len, proof.properties))
    for name in proof.properties:
        one = broken.get(name)
        verdict = found.verdict_of(name) + UNUSED * (name in found.unused)
        print(f"{name:<{width}}  {verdict if one is None else _shown(one)}")
    for name, one in broken.items():
        print(f"\n{name}: {one.broken.how}")
        for step in one.steps or ["at the beginning"]:
            print(f"  {step}")
        if name in files:
            assert one.scenario is not None
            plays = f"treec run {proof.system} --scenario {one.scenario['scenario']} --fast"
            is_inside = files[name].resolve().is_relative_to(root.resolve())
            moved = "" if is_inside else "copy it into the library, then "
            print(f"  {files[name]} (to play it: {moved}{plays})")
        elif one.scenario is not None:
            print("\n" + "\n".join(f"    {line}" for line in one.text().splitlines()))
    if found.is_complete and found.unreached:
        print("\nnever reached:")
        for line in _in_lines(_without_parts(found.unreached)):
            print(f"  {line}")
    if found.ends:
        print("\nnothing can happen any more while these wait:")
        for line in found.ends[:MOST_ENDS]:
            print(f"  {line or '(nothing waits)'}")
        if len(found.ends) > MOST_ENDS:
            print(f"  and {len(found.ends) - MOST_ENDS} more")
    rate = found.states / found.seconds if found.seconds else 0
    before = f" ({found.before:,} of them visited before)" if found.before else ""
    alike = f" for {found.steps + found.refused:,}" if found.refused else ""
    print(
        f"\n{found.states:,} states{before}, {found.steps:,} steps{alike}, {found.depth} deep, in "
        f"{found.seconds:.1f} s ({rate:.0f} states a second), {found.memory / 10**9:.2f} GB"
    )
    print("assumed:")
    for line in proof.assumed:
        print(f"  {line}")


def _without_parts(unreached: Sequence[str]) -> list[str]:
    """Nodes and options without what is below one of them, and its modifiers."""
    known = set(unreached)

    def is_part(name: str) -> bool:
        node, _, option = name.partition(": ")
        if option and f"{node}/{option}" in known:
            return True
        ends = (found.start() for found in re.finditer("[/:]", name))
        return any(name[:end] in known for end in ends)

    return [name for name in unreached if not is_part(name)]


def _in_lines(unreached: Sequence[str]) -> list[str]:
    """A line each; rules of a node in one."""
    rules: dict[str, list[str]] = {}
    for name in unreached:
        about, is_rule, number = name.partition(" rule ")
        rules.setdefault(about, []).extend([number] if is_rule else [])
    return [
        f"{name} rule{'s' * (len(numbers) > 1)} {', '.join(numbers)}" if numbers else name
        for name, numbers in rules.items()
    ]


def _shown(one: Counterexample) -> str:
    if one.is_confirmed:
        return "BROKEN, confirmed by a run"
    return f"broken, not confirmed: {one.why_not}"


def _as_data(proof: Proof) -> dict[str, Any]:
    found = proof.found
    return {
        "system": proof.system,
        "properties": {
            name: found.verdict_of(name)
            for name in proof.properties
            if all(one.property != name for one in found.broken)
        },
        "broken": [
            {
                "property": one.broken.property,
                "how": one.broken.how,
                "confirmed": one.is_confirmed,
                "why_not": one.why_not,
                "steps": one.steps,
                "scenario": one.scenario,
            }
            for one in proof.counterexamples
        ],
        "unused": sorted(found.unused),
        "never_reached": found.unreached if found.is_complete else None,
        "states": found.states,
        "visited_before": found.before,
        "ends": found.ends,
        "steps": found.steps,
        "refused_alike": found.refused,
        "depth": found.depth,
        "complete": found.is_complete,
        "seconds": round(found.seconds, 3),
        "cpu_seconds": round(found.cpu, 3),
        "memory_bytes": found.memory,
        "assumed": proof.assumed,
    }
