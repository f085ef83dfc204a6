"""Why a subtask's words match no task, and what would."""

from __future__ import annotations

from tests.support.library import WAREHOUSE
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.check.task_words import spared_words, task_words
from treec.world.spec import RunSpec


def test_a_slip_is_told_what_is_meant_unless_it_is_spared() -> None:
    """Of scenarios and expressions nothing is spared: their help was lost with a recipe's."""
    library = find_library(WAREHOUSE)
    view = prepare(library, find_system(library, "warehouse"), RunSpec()).view
    words = task_words(view)
    assert words is not None
    slip = words.wrong("fetch crate12")
    assert slip is not None
    assert (slip.help, slip.slip, slip.severity) == (
        "did you mean 'fetch crate 12'?",
        True,
        "error",
    )
    for language, names, help in (
        (None, ["crate 31"], slip.help),
        (None, ["Crate12"], None),
        (None, ["crate123", "crate1"], slip.help),
        (None, ["two crate12s"], None),
        ("de", [], None),
        ("en", [], slip.help),
    ):
        found = words.wrong("fetch crate12", spared_words(view, language, names))
        assert found is not None
        assert found.help == help, (language, names)
    verb = words.wrong("ftech crate 12", spared_words(view, "de", []))
    assert verb is not None
    assert (verb.help, verb.severity) == (None, "error")
