"""The page of runs: what it answers, and what it refuses."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import httpx
import pytest

from tests.serve.client import HOST, OWN, TOKEN, Get, sender
from tests.support.library import copy_warehouse
from treec.cli import main
from treec.files.library import load_library
from treec.render.palette import LIGHT
from treec.run.folder import JOURNAL, META
from treec.run.node_statistics import node_statistics, rows
from treec.world.journal import read_journal
from treec.world.values import freeze
from treec_serve.app import FILES, PAGE, _Page, make_app


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the warehouse."""
    return copy_warehouse(tmp_path_factory.mktemp("serve") / "library")


@pytest.fixture(scope="module")
def runs(library: Path) -> Path:
    """The folder with one run of the warehouse."""
    args = ["run", "warehouse", "--scenario", "morning_shift", "--fast", "-L", str(library)]
    assert main(args) == 0
    return library / "runs"


@pytest.fixture(scope="module")
def get(runs: Path, library: Path) -> Get:
    """Sends a request to the application."""
    return sender(make_app(runs, TOKEN, (HOST,), open_library=lambda: load_library(library)))


def only_name(runs: Path) -> str:
    (found,) = (path.name for path in runs.iterdir() if path.is_dir())
    return found


def only_run(get: Get) -> str:
    (run,) = get(f"/{TOKEN}/runs").json()
    return str(run["run"])


def test_runs_are_listed_and_opened(get: Get) -> None:
    (run,) = get(f"/{TOKEN}/runs").json()
    assert (run["system"], run["state"]) == ("warehouse", "ended")
    about = get(f"/{TOKEN}/runs/{run['run']}").json()
    assert about["last_tick"] > 10
    assert about["seconds"] > 0


def test_a_moment_shows_all_that_the_page_draws(get: Get) -> None:
    path = f"/{TOKEN}/runs/{only_run(get)}/at"
    end: dict[str, Any] = get(path).json()
    assert {node["path"] for node in end["nodes"]} >= {"warehouse_main"}
    assert end["talk"]
    assert set(end["agents"]) == {"Hauler", "Scout", "operator"}
    assert any(one["status"] == "done" for one in end["subtasks"])
    assert any(one.get("choose") for one in end["decisions"])
    times = [one["t"] for one in end["decisions"]]
    assert times == sorted(times, reverse=True)
    assert end["facts"]
    first = get(f"{path}?moment=%231").json()
    assert first["tick"] == 1
    assert len(first["talk"]) < len(end["talk"])


def test_the_board_has_the_subtasks_of_each_agent(get: Get) -> None:
    path = f"/{TOKEN}/runs/{only_run(get)}/at"
    end = get(path).json()
    done = {words for agent in end["agents"].values() for words in agent["done"]}
    assert done == {one["words"] for one in end["subtasks"] if one["status"] == "done"}
    middle = get(f"{path}?moment=%2320").json()
    at_work = {name: one["current"] for name, one in middle["agents"].items() if one["current"]}
    assert at_work
    assert set(at_work.values()) <= {one["words"] for one in middle["subtasks"]}
    assert any(one["waits_for"] for one in middle["subtasks"])
    for agent in middle["agents"].values():
        assert agent["current"] not in agent["queue"]


def test_timelines_have_the_spans_of_the_report(get: Get) -> None:
    times = get(f"/{TOKEN}/runs/{only_run(get)}/at").json()["timeline"]
    assert set(times["agents"]) == {"Hauler", "Scout", "operator"}
    assert all(0 <= one["start"] <= one["end"] <= times["end"] for one in times["spans"])
    assert {one["ended"] for one in times["spans"]} >= {"done"}


def test_a_tree_that_the_page_has_is_not_sent_again(get: Get) -> None:
    path = f"/{TOKEN}/runs/{only_run(get)}/at"
    end = get(path).json()
    again = get(f"{path}?tree={end['tree']}").json()
    assert "nodes" not in again
    assert len(again["statuses"]) == len(end["nodes"])
    assert set(again["statuses"]) <= set(".RSF")
    assert get(f"{path}?tree=x").status_code == 400


