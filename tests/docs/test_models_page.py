"""The prompt that the models' page shows is the one that is asked."""

from __future__ import annotations

import os
import re

import pytest

from tests.docs.pages import ROOT
from treec_fake_model.script import ScriptCase
from treec_testing.decisions.cases import RECORDINGS
from treec_testing.recordings.folder import RecordingFolder

PAGE = ROOT / "docs" / "models.md"
BEGIN, END = "<!-- rendered: begin -->\n", "<!-- rendered: end -->"
CASE = "Ask_About_Blocked/there-is-enough-else-to-stir"


def rendered() -> str:
    folder = RecordingFolder(ROOT / RECORDINGS)
    question = folder.read(folder.path / f"{CASE}.yaml").question
    assert question is not None
    messages = [f"## {message.role}\n\n{message.content}\n" for message in question.messages]
    body = "\n".join(messages).strip()
    return f"```text\n{body}\n```\n"


@pytest.mark.needs_system("mosaic")
def test_the_page_shows_a_prompt_as_it_is_asked() -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = before + BEGIN + rendered() + END + after
    if os.environ.get("TREEC_REWRITE") == "1":
        PAGE.write_text(made, "utf-8")
        return
    assert text == made


def test_every_key_of_a_fake_models_script_is_told() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert set(ScriptCase.model_fields) <= told
