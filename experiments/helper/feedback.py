"""What a simulated user answers when asked whether a task is done (HELPER, appendix B)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from experiments.helper.goals import GoalCondition

SATISFIED = "Yes, perfect."
"""The answer when every goal condition holds."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def feedback(conditions: Iterable[GoalCondition]) -> str:
    """The conditions that do not hold, as the paper's sentences, each once."""
    missing = [one for one in conditions if not one.met]
    if not missing:
        return SATISFIED
    said = (
        f"You failed to complete the subtask: {one.subtask.rstrip('.')}. "
        f"For the object {_words(one.kind)}: {_words(one.words)}"
        for one in missing
    )
    return " ".join(dict.fromkeys(said))


def _words(text: str) -> str:
    """A text in which names of classes are words: a TomatoSliced is a tomato slice."""
    found = [
        _CAMEL.sub(" ", word.replace("Sliced", "Slice")).lower() if _CAMEL.search(word) else word
        for word in text.split(" ")
    ]
    return " ".join(found)
