"""The judge: pure functions from a run's journal and its user's intents to a verdict.

It imports nothing else of treec (a test checks this): it interprets the JSON by rules of its own,
which are documented in docs/results/planner.md.
"""

from __future__ import annotations

from pathlib import Path

from .claims import find_false_claims
from .ignored_acts import find_ignored, find_misunderstood
from .ledger import Ledger, ledger_at
from .modes import judge_interactions
from .permission import find_unpermitted
from .story import JudgeError, Story, read_story
from .verdict import PROMISES, BrokenPromise, InteractionResult, Verdict

__all__ = [
    "PROMISES",
    "BrokenPromise",
    "InteractionResult",
    "JudgeError",
    "Ledger",
    "Story",
    "Verdict",
    "judge",
    "judge_files",
    "read_story",
]


def judge(story: Story) -> Verdict:
    """Judge a run: interactions passed, promises broken, duration."""
    end = ledger_at(story, None)
    recipe = story.head.get("recipe")
    own = [s for s in end.subtasks.values() if s.recipe == recipe]
    violations = [*find_unpermitted(story), *find_false_claims(story), *find_ignored(story)]
    return Verdict(
        passed=tuple(judge_interactions(story)),
        violations=tuple(sorted(violations, key=lambda v: (v.t, v.promise, v.what))),
        misunderstood=tuple(find_misunderstood(story)),
        user_turns=sum(1 for s in story.said if s.person),
        assistant_turns=sum(1 for s in story.said if not s.person),
        seconds=story.events[-1].t if story.events else 0.0,
        cooked=bool(own) and all(s.status == "done" for s in own),
    )


def judge_files(journal: Path, intents: Path) -> Verdict:
    """Judge the run of two files."""
    return judge(read_story(journal.read_text("utf-8"), intents.read_text("utf-8")))
