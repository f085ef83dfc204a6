"""Judges that see pictures: what leaves for a model, and what never does."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from pathlib import Path

import pytest

from tests.ask.questions import script
from tests.judge.library import DISH, answer, judged_by, see
from treec.ask.transport import Message, Request
from treec.source.errors import EvaluationError, EvaluationProblem
from treec.source.expression import Expression
from treec_fake_model.thread import FakeModelThread
from treec_models.decision_models import SystemOne
from treec_models.local_model import LocalModel
from treec_models.model_client import ModelError
from treec_models.openai_chat import OpenAIChat
from treec_models.pictures import KEPT, LARGEST, content_parts, shown_picture

PNG = b"\x89PNG\r\n\x1a\nclean"
SEES = DISH.replace('"{{ item }}: {{ looks }}"', '"{{ item }}: {{ looks | picture }} Is it so?"')
CLEAN = answer(clean=True, sort_of="mug", stained="spotless")
STAINED = answer(clean=False, sort_of="mug", stained="filthy")


def test_it_is_asked_again_when_another_picture_is_seen(tmp_path: Path) -> None:
    b = judged_by(tmp_path, SEES, CLEAN, STAINED)
    for name, data, requests, clean in (
        ("1.png", PNG, 1, True),
        ("2.png", PNG, 1, True),  # the same picture
        ("3.png", PNG + b", a stain", 2, False),
    ):
        (tmp_path / name).write_bytes(data)
        see(b, "looks", pepper=str(tmp_path / name))
        b.settle()
        assert (len(b.requests), b.fact("clean", "pepper")) == (requests, clean)
    recorded = json.dumps([record.data for record in b.journal.records], default=str)
    assert base64.b64encode(PNG).decode() not in recorded


def asked_about(folder: Path) -> Request:
    (folder / "seen.png").write_bytes(PNG)
    b = judged_by(folder, SEES, CLEAN)
    see(b, "looks", pepper=str(folder / "seen.png"))
    b.settle()
    (request,) = b.requests
    return request


def test_openais_interface_gets_the_picture_where_the_prompt_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    request = asked_about(tmp_path)
    seen = {"when": "data:image/png", "answer": CLEAN}
    with FakeModelThread(script(seen)) as server:
        got = asyncio.run(OpenAIChat("openai/fake", server.url).ask(request))
        (received,) = server.model.asked
    assert json.loads(got.text) == CLEAN
    before, picture, after = received.body["messages"][-1]["content"]
    assert before["text"].rstrip().endswith("pepper:")
    url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    assert picture == {"type": "image_url", "image_url": {"url": url}}
    assert after["text"].strip().startswith("Is it so?")


@pytest.mark.parametrize("client", [LocalModel, SystemOne])
def test_who_takes_no_pictures_passes_on(
    client: type[LocalModel] | type[SystemOne], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "prepare", lambda self, model: setattr(self, "_engine", object()))
    asked = client("local" if client is LocalModel else "systemone/x", "http://127.0.0.1:9")
    request = asked_about(tmp_path)
    with pytest.raises(ModelError, match="takes no pictures"):
        asyncio.run(asked.ask(request))


def test_what_each_prompt_shows_is_kept_while_others_come_and_go(tmp_path: Path) -> None:
    for name in ("plan", *range(KEPT)):
        (tmp_path / f"{name}.png").write_bytes(PNG + str(name).encode())
    for number in range(KEPT):
        shown = [shown_picture(str(name), tmp_path / f"{name}.png") for name in ("plan", number)]
        parts = content_parts(Message("user", " ".join(shown)))
        assert [one["type"] for one in parts if isinstance(one, dict)] == ["image_url"] * 2


def test_only_pictures_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    for name in ("pipe.png", "."):
        with pytest.raises(EvaluationProblem, match="is not a file"):
            shown_picture(name, tmp_path / name)
    for name, data, why in (
        ("key.pem", b"-----BEGIN", "is not a picture: PNG, JPEG, WebP or GIF"),
        ("huge.png", PNG + bytes(LARGEST), "is larger than 5 MB"),
        ("none.png", None, "cannot be read: No such file"),
    ):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(EvaluationProblem, match=why):
            shown_picture(name, tmp_path / name)


def test_paths_are_those_of_the_library_and_lead_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "library"
    (library / "seen").mkdir(parents=True)
    for folder in (tmp_path, library / "seen"):
        (folder / "1.png").write_bytes(PNG)
    (library / "link.png").symlink_to(tmp_path / "1.png")
    b = judged_by(library, SEES, CLEAN)
    monkeypatch.chdir("/")
    shown = Expression.parse("looks | picture")
    for path in ("seen/1.png", "seen/../seen/1.png", str(library / "seen/1.png")):
        found = shown.evaluate(b.run.runtime.scope.child({"looks": path}))
        assert str(found).startswith("picture:")
    for path in ("../1.png", "link.png", str(tmp_path / "1.png"), "/etc/passwd", "~/1.png\0"):
        with pytest.raises(EvaluationError, match="leads out of the library: put the file"):
            shown.evaluate(b.run.runtime.scope.child({"looks": path}))
    for what, text in (("picture", "looks | picture"), ("library_file", "library_file(looks)")):
        for path in (7, ""):
            with pytest.raises(EvaluationError, match=f"'{what}' takes the path of a file"):
                Expression.parse(text).evaluate(b.run.runtime.scope.child({"looks": path}))
