"""Checks that the environments of a run are available before it begins."""

from __future__ import annotations

from collections.abc import Callable

from treec.api.errors import TreecError
from treec.files.view import View


def check_environments(view: View, tell: Callable[[str], object] = lambda text: None) -> bool:
    """Whether any agent acts in an environment that steps with the clock.

    Tells which skills have no worker. Raises TreecError for a missing environment, or if none has
    one.
    """
    from treec.nodes.environment import (
        SYMBOLIC,
        EnvironmentUnavailable,
        find_environment,
        unknown_environment,
    )

    assert view.system is not None
    runs_on = view.system.model.runs_on
    own = view.library.settings.environments
    names = dict.fromkeys(runs_on.get(r) or runs_on.get("default", SYMBOLIC) for r in view.robots)
    driven = False
    for name in names:
        skills = view.all("skill")
        without = sorted(skill for skill, entry in skills.items() if name not in entry.model.runs)
        try:
            found = None if name == SYMBOLIC else find_environment(name, own)
        except EnvironmentUnavailable as error:
            raise TreecError(str(error)) from None
        if name != SYMBOLIC and found is None and len(without) == len(skills):
            raise TreecError(str(unknown_environment(name, own)))
        if without and len(without) == len(skills):
            raise TreecError(
                f"no skill of the system '{view.system.name}' has a worker for '{name}'"
            )
        if without:
            tell(f"no worker for {name}: {', '.join(without)}")
        driven = driven or found is not None
    return driven
