"""The page in headless Chromium, where that is installed."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.long_run import LongRun
from tests.envs.sapien.view.test_film import record as film
from tests.serve.axe import findings
from tests.serve.browser import CHROMIUM, GUARD, Browser, browser
from tests.support.library import copy_warehouse
from treec.ask.transport import Answer, Request, TransportError
from treec.cli import main
from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.events import SkillEnded, SkillStarted
from treec.run.folder import JOURNAL, new_folder
from treec.run.live_run import LiveRun
from treec.run.run import Run
from treec.team.events import AgentInterrupted, Proposed, Said
from treec.world.clock import RealClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_live.events import Debugged
from treec_sapien.view.run_film import FILE
from treec_serve.app import make_app
from treec_serve.drafts import TreeDrafts
from treec_serve.server import PageServer
from treec_serve.starter import RunStarter

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


LIST = "[...document.querySelectorAll('[role=tab]')].find(it => it.textContent === 'List').click()"
"""Shows the tree as a list instead of a picture."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse with two recorded runs."""
    library = copy_warehouse(tmp_path_factory.mktemp("page") / "library")
    for scenario in ("morning_shift", "direct_orders"):
        args = ["run", "warehouse", "--scenario", scenario, "--fast", "-L", str(library)]
        assert main(args) == 0
    return library


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests of this file."""
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(autouse=True)
def no_errors(page: Browser) -> Iterator[None]:
    """No script of the page raises, and nothing breaks its policy."""
    page.errors.clear()
    yield
    assert page.errors == []


@contextmanager
def served(
    library: Path,
    page: Browser,
    live: LiveRun | None = None,
    *,
    edit: bool = False,
    start: bool = False,
) -> Iterator[str]:
    """The address of a page over a library's runs; the browser has left it when it ends."""
    starter = RunStarter(library / "runs", library, lambda: load_library(library), None, live)
    with PageServer() as server:
        app = make_app(
            library / "runs",
            server.token,
            server.hosts,
            starter.live,
            lambda: load_library(library),
            drafts=TreeDrafts(library) if edit else None,
            starter=starter if start else None,
        )
        server.start(app)
        try:
            yield server.url
        finally:
            page.open("about:blank")
            starter.close()


def names(library: Path) -> list[str]:
    return sorted(path.name for path in (library / "runs").iterdir() if path.is_dir())


def run_of(library: Path, scenario: str) -> str:
    return next(name for name in names(library) if name.endswith(scenario))


def test_the_page_draws_a_run_at_a_tick(library: Path, page: Browser) -> None:
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.open(f"{url}#run={run}&tick=20")
        page.until("/tick 20 of \\d+/.test(document.querySelector('#clock').textContent)")
        assert page.text(".board h3") == "Morning Orders"
        board = page.text(".board")
        assert "Available" in board
        assert "Completed (" in board
        assert "Current" in board
        assert "(0)" not in board, "what is empty is left out"
        assert "warehouse_main" in page.text('[role="tree"] > li > .node > .label')
        assert page.value("document.querySelectorAll('.timeline .bar').length") > 0
        assert page.value("document.querySelector('#stop').hidden")
        assert page.text("#message") == ""


def test_a_node_opens_its_file_at_its_line(library: Path, page: Browser) -> None:
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.open(f"{url}?node#run={run}&tick=20")
        page.until("document.querySelector('[role=treeitem]')")
        page.value(LIST)
        page.click('[role="treeitem"] .label[title*="robot_worker[Hauler]"]')
        page.until("document.querySelector('#detail').open")
        assert page.text("#detail h3").startswith("trees/robot_worker.tree.yaml:")
        assert "selector" in page.text("#detail .here")
        page.key("Escape")
        page.until("!document.querySelector('#detail').open")


def test_a_decision_opens_its_prompt(library: Path, page: Browser) -> None:
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.open(f"{url}?prompt#run={run}")
        page.click("article .decisions button")
        page.until("document.querySelector('#detail').open")
        assert page.text("#detail-title").startswith("Why Dispatch chose ")
        assert "else" in page.text("#detail .rules .fits"), "which rule fitted"
        assert "nothing: acts" in page.text("#detail .rules"), "and what was looked at"
        assert page.value("document.querySelectorAll('#detail pre').length") >= 2
        why = "[...document.querySelectorAll('.why')].some(it => it.textContent === {!r})"
        page.until(why.format("No model was asked; rule 4 of 5 fitted. suggestions"))
        page.until(why.format("No model was asked; no other rule fitted, so this is done."))
        examples = "[...document.querySelectorAll('#detail .example')]"
        assert page.value(f"{examples}.some(it => it.open)") is False
        assert page.text("#detail .example summary").startswith("Example 1: ")
        page.value("document.querySelector('#detail .example summary').focus()")
        page.key("Enter")
        page.until(f"{examples}[0].open")


