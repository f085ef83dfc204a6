"""Runs user studies and reports their statistics: Table 8 of MOSAIC's appendix G."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, group, open_library
from treec.cli.model_options import (
    ApiBaseOption,
    MaxCostOption,
    MaxTimeOption,
    MaxTokensOption,
    ModelOption,
    OfflineOption,
    open_chosen,
)
from treec.cli.progress import progress
from treec.cli.task_options import SpeedOption
from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from experiments.mosaic.study.assignment import StudySession
    from experiments.mosaic.study.files import StudyFile
    from experiments.mosaic.study.folder import StudyFolder
    from experiments.mosaic.trial import TrialSetup
    from treec.ask.asker import OpenedModel
    from treec.files.library import Library

HERE = Path(__file__).parent
REPORT = "python -m experiments.mosaic.study report"

command = group("study", "Run user studies and report their statistics.")


@command.command("run")
def run(
    study: Annotated[
        str,
        typer.Argument(
            metavar="STUDY",
            help="A study: its file, or the name of one of experiments/mosaic/study.",
        ),
    ],
    simulated: Annotated[
        bool,
        typer.Option(
            "--simulated", help="Simulate all participants; answers are derived by a rule."
        ),
    ] = False,
    participant: Annotated[
        int | None,
        typer.Option(
            "--participant",
            min=1,
            metavar="N",
            help="Who takes part (default: the first who has not answered everything and is not "
            "at it elsewhere).",
        ),
    ] = None,
    page: Annotated[
        bool,
        typer.Option(
            "--page", help="Talk and answer in a browser on this computer, not in the terminal."
        ),
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of --page; 0 takes a free one.")
    ] = 0,
    to: Annotated[
        Path | None,
        typer.Option("--to", help="Folder of the study (default: runs/study-NAME)."),
    ] = None,
    speed: SpeedOption = None,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    offline: OfflineOption = False,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    max_time: MaxTimeOption = None,
    library: LibraryOption = None,
) -> int:
    """Run a study: a participant's conversations and questions, or all simulated ones.

    What is done is kept; called again, it goes on with the next session that has no answers.
    """
    from experiments.mosaic.study.files import StudyError, read_study
    from experiments.mosaic.study.folder import StudyFolder

    if simulated and (participant is not None or speed is not None or page):
        raise Stop(
            "--simulated runs all on virtual time: leave --participant, --speed and --page out"
        )
    options = ModelOptions(model, api_base, offline, max_cost, max_tokens, max_time)
    found = open_library(library)
    try:
        definition = read_study(_find_study(study), found)
        _check(found, definition)
        name = f"study-{definition.study}" + ("-simulated" if simulated else "")
        folder = StudyFolder.prepare(to or found.runs / name, definition, simulated)
        if simulated:
            _simulate(found, folder, options)
        elif page:
            _serve_participant(found, folder, participant, speed, options, port)
        else:
            _run_participant(found, folder, participant, speed, options)
    except StudyError as error:
        raise Stop(str(error)) from None
    return 0


@command.command("report")
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a study.")],
    output_format: FormatOption = OutputFormat.text,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a figure (.svg).")
    ] = None,
) -> int:
    """Report a study: answers, success, time and talk for each planner, and t-tests."""
    import json

    from experiments.mosaic.study.chart import to_svg
    from experiments.mosaic.study.files import StudyError
    from experiments.mosaic.study.folder import StudyFolder
    from experiments.mosaic.study.report import make_study_report, to_json
    from experiments.mosaic.study.statistics import NoScipy
    from experiments.mosaic.study.table import to_text

    if output is not None and output.suffix != ".svg":
        raise Stop(f"'{output.name}': a figure's file name ends in .svg")
    try:
        found = make_study_report(StudyFolder.open(folder))
    except StudyError as error:
        raise Stop(str(error)) from None
    except NoScipy:
        raise Stop("the t-tests need scipy: pip install -r experiments/requirements.txt") from None
    if output_format is OutputFormat.json:
        print(json.dumps(to_json(found), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(to_text(found), end="")
    if output is not None:
        try:
            output.write_text(to_svg(found), "utf-8")
        except OSError as error:
            raise Stop(f"{output} cannot be written: {error.strerror}") from None
        print(f"{output}: written", file=sys.stderr)
    return 0


def _find_study(name: str) -> Path:
    """A file, or one of those beside this module by its name. Raises Stop."""
    from treec.source.diagnostics import unknown

    if Path(name).suffix in (".yaml", ".yml"):
        if not Path(name).is_file():
            raise Stop(f"no such file: {name}")
        return Path(name)
    known = {path.stem: path for path in HERE.glob("*.yaml")}
    if name not in known:
        raise Stop(unknown("study", name, known))
    return known[name]


def _check(library: Library, study: StudyFile) -> None:
    """Check the study's systems. Raises Stop."""
    from treec.api.errors import CheckFailed, TreecError
    from treec.api.prepare import require_no_errors

    for name in study.planners.values():
        system = library.find_system(name)
        assert system is not None  # read_study has looked
        try:
            require_no_errors(library, system)
        except CheckFailed as error:
            print(error.problems)
            raise Stop(str(error), 1) from None
        except TreecError as error:
            raise Stop(str(error)) from None