def test_the_picture_is_drawn_as_treec_render_does(get: Get) -> None:
    end = get(f"/{TOKEN}/runs/{only_run(get)}/at").json()
    kinds = {node["kind"] for node in end["nodes"]}
    assert set(end["drawings"]) == kinds
    assert end["drawings"]["decision"]["group"] == "ask"
    colours = get(f"/{TOKEN}/palette.css").text
    assert all(f".box.{one['group']}{{" in colours for one in end["drawings"].values())
    assert f"--fill:{LIGHT.statuses['RUNNING'][0]}" in colours


def test_a_node_has_a_history(get: Get) -> None:
    path = f"/{TOKEN}/runs/{only_run(get)}"
    node = "warehouse_main/robot_worker[Scout]"
    end = get(f"{path}/at").json()
    found = get(f"{path}/history?path={node}&n={end['n']}").json()
    assert found["count"] == len(found["statuses"]) > 2
    assert [one["tick"] for one in found["statuses"]] == sorted(
        one["tick"] for one in found["statuses"]
    )
    assert found["statuses"][0]["status"] == "RUNNING"
    assert get(f"{path}/history?path={node}&n=1").json()["count"] == 0
    assert get(f"{path}/history?path={node}&n=x").status_code == 400


def test_a_run_is_compared_with_another(get: Get) -> None:
    run = only_run(get)
    found = get(f"/{TOKEN}/compare?one={run}&other={run}").json()
    assert found["first"] is None
    assert [one["run"] for one in found["runs"]] == [run, run]
    assert found["runs"][0]["subtasks done"] > 0
    assert get(f"/{TOKEN}/compare?one={run}&other=none").status_code == 404


def test_a_node_leads_to_its_file_and_line(get: Get, library: Path) -> None:
    path = f"/{TOKEN}/runs/{only_run(get)}/node?path=warehouse_main/robot_worker[Scout]"
    found = get(path).json()
    first, second = ((one["file"], one["line"]) for one in found["places"])
    worker, main = "trees/robot_worker.tree.yaml", "trees/warehouse_main.tree.yaml"
    lines = (library / worker).read_text("utf-8").splitlines()
    assert (first[0], lines[first[1] - 1].strip()) == (worker, "selector:")
    assert (second[0], found["changed"]) == (main, [])
    assert get(path.replace("Scout", "Nobody")).status_code == 400


def test_a_modifier_leads_to_its_node(get: Get) -> None:
    nodes = get(f"/{TOKEN}/runs/{only_run(get)}/at").json()["nodes"]
    (some, *_) = (one["path"] for one in nodes if one["path"].endswith(":while"))
    (place, *_) = get(f"/{TOKEN}/runs/{only_run(get)}/node?path={some}").json()["places"]
    assert place["file"] == "trees/robot_worker.tree.yaml"


