"""Values of variables in a journal: plain data as it is, an entity as its type and name."""

from __future__ import annotations

from collections.abc import Mapping

from treec.files.types import Named
from treec.team.entities import Act, Agent, Proposal, Recipe, Subtask, Task, Utterance
from treec.team.team import Team
from treec.world.values import freeze

ENTITY = "entity"
LOST = {ENTITY: ["", ""]}
"""A value that could not be recorded."""

_ENTITIES = {
    kind.__name__: kind for kind in (Act, Agent, Proposal, Recipe, Subtask, Task, Utterance)
}


class NotRecordable(ValueError):
    """A value that no journal can hold, or an entity that is no more."""


def to_record(value: object) -> object:
    """A value as plain data. Raises NotRecordable."""
    if type(value).__name__ in _ENTITIES and (name := getattr(value, "__treec_name__", None)):
        return {ENTITY: [type(value).__name__, str(name)]}
    if isinstance(value, Mapping):
        if ENTITY in value:
            raise NotRecordable(f"a mapping with the key '{ENTITY}'")
        return {key: to_record(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_record(item) for item in value]
    try:
        return freeze(value)
    except ValueError as error:
        raise NotRecordable(str(error)) from None


def from_record(data: object, team: Team) -> object:
    """The value that was recorded, with entities as they are now. Raises NotRecordable."""
    if isinstance(data, Mapping):
        if ENTITY in data:
            kind, name = data[ENTITY]
            entity = team.now.resolve(Named(kind), name) if kind else None
            if entity is None:
                raise NotRecordable(f"there is no {kind} '{name}'")
            return entity
        return {key: from_record(item, team) for key, item in data.items()}
    if isinstance(data, list | tuple):
        return tuple(from_record(item, team) for item in data)
    return data
