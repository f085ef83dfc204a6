"""What an editor asks of the warehouse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from pathlib import Path

import pytest

from tests.support.library import copy_warehouse
from treec.check import Verdicts, check_library
from treec.check.edits import apply_edits
from treec.files.library import Library, load_library
from treec.source.diagnostics import Diagnostic
from treec_editor.completion import complete
from treec_editor.declarations import declarations
from treec_editor.hover import hover
from treec_editor.outline import outline
from treec_editor.rename import CannotRename, declarations_at, rename, renaming, uses_of
from treec_editor.session import EditorSession

DISPATCH = "prompts/dispatch.decision.yaml"
CHARGE = "trees/charge_when_low.tree.yaml"
WORKER = "trees/robot_worker.tree.yaml"
MAIN = "trees/warehouse_main.tree.yaml"
ORDERS = "trees/orders/morning_orders.recipe.yaml"
PROPOSE = "prompts/propose_work.action.yaml"
HAULER = "envs/hauler.agent.yaml"
DRIVE = "skills/drive/drive.skill.yaml"
SYSTEM = "trees/warehouse.system.yaml"
DOMAIN = "envs/warehouse.domain.yaml"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_warehouse(tmp_path_factory.mktemp("editor") / "warehouse")


@pytest.fixture(scope="module")
def library(root: Path) -> Library:
    return load_library(root)


def offered(root: Path, path: str, old: str, new: str) -> list[str]:
    """What is offered at the `|` in a text that stands in place of another."""
    text = (root / path).read_text("utf-8")
    assert text.count(old) >= 1
    edited = load_library(root, {path: text.replace(old, new.replace("|", ""), 1)})
    return [one.text for one in complete(edited, path, text.index(old) + new.index("|"))]


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (CHARGE, "  - skill: drive", "  - skill: |", ["charge", "drive", "pick", "place", "scan"]),
        (CHARGE, "  - skill: drive", "  - sk|", ["skip_if", "skip_unless", "skill"]),
        (CHARGE, "    retry: 3", "    re|", ["retry", "repeat"]),
        (CHARGE, "= battery(agent)", "= bat|", ["battery"]),
        (DISPATCH, "acts.stop, choose", "acts.st|, choose", ["stop"]),
        (DISPATCH, "when: suggestions,", "when: sugg|,", ["suggestions", "suggest"]),
        (DISPATCH, "choose: Propose_Work}", "choose: Prop|}", ["Propose_Work"]),
        (DISPATCH, "{{ p.agent }} would", "{{ p.| }} would", ["id", "agent", "subtask", "drop"]),
        (DISPATCH, "{{ recipe_name or", "{{ rec| or", ["recipe_name"]),
        (DISPATCH, "{{ a.name }}", "{{ a.sta| }}", ["status"]),
        (DISPATCH, "join(', ')", "jo|(', ')", ["join"]),
        (DISPATCH, "map(attribute", "uni|(attribute", ["unique"]),
        (CHARGE, "{agent: $agent, place: dock}", "{agent: $agent, |}", ["place"]),
        (CHARGE, "{agent: $agent, place: dock}", "{agent: $agent, place: do|}", ["dock"]),
        (CHARGE, "{agent: $agent, place: dock}", "{agent: |, place: dock}", ["Hauler", "Scout"]),
        (WORKER, "{agent: $agent, subtask: $subtask}", "{agent: $|}", ["agent", "subtask"]),
        (MAIN, "with: {agent: $agent}", "with: {|}", ["agent"]),
        (MAIN, "with: {agent: $agent}", "with: {agent: $|}", ["agent"]),
        (PROPOSE, "{agent: $s.agent,", "{agent: $|,", ["s"]),
        (DISPATCH, "reactive: true", "react|", ["reactive"]),
        (DISPATCH, "recalls: [chat", "recalls: [cha|", ["chat"]),
        (DISPATCH, "reactive: true", "reactive: |", ["true", "false"]),
        ("trees/warehouse.system.yaml", "domain: warehouse", "domain: |", ["warehouse"]),
    ],
)
def test_what_can_be_written_is_offered(
    root: Path, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert offered(root, path, old, new) == expected


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        *(
            (DISPATCH, f"{key}: [{rest}]", f"{key}: {new}", ["user_input"])
            for key, rest in (("recalls", "chat, user_input"), ("knows", "capabilities"))
            for new in ("[chat, us|", "[us|", "[us|]", "us|", "\n  - us|", "\n\t- us|")
        ),
        (HAULER, "can: [fetch, charge]", "can: [fetch, |", ["charge", "fetch", "inspect"]),
        (HAULER, "can: [fetch, charge]", "can:\n  - |", ["charge", "fetch", "inspect"]),
        (HAULER, "pick: {}, place: {}, charge: {}}", "|", ["charge", "pick", "place", "scan"]),
        (ORDERS, "[inspect crate 12]", "[inspect crate 3|", ["inspect crate 31"]),
        (ORDERS, "[inspect crate 12]", "[fetch|]", ["fetch crate 31"]),
        ("prompts/stop_robots.action.yaml", "may: [interrupt, say]", "may: [sa|", ["say"]),
        (CHARGE, "= battery(agent)", '"= bat|', ["battery"]),
        (CHARGE, "{agent: $agent, place: dock}", "{agent: $agent, place: do|", ["dock"]),
        (CHARGE, "skill: drive", "skill:|", ["charge", "drive", "pick", "place", "scan"]),
        (CHARGE, "    retry: 3", "\t\tre|", ["retry", "repeat"]),
        (CHARGE, "    retry: 3", '    "re|', ["retry", "repeat"]),
        (CHARGE, "    retry: 3", "    're|'", ["retry", "repeat"]),
        (CHARGE, "{agent: $agent, place: dock}", '{agent: $agent, "|', ["place"]),
        (CHARGE, "{agent: $agent, place: dock}", '{agent: $agent, "|": dock}', ["place"]),
        (HAULER, "can: [fetch, charge]", 'can: [fetch, "|', ["charge", "fetch", "inspect"]),
        (CHARGE, "  - skill: drive", '  - "sk|', ["skip_if", "skip_unless", "skill"]),
        (
            CHARGE,
            "value: = battery(agent)",
            "value: = battery(ag|",
            ["agent", "agents", "agent", "age"],
        ),
        (
            CHARGE,
            "level: = battery(agent)}",
            "level: = battery(ag|",
            ["agent", "agents", "agent", "age"],
        ),
        (DISPATCH, "{{ p.agent }} would", "{{ p.| would", ["id", "agent", "subtask", "drop"]),
        (DISPATCH, "{{ recipe_name or", "{{ (rec|\n", ["recipe_name"]),
    ],
)
def test_what_can_be_written_is_offered_while_something_is_open(
    root: Path, path: str, old: str, new: str, expected: list[str]
) -> None:
    session, text = EditorSession(root), (root / path).read_text("utf-8")
    assert old in text
    session.edit(path, text.replace(old, new.replace("|", ""), 1))
    at = text.index(old) + new.index("|")
    assert [it.text for it in complete(session.library, path, at, session.text(path))] == expected


def test_in_plain_text_and_where_nothing_can_be_read_nothing_is_offered(root: Path) -> None:
    assert offered(root, DISPATCH, "orders: {{ recipe", "or|: {{ recipe") == []
    assert offered(root, DISPATCH, "decision: Dispatch", "decision: [|") == []
    for text in ("= x", "- a"):  # a new file
        assert complete(load_library(root, {DISPATCH: text}), DISPATCH, len(text) - 1) == []


def described(library: Library, path: str, before: str) -> str:
    text = library.sources[path].text
    found = hover(library, path, text.index(before) + len(before))
    return "" if found is None else found[0]


def test_keys_names_and_functions_are_described(library: Library) -> None:
    assert described(library, DISPATCH, "fallb").startswith("**fallback**\n\nThe choice when")
    assert described(library, CHARGE, "- sk") == "**skill**\n\nRuns one skill by an agent."
    assert described(library, CHARGE, "skill: dr") == "**drive**: skill\n\nDrive to a place."
    assert described(library, CHARGE, "= batt") == (
        "`battery(Robot)` → number or none\n\nCharge in percent."
    )
    assert described(library, CHARGE, "{agent: $agent, pla") == (
        "**place**: argument of skill drive\n\nPlace"
    )
    assert described(library, CHARGE, "{agent: $ag") == "**agent**: port"
    assert described(library, DRIVE, "  - near(ag") == "**agent**: argument\n\nRobot"  # no function
    assert described(library, DRIVE, "skill: dri").startswith("**drive**: skill")
    assert described(library, SYSTEM, "domain: ware").startswith("**warehouse**: domain")
    assert "scene" not in described(library, SYSTEM, "domain: ware")
    assert described(library, WORKER, "subtask: $sub") == "**subtask**: variable"
    assert described(library, DISPATCH, "{{ p.ag") == "**agent**: Agent"
    assert described(library, DISPATCH, "| jo").startswith("`join` → text")
    assert "list of Proposal" in described(library, DISPATCH, "for p in prop")


def test_words_in_prose_are_no_names_except_in_backticks_and_braces(root: Path) -> None:
    text = (root / DISPATCH).read_text("utf-8")
    told = "about: What drive does, and `drive`.\n"
    library = load_library(root, {DISPATCH: re.sub(r"about: .*\n", told, text, count=1)})
    assert described(library, DISPATCH, "about: What dri") == ""
    assert declarations_at(library, DISPATCH, library.sources[DISPATCH].text.index("drive")) == []
    assert described(library, DISPATCH, "and `dri").startswith("**drive**: skill")
    assert described(library, DISPATCH, "orders: {{ reci").startswith("**recipe_name**")
    said = "prompts/answer_operator.action.yaml"
    assert described(library, said, "{{ ', a") == ""  # `at` is a fact
    assert described(library, said, "not 'You ca") == ""  # `can` is a function


def test_names_in_code_of_plain_words_and_in_keys_are_described(library: Library) -> None:
    """`p in proposals` is three names, and so are those in the key of a fault."""
    assert described(library, "prompts/change_work.action.yaml", "when: p in prop").startswith(
        "**proposals**"
    )
    shift = "trees/scenarios/morning_shift.scenario.yaml"
    assert described(library, shift, "- fail pi").startswith("**pick**: skill")
    decides = "trees/contracts/operator_decides.contract.yaml"
    assert described(library, decides, "- assi").startswith("**assign**: high-level action")
    assert described(library, decides, "{{ act") == "**action**: text"


def test_the_outline_has_the_options(library: Library) -> None:
    (own,) = outline(library, DISPATCH)
    assert (own.name, own.what) == ("Dispatch", "decision")
    assert [below.name for below in own.below][:2] == ["Stop_Robots", "Start_Orders"]


def place(library: Library, path: str, before: str) -> int:
    return library.sources[path].text.index(before) + len(before)


def test_a_name_leads_to_its_declaration(library: Library) -> None:
    def at(path: str, before: str) -> list[tuple[str, str]]:
        found = declarations_at(library, path, place(library, path, before))
        return [(one.what, one.span.path) for one in found]

    assert at(CHARGE, "skill: dr") == [("skill", "skills/drive/drive.skill.yaml")]
    assert at(CHARGE, "= batt") == [("fact", DOMAIN)]
    assert at(CHARGE, "place: do") == [("thing", "envs/warehouse.scene.yaml")]
    assert at(CHARGE, "{agent: $ag") == [("port", CHARGE)]
    assert at(CHARGE, "{agent: $agent, pla") == [("argument", DRIVE)]  # not the skill of that name
    assert at(MAIN, "with: {ag") == [("port", "trees/robot_worker.tree.yaml")]
    assert at(ORDERS, "after: [inspect crate 1") == [("subtask", ORDERS)]
    assert at(SYSTEM, "domain: ware") == [("domain", DOMAIN)]
    assert at(SYSTEM, "scene: ware") == [("scene", "envs/warehouse.scene.yaml")]
    assert at("envs/hauler.agent.yaml", "can: [fet") == [("task", "tasks/fetch.task.yaml")]
    # an option is the name of what it chooses
    assert at(DISPATCH, "choose: Stop_R") == [("action", "prompts/stop_robots.action.yaml")]


class Checker:
    """The check with texts in place of those on disk, as the editor's session has it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.verdicts: Verdicts = {}
        self.within: list[Set[str]] = []
        """The files that alone were to be judged again."""

    def __call__(
        self, texts: Mapping[str, str], within: Set[str] | None = None, search: object = None
    ) -> list[Diagnostic]:
        self.within += [] if within is None else [within]
        return check_library(
            load_library(self.root, texts), verdicts=self.verdicts, at_uses=bool(texts)
        )


