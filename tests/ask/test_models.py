"""What is around a model over real HTTP: settings, a second model, shared answers, prices."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ask.questions import GUARD, QUESTION, script
from treec.ask.asker import deliver_answer
from treec.ask.limits import Limits
from treec.ask.transport import Answer, Request, TransportError
from treec.files.settings import SettingsError
from treec.world.clock import RealClock
from treec.world.inbox import Inbox
from treec.world.spec import ModelOptions
from treec_asking.driver import ThreadedAsker
from treec_asking.model_choice import choose_model
from treec_fake_model.thread import FakeModelThread
from treec_models.models import ModelTransport, open_model

COOK = {"reasoning": "so", "choose": "Cook"}
REST = {"reasoning": "so", "choose": "Rest"}
KEY = "opensesame-canary-7"
ASKED = replace(QUESTION, timeout=GUARD)


def transport(
    tmp_path: Path, toml: str = "", url: str | None = None, **settings: Any
) -> ModelTransport:
    """The transport that a library's settings and the command line choose."""
    tmp_path.joinpath("treec.toml").write_text(toml)
    options = ModelOptions("lm_studio/first", url, model_settings=settings)
    choice = choose_model(tmp_path, None, options)
    assert choice is not None
    return open_model(choice)


def answers(model: ModelTransport, *requests: Request) -> list[Answer | BaseException]:
    async def go() -> list[Answer | BaseException]:
        asking = (model.ask(one) for one in requests or (ASKED,))
        return await asyncio.gather(*asking, return_exceptions=True)

    return asyncio.run(go())


def test_settings_are_sent_and_the_command_line_overrides_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATEWAY", KEY)
    toml = """
[model]
name = "lm_studio/first"
max_tokens = 800
seed = 7
reasoning_effort = "low"
headers = {X-Team = "kitchen", X-Pass = "Token $GATEWAY"}
extra_body = {top_k = 5}
"""
    with FakeModelThread(script({"answer": COOK})) as server:
        model = transport(tmp_path, toml, server.url, seed=8, extra_body={"min_p": 0.1})
        (answer,) = answers(model)
        (asked,) = server.model.asked
    assert isinstance(answer, Answer)
    sent = {name: asked.body.get(name) for name in ("max_tokens", "seed", "reasoning_effort")}
    assert sent == {"max_tokens": 800, "seed": 8, "reasoning_effort": "low"}
    assert (asked.body["top_k"], asked.body["min_p"]) == (5, 0.1)
    assert (asked.headers["x-team"], asked.headers["x-pass"]) == ("kitchen", f"Token {KEY}")


def test_no_key_of_a_header_is_told_or_logged(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GATEWAY", KEY)
    raw = json.dumps({"error": {"message": f"wrong key: {KEY}"}})
    with FakeModelThread(script({"status": 401, "raw": raw})) as server:
        model = transport(tmp_path, "", server.url, headers={"X-Pass": "$GATEWAY"})
        with caplog.at_level(logging.DEBUG):
            (error,) = answers(model)
        assert server.model.asked[0].headers["x-pass"] == KEY
    assert str(error) == "the server answered 401: wrong key: [key]"
    printed = capsys.readouterr()
    assert KEY not in caplog.text + printed.out + printed.err


def test_what_is_for_one_model_is_not_sent_to_another(tmp_path: Path) -> None:
    toml = '[model]\nname = "openai/x"\nheaders = {X-Pass = "secret"}\nmax_tokens = 9\n'
    with FakeModelThread(script({"answer": COOK})) as server:
        answers(transport(tmp_path, toml, server.url))
        (asked,) = server.model.asked
    assert "x-pass" not in asked.headers
    assert "max_tokens" not in asked.body


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"max_tokn": 3}, "unknown setting of a model 'max_tokn'; did you mean 'max_tokens'?"),
        ({"fallback": {"nam": "a/b"}}, "unknown setting of a model 'nam'; did you mean 'name'?"),
        ({"max_tokens": 0}, "the setting 'max_tokens' of a model: Input should be greater than 0"),
        ({"timeout": "soon"}, "the setting 'timeout' of a model: "),
        ({"headers": {"X": "$NOT_THERE"}}, "the header X needs NOT_THERE in the environment"),
        ({"fallback": {"seed": 3}}, "a model to fall back on needs a name"),
    ],
)
def test_a_wrong_setting_is_told_before_anything_is_sent(
    tmp_path: Path, settings: dict[str, Any], told: str
) -> None:
    with pytest.raises(SettingsError) as error:
        transport(tmp_path, "", "http://127.0.0.1:1/v1", **settings)
    assert str(error.value).startswith(told)


