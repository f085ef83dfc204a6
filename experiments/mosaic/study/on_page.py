"""A participant's sessions on a page: instructions, the conversation, the questions, one by one.

The run goes on in the thread that signals reach, the page's server in its own. Whoever takes part
sees what was said and who does what, and nothing that tells planners apart.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING

from experiments.mosaic.study.files import StudyQuestion
from experiments.mosaic.study.folder import SessionAnswers, StudyFolder, why_unfit
from experiments.mosaic.study.page_app import make_study_app
from experiments.mosaic.study.sessions import count_sessions, status_of_session, talk
from treec.cli.common import Stop
from treec.cli.display import RunDisplay
from treec.cli.interrupts import handle_interrupts
from treec.cli.terminal_text import safe
from treec.run.folder import JOURNAL
from treec.run.live_run import MAX_WORDS, LiveRun, OrderRefused, RunOver
from treec.run.run_status import status_of
from treec.world.spec import ModelOptions
from treec_serve.runs import NoSuchRun, RunArchive
from treec_serve.server import PageServer

if TYPE_CHECKING:
    from experiments.mosaic.study.assignment import StudySession
    from treec.files.library import Library
    from treec.run.run import Run, RunOutcome

SEEN = 10.0
"""Real seconds in which a page that is open asks again, and so learns that all is done."""


class NotOfThisStage(OrderRefused):
    """What was sent does not belong to what the page shall show now; the text says why."""

    def __init__(self, text: str) -> None:
        super().__init__(text, 400)


class StudyDesk:
    """What the page shows at the moment, and what it has sent. Safe to use from any thread."""

    def __init__(self, folder: StudyFolder) -> None:
        self.folder = folder
        self.ended = threading.Event()
        """Set by whoever runs the study: nothing more is waited for."""
        self.seen = threading.Event()
        """Set once a page has got the last stage."""
        self._lock = threading.Lock()
        self._number = 0
        self._stage: dict[str, object] = {"stage": "wait"}
        self._session: StudySession | None = None
        self._run: tuple[LiveRun, StudyDisplay, Run] | None = None
        self._sent: queue.Queue[Mapping[str, object]] = queue.Queue()
        self._archive = RunArchive(folder.path)

    def show(
        self,
        stage: str,
        about: Mapping[str, object] = MappingProxyType({}),
        session: StudySession | None = None,
    ) -> None:
        """Show the next stage: instructions, talk, survey or done."""
        with self._lock:
            self._number += 1
            self._session = session
            self._stage = {"stage": stage, **about}

    def begin(self, run: tuple[LiveRun, StudyDisplay, Run] | None) -> None:
        """A conversation goes on, or has ended (None)."""
        with self._lock:
            self._run = run

    def wait(self) -> Mapping[str, object] | None:
        """What the page sends for this stage; None if the study is ended."""
        while not self.ended.is_set():
            try:
                return self._sent.get(timeout=0.2)
            except queue.Empty:
                continue
        return None

    # What the page asks for

    def data(self) -> dict[str, object]:
        """All that the page shows."""
        with self._lock:
            number, stage, session, run = self._number, self._stage, self._session, self._run
        found: dict[str, object] = {"number": number, **stage}
        if stage["stage"] == "done":
            self.seen.set()
        if session is not None and stage["stage"] in ("talk", "survey"):
            with suppress(NoSuchRun):  # it has not begun yet
                found |= self._archive.talk(session.folder)
        if run is not None:
            found["stopped"] = run[0].data()["stopped"]
        return found

    def live(self) -> LiveRun:
        """The conversation that goes on. Raises RunOver."""
        with self._lock:
            if self._run is None:
                raise RunOver("nobody is talked to now")
            return self._run[0]

    def end(self, number: object) -> None:
        """End the conversation. Raises NotOfThisStage and RunOver."""
        self._check(number, "talk")
        self.live()
        with self._lock:
            if self._run is not None:
                _, display, run = self._run
                display.finish(run)

    def send(self, number: object, stage: str, body: Mapping[str, object]) -> None:
        """Take what the page sends at the end of a stage. Raises NotOfThisStage."""
        self._check(number, stage)
        if stage == "survey":
            body = read_answers(self.folder.study.questions, body)
        with self._lock:  # once for each stage
            if number != self._number:
                raise NotOfThisStage("that was sent before")
            self._number += 1
            self._stage = {"stage": "wait"}
        self._sent.put(body)

    def _check(self, number: object, stage: str) -> None:
        with self._lock:
            if number != self._number or self._stage["stage"] != stage:
                raise NotOfThisStage("the page is out of date: it is shown anew")


class StudyDisplay(RunDisplay):
    """The conversation of a page: the terminal shows nothing of it, for it may be seen."""

    live = True

    def __init__(self, desk: StudyDesk, chat: bool, show: Callable[[], None]) -> None:
        """``show`` lets the page show it, once it can be talked to."""
        super().__init__(sys.stdout)
        self.real = chat
        self._desk = desk
        self._show = show

    def run(self, run: Run) -> RunOutcome:
        """Run it; a message to the run ends a wait for its clock."""
        assert run.folder is not None
        live = LiveRun(run.folder.name, run)
        self.wait = run.inbox.wait
        self._desk.begin((live, self, run))
        self._show()
        try:
            return super().run(run)
        finally:
            self._desk.begin(None)
            live.end()

    def finish(self, run: Run) -> None:
        """End the conversation, as its participant wants; from any thread."""
        super().stop(run)

    def stop(self, run: Run) -> None:
        """End it and the study, as a signal wants."""
        self._desk.ended.set()
        super().stop(run)

    def on_record(self, record: object) -> None:
        """Show nothing."""


def serve_sessions(
    library: Library,
    folder: StudyFolder,
    sessions: Sequence[StudySession],
    speed: float | None,
    options: ModelOptions,
    port: int,
) -> None:
    """Run a participant's sessions, each until its questions are answered. Raises Stop."""
    desk = StudyDesk(folder)
    try:
        server = PageServer(port)
    except OSError as error:
        raise Stop(f"port {port} cannot be used: {error.strerror}") from None
    with server, handle_interrupts(desk.ended.set):
        server.start(make_study_app(desk, server.token, server.hosts))
        print(f"{server.url}\nCtrl-C ends it; called again, it goes on.", flush=True)
        for session in sessions:
            with folder.holding(session):
                if folder.answers(session) is None:
                    _serve_session(library, desk, session, speed, options)
        desk.show("done")
        desk.seen.wait(SEEN)


