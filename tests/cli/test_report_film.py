"""`treec report` of a run that was filmed, through the command line."""

from __future__ import annotations

import io
import json
import re
import sys
from base64 import b64decode
from pathlib import Path

import pytest

from treec.cli import main
from treec.extensions import registry
from treec.run.folder import JOURNAL
from treec.world.journal import FORMAT

pytest.importorskip("numpy")
pillow = pytest.importorskip("PIL.Image")

from treec_sapien.bodies.pose import Pose  # noqa: E402
from treec_sapien.view import rendering  # noqa: E402
from treec_sapien.view.film import FilmRecorder  # noqa: E402
from treec_sapien.view.run_film import FILE  # noqa: E402
from treec_sapien.view.solids import SolidStage, StageSolid, as_array, ground  # noqa: E402

pytestmark = pytest.mark.skipif(
    "sapien" not in registry().films,
    reason="treec's entry points are not installed: 'make install'",
)


@pytest.fixture(autouse=True)
def _rays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same pictures everywhere: as where there is no renderer."""
    monkeypatch.setattr(rendering, "rendering_available", lambda: (False, "not in this test"))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of 2 s in which R1 took a ball from 0.5 to 1.5 s."""
    piece, floor = ground()
    solids = (
        floor,
        StageSolid("box", 1, (0.5, 0.4, 0.3, 1.0), Pose((0, 0, 0.2)), (0.4, 0.3, 0.2)),
        StageSolid("sphere", 2, (0.8, 0.2, 0.2, 1.0), half=(0.05, 0.05, 0.05)),
    )
    stage = SolidStage((piece, ("table", "body"), ("ball", "body")), solids)
    recorder = FilmRecorder(tmp_path / FILE, stage)
    for step in range(9):
        places = [Pose(), Pose(), Pose((0.05 * step - 0.2, 0.0, 0.45 + 0.02 * step))]
        recorder.keep(step / 4, as_array(places))
    recorder.close()
    return tmp_path


def journal(run: Path) -> None:
    told = {"id": "s1", "skill": "pick", "agent": "R1", "args": {"item": "ball"}}
    happened = [
        (0.0, "run.begin", {"format": FORMAT, "system": "kitchen", "seed": 1}),
        (0.5, "skill.started", told),
        (1.5, "skill.ended", {**told, "ok": True}),
        (2.0, "run.end", {"reason": "done", "ok": True}),
    ]
    lines = [
        json.dumps({"n": n, "t": t, "kind": kind, "by": "test", "data": data}) + "\n"
        for n, (t, kind, data) in enumerate(happened, 1)
    ]
    (run / JOURNAL).write_text("".join(lines), "utf-8")


@pytest.mark.thorough
def test_the_report_has_a_film_and_pictures(run: Path) -> None:
    journal(run)
    page = run / "x.html"
    assert main(["report", str(run), "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    frames = re.search(r'frames = \["([^]]*)"\]', text)
    assert frames
    assert len(frames[1].split(",")) == 9
    assert "made by ray casts" in text
    assert "R1: pick(ball), done" in text
    images = [
        b64decode(one) for one in re.findall(r'<img src="data:image/webp;base64,([^"]+)', text)
    ]
    sizes = [pillow.open(io.BytesIO(one)).size for one in images]
    assert sizes == [(400, 300), (240, 180), (240, 180), (400, 300), (400, 300)]
    assert all(word in text for word in ("depth at 2.0 s", "things at 2.0 s", "0.5 s", "1.5 s"))
    assert images[1] != images[2], "the ball has moved"


@pytest.mark.parametrize("suffix", [".webp", ".gif"])
@pytest.mark.few(0, thorough=1)
def test_the_film_alone(run: Path, suffix: str) -> None:
    journal(run)
    out = run / f"x{suffix}"
    assert main(["report", str(run), "-o", str(out)]) == 0
    with pillow.open(out) as film:
        assert film.n_frames == 9
        assert film.size == (400, 300)


def test_the_report_of_a_run_without_a_film(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not need the extra `sapien`."""
    journal(run)
    (run / FILE).unlink()
    page = run / "x.html"
    monkeypatch.setitem(sys.modules, "treec_sapien.view.film", None)
    assert main(["report", str(run), "-o", str(page)]) == 0
    assert capsys.readouterr().err == ""
    assert "film" not in page.read_text("utf-8").split("<body>")[1]
    assert main(["report", str(run), "-o", str(run / "x.webp")]) == 2
    assert "no film" in capsys.readouterr().err


def test_a_damaged_film_costs_no_report(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal(run)
    (run / FILE).write_bytes(b"treec film 1\n")
    page = run / "x.html"
    assert main(["report", str(run), "-o", str(page)]) == 0
    assert "pictures of 'sapien' cannot be made" in capsys.readouterr().err
    assert "<h2>Result" in page.read_text("utf-8")