def test_how_often_nodes_were_ticked_is_a_table(library: Path, page: Browser) -> None:
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.open(f"{url}?ticks#run={run}&tick=20")
        page.until("document.querySelector('[role=treeitem]')")
        page.click('[aria-label="Ticks of nodes"]')
        page.until("document.querySelector('#detail').open")
        assert page.text("#detail-title").endswith(", tick 20")
        assert page.text("#detail tbody th") == "warehouse_main"
        assert page.text("#detail tbody td") == "20"


def test_two_runs_are_compared(library: Path, page: Browser) -> None:
    one, other = run_of(library, "morning_shift"), run_of(library, "direct_orders")
    with served(library, page) as url:
        page.open(f"{url}?two#run={one}&other={other}&tick=30")
        page.until("document.querySelectorAll('article').length === 2")
        page.until("document.querySelector('.comparison table')")
        assert "The first decision that differs is number" in page.text(".comparison")
        boards = page.value("[...document.querySelectorAll('.board')].map(it => it.textContent)")
        assert len(set(boards)) == 2
        assert page.value("document.querySelector('[role=tree]').clientHeight") > 300
        assert page.value("document.documentElement.scrollHeight - innerHeight") <= 0


def test_the_film_goes_with_the_moment(library: Path, page: Browser) -> None:
    """Beside the timelines where bodies are; without them there is nothing."""
    one, other = run_of(library, "morning_shift"), run_of(library, "direct_orders")
    file = library / "runs" / one / FILE
    film(file, *((t / 2, t / 100) for t in range(100)))
    source = "document.querySelector('img.film').getAttribute('src')"
    try:
        with served(library, page) as url:
            page.open(f"{url}?film#run={one}&tick=20")
            page.until("(document.querySelector('img.film') || {}).naturalWidth === 400")
            page.until("document.querySelector('#clock').textContent.includes('tick 20 ')")
            first = page.value(source)
            assert float(first.partition("?t=")[2]) == float(page.text("#clock").partition(" s")[0])
            page.value("document.querySelector('#moment').focus()")
            page.key("End")
            page.until(f"{source} !== {first!r}")
            page.until("document.querySelector('img.film').complete")
            alt = page.value("document.querySelector('img.film').alt")
            assert alt == f"The scene at {page.text('#clock').partition(',')[0]}"
            page.value("document.querySelector('.scene input').focus()")
            page.key("Home")
            page.until(f"{source}.endsWith('t=0')")
            page.until("document.querySelector('img.film').complete")
            assert findings(page) == []
            page.open(f"{url}?none#run={other}&tick=5")
            page.until("document.querySelector('#clock').textContent.includes('tick 5 ')")
            assert page.value("document.querySelector('.scene').hidden")
    finally:
        file.unlink()


def test_a_moment_has_an_address(library: Path, page: Browser) -> None:
    """What is shown is in the address, and an address that is opened shows it."""
    one, other = run_of(library, "morning_shift"), run_of(library, "direct_orders")
    with served(library, page) as url:
        page.open(f"{url}?moment#run={one}&tick=20&other={other}")
        page.until("document.querySelector('.comparison table')")
        page.until("document.querySelector('#clock').textContent.includes('tick 20 ')")
        assert page.value("document.querySelector('#other').value") == other
        page.value("document.querySelector('#moment').focus()")
        page.key("ArrowRight")
        page.until("document.querySelector('#clock').textContent.includes('tick 21 ')")
        page.until("location.hash.includes('tick=21')")
        hash = page.value("location.hash")
        page.value(f"location.hash = 'run={other}&tick=3'")
        page.until("document.querySelector('#clock').textContent.includes('tick 3 ')")
        assert page.value("document.querySelector('#run').value") == other
        page.value(f"location.hash = {hash!r}")
        page.until("document.querySelector('#clock').textContent.includes('tick 21 ')")
        assert page.value("document.querySelector('#run').value") == one


BOX = "[...document.querySelectorAll('.box')].find(it => it.title.endsWith('{}'))"


