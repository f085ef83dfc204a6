"""The evaluation of household episodes: every episode under every setting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from experiments.helper.carry_out import TrialSettings, episode_view
from experiments.helper.dialogue_trial import SYSTEM, EpisodeMemory, ProgramModel, converse
from experiments.helper.episodes import Episode, EpisodeError, unknown_objects
from experiments.helper.goals import Definitions
from experiments.helper.measure import (
    EpisodeTrial,
    TrialSummary,
    goal_of,
    judge,
    summarize,
    try_episode,
    why_no_goal,
)
from experiments.helper.nearest import other_program
from experiments.helper.sessions import session_of, try_session
from treec.files.library import Library
from treec.files.view import View
from treec.nodes.pairs import Embedder
from treec_memory.embedders import LexicalEmbedder

_WHOLE: dict[str, Any] = {"programs": "helper", "sight": "partial"}
ABLATIONS: Sequence[dict[str, Any]] = (
    _WHOLE,
    {**_WHOLE, "memory": False},
    {**_WHOLE, "repairs": "ignore"},
    {**_WHOLE, "correction": False},
    {**_WHOLE, "locator": False},
    {**_WHOLE, "feedback": 1},
    {**_WHOLE, "feedback": 2},
)
"""HELPER as a whole; without memory, precondition checks, correction, locator; with feedback: the
rows of the paper's Table 2."""

_OWN: dict[str, Any] = {
    "sight": "embodied",
    "eyes": "small",
    "reasons": "picture",
    "depth_error": 0.02,
}
_DEPTH: dict[str, Any] = {"depth_error": 0.0}
_MASKS: dict[str, Any] = {"eyes": "true"}
EMBODIED: Sequence[dict[str, Any]] = (
    _OWN,
    {**_OWN, "repairs": "ignore"},
    {**_OWN, "locator": False},
    {**_OWN, "reasons": "none"},
    {**_OWN, "reasons": "oracle"},
    {**_OWN, **_DEPTH},
    {**_OWN, **_MASKS},
    {**_OWN, **_DEPTH, **_MASKS},
    {**_OWN, **_DEPTH, **_MASKS, "reasons": "oracle"},
)
"""Recorded programs by an embodied robot with its own eyes; without precondition checks; without
the locator; with no reasons of failures, and with the simulator's; with true depth, true masks,
both, and all."""


@dataclass
class Evaluation:
    """All trials, their summaries by setting, and what was left out, in words."""

    trials: list[EpisodeTrial] = field(default_factory=list)
    summaries: list[TrialSummary] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    without_goal: list[str] = field(default_factory=list)
    """Episodes of tasks whose goal is not known, in words: only their changes are judged."""


def evaluate(
    library: Library,
    episodes: Sequence[Episode],
    definitions: Definitions,
    settings: Sequence[TrialSettings],
    *,
    model: ProgramModel | None = None,
    embedder: Embedder | None = None,
    advance: Callable[[], None] = lambda: None,
    tell: Callable[[str], None] = lambda text: None,
    sessions: bool = False,
) -> Evaluation:
    """Try every episode under every setting; ``advance`` is called after each trial.

    What is left out is told as soon as it is found. An episode's recorded program, with full sight
    and all repairs, gives the length that paths are weighted by; those of embodied robots are
    weighted by the shortest with which one of their settings did the task; those of TEACh's own
    files by what was recorded. ``sessions``: what
    follows of each program from its middle on is carried out, and judged by its changes. Without
    ``embedder`` the lexical one finds the nearest dialogues. Raises EmbedderFault.
    """
    found, embedder = Evaluation(), embedder or LexicalEmbedder()
    shortest, recorded = dict[str, int](), dict[str, int]()
    with TemporaryDirectory() as folder:
        memory = EpisodeMemory(Path(folder), episodes, embedder)
        trial = _Trial(library, episodes, definitions, memory, embedder, model)
        for episode in episodes:
            try:
                view = episode_view(library, episode)
                if sessions:
                    found.trials += _sessions(view, episode, settings, found, advance)
                    continue
                for told in unknown_objects(episode, view.types).values():
                    tell(f"object left out: {told}")
                for told in episode.told:
                    tell(told)
                no_goal = why_no_goal(episode, definitions)
                if no_goal:
                    found.without_goal.append(no_goal)
                    tell(f"no goal: {no_goal}")
                best = TrialSettings(seed=settings[0].seed)
                first = try_episode(view, episode, definitions, best)
                if episode.length is not None:
                    recorded[episode.id] = episode.length
                if first.done:
                    shortest[episode.id] = first.steps
                advance()
                for one in settings:
                    found.trials.append(first if one == best else trial(episode, one))
                    advance()
            except EpisodeError as error:
                found.left_out.append(str(error))
                tell(f"left out: {error}")
    for one in settings:
        own = [trial for trial in found.trials if trial.settings == one]
        lengths = shortest
        if one.sight == "embodied" or sessions:
            lengths = _shortest(t for t in found.trials if t.settings.sight == one.sight)
        found.summaries += [summarize(own, {**lengths, **recorded})] if own else []
    return found


def _shortest(trials: Iterable[EpisodeTrial]) -> dict[str, int]:
    """The fewest steps with which each episode was done."""
    found: dict[str, int] = {}
    for trial in trials:
        if trial.done:
            found[trial.episode] = min(trial.steps, found.get(trial.episode, trial.steps))
    return found


def _sessions(
    view: View,
    episode: Episode,
    settings: Sequence[TrialSettings],
    found: Evaluation,
    advance: Callable[[], None],
) -> Iterator[EpisodeTrial]:
    session = session_of(view, episode)
    advance()
    if session is None:
        found.left_out.append(f"episode {episode.id}: nothing changes after its middle")
    for one in settings:
        if session is not None:
            yield try_session(view, episode, session, one)
        advance()


@dataclass
class _Trial:
    library: Library
    episodes: Sequence[Episode]
    definitions: Definitions
    memory: EpisodeMemory
    embedder: Embedder
    model: ProgramModel | None

    def __call__(self, episode: Episode, settings: TrialSettings) -> EpisodeTrial:
        """One episode under one setting. Raises EpisodeError."""
        if settings.programs == "helper":
            view = episode_view(self.library, episode, SYSTEM)
            goal = goal_of(episode, self.definitions)
            outcome = converse(view, episode, goal, settings, self.memory, self.model)
            return judge(view, episode, goal, settings, outcome)
        view = episode_view(self.library, episode)
        program = None
        if settings.programs != "recorded":
            how = settings.programs
            program = other_program(self.episodes, episode, how, self.embedder)
        return try_episode(view, episode, self.definitions, settings, program)