def _serve_session(
    library: Library,
    desk: StudyDesk,
    session: StudySession,
    speed: float | None,
    options: ModelOptions,
) -> None:
    folder = desk.folder
    status = status_of_session(folder, session)
    number = count_sessions(folder, session.participant)
    about: dict[str, object] = {
        "participant": session.participant,
        "conversation": session.number,
        "of": number,
        "instructions": folder.study.instructions,
        "dish": session.recipe,
        "resumed": status is not None,
    }
    print(
        f"Participant {session.participant}, conversation {session.number} of {number}", flush=True
    )
    if status is None or status.state == "broken":
        desk.show("instructions", about)
        if desk.wait() is None:
            raise Stop("ended: call it again to go on", 1)
        talk(
            library,
            folder,
            session,
            speed,
            options,
            resume=status is not None,
            show=lambda chat: StudyDisplay(desk, chat, lambda: desk.show("talk", about, session)),
        )
        if desk.ended.is_set() or status_of(folder.of(session) / JOURNAL).state == "broken":
            raise Stop("the conversation broke off; call it again to go on", 1)
    desk.show("survey", {**about, "questions": _questions(folder.study.questions)}, session)
    sent = desk.wait()
    if sent is None:
        raise Stop(
            f"the questions of {session.folder} are not answered; call it again to be asked", 1
        )
    folder.write(SessionAnswers(session=session, simulated=False, **sent))  # type: ignore[arg-type]


def _questions(questions: Mapping[str, StudyQuestion]) -> list[dict[str, object]]:
    found = []
    for name, one in questions.items():
        scale = one.scale
        ends = {} if scale is None else {"most": scale.to, "low": scale.low, "high": scale.high}
        least = 0 if scale is None else scale.from_
        found.append({"name": name, "ask": one.ask, "least": least, **ends})
    return found


def read_answers(
    questions: Mapping[str, StudyQuestion], body: Mapping[str, object]
) -> dict[str, object]:
    """The answers that a page sends, and what was written about them. Raises NotOfThisStage."""
    answers, instances = body.get("answers"), body.get("instances", {})
    if not isinstance(answers, Mapping) or not isinstance(instances, Mapping):
        raise NotOfThisStage("answers are numbers by question")
    if {*answers} != {*questions} or not {*instances} <= {*questions}:
        raise NotOfThisStage("please answer all questions")
    for name, value in answers.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise NotOfThisStage(f"'{questions[name].ask}': please answer with a whole number")
        if (why := why_unfit(questions[name], value)) is not None:
            raise NotOfThisStage(f"'{questions[name].ask}': {why}")
    words = {name: text for name, text in instances.items() if isinstance(text, str)}
    if any(len(text) > MAX_WORDS for text in words.values()):
        raise NotOfThisStage(f"please write at most {MAX_WORDS} characters")
    kept = {name: safe(_whole(text)).strip() for name, text in words.items()}
    return {"answers": dict(answers), "instances": {n: text for n, text in kept.items() if text}}


def _whole(text: str) -> str:
    """A text without halves of pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode()
