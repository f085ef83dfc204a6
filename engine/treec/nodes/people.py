"""Who moves by a recording in a run: the `people:` of its scene and of its scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treec.files.entry import Entry
    from treec.files.places import SceneFile
    from treec.files.systems import ScenarioFile
    from treec.files.view import View


def people_of(view: View, scenario: Entry[ScenarioFile] | None) -> dict[str, dict[str, Any]]:
    """Return the people by agent, as plain data; `motion` is the file's path."""
    found: dict[str, dict[str, Any]] = {}
    files: list[Entry[SceneFile] | Entry[ScenarioFile]] = [*view.scenes[:1]]
    if scenario is not None:
        files.append(scenario)
    for entry in files:
        for name, spec in entry.model.people.items():
            plain = spec.model_dump(exclude_defaults=True)
            plain["motion"] = str(view.library.file_beside(entry, spec.motion))
            found[name] = plain
    return found