def _simulate(library: Library, folder: StudyFolder, options: ModelOptions) -> None:
    """Run all sessions that have no answers with simulated participants."""
    from experiments.mosaic.study.folder import SessionAnswers
    from experiments.mosaic.study.sessions import set_aside
    from experiments.mosaic.study.simulated import RULE, derive_answers, run_simulated
    from experiments.mosaic.trial import set_up

    silent = [name for name, one in folder.study.questions.items() if one.measures is None]
    if silent:
        raise Stop(
            f"simulated participants cannot answer {', '.join(silent)}: give each question "
            "'measures', or ask people"
        )
    setups: dict[str, tuple[TrialSetup, OpenedModel | None]] = {}
    for name in folder.study.planners.values():
        setup = set_up(library, name, contracts=True)
        assert setup.view.system is not None
        opened = open_chosen(library.root, setup.view.system.model, options, setup.view)
        setups[name] = setup, opened
    sessions = folder.open_sessions()
    with progress("sessions", len(sessions)) as tell:
        for session in sessions:
            with folder.holding(session):
                if folder.answers(session) is None:
                    if folder.of(session).exists():
                        set_aside(folder, session)
                    setup, opened = setups[session.system]
                    verdict = run_simulated(
                        setup, session, folder.study, folder.of(session), library, opened
                    )
                    folder.write(
                        SessionAnswers(
                            session=session,
                            simulated=True,
                            rule=RULE,
                            answers=dict(derive_answers(folder.study, verdict)),
                        )
                    )
            tell()
    whole = len(folder.record.sessions)
    print(
        f"{len(sessions)} sessions run, {whole} of {whole} with answers of SIMULATED participants: "
        f"{REPORT} {folder.path}"
    )


def _run_participant(
    library: Library,
    folder: StudyFolder,
    participant: int | None,
    speed: float | None,
    options: ModelOptions,
) -> None:
    """Run a participant's sessions that have no answers, in the terminal."""
    from experiments.mosaic.study.sessions import count_sessions, sessions_left

    own = sessions_left(folder, participant)
    if not own:
        print(_all_answered(folder, participant))
        return
    participant = own[0].participant
    number = count_sessions(folder, participant)
    for session in own:
        with folder.holding(session):
            if folder.answers(session) is None:
                _run_session(library, folder, session, number, speed, options)
    print(f"\nThank you. {_what_is_left(folder, participant)}")


def _all_answered(folder: StudyFolder, participant: int | None) -> str:
    whose = "all participants have" if participant is None else f"participant {participant} has"
    return f"{whose} answered everything: {REPORT} {folder.path}"


def _what_is_left(folder: StudyFolder, participant: int) -> str:
    left = folder.open_sessions()
    then = f"{len(left)} sessions are left" if left else f"{REPORT} {folder.path}"
    return f"Participant {participant} has answered everything; {then}."


def _serve_participant(
    library: Library,
    folder: StudyFolder,
    participant: int | None,
    speed: float | None,
    options: ModelOptions,
    port: int,
) -> None:
    """Run a participant's sessions that have no answers, on a page."""
    from importlib.util import find_spec

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise Stop("the page needs the extra 'serve': pip install 'treec[serve]'")
    from experiments.mosaic.study.on_page import serve_sessions
    from experiments.mosaic.study.sessions import sessions_left

    own = sessions_left(folder, participant)
    if not own:
        print(_all_answered(folder, participant))
        return
    serve_sessions(library, folder, own, speed, options, port)
    print(_what_is_left(folder, own[0].participant))


def _run_session(
    library: Library,
    folder: StudyFolder,
    session: StudySession,
    number: int,
    speed: float | None,
    options: ModelOptions,
) -> None:
    """Run a session, or go on with it, and ask its questions."""
    from experiments.mosaic.study.folder import SessionAnswers
    from experiments.mosaic.study.outcome import read_state
    from experiments.mosaic.study.sessions import status_of_session, talk
    from experiments.mosaic.study.survey import Survey, SurveyBrokenOff, conversation
    from treec.cli.terminal_text import safe
    from treec.run.folder import JOURNAL
    from treec.run.run_status import status_of

    status = status_of_session(folder, session)
    print(f"Participant {session.participant}, conversation {session.number} of {number}")
    if status is None or status.state == "broken":
        if folder.study.instructions:
            print("\n" + "\n".join(safe(x) for x in folder.study.instructions.splitlines()))
        print(f"\nThe recipe: {safe(session.recipe)}. End the conversation with /quit.")
        print("Press Enter to begin." if status is None else "Press Enter to go on.", flush=True)
        if not sys.stdin.readline():
            raise Stop("the input has ended before a session began", 1)
        talk(library, folder, session, speed, options, resume=status is not None)
        if status_of(folder.of(session) / JOURNAL).state == "broken":
            raise Stop("the conversation broke off; call it again to go on", 1)
    print("\nWhat was said:")
    for line in conversation(read_state(folder.of(session))[0]):
        print(line)
    try:
        survey = Survey(lambda text: print(text, flush=True), sys.stdin)
        answers, instances = survey.ask(folder.study)
    except SurveyBrokenOff:
        raise Stop(
            f"the questions of {session.folder} are not all answered; call it again to be asked", 1
        ) from None
    folder.write(
        SessionAnswers(session=session, simulated=False, answers=answers, instances=instances)
    )
