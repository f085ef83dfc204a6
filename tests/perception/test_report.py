"""`treec report` of a run with `--see`: what each look found."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treec.cli import main
from treec.nodes.events import NeedAnswered
from treec.run.state import fold
from treec.run.timeline import timeline_of
from treec.world.events import RunBegin, RunEnd
from treec.world.journal import Journal
from treec_perception.report import looks
from treec_sapien.bodies.picture.png import png

FILE = "seen/0001-head-0123456789abcdef.png"


def proposal(score: float, **scores: float) -> dict[str, Any]:
    return {"box": [10.0, 20.4, 30.6, 40.0], "score": score, "scores": scores}


def look(**more: Any) -> dict[str, Any]:
    return {
        "thing": "soup",
        "camera": "head",
        "picture": "0123456789abcdef",
        "found": True,
        "score": 0.81,
        "why": "",
        "note": "",
        "point": [1.0, 2.0, 0.8],
        "frame": "scene",
        "depth": 0.913,
        "spread": 0.0123,
        "mask_pixels": 345,
        # journals sort the names
        "proposals": [
            proposal(0.81, check_size=0.81, detect=0.402, score_crops=0.9),
            proposal(0.05, check_size=0.05, detect=0.5, score_crops=0.1),
        ],
        "dropped": [proposal(0.3, detect=0.3)],
        **more,
    }


def answered(**more: Any) -> NeedAnswered:
    record = {
        "localizer": "sharp_eyes",
        "looks": [look()],
        "files": [FILE],
        "truth": [1.0, 2.003, 0.804],
        "error": 0.005,
        "summary": "head sees it, score 0.81, 5 mm off",
    }
    value = {"point": [1.0, 2.0, 0.8], "score": 0.81, "spread": 0.0123}
    args = {"thing": "soup"}
    told = {"value": value, "record": record, **more}
    return NeedAnswered("pick", "R2", "pose", "localize", args, **told)


def missed() -> NeedAnswered:
    lost = look(found=False, why="nothing scores 0.05: the best is 0.01", point=None, frame="")
    record = {"looks": [lost], "files": [], "truth": [1.0, 2.003, 0.804]}
    return answered(value=None, why="not seen: soup: nothing scores 0.05", record=record)


def part(*events: NeedAnswered, folder: Path | None = None) -> str:
    journal = Journal.in_memory()
    for at, one in enumerate(events):
        journal.append(one, "R2", 10.0 + at)
    return "".join(
        it.html + str(it.rows) for it in looks(timeline_of(fold(journal.records), folder))
    )


def test_proposals_have_their_scores_in_the_order_of_the_stages() -> None:
    text = part(answered())
    heads = re.findall("<th>(.*?)</th>", text)
    assert heads == ["", "box (pixels)", "detect", "score_crops", "check_size", ""]
    rows = re.findall("<tr>(<td>[12]?</td><td>10 .*?)</tr>", text)
    assert [re.findall("<td>(.*?)</td>", row) for row in rows] == [
        ["1", "10 20 31 40", "0.402", "0.900", "0.810", "chosen"],
        ["2", "10 20 31 40", "0.500", "0.100", "0.050", ""],
        ["", "10 20 31 40", "0.300", "", "", "suppressed"],
    ]


def test_the_point_and_how_far_it_is_from_the_truth() -> None:
    text = part(answered())
    assert "10.0 s, R2: pick(soup): head sees it, score 0.81, 5 mm off" in text
    assert "point (1.000, 2.000, 0.800) m in the frame of the scene; 5 mm off the truth" in text
    assert "spread 12 mm; 0.91 m away; mask of 345 pixels" in text
    assert "('off the truth', '5 mm (median), 5 mm (most)')" in text


def test_what_was_not_found_says_where_it_is() -> None:
    text = part(answered(), missed())
    assert "('localizer', 'sharp_eyes')" in text
    assert "11.0 s, R2: pick(soup): not seen: soup: nothing scores 0.05" in text
    assert "nothing scores 0.05: the best is 0.01; it is at (1.000, 2.003, 0.804) m" in text
    assert "('found', '1 of 2')" in text
    assert text.count("chosen") == 1


def test_a_run_without_looks_has_no_such_part() -> None:
    other = NeedAnswered("stir", "R1", "forecast", "forecast", {"person": "user"}, {"at": 1})
    assert part() == part(other) == ""


def test_a_long_run_shows_the_first_and_the_last_looks() -> None:
    shown = part(*[answered()] * 70)
    assert shown.count("head sees it") == 60
    assert "10.0 s" in shown
    assert "79.0 s" in shown
    assert "45.0 s" not in shown


@pytest.mark.parametrize("name", ["/seen/0001", "../seen/0001", "seen/0002"])
def test_pictures_are_taken_from_the_run_alone(tmp_path: Path, name: str) -> None:
    run = tmp_path / "run"
    for folder in (run, tmp_path):
        (folder / "seen").mkdir(parents=True)
        (folder / FILE).write_bytes(png(np.zeros((4, 4, 3), np.uint8)))
    assert "<img" in part(answered(), folder=run)
    record = {**answered().record, "files": [FILE.replace("seen/0001", name)]}
    assert "<img" not in part(answered(record=record), folder=run)


def test_the_page_has_the_picture(tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    (tmp_path / "seen").mkdir()
    (tmp_path / FILE).write_bytes(png(np.full((480, 640, 3), 200, np.uint8)))
    journal = Journal.create(tmp_path / "journal.jsonl")
    journal.append(RunBegin(system="kitchen", seed=1), "run", 0.0)
    journal.append(answered(), "R2", 10.0)
    journal.append(RunEnd("done", True), "run", 12.0)
    journal.close()
    page = tmp_path / "x.html"
    assert main(["report", str(tmp_path), "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    (image,) = re.findall(r'src="data:image/webp;base64,([^"]+)', text)
    assert pillow.open(io.BytesIO(b64decode(image))).size == (480, 360)
    assert "<h2>What each look found</h2>" in text


def test_what_is_looked_for_again_counts_once_and_says_from_where() -> None:
    again = {"looks": [look(place=1)], "files": [], "again": True, "error": 0.005}
    shown = part(missed(), answered(record=again), missed())
    assert "('found', '1 of 2')" in shown
    assert "head from place 2" in shown
