from __future__ import annotations

import pytest

from treec.check.fields import CHOICES, FIELDS, SOURCE, SUBTASK_STATUS
from treec.files.types import TEAM
from treec.team import entities
from treec.team.state import FINISHED


@pytest.mark.parametrize("name", FIELDS)
def test_the_checker_knows_the_fields_that_entities_have(name: str) -> None:
    assert set(FIELDS[name]) == set(getattr(entities, name).treec_fields)


def test_every_type_of_the_team_has_fields_or_is_an_agent() -> None:
    assert set(TEAM) - set(FIELDS) == {"Robot", "Person"}


def test_statuses_are_those_that_the_team_sets() -> None:
    assert set(FINISHED) <= set(CHOICES[SUBTASK_STATUS.name])
    assert "scene" in CHOICES[SOURCE.name]
