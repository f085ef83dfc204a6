"""A study on the page: what it shows, what it takes, and what is kept."""

from __future__ import annotations

import io
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import pytest

from experiments.command import main
from experiments.mosaic.study.command import command
from experiments.mosaic.study.files import StudyFile
from experiments.mosaic.study.folder import StudyFolder
from experiments.mosaic.study.on_page import NotOfThisStage, StudyDesk, read_answers
from experiments.mosaic.study.page_app import make_study_app
from tests.experiments.mosaic.study.test_command import STUDY
from tests.serve.axe import findings
from tests.serve.browser import CHROMIUM, Browser, browser
from tests.serve.client import HOST, OWN, TOKEN, sender
from tests.support.library import copy_library

GUARD = 60.0
"""Real seconds after which a page that does not come is given up."""

WHOLE = {"permission": 2, "ignored": 1, "understood": 7}


@pytest.fixture
def study() -> StudyFile:
    ignored = {"ask": "Ignored?", "scale": {"from": 1, "to": 3, "low": "never", "high": "always"}}
    return StudyFile.model_validate(
        {
            "study": "small",
            "planners": {"Tree": "mosaic", "One-Prompt": "mosaic_one_prompt"},
            "recipes": ["Ramen"],
            "participants": 2,
            "questions": {
                "permission": {"ask": "How often?"},
                "ignored": ignored,
                "understood": {"ask": "Understood?", "scale": {"from": 1, "to": 7}},
            },
        }
    )


@pytest.fixture
def desk(study: StudyFile, tmp_path: Path) -> StudyDesk:
    return StudyDesk(StudyFolder.prepare(tmp_path / "study", study, simulated=False))


def test_answers_are_numbers_that_the_questions_allow(study: StudyFile) -> None:
    words = {"permission": " at the start \x1b[31m", "ignored": "  "}
    found = read_answers(study.questions, {"answers": WHOLE, "instances": words})
    assert found == {"answers": WHOLE, "instances": {"permission": "at the start \ufffd[31m"}}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, "answers are numbers by question"),
        ({"answers": {"permission": 1}}, "answer all questions"),
        ({"answers": {**WHOLE, "more": 1}}, "answer all questions"),
        ({"answers": WHOLE, "instances": {"more": "x"}}, "answer all questions"),
        ({"answers": {**WHOLE, "permission": -1}}, "-1 is not a count"),
        ({"answers": {**WHOLE, "ignored": 4}}, "4 is not on the scale from 1 to 3"),
        ({"answers": {**WHOLE, "ignored": None}}, "answer with a whole number"),
        ({"answers": {**WHOLE, "ignored": 1.5}}, "answer with a whole number"),
        ({"answers": {**WHOLE, "ignored": True}}, "answer with a whole number"),
        ({"answers": WHOLE, "instances": {"ignored": "x" * 2001}}, "at most 2000"),
    ],
)
def test_what_is_no_answer_is_told(study: StudyFile, body: dict[str, Any], problem: str) -> None:
    with pytest.raises(NotOfThisStage) as caught:
        read_answers(study.questions, body)
    assert problem in str(caught.value)


def test_a_stage_ends_once(desk: StudyDesk) -> None:
    send = sender(make_study_app(desk, TOKEN, (HOST,)))

    def post(what: str, **body: object) -> tuple[int, str]:
        text = json.dumps(body).encode()
        answer = send(f"/{TOKEN}/live/{what}", "POST", text, **OWN)
        return answer.status_code, answer.text

    desk.show("instructions", {"instructions": "<b>Do</b>", "dish": "Ramen"})
    state = send(f"/{TOKEN}/state").json()
    assert (state["stage"], state["instructions"]) == ("instructions", "<b>Do</b>")
    assert send(f"/{TOKEN}/state?have={state['key']}").status_code == 204
    assert post("say", text="hello")[0] == 409
    assert post("end", number=state["number"])[0] == 400
    assert post("answers", number=state["number"], answers=WHOLE)[0] == 400
    assert post("begin", number=state["number"] + 1)[0] == 400
    assert post("begin", number=state["number"]) == (200, '{"ok":true}')
    assert post("begin", number=state["number"])[0] == 400
    assert post("explode")[0] == 404
    assert desk.wait() == {}
    desk.show("survey")
    number = send(f"/{TOKEN}/state").json()["number"]
    status, text = post("answers", number=number, answers={**WHOLE, "ignored": 9})
    assert (status, "9 is not on the scale" in text) == (400, True)
    assert post("answers", number=number, answers=WHOLE)[0] == 200
    assert desk.wait() == {"answers": WHOLE, "instances": {}}
    desk.ended.set()
    assert desk.wait() is None


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"origin": "http://evil.example"}, 403), ({"content-type": "text/plain"}, 415)],
)
def test_only_the_page_sends(desk: StudyDesk, headers: dict[str, str], status: int) -> None:
    send = sender(make_study_app(desk, TOKEN, (HOST,)))
    desk.show("instructions")
    answer = send(f"/{TOKEN}/live/begin", "POST", b'{"number": 1}', **{**OWN, **headers})
    assert answer.status_code == status
    assert send("/guess/state").status_code == 403


# The whole of it


