"""`treec run --model`: nodes that ask over real HTTP, what it costs, and what happens without."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Treec
from tests.support.files import KITCHEN, tree
from treec.nodes.events import ModelBack, ModelLost
from treec.world.journal import Journal
from treec_fake_model.thread import FakeModelThread
from treec_live.moment import note_of
from treec_models import http_client, litellm_model

CANARY = "sk-canary-0123456789abcdef"
UNUSED = ("pack/Steps.program.yaml", "pack/Talk.reading.yaml")
FILES = {
    **{name: text for name, text in KITCHEN.items() if name not in UNUSED},
    **tree("ask: Mood"),
    "pack/Mood.decision.yaml": """\
decision: Mood
about: How to feel.
sees: [level]
options:
  Cheer: When there is a reason.
  Mope: When there is none.
offline:
  - {when: true, choose: Mope}
instructions: Choose one of {{ options | join(', ') }}.
model: {retries: 1, timeout: 10s}
""",
    "pack/Cheer.tree.yaml": "tree: Cheer\nabout: Cheer.\nroot: {set: {mood: glad}}\n",
    "pack/Mope.tree.yaml": "tree: Mope\nabout: Mope.\nroot: {set: {mood: sad}}\n",
    "pack/glad.scenario.yaml": """\
scenario: glad
system: test
expect: {finally: mood == 'glad'}
""",
}
CHEER = {"reasoning": "so", "choose": "Cheer"}

Go = Callable[..., Result]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    root = tmp_path / "small"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.fixture
def go(treec: Treec, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Go:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)

    def run(*args: object) -> Result:
        given = ("run", "test", "-s", "glad", "--fast", "-L", small, "--runs", tmp_path / "runs")
        return treec(*given, *args)

    return run


def told(tmp_path: Path, kind: str) -> list[dict[str, Any]]:
    """The events of a kind in the newest run, with their data."""
    folder = sorted((tmp_path / "runs").iterdir())[-1]
    found = []
    for line in (folder / "journal.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        commit = record["kind"] == "commit"
        found += [
            e for e in (record["data"]["events"] if commit else [record]) if e["kind"] == kind
        ]
    return [one["data"] for one in found]


def summary(tmp_path: Path) -> dict[str, Any]:
    folder = sorted((tmp_path / "runs").iterdir())[-1]
    loaded: dict[str, Any] = json.loads((folder / "summary.json").read_text("utf-8"))
    return loaded


@pytest.mark.thorough
def test_a_model_decides_and_the_summary_says_what_it_took(go: Go, tmp_path: Path) -> None:
    case = {"node": "Mood", "answer": CHEER, "tokens": (1200, 30)}
    with FakeModelThread({"model": "m-7", "cases": [case]}) as server:
        result = go("--model", "openai/gpt-4o-mini", "--api-base", server.url)
        (asked,) = server.model.asked
    assert result.status == 0, result.out + result.err
    assert "Choose one of Cheer, Mope." in asked.text
    assert [one["by"] for one in told(tmp_path, "decided")] == ["openai/gpt-4o-mini@m-7"]
    assert told(tmp_path, "run.begin")[0]["model"] == "openai/gpt-4o-mini"
    assert "openai/gpt-4o-mini: 1,200 tokens in, 30 out, $0.0002" in result.out
    (row,) = [line for line in result.out.splitlines() if "Mood " in line]
    assert row.split()[1:7] == ["1", "0", "0", "1,200", "30", "$0.0002"]
    assert row.endswith(" s")
    model = summary(tmp_path)["model"]
    assert (model["name"], model["input_tokens"]) == ("openai/gpt-4o-mini", 1200)
    assert model["nodes"]["Mood"]["used"] == 1
    assert model["nodes"]["Mood"]["seconds_mean"] > 0


def test_the_system_names_the_model_and_the_library_the_server(
    go: Go, small: Path, tmp_path: Path
) -> None:
    with FakeModelThread({"cases": [{"answer": CHEER}]}) as server:
        settings = (
            f'[library]\n[model]\nname = "openai/of-the-library"\napi_base = "{server.url}"\n'
        )
        (small / "treec.toml").write_text(settings)
        assert go().status == 0
        system = (small / "test.system.yaml").read_text() + "model: openai/of-the-system\n"
        (small / "test.system.yaml").write_text(system)
        settings = settings.replace('name = "openai/of-the-library"\n', "")
        (small / "treec.toml").write_text(settings)
        assert go().status == 0
        assert go("-m", "openai/of-the-line").status == 0
        asked = [one.model for one in server.model.asked]
        assert go("--offline").status == 1  # it mopes
        assert len(server.model.asked) == 3
    assert asked == ["of-the-library", "of-the-system", "of-the-line"]
    assert told(tmp_path, "decided")[0]["by"] == "offline"


def test_a_refused_answer_is_asked_again_with_the_reason(go: Go, tmp_path: Path) -> None:
    cases = [{"answer": "Cheer, surely.", "times": 1}, {"answer": CHEER, "wrap": "prose"}]
    with FakeModelThread({"cases": cases}) as server:
        assert go("-m", "openai/x", "--api-base", server.url).status == 0
        assert "That cannot be used: it has no JSON object." in server.model.asked[1].text
    verdicts = [one.get("refused") for one in told(tmp_path, "answered")]
    assert verdicts == ["it has no JSON object.", None]


def test_answers_outside_the_schema_end_at_the_rules_with_all_attempts(
    go: Go, tmp_path: Path
) -> None:
    with FakeModelThread({"cases": [{"answer": {"choose": "Sing"}}]}) as server:
        result = go("-m", "openai/x", "--api-base", server.url)
        assert len(server.model.asked) == 2
    assert result.status == 1
    wrong = "'choose' must be one of Cheer, Mope, not \"Sing\"."
    assert [one["refused"] for one in told(tmp_path, "answered")] == [wrong, wrong]
    assert [one["by"] for one in told(tmp_path, "decided")] == ["offline"]


def test_answers_that_are_all_refused_are_told(go: Go) -> None:
    with FakeModelThread({"cases": [{"answer": {"choose": "Sing"}}]}) as server:
        result = go("-m", "openai/x", "--api-base", server.url)
    told = "! Mood: 2 answers were refused: 'choose' must be one of Cheer, Mope"
    assert result.out.count(told) == 1


def test_a_refusal_is_told_as_one_and_the_model_is_not_lost(go: Go, tmp_path: Path) -> None:
    message = {"content": None, "refusal": "I will not."}
    raw = json.dumps({"choices": [{"message": message}], "usage": {"prompt_tokens": 55}})
    with FakeModelThread({"cases": [{"raw": raw}]}) as server:
        result = go("-m", "openai/x", "--api-base", server.url)
        assert len(server.model.asked) == 1
    assert "! Mood: the model refuses to answer: I will not.: the rules decide" in result.out
    assert "no model answers" not in result.out
    (failed,) = told(tmp_path, "answered")
    assert (failed["gives_up"], failed["input_tokens"]) == (True, 55)


@pytest.mark.thorough
def test_a_model_that_hangs_costs_one_wait(go: Go, tmp_path: Path) -> None:
    with FakeModelThread({"cases": [{"hold": True}]}) as server:
        slow = ("--model-set", "timeout=500ms")
        result = go("-m", "openai/x", "--api-base", server.url, *slow)
        assert [one.node for one in server.model.asked].count("Mood") == 1
    assert [one["by"] for one in told(tmp_path, "decided")] == ["offline"]
    assert "no model answers: no answer within 0.5 s" in result.out


def test_a_wrong_setting_is_told_before_the_run(go: Go) -> None:
    result = go("-m", "openai/x", "--model-set", "seeed=7")
    assert result.status == 2
    assert "unknown setting of a model 'seeed'; did you mean 'seed'?" in result.err


def test_a_model_that_is_down_leaves_it_to_the_rules_and_that_is_said(
    go: Go, tmp_path: Path
) -> None:
    with FakeModelThread({"cases": [{"status": 401}]}) as server:
        result = go("-m", "openai/x", "--api-base", server.url)
    assert result.status == 1
    assert [one["by"] for one in told(tmp_path, "decided")] == ["offline"]
    assert result.out.count("no model answers: the server answered 401") == 1
    assert "offline rules decide" in result.out
    assert "[treec_models.model_client]" in result.out
    (failed,) = told(tmp_path, "answered")
    assert failed["module"] == "treec_models.model_client"
    assert summary(tmp_path)["model"]["lost"][0]["module"] == "treec_models.model_client"


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (("--max-tokens", "100"), "limit of 100 tokens"),
        (("--max-cost", "0.0001"), "limit of $0.0001"),
        (("--max-time", "0s"), "limit of 0 s"),
    ],
)
def test_a_limit_that_is_reached_ends_the_asking(
    go: Go, tmp_path: Path, option: tuple[str, ...], reason: str
) -> None:
    cases = [{"answer": {"choose": "Sing"}, "tokens": (900, 10)}]
    with FakeModelThread({"cases": cases}) as server:
        result = go("-m", "openai/gpt-4o-mini", "--api-base", server.url, *option)
        assert len(server.model.asked) == (0 if option[0] == "--max-time" else 1)
    assert (
        f"! the run's {reason} is reached" in result.out or f"! the run's {reason} of" in result.out
    )
    assert "no model is asked any more, offline rules decide" in result.out
    assert "no model answers" not in result.out
    assert "not asked after 0.0 s: the run's limit" in result.out
    assert "1 question not sent, because of the limit" in result.out
    if option[0] == "--max-time":
        assert "; no model was asked" in result.out
    else:
        assert "; 1 request to a model, 1 answered" in result.out
    assert told(tmp_path, "decided")[0]["by"] == "offline"
    assert told(tmp_path, "model.lost")[0]["module"] == "treec.ask.limits"


def test_limits_of_the_library_hold_and_a_cost_without_a_price_is_refused(
    go: Go, small: Path
) -> None:
    (small / "treec.toml").write_text("[library]\n[limits]\ntokens = 0\n")
    with FakeModelThread() as server:
        assert "limit of 0 tokens" in go("-m", "openai/x", "--api-base", server.url).out
        result = go("-m", "openai/x", "--api-base", server.url, "--max-cost", "1")
        assert server.model.asked == []
    assert result.status == 2
    assert "no price of openai/x is known" in result.err


def test_limits_of_the_system_go_before_the_librarys_and_the_lines_before_both(
    go: Go, small: Path
) -> None:
    (small / "treec.toml").write_text("[library]\n[limits]\ntokens = 1\ntime = '0s'\n")
    system = (small / "test.system.yaml").read_text() + "limits: {tokens: 0}\n"
    (small / "test.system.yaml").write_text(system)
    with FakeModelThread({"cases": [{"answer": CHEER}]}) as server:
        asked = ("-m", "openai/x", "--api-base", server.url)
        assert "limit of 0 tokens" in go(*asked).out
        assert "limit of 0 s" in go(*asked, "--max-tokens", "9").out
        assert go(*asked, "--max-tokens", "9", "--max-time", "1m").status == 0


def test_a_panel_says_it_as_the_lines_do() -> None:
    journal = Journal.in_memory()
    lost = journal.append(ModelLost("down", "m"), "model", 1.0)
    back = journal.append(ModelBack(), "model", 2.0)
    assert note_of(lost.event) == "! no model answers: down: offline rules decide"
    assert note_of(back.event) == "the model answers again"


def test_keys_are_nowhere(go: Go, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    said = json.dumps({"error": {"message": f"Incorrect API key provided: {CANARY}"}})
    cases = [
        {"answer": {"reasoning": f"My key is {CANARY}", "choose": "Sing"}, "times": 1},
        {"status": 401, "raw": said},
    ]
    with FakeModelThread({"cases": cases}) as server, caplog.at_level(logging.DEBUG):
        result = go("-m", "openai/x", "--api-base", server.url)
        assert server.model.asked[0].headers["authorization"].endswith(CANARY)  # it was sent
    kept = [path.read_text("utf-8") for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert any("My key is [key]" in text for text in kept)
    assert any("Incorrect API key provided: [key]" in text for text in kept)
    assert CANARY not in "".join([*kept, result.out, result.err, caplog.text])


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("-m", "gpt-4o"), "has no provider: write provider/model"),
        (("-m", "any"), "'any' has no provider: write provider/model, such as openai/any"),
        (("-m", "openai/"), "'openai/' names no model: write openai/NAME"),
        (("-m", "nobody/x"), "unknown provider 'nobody'"),
        (("-m", "anthropic/claude-x"), "needs ANTHROPIC_API_KEY in the environment"),
        (("-m", "openai/x", "--offline"), "exclude each other"),
        (("--max-time", "soon"), "is not a duration"),
    ],
)
def test_what_cannot_be_asked_is_said_before_the_run(
    go: Go, tmp_path: Path, args: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    result = go(*args)
    assert result.status == 2
    assert says in result.err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("module", "model", "package"),
    [(http_client, "openai/x", "httpx"), (litellm_model, "anthropic/x", "litellm")],
)
def test_without_the_package_the_error_names_it_and_the_extra(
    go: Go, monkeypatch: pytest.MonkeyPatch, module: object, model: str, package: str
) -> None:
    litellm_model.load_litellm.cache_clear()
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    result = go("-m", model)
    assert result.status == 2
    assert f"needs the package {package}, which is not installed" in result.err
    assert "pip install 'treec[models]'" in result.err


def test_a_slip_in_the_settings_is_found_where_it_stands_and_no_run_begins(
    go: Go, treec: Treec, small: Path, tmp_path: Path
) -> None:
    (small / "treec.toml").write_text("[library]\n[model]\nname = 'x/y'\n[limits]\ntokns = 9\n")
    for result in (treec("check", "-L", small), go()):
        assert result.status == 1
        assert "treec.toml:5:1: error TC101: unknown key 'tokns'" in result.out
        assert "did you mean 'tokens'?" in result.out
    assert not (tmp_path / "runs").exists()
