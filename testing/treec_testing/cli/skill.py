"""``treec skill try``: run one skill in a fresh world and show its conditions and effects."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.api.environment_check import check_environments
from treec.api.errors import TreecError
from treec.cli.common import LibraryOption, Stop, group, open_library
from treec.cli.correct import require_correct, require_readable
from treec.cli.spec_options import takes
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.view import View
from treec.nodes.events import SkillEnded, SkillStarted
from treec.run.task_view import TaskError, view_for
from treec.source.diagnostics import unknown
from treec.world.spec import RunSpec

if TYPE_CHECKING:
    from treec.run.run import Run
    from treec.world.journal import Record
    from treec_testing.skill_trial import SkillTrialResult

FILM_INTERVAL = 0.1
"""Seconds between frames."""


app = group("skill", "Try single skills.")


@app.command("try")
@takes(RunSpec, "env", "scene", "seed", "jitter")
def command(
    spec: RunSpec,
    skill: Annotated[str, typer.Argument(help="Name of the skill.")],
    args: Annotated[
        list[str] | None, typer.Argument(help="Arguments, such as item=apple place=table.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="System (default: the first that has the skill).")
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", help="Agent (default: the first robot that can).")
    ] = None,
    first: Annotated[
        list[str] | None,
        typer.Option(
            "--first", help="Skill to run before, such as 'grasp item=apple'; repeatable."
        ),
    ] = None,
    film: Annotated[
        Path | None,
        typer.Option("--film", help="Write a film (.webp or .gif), in an environment with bodies."),
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Run one skill in a fresh world. Exit status 0 if it succeeded, 1 otherwise."""
    from treec_live.film_output import check_suffix, write_film

    if film is not None:
        check_suffix(film)
    found = open_library(library)
    before = [words[0] for text in first or () if (words := shlex.split(text))]
    view, spec = _setup(found, skill, system, spec, agent, before)
    require_correct(found, view.system)
    try:
        check_environments(view, lambda text: print(f"treec: {text}", file=sys.stderr))
    except TreecError as error:
        raise Stop(str(error)) from None
    calls = [_call(view, shlex.split(text), agent) for text in first or ()]
    calls.append(_call(view, [skill, *(args or ())], agent))
    with TemporaryDirectory(prefix="treec-") as kept:
        folder = None if film is None else Path(kept)
        result = _try(view, calls, spec, folder)
        if film is not None:
            write_film(Path(kept), film, f"of '{skill}': its environment has no bodies")
    return 0 if result is not None and result.ok else 1


def _try(
    view: View,
    calls: list[tuple[str, dict[str, object]]],
    spec: RunSpec,
    folder: Path | None,
) -> SkillTrialResult | None:
    """Run the skills one after another until one fails. Returns the last result."""
    from treec.run.clocks import SteppingClock
    from treec.run.run import CannotRun, Run
    from treec.world.journal import Journal
    from treec_testing.skill_trial import CannotTry, finish, try_skill

    began = time.perf_counter()
    spec = replace(spec, film=FILM_INTERVAL)
    run = Run(view, SteppingClock(), Journal.in_memory(), spec, folder=folder)
    result = None
    try:
        run.open_environments()
        print(f"{_where(run)}: ready in {time.perf_counter() - began:.1f} s")
        for name, given in calls:
            began = time.perf_counter()
            leave = run.world.subscribe(_print_event)
            print(f"{name}({', '.join(f'{k}={v}' for k, v in given.items())})")
            result = try_skill(run, name, given)
            leave()
            for line in _lines(result, time.perf_counter() - began):
                print(line)
            if not result.ok:
                break
    except (CannotRun, CannotTry) as error:
        raise Stop(str(error)) from None
    finally:
        finish(run)
    return result


def _setup(
    library: Library,
    skill: str,
    system: str | None,
    spec: RunSpec,
    agent: str | None,
    before: Sequence[str],
) -> tuple[View, RunSpec]:
    """A run of the first system that has the skill, in this scene, best in this environment.

    One with the agent and with the skills that come ``before`` is preferred.
    """
    systems = list(library.of_kind("system"))
    if not systems:
        require_readable(library, ("system",))
    if system is not None:
        systems = [entry for entry in systems if entry.name == system]
        if not systems:
            raise Stop(unknown("system", system, [e.name for e in library.of_kind("system")]))
    in_it = [entry for entry in systems if spec.scene is None or _fits(library, entry, spec)]
    having = [entry for entry in in_it if skill in View(library, entry).all("skill")]
    having.sort(key=lambda entry: not _works_in(View(library, entry), skill, spec.env))
    having.sort(key=lambda entry: not _suits(View(library, entry), agent, before))
    for entry in (*having, *in_it):  # an exact name comes first
        if _find_skill(View(library, entry), skill) is not None:
            try:
                return view_for(library, entry, spec, scripted=True)
            except TaskError as error:
                raise Stop(str(error)) from None
    if spec.scene is not None and not in_it:
        raise Stop(f"no system has a scene '{spec.scene}'")
    require_readable(library, ("skill",), skill)
    known = dict.fromkeys(name for entry in in_it for name in View(library, entry).all("skill"))
    raise Stop(unknown("skill", skill, known))