@pytest.mark.parametrize(
    ("path", "before", "new", "files"),
    [
        (DOMAIN, "\n  batt", "charge_level", 9),
        (CHARGE, "skill: dri", "ride", 9),
        (CHARGE, "ports: {ag", "robot", 2),
        ("envs/hauler.agent.yaml", "agent: Hau", "Forklift", 6),
        ("envs/warehouse.scene.yaml", "\n  do", "bay", 6),
        (DISPATCH, "\n  Stop_R", "Halt_Robots", 2),
        (DISPATCH, "decision: Disp", "Direct", 4),
        ("tasks/fetch.task.yaml", "task: fe", "grab", 3),
        ("skills/place/place.skill.yaml", "skill: pl", "put", 3),
        (ORDERS, "\n  inspect crate 1", "scan crate 12", 1),
        (CHARGE, "{agent: $agent, pla", "spot", 2),
    ],
)
@pytest.mark.few(2)
def test_a_name_is_changed_everywhere(
    root: Path, library: Library, path: str, before: str, new: str, files: int
) -> None:
    check = Checker(root)
    assert check({}) == []
    edits = rename(library, path, place(library, path, before), new, check)
    changed = {
        name: apply_edits(library.sources[name].text, of_file) for name, of_file in edits.items()
    }
    assert check(changed) == []
    assert len(changed) == files