def test_every_node_of_a_run_leads_to_a_file(get: Get) -> None:
    run = only_run(get)
    nodes = get(f"/{TOKEN}/runs/{run}/at").json()["nodes"]
    for node in nodes[:: max(1, len(nodes) // 8)]:
        answer = get(f"/{TOKEN}/runs/{run}/node?{httpx.QueryParams(path=node['path'])}")
        assert answer.status_code == 200, (node["path"], answer.text)


def test_the_nodes_of_a_run_are_counted_as_in_its_report(get: Get, runs: Path) -> None:
    run = only_run(get)
    whole = get(f"/{TOKEN}/runs/{run}/nodes?n=1000000").json()
    records = list(read_journal(runs / run / JOURNAL))
    found = rows(node_statistics(records), records[-1].t)
    assert whole["rows"] == [list(row) for row in found]
    assert whole["rows"][0][0] == "warehouse_main"
    assert len(whole["columns"]) == len(whole["rows"][0])
    assert get(f"/{TOKEN}/runs/{run}/nodes?n=0").json()["rows"] == []
    before = get(f"/{TOKEN}/runs/{run}/nodes?n=100").json()["rows"]
    assert int(before[0][1]) < int(whole["rows"][0][1])
    assert get(f"/{TOKEN}/runs/{run}/nodes?n=x").status_code == 400
    assert get(f"/{TOKEN}/runs/other/nodes?n=1").status_code == 404


def test_the_prompt_of_a_decision_is_rendered_again(get: Get) -> None:
    run = only_run(get)
    decisions = get(f"/{TOKEN}/runs/{run}/at").json()["decisions"]
    offline = [one for one in decisions if one.get("choose") and one["by"] == "offline"]
    made = offline[-1]
    query = httpx.QueryParams(path=made["node"], n=made["n"])
    found = get(f"/{TOKEN}/runs/{run}/prompt?{query}").json()
    roles = [message["role"] for message in found["messages"]]
    assert (roles[0], roles[-1]) == ("system", "user")
    assert found["by"] == made["by"]
    tried = [one for one in found["rules"] if one["fits"] is not None]
    last = tried[-1]
    assert (last["choose"], last["fits"]) == (made["choose"], True)
    assert not any(one["fits"] for one in tried[:-1])
    assert any(["acts.accept", "nothing"] in one["looked"] for one in tried), "what was looked at"
    query = httpx.QueryParams(path=made["node"], n=1)
    assert get(f"/{TOKEN}/runs/{run}/prompt?{query}").status_code == 400
    assert get(f"/{TOKEN}/runs/{run}/prompt?path=x&n=x").status_code == 400


def test_a_decision_tells_its_rule_unless_its_file_has_changed(get: Get, library: Path) -> None:
    run = only_run(get)
    made = get(f"/{TOKEN}/runs/{run}/at").json()["decisions"]
    first = next(one for one in made if one.get("choose") == "Propose_Work")
    rules = get(f"/{TOKEN}/runs/{run}/rules").json()["Dispatch"]
    assert rules[first["by"]][first["rule"] - 1] == "suggestions"
    assert rules["options"]["Propose_Work"]
    file = library / "prompts/dispatch.decision.yaml"
    text = file.read_text("utf-8")
    file.write_text(f"{text}\n", "utf-8")
    try:
        assert get(f"/{TOKEN}/runs/{run}/rules").json() == {}
    finally:
        file.write_text(text, "utf-8")


def test_without_a_library_there_are_no_files(runs: Path) -> None:
    get = sender(make_app(runs, TOKEN, (HOST,)))
    answer = get(f"/{TOKEN}/runs/{only_run(get)}/node?path=warehouse_main")
    assert (answer.status_code, "no library here" in answer.text) == (400, True)


BEGIN = '{"n":1,"t":0.0,"kind":"run.begin","by":"run","data":%s}\n'


@pytest.mark.parametrize(
    "first",
    [
        BEGIN % '{"format":1,"scenario":NaN}',
        BEGIN % '{"format":1,"scenario":"\\ud800"}',
        BEGIN % '{"format":1,"scenario":{"a":[1]},"system":3}',
        BEGIN % ("[" * 100_000),
        '{"data": {"reason": [], "ok": "yes"}}\n',
        "[1, 2]\n",
        "",
        "\x00\udcff",
    ],
)
def test_a_broken_run_hides_no_other(first: str, runs: Path, tmp_path: Path) -> None:
    copytree(runs, tmp_path, dirs_exist_ok=True)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / JOURNAL).write_bytes(first.encode("utf-8", "surrogateescape"))
    get = sender(make_app(tmp_path, TOKEN, (HOST,)))
    found = get(f"/{TOKEN}/runs").json()
    assert {"broken", only_name(runs)} == {one["run"] for one in found}
    assert get(f"/{TOKEN}/runs/broken").status_code in (200, 404)
    assert get(f"/{TOKEN}/runs/broken/at").status_code in (200, 404)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"system": "\\ud800", "started": NaN}', "[]", "\x00"]
)
def test_a_broken_description_hides_no_run(text: str, runs: Path, tmp_path: Path) -> None:
    copytree(runs, tmp_path, dirs_exist_ok=True)
    (tmp_path / only_name(runs) / META).write_text(text, "utf-8")
    get = sender(make_app(tmp_path, TOKEN, (HOST,)))
    (run,) = get(f"/{TOKEN}/runs").json()
    assert get(f"/{TOKEN}/runs/{run['run']}").status_code == 200


