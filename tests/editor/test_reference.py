"""What `treec explain WORD` prints of kinds of files, nodes, names and actions."""

from __future__ import annotations

import pytest

from treec.files.kinds import MODELS
from treec.files.nodes import MODIFIERS, node_specs
from treec.source.errors import TreecError
from treec.source.registry import FILTERS
from treec_editor import reference


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("scene", ["scene (kind of file): Objects", "objects: name → ObjectSpec, required"]),
        ("parallel", ["parallel (node): Ticks", "parallel: {success: …}: whole number, default"]),
        ("retry", ["retry (key of any node)", "retry: {every: …}: duration, required"]),
        ("while", ["while (key of any node)", "while: expression"]),
        ("now", ["now: Seconds since the run began.", "  number"]),
        ("status", ["status(who): The status", "  status(who), gives text"]),
        ("age", ["age(fact(…)): Seconds since"]),
        ("selectattr", ["value | selectattr(attribute) (filter)"]),
        ("assign", ["assign (high-level action): Give", "subtasks: list of Subtask, required"]),
        ("skill", ["skill (kind of file)", "skill (node)"]),
    ],
)
def test_a_word_is_explained(word: str, lines: list[str]) -> None:
    told = reference.explain(word).splitlines()
    for line in lines:
        assert any(one.startswith(line) for one in told), (line, told)


def test_every_kind_node_modifier_and_filter_is_explained() -> None:
    words = (*MODELS, *MODIFIERS, *(spec.key for spec in node_specs()), *FILTERS)
    for word in {word for word in words if word.isidentifier()}:
        assert word in reference.explain(word).splitlines()[0]


@pytest.mark.parametrize(
    ("word", "help"), [("parralel", "did you mean 'parallel'?"), ("qqq", "'treec explain all'")]
)
def test_an_unknown_word_gets_the_nearest(word: str, help: str) -> None:
    with pytest.raises(TreecError, match="unknown rule, kind of file, node or name") as raised:
        reference.explain(word)
    assert help in str(raised.value)
