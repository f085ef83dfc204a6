"""The snapshots' page lists what is accepted otherwise than expected, and every kind of finding."""

from __future__ import annotations

import os

import pytest

from tests.docs.pages import ROOT
from treec_testing.decisions.cases import RECORDINGS
from treec_testing.decisions.findings import KINDS
from treec_testing.recordings.folder import RecordingFolder

PAGE = ROOT / "docs" / "snapshots.md"
BEGIN, END = "<!-- accepted: begin -->\n", "<!-- accepted: end -->"


def table() -> str:
    groups: dict[tuple[str, str], int] = {}
    for recording in RecordingFolder(ROOT / RECORDINGS).read_all():
        if recording.instead_of is not None:
            node = recording.recording.rpartition("/")[0]
            key = (node, recording.because)
            groups[key] = groups.get(key, 0) + 1
    rows = [f"| *{node}* | {number} | {why} |" for (node, why), number in groups.items()]
    return "\n".join(("| node | cases | because |", "|---|---|---|", *rows)) + "\n"


@pytest.mark.needs_system("mosaic")
def test_the_page_lists_what_is_accepted_and_why() -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = before + BEGIN + table() + END + after
    if os.environ.get("TREEC_REWRITE") == "1":
        PAGE.write_text(made, "utf-8")
        return
    assert text == made, "TREEC_REWRITE=1 writes it"


def test_nothing_is_accepted_without_a_reason() -> None:
    for recording in RecordingFolder(ROOT / RECORDINGS).read_all():
        assert (recording.instead_of is None) == (not recording.because), recording.recording


def test_the_page_tells_every_kind_of_finding() -> None:
    text = PAGE.read_text("utf-8")
    for kind in KINDS:
        assert f"| `{kind}` |" in text
