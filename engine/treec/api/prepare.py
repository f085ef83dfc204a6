"""Check a library and look up names before a system runs."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from treec.api.errors import CheckFailed, NotFound, TreecError
from treec.api.find import provide_package
from treec.check.cache import errors_of
from treec.check.environments import world
from treec.check.type_checker import findings
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.systems import ScenarioFile, SystemFile
from treec.files.view import View
from treec.frozen import frozen
from treec.program.faults import condition_of
from treec.run.task_view import TaskError, view_for
from treec.source.diagnostics import format_summary, format_text
from treec.source.expression import Expression
from treec.world.spec import RunSpec


@frozen(slots=False)
class RunSetup:
    """A run that can begin: its view of the library, and its spec with full names."""

    view: View
    spec: RunSpec


def prepare(library: Library, system: Entry[SystemFile], spec: RunSpec) -> RunSetup:
    """Check a library with a system and look up the scenario and the task of a run.

    The scenario may be one of another system of the same domain, if the check finds nothing wrong
    with it in this system. It says what the spec leaves open. Raises CheckFailed, NotFound and
    TreecError.
    """
    require_no_errors(library, system)
    script = None
    if spec.scenario is not None:
        script = _find_scenario(library, spec.scenario, system)
        if not library.belongs_to(script, system):
            library, script = _borrow(library, script, system)
        model = script.model
        spec = replace(spec, task=spec.task or model.task, scene=spec.scene or model.scene)
    try:
        view, spec = view_for(library, system, spec, script is not None)
    except TaskError as error:
        raise TreecError(str(error)) from None
    check_conditions(spec, view)
    if script is not None and view.find("scenario", script.name) is not script:
        view = view.including(script)  # its scene is another one
    return RunSetup(view, spec)


def check_conditions(spec: RunSpec, view: View) -> None:
    """Raise TreecError for a condition of a fault that can never be judged."""
    for line in spec.faults:
        condition = condition_of(line)
        if condition is not None:
            for wrong in findings(Expression.parse(condition.text), world(view)):
                hint = f"; {wrong.help}" if wrong.help else ""
                raise TreecError(f"the fault '{line}': {wrong.message}{hint}")


def require_no_errors(
    library: Library, system: Entry[SystemFile], but: Container[str] = ()
) -> None:
    """Check the files of a system; what is wrong in others does not stop it. Raises CheckFailed.

    Errors with the codes in ``but`` do not matter. Also makes the library's own package importable;
    raises TreecError if a package of that name was imported from another library.
    """
    provide_package(library)
    errors = [error for error in errors_of(library, system) if error.code not in but]
    if errors:
        text = format_text(errors, library.sources) + "\n\n" + format_summary(errors)
        raise CheckFailed(f"'{system.name}' does not run while its files have errors", text)


def _find_scenario(library: Library, name: str, system: Entry[SystemFile]) -> Entry[ScenarioFile]:
    """The scenario of that name, the system's own if it has one."""
    known = list(library.of_kind("scenario"))
    found = [entry for entry in known if entry.name == name]
    if not found:
        raise NotFound.for_name("scenario", name, (entry.name for entry in known))
    return next((entry for entry in found if library.belongs_to(entry, system)), found[0])


def _borrow(
    library: Library, scenario: Entry[ScenarioFile], system: Entry[SystemFile]
) -> tuple[Library, Entry[ScenarioFile]]:
    """The library in which a scenario of another system is one of this, and the scenario.

    Raises TreecError, and CheckFailed where it does not fit.
    """
    name = scenario.model.system
    other = library.find_system(name, scenario)
    other_system = f"the scenario '{scenario.name}' belongs to the system '{name}'"
    model = scenario.model.model_copy(update={"system": system.name})
    borrowed = Entry(scenario.kind, scenario.name, model, scenario.node, scenario.file)
    if other is None or not library.belongs_to(borrowed, system):
        raise TreecError(other_system)
    if other.model.domain != system.model.domain:
        domains = f"'{other.model.domain}', and that of '{system.name}' '{system.model.domain}'"
        raise TreecError(f"{other_system}: its domain is {domains}")
    library = library.with_entries(borrowed if e is scenario else e for e in library.entries)
    try:
        require_no_errors(library, system)
    except CheckFailed as error:
        message = f"{other_system}, and does not fit '{system.name}'"
        raise CheckFailed(message, error.problems) from None
    return library, borrowed
