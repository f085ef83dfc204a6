"""Examples in a prompt: rendered once, and again when something else that they read changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.nodes.test_decide import DECISION, bench
from tests.support.bench import Bench
from treec.ask.transport import NEVER
from treec_asking.examples import example_values

EXAMPLE = "examples:\n  - {given: {level: 7}, answer: {choose: A}}\n"


def asked(folder: Path, observation: str, decision: str = DECISION) -> Bench:
    text = f"{decision}instructions: Choose.\n{EXAMPLE}observation: '{observation}'\n"
    return bench(folder, decision=text, answers={"D": (NEVER,)})


def example(b: Bench) -> str:
    """What the example shows, in the prompt of this moment."""
    node: Any = b.nodes["main"]
    node.seen = None
    shown: str = node.question().messages[1].content
    return shown


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What examples give, each time that one is read."""
    found: list[object] = []

    def noted(knowledge: Any, names: Any, given: Any) -> dict[str, object]:
        found.append(given)
        return example_values(knowledge, names, given)

    monkeypatch.setattr("treec_asking.prompt.example_values", noted)
    return found


def test_what_it_gives_is_rendered_once(tmp_path: Path, parsed: list[object]) -> None:
    b = asked(tmp_path, "level {{ level }}")
    first = example(b)
    assert "level 7" in first
    b.set(level=2, mood="angry")
    assert example(b) == first
    assert parsed == [{"level": 7}]


def test_what_it_reads_of_the_world_is_that_of_the_moment(tmp_path: Path) -> None:
    b = asked(tmp_path, "level {{ level }}, {{ mood }}")
    assert "level 7, calm" in example(b)
    b.set(mood="angry")
    assert "level 7, angry" in example(b)


def test_facts_are_those_of_the_moment(tmp_path: Path) -> None:
    b = asked(tmp_path, '{{ at("salt") }}')
    assert "pantry" in example(b)
    b.emit("fact.set", fact="at", args=["salt"], value="table", source="told")
    assert "table" in example(b)


def test_options_are_those_of_the_moment(tmp_path: Path, parsed: list[object]) -> None:
    when = f"{DECISION}only_when: {{B: mood == 'calm'}}\n"
    b = asked(tmp_path, '{{ options | join("/") }} at {{ level }}', when)
    assert "A/B at 7" in example(b)
    assert "A/B at 7" in example(b)
    assert len(parsed) == 1
    b.set(mood="angry")
    assert "A at 7" in example(b)
    b.set(mood="calm")
    assert "A/B at 7" in example(b)


def test_other_knowledge_has_examples_of_its_own(tmp_path: Path) -> None:
    """As after the files were edited in a run."""
    from treec.team.knowledge import Knowledge

    b = asked(tmp_path, "level {{ level }}")
    example(b)
    knowledge = b.team.knowledge
    assert knowledge.kept
    assert not Knowledge(knowledge.view).kept
