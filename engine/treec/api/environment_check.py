"""Checks that the environments of a run are available before it begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from treec.api.errors import TreecError
from treec.extensions import registry
from treec.files.view import View


class Driven(NamedTuple):
    """Whether an agent acts in an environment that steps with the clock, and in real time only."""

    steps: bool
    in_real_time: str
    """The name of one that knows no other time."""


def check_environments(view: View, tell: Callable[[str], object] = lambda text: None) -> Driven:
    """What clock the environments of a run need.

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
    driven, real = False, ""
    for name in names:
        skills = view.all("skill")
        others = registry().workers.get(name)
        without = sorted(s for s, e in skills.items() if not e.model.runs.get(name, others))
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
        real = real or (name if getattr(found, "in_real_time", False) else "")
    return Driven(driven, real)


def refuse_virtual_time(driven: Driven, instead: str) -> None:
    """Raise TreecError if an environment knows real time only."""
    if driven.in_real_time:
        raise TreecError(f"the environment '{driven.in_real_time}' is in real time: {instead}")