def second(url: str, **more: Any) -> dict[str, Any]:
    return {"name": "lm_studio/second", "api_base": url, **more}


def test_another_model_answers_for_one_that_fails_and_then_at_once(tmp_path: Path) -> None:
    with (
        FakeModelThread(script({"status": 401})) as bad,
        FakeModelThread(script({"answer": REST})) as good,
    ):
        model = transport(tmp_path, "", bad.url, fallback=second(good.url, seed=3))

        async def go() -> list[Answer]:
            return [await model.ask(ASKED), await model.ask(ASKED)]

        first, then = asyncio.run(go())
        assert len(good.model.asked) == 2
        assert good.model.asked[0].body["seed"] == 3
        assert [one.node for one in bad.model.asked] in (["Execution"], ["Execution", "probe"])
    assert first.by == then.by == "lm_studio/second@second"
    assert first.tries == ("the server answered 401: scripted: 401",)
    assert then.tries[0].startswith("not asked until it answers again: the server answered 401")


def test_a_typed_question_is_no_question_for_a_model_to_fall_back_on(tmp_path: Path) -> None:
    typed = replace(QUESTION, schema={"questions": {"choose": {"type": "noul"}}})
    with (
        FakeModelThread(script({"status": 401})) as bad,
        FakeModelThread(script({"answer": REST})) as good,
    ):
        (answer,) = answers(transport(tmp_path, "", bad.url, fallback=second(good.url)), typed)
        assert not good.model.asked
    assert "401" in str(answer)


@pytest.mark.thorough
def test_one_that_hangs_has_half_of_the_time_and_another_the_rest(tmp_path: Path) -> None:
    with (
        FakeModelThread(script({"hold": True})) as bad,
        FakeModelThread(script({"answer": REST})) as good,
    ):
        model = transport(tmp_path, "", bad.url, fallback=second(good.url))
        (answer,) = answers(model, replace(QUESTION, timeout=2.0))
    assert isinstance(answer, Answer), answer
    assert answer.tries == ("no answer within 1 s",)


def test_if_both_fail_both_reasons_are_told(tmp_path: Path) -> None:
    with (
        FakeModelThread(script({"status": 401})) as bad,
        FakeModelThread(script({"status": 403})) as worse,
    ):
        model = transport(tmp_path, "", bad.url, fallback=second(worse.url))
        (error,) = answers(model)
    assert isinstance(error, TransportError)
    assert str(error) == (
        "the server answered 401: scripted: 401; another model: "
        "the server answered 403: scripted: 403"
    )


@pytest.mark.thorough
def test_the_command_lines_timeout_holds_for_every_request(tmp_path: Path) -> None:
    with FakeModelThread(script({"hold": True})) as server:
        model = transport(tmp_path, "", server.url, timeout="200ms")
        (error,) = answers(model, replace(QUESTION, timeout=GUARD))
    assert str(error) == "no answer within 0.2 s"


def test_requests_that_are_the_same_share_an_answer_and_its_price_counts_once(
    tmp_path: Path,
) -> None:
    with FakeModelThread(script({"hold": True, "answer": COOK, "tokens": [90, 7]})) as server:
        model = transport(tmp_path, "", server.url)

        async def go() -> list[Answer]:
            asked = replace(ASKED, asker=model)
            asking = [asyncio.ensure_future(model.ask(asked)) for _ in range(3)]
            while not server.model.waiting:
                await asyncio.sleep(0)
            asking.pop().cancel()  # the others still want it
            await asyncio.sleep(0)
            server.let_go()
            return list(await asyncio.gather(*asking))

        first, other = asyncio.run(asyncio.wait_for(go(), GUARD))
        assert len(server.model.asked) == 1
    assert first.text == other.text
    assert (first.input_tokens, other.input_tokens) == (90, None)
    assert model.limited.tokens == 97


