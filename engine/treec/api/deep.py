"""Tries code of one's own with good and bad input, from Python."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec.api.errors import TreecError
from treec.api.find import find_library

if TYPE_CHECKING:
    from treec.conformance.report import DeepReport
    from treec.nodes.environment import EnvironmentSetup
    from treec.nodes.worker import WorkOrder


def check_deep(
    what: str | Any,
    *,
    library: str | Path | None = None,
    order: WorkOrder | None = None,
    ports: Mapping[str, object] | None = None,
    setup: EnvironmentSetup | None = None,
    patience: float = 5.0,
) -> DeepReport:
    """Try code of one's own with good and bad input, as ``treec check --deep`` does.

    ``what`` is a class or function, or a name: of a skill, whose workers are tried, of a reading,
    whose parser is, of a node in ``treec.toml``, of an environment, or ``module:Name``. A name is
    looked up in ``library`` (default: the one of the current folder), which says with which
    arguments, facts and things it is tried.

    A class or function is tried without a library: a worker with ``order``, or else with one whose
    arguments are ``agent`` and ``place``; a node class with ``ports``, the values of its ports, or
    else with one of each port's type; an environment's factory with ``setup``, or else with one
    without sensors. A call that has not returned after ``patience`` real seconds is a finding.

    In a test::

        def test_drive() -> None:
            report = treec.check_deep("drive")
            assert report.ok, report

    Raises TreecError if nothing of that name can be tried.
    """
    from treec.conformance.report import try_subjects
    from treec.conformance.subjects import find_subjects, subject_of
    from treec.run.skill_trial import CannotTry

    try:
        if isinstance(what, str):
            found = find_library(library, or_none=library is None)
            return try_subjects(s for name in [what] for s in find_subjects(found, name, patience))
        subject = subject_of(what, order=order, ports=ports, setup=setup, patience=patience)
        return try_subjects([subject])
    except CannotTry as error:
        raise TreecError(str(error)) from None
