"""The budget of the core: lines, kinds of files, commands. Raise one only with the reason.

Issue 42 asks for 62,000 lines.
Raised by 1,000 for issue 43: a stop that is one whatever hangs (bounded calls, who did not confirm,
signals, processes that do not end, journals and outputs that cannot be written).
Raised by 600 for issue 43: one guard around every call of foreign code, with bounds, plain copies
and environments that stand still.
Raised by 7,700 for issues 44 and 45: licences of acts by clauses and answers to questions for every
system, statements, branches that fail alone, paced orders, values that wake and are journaled,
coverage, Python that is checked unread, BehaviorTree.CPP's guards and Nav2's nodes.
Lowered by 6,100 on 29 November 2026: the language server, XML of other programs, the page,
transports of models, the network of hearing, the fake model and rules about bodies are packages of
their own (10,600 lines), while real time, skipped nodes, contradictions, bindings and stops that
take back what was ordered before came in (4,600).
Lowered by 4,700 later that day: trials and decisions under test, memories and pictures are packages
of their own (7,800 lines), while answerers in order, orders to several and in order, queues, drawn
orders, failures that are told and prompts that show what they ask about came in (3,100).
Lowered by 4,500 in the afternoon: asking a node outside of a run, what recipes mean, Nav2's nodes,
the screen and the debugger of a run, films and skeletons are of packages beside the core.
Lowered in the evening: programs that models write (2,000 lines) are a package of their own, and
rules about what a model is shown (1,000) are of the package that asks models; `trace` and the kind
`case` are of the package that tests, edits during a run (300) of that for people who watch.
Lowered by 7,300 on 30 November: what understands English without a model is the package
treec-hearing, which treec depends on; the words that stop robots are still read in the core.
Lowered by 6,000 later that day: what asks is the package treec-asking, which treec depends on, with
its five kinds of files and the rules about them; `treec watch` is of the editor's package. By 420
after that: scorers' headers and three more rules about what asks are of treec-asking. By 700 more:
so are the actions of action files, what binds and allows them, and where the subtasks go that they
add. That is issue 42's goal; its figure is the budget now.
"""

from __future__ import annotations

from docs.make_house import CORE as ENGINE
from docs.make_house import ROOT
from treec.core import CORE

LINES = 62_000
KINDS = 11
COMMANDS = 45
"""Of the core: commands of a group count one by one."""

RECORDINGS = 18_000
"""Lines of recorded decisions, in which equal parts stand once."""


def test_the_core_has_no_more_lines_than_its_budget() -> None:
    files = (ROOT / ENGINE).rglob("*.py")
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    assert lines <= LINES, f"{lines} lines in {ENGINE}: what could leave instead?"


def test_the_core_has_no_more_kinds_of_files_than_its_budget() -> None:
    assert len(CORE.kinds) <= KINDS


def test_the_core_has_no_more_commands_than_its_budget() -> None:
    groups = {name.split()[0] for name in CORE.commands if " " in name}
    commands = [name for name in CORE.commands if name not in groups]
    assert len(commands) <= COMMANDS


def test_recordings_do_not_repeat_themselves() -> None:
    folders = [ROOT / "tests", *ROOT.glob("templates"), *ROOT.glob("engine/treec/templates")]
    files = [file for folder in folders for file in folder.rglob("decisions/recordings/**/*.yaml")]
    assert len(files) > 100
    assert sum(file.read_bytes().count(b"\n") for file in files) <= RECORDINGS


def test_the_readme_is_read_in_a_few_minutes() -> None:
    assert (ROOT / "README.md").read_bytes().count(b"\n") <= 150