def test_a_name_that_a_key_holds_twice_is_changed_in_both_places(tmp_path: Path) -> None:
    """A condition of `before` is a key of `otherwise`, too, which the check marks as a whole."""
    root = copy_warehouse(tmp_path / "warehouse")
    once, twice = "battery(agent) >= 8", "battery(agent) >= 8 and battery(agent) < 200"
    text = (root / DRIVE).read_text("utf-8").replace(once, twice)
    (root / DRIVE).write_text(text, "utf-8")
    library, check = load_library(root), Checker(root)
    edits = rename(library, DOMAIN, place(library, DOMAIN, "\n  batt"), "charge_level", check)
    assert apply_edits(text, edits[DRIVE]) == text.replace("battery(", "charge_level(")


def test_what_uses_a_name_is_found_and_what_looks_like_it_is_not(
    root: Path, library: Library
) -> None:
    (dock,) = declarations_at(library, CHARGE, place(library, CHARGE, "place: do"))
    check = Checker(root)
    spans = uses_of(library, dock, check).spans
    assert len(spans) == 7
    assert CHARGE not in check.within[-1], "words for people alone are not judged again"
    assert all({span.path for span in spans} - files for files in check.within)
    assert dock.span in spans
    for span in spans:
        line = library.sources[span.path].line(span.line)
        assert line[span.column - 1 : span.end_column - 1] == "dock"
    about = library.sources[CHARGE].text.index("to the dock")  # words for people
    line, _ = library.sources[CHARGE].position(about)
    assert not any((span.path, span.line) == (CHARGE, line) for span in spans)