class Called:
    """The command in a thread of its own, and the address that it prints."""

    def __init__(self, *args: object) -> None:
        self.out = io.StringIO()
        self.status: int | None = None
        self._thread = threading.Thread(target=self._go, args=(list(map(str, args)),))
        self._thread.start()

    def _go(self, args: list[str]) -> None:
        with redirect_stdout(self.out), redirect_stderr(self.out):
            self.status = main(command, args)

    @property
    def url(self) -> str:
        return until(lambda: found[0] if (found := self._addresses()) else None, self.out.getvalue)

    def _addresses(self) -> list[str]:
        return re.findall(r"http://127\.0\.0\.1:\d+/\S+/", self.out.getvalue())

    def join(self) -> int | None:
        self._thread.join(GUARD)
        return self.status


def until(find: Callable[[], Any], why: Callable[[], object]) -> Any:
    """What is found once it is there."""
    ends = time.monotonic() + GUARD
    while not (found := find()):
        assert time.monotonic() < ends, why()
        time.sleep(0.02)
    return found


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shipped library with the small study."""
    root = copy_library(tmp_path_factory.mktemp("study") / "library")
    (root.parent / "small.yaml").write_text(STUDY, "utf-8")
    return root


@contextmanager
def client(url: str) -> Iterator[Callable[..., Any]]:
    """Sends as the page does: a path is read, an order is given with what belongs to it."""
    origin = url.rsplit("/", 2)[0]
    with httpx.Client(base_url=url, trust_env=False, timeout=GUARD) as found:

        def send(what: str, **body: object) -> Any:
            if what == "state":
                return found.get("state").json()
            answer = found.post(f"live/{what}", json=body, headers={"origin": origin})
            assert answer.status_code == 200, answer.text
            return None

        yield send


@pytest.mark.thorough
def test_a_participant_talks_and_answers(shipped: Path, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    called = Called(
        "run", shipped.parent / "small.yaml", "--page", "--offline", "-L", shipped, "--to", folder
    )
    seen = []
    with client(called.url) as send:

        def stage(name: str) -> dict[str, Any]:
            def look() -> dict[str, Any] | None:
                found: dict[str, Any] = send("state")
                seen.append(json.dumps(found))
                return found if found["stage"] == name else None

            return until(look, called.out.getvalue)  # type: ignore[no-any-return]

        for number in (1, 2):
            found = stage("instructions")
            assert found["instructions"].strip() == "Do not name the recipe."
            send("begin", number=found["number"])
            found = stage("talk")
            send("say", text="Hi there!")
            until(
                lambda: any(one["text"] == "Hi there!" for one in send("state").get("talk", ())),
                called.out.getvalue,
            )
            send("end", number=found["number"])
            found = stage("survey")
            assert [one["name"] for one in found["questions"]] == list(WHOLE)
            assert any(one["text"] == "Hi there!" for one in found["talk"])
            send("answers", number=found["number"], answers={**WHOLE, "permission": number})
        stage("done")
    assert called.join() == 0, called.out.getvalue()
    assert "Participant 1 has answered everything; 2 sessions are left." in called.out.getvalue()
    for planner in ("mosaic", "Tree", "One-Prompt"):
        assert not any(planner in text for text in (*seen, called.out.getvalue()))
    for name, number in (("p01-1", 1), ("p01-2", 2)):
        answers = json.loads((folder / name / "answers.json").read_text("utf-8"))
        assert answers["answers"]["permission"] == number
        assert (folder / name / "journal.jsonl").is_file()


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_it_is_all_done_in_a_browser(shipped: Path, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    called = Called(
        "run", shipped.parent / "small.yaml", "--page", "--offline", "-L", shipped, "--to", folder
    )
    with browser(tmp_path / "profile") as page:
        page.open(called.url)
        for number in (1, 2):
            page.until("!document.querySelector('#instructions').hidden")
            assert page.text("#where") == f"Participant 1, conversation {number} of 2"
            page.until("document.activeElement.id === 'begin'")
            page.key("Enter")
            page.until("!document.querySelector('#say').hidden")
            page.click("#words")
            page.type("Hello <b>you</b>!")
            page.key("Enter")
            page.until("document.querySelector('#talk').textContent.includes('you: Hello <b>')")
            page.until("document.querySelectorAll('#board .column').length > 1")
            named(page)
            if number == 1:
                page.click("#stop")
                page.until("!document.querySelector('#go-on').hidden")
                page.click("#go-on")
                page.until("document.querySelector('#go-on').hidden")
            page.click("#finish")
            page.until("!document.querySelector('#survey').hidden")
            named(page)
            page.click("[name=permission]")
            page.type("2")
            page.click("[name=ignored][value='1']")
            page.click("[name=understood][value='7']")
            page.click("[data-about=ignored]")
            page.type("at noon")
            page.click("#questions > button")
        page.until("!document.querySelector('#done').hidden")
        assert page.text("#message") == ""
        assert page.errors == []
    assert called.join() == 0, called.out.getvalue()
    answers = json.loads((folder / "p01-2/answers.json").read_text("utf-8"))
    assert answers["answers"] == WHOLE
    assert answers["instances"] == {"ignored": "at noon"}


def named(page: Browser) -> None:
    """What can be used has a name for whoever does not see it."""
    roles = {"button", "textbox", "radio", "spinbutton", "log", "region"}
    assert [role for role, name in page.accessible() if role in roles and not name.strip()] == []
    assert findings(page) == []
    assert findings(page, dark=True) == []