@pytest.mark.parametrize("time", ["1e999", "NaN"])
def test_records_before_a_broken_one_are_shown(time: str, runs: Path, tmp_path: Path) -> None:
    name = only_name(runs)
    lines = (runs / name / JOURNAL).read_text("utf-8").splitlines(keepends=True)
    (tmp_path / name).mkdir()
    broken = re.sub(r'"t":[\d.]+', f'"t":{time}', lines[30])
    (tmp_path / name / JOURNAL).write_text("".join([*lines[:30], broken, *lines[31:]]), "utf-8")
    found = sender(make_app(tmp_path, TOKEN, (HOST,)))(f"/{TOKEN}/runs/{name}/at").json()
    assert found["n"] == 30
    assert f"{JOURNAL}:31: " in found["problem"]


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/", 403, "the address needs the token that treec serve printed"),
        ("/wrong/runs", 403, "the address needs the token that treec serve printed"),
        (f"/{TOKEN}x/runs", 403, "the address needs the token that treec serve printed"),
        (f"/{TOKEN}/none", 404, "not found"),
        (f"/{TOKEN}/runs/none", 404, "unknown run 'none'"),
        (f"/{TOKEN}/runs/none/at", 404, "unknown run 'none'"),
        (f"/{TOKEN}/runs/none/at?after=0&moment=1", 404, "unknown run 'none'"),
        (f"/{TOKEN}/runs/none/at?after=x", 400, "'tree' and 'after' are numbers of records"),
        (f"/{TOKEN}/runs/none/film?t=inf", 400, "'t' is a time in seconds"),
        (f"/{TOKEN}/runs/none/prompt?n=x", 400, "'n' is the number of a record"),
        (f"/{TOKEN}/runs/..%2F..%2Fetc", 404, "Not Found"),
        (f"/{TOKEN}/..%2Fapp.py", 404, "Not Found"),
        (f"/{TOKEN}/app.py", 404, "not found"),
        (f"/{TOKEN}/runs/%00", 404, "unknown run '\0'"),
        (f"/{TOKEN}/runs?{'x' * 3000}", 414, "the address is too long"),
        (f"/{TOKEN}/live", 200, "null"),
        (f"/{TOKEN}/start", 200, "null"),
        (f"/{TOKEN}/live/faults", 409, "no run was started here: start one, or treec serve SYSTEM"),
        (f"/{TOKEN}/edit/files", 200, "null"),
        (f"/{TOKEN}/edit/tree", 409, "trees are not edited here: start treec serve with --edit"),
    ],
)
def test_nothing_else_is_served(path: str, status: int, says: str, get: Get) -> None:
    answer = get(path)
    assert (answer.status_code, answer.text) == (status, says)


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("start", b"[]", 400, 'a run is started by {"system": "…", "seed": 3}'),
        ("start", b"{}", 409, "no run can be started here"),
        ("live/say", b'{"text": " "}', 400, 'words are sent as {"text": "…"}'),
        ("live/say", b'{"text": "hi"}', 409, "no run was started here: start one, or treec serve"),
        ("live/hear", b'{"run": 1}', 400, 'sound is sent as {"run": "…", "sound": "…"}'),
        ("live/hear", b'{"run": "a", "sound": "."}', 400, "'sound' is base64 of 16-bit samples at"),
        ("live/debug", b'{"about": "x"}', 400, 'an order is sent as {"did": "…", "about": "…"}'),
        ("live/debug", b'{"did": "a", "about": 1}', 400, 'an order is sent as {"did": "…", "abou'),
        ("live/debug", b'{"did": "pause"}', 409, "no run was started here"),
        ("edit/do", b"{}", 409, "trees are not edited here: start treec serve with --edit"),
    ],
)
def test_what_is_sent_amiss_is_told_how_to_send_it(
    path: str, body: bytes, status: int, says: str, get: Get
) -> None:
    answer = get(f"/{TOKEN}/{path}", "POST", body, **OWN)
    assert (answer.status_code, answer.text[: len(says)]) == (status, says)


