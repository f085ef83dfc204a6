"""All cases of a library with their recordings: judged, saved and pruned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from treec.files.library import Library
from treec_testing.decisions.authors import BESIDE, author_of_answer, case_of, with_authors
from treec_testing.decisions.case_files import load_cases
from treec_testing.decisions.cases import RECORDINGS, CaseError, DecisionCase
from treec_testing.decisions.findings import CaseFinding, Tally
from treec_testing.decisions.judge import SnapshotResult, judge, judge_played, unreadable
from treec_testing.decisions.system_cases import SystemCase, is_answer, load_system_cases, play
from treec_testing.pool.library import InLibrary
from treec_testing.pool.spread import HERE, Pool, in_order
from treec_testing.recordings.folder import RecordingFolder
from treec_testing.recordings.recording import Recording, RecordingError

PRUNE = "treec snapshot --prune"

AnyCase = DecisionCase | SystemCase


@dataclass
class Snapshot:
    """The cases of a library and their recordings."""

    library: Library
    folder: RecordingFolder
    cases: list[DecisionCase]
    """Those of single nodes."""
    systems: list[SystemCase]
    """Those of whole systems, one for each author of answers."""
    recordings: dict[str, Recording]
    broken: dict[str, str]
    """Ids of unreadable recordings, with file, line and reason."""

    @classmethod
    def open(cls, library: Library) -> Snapshot:
        """Read the cases and the recordings; unreadable ones go to ``broken``. Raises CaseError."""
        recordings: dict[str, Recording] = {}
        broken: dict[str, str] = {}
        folder = RecordingFolder(library.root / RECORDINGS, library.root)
        for path in folder.files():
            id = path.relative_to(folder.path).as_posix().removesuffix(".yaml")
            try:
                recordings[id] = folder.read(path)
            except RecordingError as error:
                broken[id] = str(error)
        cases = list(with_authors(load_cases(library), (*recordings, *broken)))
        systems = load_system_cases(library, recordings, broken)
        where = {case.id: case.where for case in cases}
        for case in systems:
            if case.id in where:
                message = f"{case.id} is already the name of the case in {where[case.id]}"
                raise CaseError(f"{case.where}: {message}")
        return cls(library, folder, cases, systems, recordings, broken)

    @property
    def root(self) -> Path:
        """The library's folder."""
        return self.library.root

    @property
    def every(self) -> list[AnyCase]:
        """All cases."""
        return [*self.cases, *self.systems]

    def judge(
        self,
        chosen: Iterable[AnyCase],
        *,
        unused: bool = True,
        pool: Pool = HERE,
        tell: Callable[[], None] = lambda: None,
    ) -> Tally:
        """Answer cases from their recordings, and play those of systems.

        ``tell`` is called after each. Raises CaseError.
        """
        tally = self.tally()
        judged: Iterable[Tally] = map(self.judge_alone, chosen)
        if not pool.is_here():
            run = InLibrary(_judge_elsewhere, self.library)
            judged = in_order(run, [case.id for case in chosen], pool)
        for one in judged:
            tally.add(one)
            tell()
        if unused:
            tally.findings += self.unused()
        return tally

    def judge_alone(self, case: AnyCase) -> Tally:
        """The totals of one case. Raises CaseError."""
        tally = Tally([case.id])
        if isinstance(case, SystemCase):
            self._play(case, tally)
        else:
            self._answer(case, tally)
        return tally

    def tally(self) -> Tally:
        """Totals of nothing yet, which know how many cases each node has."""
        return Tally(sizes=Counter(case.id.rpartition("/")[0] for case in self.every))

    def judge_case(self, case: DecisionCase) -> SnapshotResult:
        """A case answered from its recording. Raises CaseError."""
        why = self.broken.get(case.id)
        if why is None:
            return judge(case, self.recordings.get(case.id))
        return SnapshotResult(case, None, findings=[unreadable(case, why)])

    def _play(self, case: SystemCase, tally: Tally) -> None:
        reasons = [why for id, why in self.broken.items() if id.startswith(f"{case.id}/")]
        if reasons:
            tally.findings.append(unreadable(case, "\n".join(reasons)))
            return
        result = play(case)
        tally.findings += judge_played(result)
        if not result.missed:
            tally.count_played(result)

    def _answer(self, case: DecisionCase, tally: Tally) -> None:
        judged = self.judge_case(case)
        tally.findings += judged.findings
        recording, decided = judged.recording, judged.decided
        if recording is None or decided is None or judged.stale:
            return
        same = None
        if judged.expected is not None:
            same = case.is_equivalent(judged.expected, decided.decision)
        tally.count(recording.by, same)
        rate = tally.rates.of(case_of(case.id), author_of_answer(recording.by))
        rate.count(same)
        rate.spend(*recording.attempts)
        if recording.instead_of is not None and same is False and recording.because:
            tally.accepted[case.id] = recording.because

    def unused(self) -> list[CaseFinding]:
        """Findings for recordings that no case uses, and for parts that no recording uses."""
        files = {id: f"{RECORDINGS}/{id}.yaml" for id in self._unused_recordings()}
        parts = [path.relative_to(self.root).as_posix() for path in self._unused_parts()]
        text = "no recording refers to this part"
        return [
            *(CaseFinding("unused", i, "no case asks this", PRUNE, f) for i, f in files.items()),
            *(CaseFinding("unused", file, text, PRUNE, file) for file in parts),
        ]

    def prune(self) -> list[str]:
        """Delete what `unused` finds, and store parts of older recordings apart.

        Returns a line for each. Raises RecordingError.
        """
        done = []
        for id in self._unused_recordings():
            self._delete(id)
            done.append(f"deleted the recording of {id}")
        for id in self.recordings:
            if self.folder.detach_parts(self._file(id)):
                done.append(f"stored the parts of {id} apart")
        return done + self.prune_parts()

    def prune_parts(self) -> list[str]:
        """Delete the parts that no recording uses. Returns a line for each."""
        done = []
        for path in self._unused_parts():
            path.unlink()
            done.append(f"deleted {path.relative_to(self.root).as_posix()}")
        return done

    def save(self, id: str, recording: Recording) -> Path:
        """Write a recording. Raises RecordingError."""
        path = self._file(id)
        self.folder.write(path, recording)
        self.recordings[id] = recording
        self.broken.pop(id, None)
        if BESIDE in id and all(case.id != id for case in self.cases):
            own = (case for case in self.cases if BESIDE not in case.id)
            self.cases = list(with_authors(list(own), (*self.recordings, *self.broken)))
        return path

    def save_answers(self, case: SystemCase, answers: Mapping[str, Recording]) -> None:
        """Write the answers in a case of a system, in place of older ones.

        Raises RecordingError.
        """
        for id in [i for i in (*self.recordings, *self.broken) if i.startswith(f"{case.id}/")]:
            if id not in answers:
                self._delete(id)
        for id, recording in answers.items():
            self.save(id, recording)
        fresh = replace(case, recordings=tuple(answers.values()))
        self.systems = [other for other in self.systems if other.id != case.id] + [fresh]

    def _unused_recordings(self) -> list[str]:
        known = {case.id for case in self.cases}
        names = {case.entry.name for case in self.systems}
        every = (*self.recordings, *self.broken)
        return [id for id in every if id not in known and not any(is_answer(id, n) for n in names)]

    def _unused_parts(self) -> list[Path]:
        """None while a recording cannot be read: it may use any."""
        return [] if self.broken else self.folder.unused_parts(self.recordings.values())

    def _delete(self, id: str) -> None:
        self._file(id).unlink()
        self.recordings.pop(id, None)
        self.broken.pop(id, None)

    def _file(self, id: str) -> Path:
        return self.folder.path / f"{id}.yaml"


def _judge_elsewhere(library: Library, id: str) -> Tally:
    """The totals of one case, in a worker, which opens the cases once."""
    if Snapshot not in library.results:
        library.results[Snapshot] = Snapshot.open(library)
    snapshot = library.results[Snapshot]
    assert isinstance(snapshot, Snapshot)
    return snapshot.judge_alone(next(case for case in snapshot.every if case.id == id))
