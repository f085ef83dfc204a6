"""The process of its own in which trials are made: a request on stdin, results as lines of JSON."""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import sys
import traceback

from treec.api.errors import TreecError
from treec.api.find import find_library
from treec.nodes.environment import EnvironmentUnavailable
from treec_testing import isolation
from treec_testing.isolation import (
    PREPARING,
    TooSlow,
    definition_place,
    misbehaviour_of,
    watch,
)
from treec_testing.report import BUG
from treec_testing.skill_trial import CannotTry
from treec_testing.subjects import Subject, find_subjects
from treec_testing.trial import TRIALS, CodePlace, Misbehaviour, NotApplicable, Trial


def main() -> None:
    """Make the trials of a request, and end whatever threads are left."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what the code prints is no answer
    names, where, kind, given = pickle.load(sys.stdin.buffer)
    faulthandler.enable()
    leave = os._exit

    def exit_noted(status: int) -> None:
        faulthandler.dump_traceback(all_threads=False)
        leave(status)

    setattr(os, "_exit", exit_noted)  # noqa: B010 (what its type does not allow)
    isolation.is_isolated = True

    def answer(**message: object) -> None:
        print(json.dumps(message), file=answers, flush=True)

    watch("importing it", PREPARING)
    try:
        library = find_library(where, or_none=where is None)
        for subject in find_subjects(library, names, kind, given):
            trials = [TRIALS[id] for id in sorted(TRIALS) if TRIALS[id].kind == subject.kind]
            answer(subject=f"{subject.name} ({subject.about})", trials=[t.id for t in trials])
            for trial in trials:
                wrong, place, not_tried = make_trial(subject, trial)
                answer(wrong=wrong, place=place, not_tried=not_tried)
    except (CannotTry, TreecError) as error:
        answer(error=str(error))
    except Exception:
        traceback.print_exc()
        leave(BUG)
    leave(0)


def make_trial(subject: Subject, trial: Trial) -> tuple[str, CodePlace | None, str]:
    """What was wrong, where, and why it was not made."""
    watch("importing it", PREPARING)
    bench = None
    try:
        bench = subject.bench()
        try:
            trial.play(bench)
        except TooSlow:  # a busy machine may hold up one call, but hardly two
            trial.play(subject.bench())
    except (CannotTry, EnvironmentUnavailable, NotApplicable) as error:
        return "", None, str(error)
    except Misbehaviour as error:
        place = error.place or definition_place(bench.code if bench else None, trial.method)
        return str(error), place, ""
    except Exception as error:  # of what is not called by ``contain``: an environment's step
        found = misbehaviour_of("its environment", error)
        if found.place is None:
            raise
        return str(found), found.place, ""
    return "", None, ""


if __name__ == "__main__":
    main()