@pytest.mark.parametrize("part", range(9))
@pytest.mark.few(1)
def test_a_search_finds_all_that_whole_checks_find(root: Path, library: Library, part: int) -> None:
    """By some rules, in what has changed since its last round: all rules say the same of all.

    Whole checks may take words for uses that are wrong only between two rounds, `crate` in 'fetch
    crate 12' for the argument of its task; then nothing is wrong where they are left as they are.
    """
    session, check = EditorSession(root), Checker(root)
    names = [one for entry in library.entries for one in declarations(entry)]
    for name in names[part::72]:
        quick = uses_of(session.library, name, session.check_with).spans
        whole = uses_of(library, name, check).spans
        if quick != whole:
            assert {*quick} < {*whole}, name
            renaming(session.library, name, "renamed_by_treec", session.check_with)


@pytest.mark.parametrize(
    ("before", "new", "why"),
    [
        ("= batt", "holding", "cannot become 'holding'"),
        ("= batt", "two: words", "^'two: words' cannot be a name$"),
        ("retry: ", "four", "^this name is not declared in the library$"),
    ],
)
def test_a_name_that_would_break_something_is_not_taken(
    root: Path, library: Library, before: str, new: str, why: str
) -> None:
    with pytest.raises(CannotRename, match=why):
        rename(library, CHARGE, place(library, CHARGE, before), new, Checker(root))