def test_the_tree_is_a_picture(library: Path, page: Browser, tmp_path: Path) -> None:
    """By mouse and by keyboard: statuses, fold, search, history, and all of it in the window."""
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.size(1440, 900)
        page.open(f"{url}?picture#run={run}&tick=60")
        running = "[...document.querySelectorAll('.box.RUNNING .name')].map(it => it.textContent)"
        page.until("document.querySelector('.box.RUNNING') !== null")
        assert {"warehouse_main", "dispatcher"} <= {*page.value(running)}
        assert page.value("[...document.querySelectorAll('.box.RUNNING .unfold')].length") > 3
        assert "take" in page.text(".picture"), "what a worker is at"
        assert "Propose_Work" not in page.text(".picture"), "what nothing is at is folded"
        inside = (
            "(() => { const at = it => it.getBoundingClientRect();"
            "const {top, bottom} = at(document.querySelector('.canvas'));"
            "const boxes = [...document.querySelectorAll('.box')].map(at);"
            "return boxes.every(it => it.top > top && it.bottom < bottom); })()"
        )
        page.until(inside)
        page.size(1440, 760)
        page.until(inside)
        page.size(1440, 900)
        page.until(inside)
        worker = BOX.format("warehouse_main/robot_worker[Scout]")
        page.value(f"{worker}.id = 'scout'")
        page.click("#scout .name")
        page.until("document.querySelector('.inspector h3')")
        assert page.text(".inspector h3").startswith("robot_worker[Scout]")
        page.until("document.querySelectorAll('.history li').length > 0")
        page.click(".history li:last-child button")
        page.until("Number(document.querySelector('#moment').value) < 60")
        page.value("document.querySelector('.picture').focus()")
        page.key("Home")
        page.until("document.querySelector('.inspector h3').textContent === 'warehouse_main'")
        page.key("ArrowRight")
        page.until("document.querySelector('.inspector h3').textContent === 'dispatcher'")
        drawn = "document.querySelectorAll('.box').length"
        before = page.value(drawn)
        page.key("Home")
        page.key(" ")
        page.until(f"{drawn} < {before}")
        assert findings(page) == []
        page.click("[aria-label='Search nodes']")
        page.type("charge")
        page.until("document.querySelector('.box.hit') !== null")
        assert re.fullmatch(r"1 of \d+", page.text(".tools output"))
        below = "document.documentElement.scrollHeight - innerHeight"
        assert page.value(below) <= 0, "nothing is below the fold"
        page.size(390, 844)
        assert page.value("document.documentElement.scrollWidth - innerWidth") <= 0
        page.size(1400, 1000)


def test_a_run_is_played_and_a_bar_leads_to_its_time(library: Path, page: Browser) -> None:
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.open(f"{url}?play#run={run}&tick=3")
        page.until("document.querySelector('#clock').textContent.includes('tick 3 ')")
        page.value("document.querySelector('#speed').value = '60'")
        page.click("#play")
        page.until("Number(document.querySelector('#moment').value) > 30")
        page.click("#play")
        assert page.text("#play") == "▶"
        bar = "document.querySelector('.timeline-frame .bar.done rect')"
        x = float(page.value(f"{bar}.getAttribute('x')"))
        page.value(f"{bar}.parentNode.id = 'bar'")
        page.click("#bar")
        cursor = "document.querySelector('.cursor').getAttribute('transform')"
        page.until(f"Number(/[\\d.]+/.exec({cursor})[0]) > {x}")
        ticks = "[...document.querySelectorAll('.timeline-frame .tick')].map(it => +it.textContent)"
        span = f"Math.max(...{ticks}) - Math.min(...{ticks})"
        whole = page.value(span)
        page.click("[aria-label='Zoom into the timelines']")
        page.until(f"{span} < {0.7 * whole}")
        page.click("[aria-label='Show all of the timelines']")
        page.until(f"{span} === {whole}")


LARGE = "trees/charge_when_low.tree.yaml"


def large_tree() -> str:
    """A tree of 200 nodes, with a comment above each group and beside each step."""
    lines = ["# A long day", "tree: charge_when_low", "ports: {agent: in Robot}", "root:"]
    lines += ["  sequence:"]
    for group in range(18):
        lines += [f"    # group {group}", "    - sequence:"]
        lines += [f"        - log: step {group}.{n}   # number {n}" for n in range(10)]
    return "\n".join([*lines, "    - check: battery(agent) > 1", ""])


LATE_FIELDS = """(() => { const get = window.fetch; let late = 0; window.awaited = 0;
window.fetch = async (...it) => {
  const isNode = String(it[0]).includes('edit/node');
  window.awaited += isNode;
  try {
    if (isNode) await new Promise(done => setTimeout(done, 300 * late++));
    return await get(...it);
  } finally { window.awaited -= isNode; }
}; })()"""
"""Lets fields of a node that are asked for again come late: what is typed meanwhile must stay."""


