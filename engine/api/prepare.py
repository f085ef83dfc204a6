"""Check a library and look up names before a system runs."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from treec.api.errors import CheckFailed, NotFound, TreecError
from treec.api.find import provide_package
from treec.check.cache import errors_of
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.systems import ScenarioFile, SystemFile
from treec.files.view import View
from treec.run.task_request import TaskError, TaskRequest, request_of_scenario, view_for
from treec.source.diagnostics import format_summary, format_text


@dataclass(frozen=True)
class RunSetup:
    """A system ready to run: its view of the library, its scenario and its task.

    ``tree`` is the tree that runs instead of the system's root, with the values of its ports.
    """

    view: View
    scenario: Entry[ScenarioFile] | None
    request: TaskRequest
    tree: str | None = None
    ports: Mapping[str, object] = field(default_factory=dict)


def prepare(
    library: Library, system: Entry[SystemFile], scenario: str | None, request: TaskRequest | None
) -> RunSetup:
    """Check a library with a system and look up its scenario and task.

    ``request`` overrides the scenario's. Raises CheckFailed, NotFound and TreecError.
    """
    require_no_errors(library, system)
    script = None if scenario is None else _find_scenario(library, scenario, system)
    request = (request or TaskRequest()).or_else(request_of_scenario(script))
    try:
        view, request = view_for(library, system, request, script is not None)
    except TaskError as error:
        raise TreecError(str(error)) from None
    return RunSetup(view, script, request)


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
    """The system's scenario of that name."""
    known = list(library.of_kind("scenario"))
    found = [entry for entry in known if entry.name == name]
    own = next((entry for entry in found if library.belongs_to(entry, system)), None)
    if own is not None:
        return own
    if found:
        other = found[0].model.system
        raise TreecError(f"the scenario '{name}' is one of the system '{other}'")
    raise NotFound.for_name("scenario", name, (entry.name for entry in known))
