"""Simulated participants: the user of `mosaic.planner`, and answers derived by a rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from experiments.mosaic.judge import Verdict
from experiments.mosaic.kitchen import Kitchen
from experiments.mosaic.plan import TrialPlan, fill_in
from experiments.mosaic.study.assignment import StudySession
from experiments.mosaic.study.files import StudyFile, StudyQuestion
from experiments.mosaic.trial import MosaicTrial, TrialSetup, run_trial
from treec.ask.asker import OpenedModel
from treec.files.library import Library
from treec.files.view import View
from treec.run.clocks import SteppingClock
from treec.run.folder import JOURNAL, read_meta, write_meta, write_summary
from treec.run.run import Run
from treec.run.salvage import read_sound
from treec.run.summary import summarize, summary_data
from treec.world.journal import Journal
from treec.world.spec import RunSpec

REQUIRED = ("A", "C", "D")
"""What MOSAIC's participants were told to do at least: not to name the recipe, to intervene in an
assignment, and to add something that the recipe lacks (appendix G)."""

MORE = ("B", "C", "D")
"""What they may do beyond that, at most once each and up to ``MOST_MORE`` in all."""

MOST_MORE = 3

RULE = (
    "counted by the judge of experiments.mosaic.planner in what happened: one for each time; on a "
    "scale, one step from its good end for each, to the other end at most"
)
"""How the answers of a simulated participant come about."""


def plan_of(session: StudySession, study: StudyFile, kitchen: Kitchen) -> TrialPlan:
    """What a participant does: the same with each planner."""
    rng = random.Random(f"participant {study.seed} {session.participant} {session.recipe}")
    modes = [*REQUIRED, *rng.sample(MORE, rng.randint(0, MOST_MORE))]
    return TrialPlan("study", session.recipe, fill_in(kitchen, session.recipe, modes, rng))


def run_simulated(
    setup: TrialSetup,
    session: StudySession,
    study: StudyFile,
    folder: Path,
    library: Library,
    model: OpenedModel | None = None,
) -> Verdict:
    """Run a session into a new folder, as `treec run` would, and judge it."""
    plan = plan_of(session, study, setup.kitchen)

    def make_run(view: View, journal: Journal, seed: int) -> Run:
        about = {
            "system": session.system,
            "scenario": None,
            "started": datetime.now().astimezone().isoformat(timespec="seconds"),
            "library": str(library.root),
            "simulated": True,
        }
        write_meta(folder, {**read_meta(folder), **about})
        name, transport = (model.name, model.transport) if model else (None, None)
        return Run(
            view,
            SteppingClock(),
            journal,
            RunSpec(seed=seed, model=name),
            transport=transport,
            folder=folder,
        )

    # The same index and repetition for each planner: the participant speaks in the same way.
    trial = MosaicTrial("study", plan, session.participant, 0, study.seed)
    result = run_trial(setup, trial, folder, make_run)
    write_summary(folder, summary_data(summarize(read_sound(folder / JOURNAL).records)))
    return result.verdict


def derive_answers(study: StudyFile, verdict: Verdict) -> Mapping[str, int]:
    """The answers of a simulated participant, by ``RULE``."""
    times = Counter(violation.promise for violation in verdict.violations)
    times["misunderstood"] = len(verdict.misunderstood)
    return {
        name: _answer(question, times[str(question.measures)])
        for name, question in study.questions.items()
    }


def _answer(question: StudyQuestion, times: int) -> int:
    scale = question.scale
    if scale is None:
        return times
    if scale.good == "low":
        return min(scale.from_ + times, scale.to)
    return max(scale.to - times, scale.from_)