def _works_in(view: View, skill: str, environment: str | None) -> bool:
    """Whether the skill has a worker for the environment, where one is asked for."""
    return environment is None or environment in view.all("skill")[skill].model.runs


def _suits(view: View, agent: str | None, before: Sequence[str]) -> bool:
    """Whether the system has an agent, if one is named, and all skills that come before."""
    known = agent is None or agent in view.agents
    return known and all(_find_skill(view, name) is not None for name in before)


def _fits(library: Library, system: Entry[Any], spec: RunSpec) -> bool:
    scene = library.find("scene", spec.scene or "")
    return scene is not None and scene.model.domain == system.model.domain


def _find_skill(view: View, name: str) -> str | None:
    """The name of a skill, given that or an alias."""
    skills = view.all("skill")
    if name in skills:
        return name
    return next((own for own, entry in skills.items() if name in entry.model.also), None)


def _call(view: View, words: list[str], agent: str | None) -> tuple[str, dict[str, object]]:
    """A skill and its arguments, with names resolved. Raises Stop."""
    name = _find_skill(view, words[0]) if words else None
    if name is None:
        raise Stop(unknown("skill", " ".join(words[:1]), view.all("skill")))
    parameters: Mapping[str, str] = view.all("skill")[name].model.args
    given: dict[str, object] = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or key not in parameters:
            raise Stop(f"'{word}': {name} takes {', '.join(f'{p}=…' for p in parameters)}")
        given[key] = _find_entity(view, value)
    doer = str(given.get("agent") or agent or _first_capable(view, name, set(given.values())))
    return name, {"agent": doer, **given}


def _find_entity(view: View, name: str) -> str:
    things = {own: spec.also for own, spec in view.objects.items()}
    things.update({own: spec.also for own, spec in view.agents.items()})
    for own, also in things.items():
        if name == own or name in also:
            return own
    raise Stop(unknown("thing", name, things))


def _first_capable(view: View, skill: str, but: set[object]) -> str:
    able = [
        name
        for name in view.robots
        if name not in but and (not view.agents[name].skills or skill in view.agents[name].skills)
    ]
    if not able:
        raise Stop(f"no robot has the skill '{skill}'")
    return able[0]


def _where(run: Run) -> str:
    system = run.system
    environment = run.runtime.runs_on.get("default", "symbolic")
    return f"{system.name}, {system.model.scene}, {environment}, seed {run.spec.seed}"


def _print_event(record: Record) -> None:
    """Print the start and the end of skills, also of repairs."""
    event = record.event
    if not isinstance(event, SkillStarted | SkillEnded):
        return
    words = f"{event.skill}({', '.join((event.agent, *map(str, event.args.values())))})"
    if isinstance(event, SkillStarted):
        how = "begins"
    elif event.ok:
        how = "skipped: its effects hold already" if event.skipped else "ended"
    elif event.asked_again:
        how = f"asked again: {event.reason}"
    else:
        how = f"failed: {event.reason}" if event.failed else "stopped"
    print(f"  {record.t:7.2f} s  {words} {how}")


def _lines(result: SkillTrialResult, wall: float) -> Iterator[str]:
    """The conditions, effects and outcome of a trial."""
    for condition in result.before:
        how = "held" if condition.held else "did not hold"
        repaired = f": {condition.repair}" if not condition.held and condition.repair else ""
        yield f"  before   {condition.text}  {how}{repaired}"
    for promise in result.after:
        fact = f"{promise.fact}({', '.join(promise.args)})"
        found = _format_value(promise.found)
        how = "" if promise.holds else ", not as expected"
        expected = _format_value(promise.expected)
        yield f"  after    {fact}  expected {expected}, {promise.source} {found}{how}"
    times = f"{result.seconds:.2f} s simulated in {wall:.2f} s"
    if result.ok:
        yield f"  done     {times}"
    else:
        by = f" ({result.module})" if result.module else ""
        yield f"  failed   {result.reason}{by}; {times}"


def _format_value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
