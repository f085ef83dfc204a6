"""What a name stands for, and what cannot be tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.api.find import find_library
from treec.files.library import Library
from treec_testing.skill_trial import CannotTry
from treec_testing.subjects import find_subjects

WAREHOUSE = Path(__file__).parents[2] / "engine/treec/templates/warehouse"


@pytest.fixture
def library() -> Library:
    return find_library(WAREHOUSE)


def test_names_of_all_kinds(library: Library) -> None:
    names = [
        *("charge", "warehouse.charging:Charge", "Operator_Talk", "hysteresis"),
        *("tests.testing.bad_environments:Good", "tests.testing.bad_workers:Good"),
        *("tests.testing.bad_parsers:good", "tests.testing.bad_nodes:Good"),
    ]
    kinds = [subject.kind for subject in find_subjects(library, names, "", {})]
    first = ["worker", "worker", "parser", "node class"]
    assert kinds == [*first, "environment", "worker", "parser", "node class"]


def test_what_is_given_counts_more_than_the_file(library: Library) -> None:
    target = "warehouse.charging:Charge"
    (subject,) = find_subjects(library, [target], "worker", {"arguments": ("level",)})
    assert subject.about == "worker that no file names"
    assert subject.bench().arguments == ("level",)


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("chrge", "", "unknown code 'chrge'; did you mean 'charge'?"),
        ("charge", "parser", "unknown parser 'charge'"),
        (
            "nothing_here",
            "",
            "unknown code 'nothing_here'; specify a name from a file, or module:Class",
        ),
        ("warehouse.nothing:Here", "", "cannot be imported: ModuleNotFoundError"),
        ("warehouse.charging:FULL", "", "neither a py_trees behaviour"),
    ],
)
def test_what_cannot_be_tried(name: str, kind: str, says: str, library: Library) -> None:
    with pytest.raises(CannotTry, match=says):
        list(find_subjects(library, [name], kind, {}))