def test_a_tree_of_200_nodes_is_edited(library: Path, page: Browser) -> None:
    """By mouse and by keyboard, with its comments; the check, undo, the diff, a save."""
    file = library / LARGE
    before = file.read_text("utf-8")
    file.write_text(large_tree(), "utf-8")
    try:
        with served(library, page, edit=True) as url:
            page.size(1440, 900)
            page.open(f"{url}?edit")
            page.until("!document.querySelector('#edit').hidden")
            page.click("#edit")
            tree = "document.querySelector('.editor select')"
            page.until(f"{tree}.options.length > 3")
            page.value(f"{tree}.value = '{LARGE}'")
            page.value(f"{tree}.dispatchEvent(new Event('change'))")
            count = "document.querySelector('.editor-bar output').textContent"
            page.until(f"{count} === '200 nodes, nothing is wrong'", lambda: page.value(count))
            assert findings(page) == []
            page.size(390, 844)
            assert page.value("document.documentElement.scrollWidth - innerWidth") <= 0
            page.size(1440, 900)
            diff = "document.querySelector('.diff').textContent"
            page.value("document.querySelector('.editor .picture').focus()")
            for name in ("Home", "ArrowRight", "ArrowDown"):  # the second group
                page.key(name)
            page.key("ArrowUp", modifiers=1)
            page.until(f"{diff}.includes('group 1')")
            page.key("z", modifiers=2)
            page.until(f"{diff}.includes('as it was saved')")
            for number, name in enumerate(("0", "1")):
                group = BOX.format(f"root/sequence/{name}")
                page.value(f"{group}.id = 'box{number}'")
            page.drag("#box0 .name", "#box1 .name")
            page.until(f"{diff}.includes('group 0')")
            page.value(LATE_FIELDS)
            page.value("document.querySelector('.editor .picture').focus()")
            page.key("a")
            page.type("check")
            page.until("document.querySelectorAll('.offer').length < 5")
            page.key("Enter")
            page.until(f"{count}.startsWith('201 nodes')")
            page.click(".value input")
            page.value("document.activeElement.select()")
            page.type("batery > 1")
            page.until("awaited === 0")
            assert page.value("document.activeElement.value") == "batery > 1"
            page.key("Enter")
            page.until("document.querySelector('.problems li') !== null")
            page.until("document.querySelector('.box.wrong') !== null")
            page.value("document.querySelector('.editor .picture').focus()")
            page.key("Delete")
            page.until(f"{count} === '200 nodes, nothing is wrong'")
            page.key("s", modifiers=2)
            page.until(f"{diff}.includes('as it was saved')")
            page.size(1400, 1000)
        text = file.read_text("utf-8")
        assert text != large_tree()
        assert sorted(text.splitlines()) == sorted(large_tree().splitlines())
        assert text.index("# group 1") < text.index("# group 0") < text.index("# group 2")
    finally:
        file.write_text(before, "utf-8")


def test_texts_of_any_length_and_script_are_edited(page: Browser, tmp_path: Path) -> None:
    """Several lines stay lines, what is too long to be completed is left alone, trees may lack."""
    library = copy_warehouse(tmp_path / "library")
    file = library / LARGE
    text = "tree: charge_when_low\nports: {agent: in Robot}\nroot:\n  log: |\n    one\n    two\n"
    more = f"  name: {'مرحبا ' * 9}\n  timeout: 1m\n"
    file.write_text(f"{text}  about: {'مرحبا ' * 400}\n{more}", "utf-8")
    message, field = "document.querySelector('#message').textContent", "document.activeElement"
    with served(library, page, edit=True) as url:
        page.open(url)
        page.until("!document.querySelector('#edit').hidden")
        page.click("#edit")
        page.until("document.querySelectorAll('.value').length === 4")
        name = "document.querySelector('.box .name')"
        assert page.value(f"getComputedStyle({name}).direction") == "rtl"
        assert page.value(f"{name}.scrollWidth <= {name}.clientWidth"), "it is whole"
        page.click(".value input")
        assert page.value(f"getComputedStyle({field}).direction") == "rtl"
        page.click(".value textarea")
        page.value(f"{field}.setSelectionRange(0, 0)")
        page.type("Very ")
        page.value(f"{field}.blur()")
        page.until("document.querySelector('.diff').textContent.includes('Very one')")
        assert page.value(message) == ""
        page.click(".editor .main")
        page.until("document.querySelector('.diff').textContent.includes('as it was saved')")
        assert file.read_text("utf-8").startswith(text.replace("one", "Very one"))
        file.unlink()
        page.click("[aria-label='Wrap in']")
        page.value(f"{field}.value = 'sequence', {field}.dispatchEvent(new Event('change'))")
        page.until("document.querySelector('.editor-bar output').textContent.includes('deleted')")
        page.click(".editor .main")
        page.until(f"{message}.includes('Save again to write it as a new file')")
        assert not file.exists()
        page.click(".editor .main")
        page.until("document.querySelector('.diff').textContent.includes('as it was saved')")
        assert "root:\n  sequence:\n    - log: |" in file.read_text("utf-8")
        for tree in (library / "trees").glob("*.tree.yaml"):
            tree.unlink()
        page.click("[aria-label='Back to the runs']")
        page.click("#edit")
        page.until(f"{message}.includes('no tree that can be edited')")
        assert page.value("document.querySelector('main').hidden") is False