@pytest.mark.parametrize("askers", [(None, None), ("a run", "another"), ("a run", None)])
def test_samples_and_separate_runs_never_share_an_answer(
    tmp_path: Path, askers: tuple[str | None, ...]
) -> None:
    with FakeModelThread(script({"hold": True, "answer": COOK, "tokens": [90, 7]})) as server:
        model = transport(tmp_path, "", server.url)

        async def go() -> list[Answer]:
            asking = [asyncio.ensure_future(model.ask(replace(ASKED, asker=a))) for a in askers]
            while server.model.waiting < len(askers):
                await asyncio.sleep(0)
            server.let_go()
            return list(await asyncio.gather(*asking))

        found = asyncio.run(asyncio.wait_for(go(), GUARD))
        assert len(server.model.asked) == 2
    assert [answer.input_tokens for answer in found] == [90, 90]
    assert model.limited.tokens == 2 * 97


def test_two_nodes_of_a_run_share_an_answer_by_their_asker(tmp_path: Path) -> None:
    found: list[Answer | Exception] = []
    with FakeModelThread(script({"hold": True, "answer": COOK})) as server:
        inbox = Inbox(RealClock())
        asker = ThreadedAsker(transport(tmp_path, "", server.url), inbox)
        for _ in range(2):
            asker.start(ASKED, found.append)
        assert server.wait_for(lambda model: bool(model.waiting))
        server.let_go()
        while len(found) < 2 and inbox.wait(GUARD):
            for message in inbox.drain():
                deliver_answer(message)
        asker.close()
        assert len(server.model.asked) == 1
    assert [type(answer) for answer in found] == [Answer, Answer]


def test_it_is_closed_once_nobody_waits_for_it_and_then_asked_anew(tmp_path: Path) -> None:
    cases = script({"hold": True, "times": 1}, {"answer": COOK})
    with FakeModelThread(cases) as server:
        model = transport(tmp_path, "", server.url)

        async def go() -> Answer:
            asked = replace(ASKED, asker=model)
            asking = [asyncio.ensure_future(model.ask(asked)) for _ in range(2)]
            while not server.model.waiting:
                await asyncio.sleep(0)
            for one in asking:
                one.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
            return await model.ask(asked)

        assert json.loads(asyncio.run(asyncio.wait_for(go(), GUARD)).text) == COOK
        assert server.wait_for(lambda model: len(model.dropped) == 1)
    assert model.limited.closed == 1
    assert model.limited.closed_tokens > 0


def test_openais_models_are_asked_and_priced_without_importing_litellm() -> None:
    code = """
import asyncio, sys
from dataclasses import replace
from treec_models.models import ModelChoice, open_model
from tests.ask.questions import QUESTION
model = open_model(ModelChoice("openai/gpt-4o-mini", sys.argv[1]))
answer = asyncio.run(model.ask(replace(QUESTION, timeout=30.0)))
print(answer.cost == 100 * 0.15e-6 + 20 * 0.6e-6, "litellm" in sys.modules)
"""
    with FakeModelThread(script({"answer": COOK, "tokens": [100, 20]})) as server:
        root = Path(__file__).resolve().parents[2]
        done = subprocess.run(
            [sys.executable, "-c", code, server.url],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.stdout.strip() == "True False", done.stderr


def test_a_limit_holds_for_all_models_together(tmp_path: Path) -> None:
    tmp_path.joinpath("treec.toml").write_text("")
    with (
        FakeModelThread(script({"status": 401})) as bad,
        FakeModelThread(script({"answer": REST, "tokens": [90, 10]})) as good,
    ):
        settings = {"fallback": second(good.url)}
        options = ModelOptions("lm_studio/x", bad.url, max_tokens=100, model_settings=settings)
        choice = choose_model(tmp_path, None, options)
        assert choice is not None
        assert choice.limits == Limits(tokens=100)
        model = open_model(choice)

        async def go() -> None:
            await model.ask(ASKED)
            with pytest.raises(TransportError, match="limit of 100 tokens is reached"):
                await model.ask(replace(ASKED, node="Other"))

        asyncio.run(go())
