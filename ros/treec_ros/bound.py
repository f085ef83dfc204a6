"""Where the files of a view are bound to ROS 2."""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.frozen import frozen
from treec_ros.files import KINDS, RosFact, RosSkill


@frozen
class Bound:
    """A skill or a fact that is bound to an interface of ROS 2, and its place."""

    entry: AnyEntry
    loc: Loc
    model: RosSkill | RosFact

    @property
    def kind(self) -> str:
        """Which kind of interface it needs: msg, srv, action."""
        return "msg" if isinstance(self.model, RosFact) else KINDS[self.model.way]


def bound(view: View) -> Iterator[Bound]:
    """Yield all that names an interface in the files that are checked in a view."""
    for entry in entries(view, "skill", "domain"):
        if entry.kind == "skill":
            skill = entry.model.runs.get("ros")
            if isinstance(skill, RosSkill) and skill.type:
                yield Bound(entry, ("runs", "ros"), skill)
        else:
            for fact, spec in entry.model.facts.items():
                sensed = spec.sensed.get("ros")
                if isinstance(sensed, RosFact) and sensed.type:
                    yield Bound(entry, ("facts", fact, "sensed", "ros"), sensed)