def test_the_keyboard_is_enough(library: Path, page: Browser) -> None:
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.open(f"{url}?keys#run={run}&tick=20")
        page.until("document.querySelector('[role=treeitem]')")
        page.value(LIST)
        reached = set()
        for _ in range(30):
            page.key("Tab")
            reached.add(
                page.value("document.activeElement.id || document.activeElement.role || ''")
            )
        assert {"run", "moment", "other", "log", "treeitem"} <= reached
        page.value("document.querySelector('[role=treeitem]').focus()")
        page.key("ArrowDown")
        focused = "document.activeElement.querySelector('.label').title"
        second = page.value(focused)
        assert "warehouse_main" in second
        page.key("ArrowLeft")
        assert page.value("document.activeElement.getAttribute('aria-expanded')") == "false"
        page.key("ArrowRight")
        assert page.value("document.activeElement.getAttribute('aria-expanded')") == "true"
        page.key("End")
        page.key("Enter")
        page.until("document.querySelector('#detail').open")
        page.key("Escape")
        page.until("!document.querySelector('#detail').open")
        assert page.value("document.activeElement.getAttribute('role')") == "treeitem"


def test_a_tree_of_ten_thousand_nodes_is_drawn_as_far_as_it_is_unfolded(
    page: Browser, tmp_path: Path
) -> None:
    LongRun(tmp_path / "runs", 10_000, 10).close()
    with served(tmp_path, page) as url:
        page.open(f"{url}?large")
        page.until("document.querySelector('[role=treeitem]')")
        page.value(LIST)
        drawn = "document.querySelectorAll('[role=treeitem]').length"
        rows = "document.querySelector('[role=tree]').scrollHeight / 20"
        page.until(f"{rows} === 910")
        assert page.value(drawn) < 200, "what is near the view is in the document"
        assert page.value("document.querySelectorAll('[aria-setsize=\\'909\\']').length > 20")
        page.value("document.querySelector('[role=treeitem]').focus()")
        page.key("End")
        focused = "document.activeElement.querySelector('.label').title"
        assert page.value(focused).endswith(" main/part9989")
        page.key("ArrowRight")
        assert page.value(rows) == 910 + 10
        page.key("ArrowRight")
        assert page.value(focused).endswith(" main/part9989/step0")
        assert page.value(focused).startswith("wait RUNNING")
        page.value("document.querySelector('[role=tree]').scrollTop = 0")
        page.until(
            "[...document.querySelectorAll('.label')].some(it => it.title.endsWith(' main'))"
        )
        assert page.value(focused).endswith("/step0"), "what is focused stays"
        assert page.value(drawn) < 200
        page.click("[type=search]")
        page.type("part56/step7")
        found = "[...document.querySelectorAll('.found')].map(it => it.title.split(' ').pop())"
        page.until(f"{found}.length")
        assert page.value(found) == ["main/part56/step7"]
        assert page.value(rows) == 910 + 20
        page.size(390, 844)
        page.until("document.querySelector('[role=tree]').clientHeight > 300")
        page.size(1400, 1000)


NAMED = {
    "button", "searchbox", "textbox", "combobox", "slider", "checkbox", "tree", "treeitem",
    "region", "article", "dialog", "log", "image", "table",
}  # fmt: skip
"""Roles whose elements need a name for whoever does not see the page."""