@pytest.mark.parametrize(
    ("begin", "path", "says"),
    [
        ({"tree": "gone"}, "x", "{run}: unknown tree 'gone' in these files"),
        ({"ports": {"gone": 1}}, "x", "these files do not give the tree of the run: unknown port"),
        ({"system": "gone"}, "x", "{run} is a run of 'gone', and"),
        ({}, "warehouse_main/gone", "unknown node warehouse_main/gone in these files"),
    ],
)
def test_a_run_of_other_files_says_what_they_lack(
    begin: dict[str, object], path: str, says: str, runs: Path, library: Path, tmp_path: Path
) -> None:
    name = only_name(runs)
    (tmp_path / name).mkdir()
    first, *others = read_journal(runs / name / JOURNAL)
    first = replace(first, data=freeze(dict(first.data) | begin))
    lines = [record.line() for record in (first, *others)]
    (tmp_path / name / JOURNAL).write_text("".join(lines), "utf-8")
    get = sender(make_app(tmp_path, TOKEN, (HOST,), open_library=lambda: load_library(library)))
    answer, says = get(f"/{TOKEN}/runs/{name}/node?path={path}"), says.format(run=name)
    assert (answer.status_code, answer.text[: len(says)]) == (400, says)


def test_a_moment_that_is_none_is_told(get: Get) -> None:
    answer = get(f"/{TOKEN}/runs/{only_run(get)}/at?moment=soon")
    assert (answer.status_code, "is not a moment" in answer.text) == (400, True)


def test_other_hosts_and_origins_are_refused(get: Get) -> None:
    path = f"/{TOKEN}/runs"
    assert get(path, host="evil.example").text == "this host is not served"
    assert get(path, origin="http://evil.example").text == "this origin is not served"
    assert get(path, origin="null").status_code == 403
    assert get(path, origin=f"http://{HOST}").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_changed(method: str, get: Get) -> None:
    assert get(f"/{TOKEN}/runs", method).status_code == 403
    assert get(f"/{TOKEN}/runs", method, **OWN).status_code == 405


def test_all_files_of_the_page_are_served() -> None:
    assert {*FILES.values()} == {file.name for file in PAGE.iterdir()}


@pytest.mark.parametrize("name", ["", "page.js", "page.css"])
def test_the_page_may_load_its_own_files_only(name: str, get: Get) -> None:
    answer = get(f"/{TOKEN}/{name}")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "trusted-types 'none'" in answer.headers["content-security-policy"]


def test_the_page_makes_no_markup_of_text() -> None:
    """The picture's framework could, but does not: the policy lets no script do it."""
    own = [file for file in PAGE.glob("*.js") if file.name != "picture.js"]
    script = "".join(file.read_text("utf-8") for file in own)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)
    page = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"https?://|\son\w+=|style=", page)


def test_a_reader_is_not_lost_with_a_request_that_ends_as_it_is_given_one() -> None:
    async def given() -> int:
        page: Any = object.__new__(_Page)
        page._free_readers, page._queue = 0, deque()
        waits = asyncio.create_task(page._read(int))
        await asyncio.sleep(0)
        page._queue.popleft().set_result(True)
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        return int(page._free_readers)

    assert asyncio.run(given()) == 1