def test_what_can_be_used_has_a_name(library: Path, page: Browser) -> None:
    run = run_of(library, "morning_shift")
    with served(library, page) as url:
        page.open(f"{url}?names#run={run}&tick=20&other={run}")
        page.until("document.querySelectorAll('[role=tree]').length === 2")
        page.until("document.querySelector('.comparison table')")
        found = page.accessible()
    roles = {role for role, _ in found}
    assert {"banner", "main", "tree", "treeitem", "log", "slider", "combobox"} <= roles
    assert [role for role, name in found if role in NAMED and not name.strip()] == []
    ids = page.value("[...document.querySelectorAll('[id]')].map(it => it.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "dark", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["light", "dark"]
)
def test_axe_finds_nothing_serious(library: Path, page: Browser, dark: bool) -> None:
    """A run beside another, a file, a prompt; in both colours."""
    run, other = run_of(library, "morning_shift"), run_of(library, "direct_orders")
    with served(library, page) as url:
        page.open(f"{url}?axe{dark}#run={run}&tick=20&other={other}")
        page.until("document.querySelector('.comparison table')")
        assert findings(page, dark) == []
        page.click('[role="treeitem"] .label[title*="robot_worker[Hauler]"]')
        page.until("document.querySelector('#detail').open")
        assert findings(page, dark) == []
        page.key("Escape")
        page.click("article .decisions button")
        page.until("document.querySelector('#detail-title').textContent.startsWith('Why ')")
        assert findings(page, dark) == []
        page.key("Escape")
        page.click('[aria-label="Ticks of nodes"]')
        page.until("document.querySelector('#detail table')")
        assert findings(page, dark) == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious_while_a_run_is_debugged(
    library: Path, page: Browser, dark: bool
) -> None:
    with Watched(library, speed=4.0) as watched, served(library, page, watched.live) as url:
        page.open(f"{url}?axelive{dark}")
        page.until("!document.querySelector('#debug').hidden")
        page.click("#debug summary")
        watched.live.say("Start the morning orders.")
        watched.wait(SkillStarted)
        watched.live.debug("approve", "skills")
        watched.live.debug("inject", "mock charge=F")
        page.until("!document.querySelector('#question').hidden")
        page.click("#stop")
        page.until("!document.querySelector('#go-on').hidden")
        assert findings(page, dark) == []


class HeldModel:
    """A model that gets no answer across until it is held; from then on it is asked for ever."""

    def __init__(self) -> None:
        self.held = threading.Event()
        self.asked = threading.Event()

    async def ask(self, request: Request) -> Answer:
        """Answer never, once it is held. Raises TransportError before."""
        import asyncio

        if not self.held.is_set():
            raise TransportError("not yet")
        self.asked.set()
        await asyncio.sleep(10 * GUARD)
        raise TransportError("too late")


class Watched:
    """A run of the warehouse on the real clock in a thread, and when what happened."""

    def __init__(self, library: Path, speed: float, model: HeldModel | None = None) -> None:
        loaded = load_library(library)
        view = View(loaded, loaded.find("system", "warehouse"))
        folder = new_folder(library / "runs", "live", datetime(2026, 1, 1))
        self.changed = threading.Condition()
        self.records: list[tuple[float, Record]] = []
        self.run = Run(
            view,
            RealClock(speed),
            Journal.create(folder / JOURNAL),
            RunSpec(chat=True),
            transport=model,
            folder=folder,
        )
        self.run.world.subscribe(self._take, traces=True)
        self.live = LiveRun(folder.name, self.run)
        self.pressed = 0.0
        press = self.run.stop_button.press

        def note() -> None:
            self.pressed = time.perf_counter()
            press()

        self.run.stop_button.press = note  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._go)

    def _go(self) -> None:
        self.run.go()
        self.live.end()

    def _take(self, record: Record) -> None:
        with self.changed:
            self.records.append((time.perf_counter(), record))
            self.changed.notify_all()
        if any(isinstance(event, Proposed) for event in flat(record.event)):
            self.run.say("Yes, go ahead.")

    def __enter__(self) -> Watched:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.run.loop.stop()
        self._thread.join()

    def wait(self, kind: type, after: float = 0.0, **have: object) -> float:
        """When an event came first after a time, with these values; waits for it."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.find(kind, after, **have), GUARD)
        return self.find(kind, after, **have)

    def find(self, kind: type, after: float = 0.0, **have: object) -> float:
        """When an event came first after a time, with these values; 0 if it has not."""
        for at, record in list(self.records):
            if at <= after:
                continue
            for event in flat(record.event):
                if isinstance(event, kind) and all(
                    getattr(event, name) == value for name, value in have.items()
                ):
                    return at
        return 0.0


HOSTILE = "<img src=x onerror=document.title='broken'> </li><script>alert(1)</script> & \u202e"


def test_a_person_talks_to_a_run_and_stops_it(library: Path, page: Browser) -> None:
    """Words in, a stop, and on again; printed is the time from click to cancelled skill."""
    with Watched(library, speed=2.0) as watched, served(library, page, watched.live) as url:
        page.open(f"{url}?live")
        page.until("!document.querySelector('#say').hidden")
        assert page.value("document.querySelector('#follow').checked")
        page.click("#words")
        page.type("Start the morning orders.")
        page.key("Enter")
        watched.wait(Said, text="Start the morning orders.")
        page.until("document.querySelector('#talk').textContent.includes('morning orders.')")
        watched.wait(SkillStarted)
        times: list[tuple[float, float, float]] = []
        for _ in range(5):
            started = watched.wait(SkillStarted, after=times[-1][1] if times else 0.0)
            page.place("#stop")
            clicked = time.perf_counter()
            assert clicked > started
            page.click("#stop")
            ended = watched.wait(SkillEnded, after=clicked, cancelled=True)
            times.append((ended - clicked, ended, ended - watched.pressed))
            page.until("!document.querySelector('#go-on').hidden")
            page.until("document.querySelectorAll('.column.halted').length === 2")
            page.click("#go-on")
            page.until("document.querySelector('#go-on').hidden")
        latencies = sorted(round(1000 * took, 1) for took, _, _ in times)
        print("click to cancelled skill, ms:", latencies)
        print("of that in the run, ms:", sorted(round(1000 * own, 1) for _, _, own in times))
        assert latencies[2] < 1000  # under any load; the figure is in docs/serve.md
        page.click("#words")
        page.key(".", modifiers=2)
        page.until("document.querySelectorAll('.column.halted').length === 2")
        page.click("#go-on")
        page.until("document.querySelector('#go-on').hidden")
        page.click("#words")
        page.type(HOSTILE)
        page.key("Enter")
        page.until("document.querySelector('#talk').textContent.includes('onerror')")
        assert page.value("document.title") == "treec"
        assert page.value("document.querySelectorAll('#talk img, #talk script').length") == 0
        page.until("document.querySelector('#words').value === ''")


def test_a_server_that_was_started_again_takes_its_old_page_up(
    library: Path, page: Browser
) -> None:
    """The page says what it cannot reach, and goes on with the run and its stop button."""
    with Watched(library, speed=2.0) as watched:

        def server() -> PageServer:
            made = PageServer(runs=library / "runs")
            made.start(
                make_app(
                    library / "runs",
                    made.token,
                    made.hosts,
                    lambda: watched.live,
                    lambda: load_library(library),
                )
            )
            return made

        with server() as first:
            page.open(f"{first.url}?again")
            page.until("!document.querySelector('#stop').hidden")
        page.until("document.querySelector('#message').textContent !== ''")
        page.click("#stop")
        page.until("document.querySelector('#message').textContent.includes('STOP has no effect')")
        assert page.errors, "the browser tells of requests that nobody answers"
        with server() as second:
            assert second.url == first.url
            page.until("document.querySelector('#message').textContent === ''")
            page.errors.clear()
            watched.live.say("Start the morning orders.")
            page.until("document.querySelector('#talk').textContent.includes('morning orders.')")
            started = watched.wait(SkillStarted)
            page.click("#stop")
            watched.wait(SkillEnded, after=started, cancelled=True)
            page.open("about:blank")


def test_a_run_is_started_ended_and_gone_on_with(page: Browser, tmp_path: Path) -> None:
    """By keyboard, on a phone, where there was none before; what went wrong leads to its time."""
    library = copy_warehouse(tmp_path / "library")
    with served(library, page, start=True) as url:
        page.size(390, 844)
        page.open(f"{url}?start")
        page.until("!document.querySelector('#new').hidden")
        assert page.text(".nothing h2") == "No runs yet"
        page.value("document.querySelector('.begin').focus()")
        page.key("Enter")
        page.until("document.querySelector('#starting').open")
        field = "document.querySelector('#start').elements.{}"
        page.value(f"{field.format('scenario')}.value = 'morning_shift'")
        page.value(f"{field.format('speed')}.value = '60'")
        page.value(f"{field.format('faults')}.focus()")
        page.type("20s: fail dance")
        page.value(f"{field.format('seed')}.focus()")
        page.key("Enter")
        page.until("document.querySelector('#start-problem').textContent.includes('dance')")
        page.errors.clear()  # the browser tells of an answer of 400
        page.value(f"{field.format('faults')}.value = '20s: fail drive: slipped'")
        assert page.value("document.documentElement.scrollWidth - innerWidth") <= 0
        page.key("Enter")
        page.until("!document.querySelector('#starting').open")
        page.until("document.querySelector('.card.wrong') !== null")
        assert "slipped" in page.text(".card.wrong")
        page.click("#end")
        page.until("!document.querySelector('#resume-run').hidden")
        assert page.text("#stop") == "nothing to stop all robots"
        page.click("#resume-run")
        page.until("document.querySelector('#state').textContent === 'running'")
        page.until("document.querySelector('#resume-run').hidden")
        page.click(".card.wrong button")
        page.until("!document.querySelector('#follow').checked")
        page.size(1400, 1000)


def test_it_stops_while_a_model_is_asked(library: Path, page: Browser) -> None:
    model = HeldModel()
    with Watched(library, 0.5, model) as watched, served(library, page, watched.live) as url:
        page.open(f"{url}?asked")
        page.until("!document.querySelector('#say').hidden")
        watched.live.say("Start the morning orders.")
        watched.wait(SkillStarted)
        model.held.set()
        watched.live.say("What is the weather like?")
        assert model.asked.wait(GUARD)
        clicked = time.perf_counter()
        page.click("#stop")
        ended = watched.wait(SkillEnded, after=clicked, cancelled=True)
        print(f"while a model is asked: {1000 * (ended - clicked):.1f} ms")
        print(f"of that in the run: {1000 * (ended - watched.pressed):.1f} ms")
        assert ended - watched.pressed < 1.0  # under any load; the figure is in docs/serve.md


def question(page: Browser) -> int:
    """The number of the question that the page shows; 0 if there is none."""
    box = "document.querySelector('#question')"
    return int(page.value(f"{box}.hidden ? 0 : Number({box}.dataset.number)"))


def test_a_run_is_debugged_from_the_page(library: Path, page: Browser) -> None:
    """Pause, step, stop while it is paused, questions, a fault and a mock."""
    with Watched(library, speed=4.0) as watched, served(library, page, watched.live) as url:
        page.open(f"{url}?debug")
        page.until("!document.querySelector('#debug').hidden")
        page.click("#debug summary")
        watched.live.say("Start the morning orders.")
        watched.wait(SkillStarted)
        page.click("#pause")
        page.until("document.querySelector('#held').textContent.includes('paused')")
        before = page.text("#clock")
        page.click("#step")
        page.until("!document.querySelector('#held').textContent.includes('paused')")
        page.until("document.querySelectorAll('#changed li').length > 0")
        page.until(f"document.querySelector('#clock').textContent !== {before!r}")
        clicked = time.perf_counter()
        page.click("#stop")
        watched.wait(AgentInterrupted, after=clicked)
        page.until("!document.querySelector('#go-on').hidden")
        page.value("document.querySelector('#approve').value = 'skills'")
        page.value("document.querySelector('#approve').dispatchEvent(new Event('change'))")
        page.click("[list=faults]")
        page.type("fail drive x99: jammed")
        page.key("Enter")
        page.until("document.querySelector('[list=faults]').value === ''")
        page.click("#go-on")
        page.click("#resume")
        page.until("!document.querySelector('#question').hidden")
        assert "drive(" in page.text("#question-words")
        answered = {0}
        while not watched.find(SkillEnded, after=clicked, reason="jammed"):
            if (asked := question(page)) not in answered:
                page.click("#yes")
                answered.add(asked)
        page.until("!document.querySelector('#question').hidden")
        page.click("#no")
        page.value("document.querySelector('#approve').value = ''")
        page.value("document.querySelector('#approve').dispatchEvent(new Event('change'))")
        page.click("#injected button")  # takes the failures back that have not happened
        page.until("document.querySelector('#injected').textContent.includes('back drive')")
        page.until("document.querySelector('#injected button') === null")
        page.click("[data-word] input")
        page.type("drive=F")
        page.key("Enter")
        page.until("document.querySelectorAll('#mocks li').length === 1")
        page.click("#mocks button")
        page.until("document.querySelectorAll('#mocks li').length === 0")
        page.click("[data-order='pause at'] input")
        page.type("driev")
        page.key("Enter")
        page.until("document.querySelector('#message').textContent.includes('unknown node')")
        page.errors.clear()  # the refused request
    did = [
        event.did
        for _, record in watched.records
        for event in flat(record.event)
        if isinstance(event, Debugged)
    ]
    assert {"pause", "paused", "step", "approve", "yes", "no"} <= {*did}


def test_hostile_names_are_text(library: Path, page: Browser) -> None:
    """A journal whose every text is markup is drawn, and none of it is taken for markup."""
    run = run_of(library, "morning_shift")
    lines = (library / "runs" / run / JOURNAL).read_text("utf-8").splitlines()

    def poison(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: poison(one) for key, one in value.items()}
        if isinstance(value, list):
            return [poison(one) for one in value]
        return value

    poisoned = []
    for line in lines:
        record = json.loads(line)
        record["data"] = poison(record["data"])
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        for name in ("Hauler", "Scout", "robot_worker", "morning_orders", "crate"):
            text = text.replace(name, f"<img src=x onerror=document.title='{name}'>")
        poisoned.append(text)
    folder = library / "runs" / "20260101-000000-hostile"
    folder.mkdir()
    (folder / JOURNAL).write_text("\n".join(poisoned) + "\n", "utf-8")
    with served(library, page) as url:
        page.open(f"{url}?hostile#run={folder.name}&tick=20&other={folder.name}")
        page.until("document.querySelectorAll('article').length === 2")
        page.until("document.querySelector('.board').textContent.includes('onerror')")
        assert page.value("document.title") == "treec"
        assert (
            page.value("document.querySelectorAll('img:not(.film), main script, iframe').length")
            == 0
        )
        assert page.text("#message") == ""
