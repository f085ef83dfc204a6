"""A decision model's box question as a detector, asked over HTTP."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from treec_perception.box_question import BoxQuestion
from treec_perception.models import Models, ModelUnavailable

PICTURE = np.random.default_rng(0).integers(0, 255, (48, 64, 3)).astype(np.uint8)
BOX = {"left": 0.25, "top": 0.5, "right": 0.75, "bottom": 1.0}


@contextmanager
def answering(monkeypatch: pytest.MonkeyPatch, *answers: object) -> Iterator[list[dict[str, Any]]]:
    """A server whose answers to box1, box2, … are these; gives what it was asked."""
    asked: list[dict[str, Any]] = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            found = {f"box{number}": one for number, one in enumerate(answers, 1)}
            body = json.dumps({"answers": found}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        monkeypatch.setenv("SYSTEMONE_API_BASE", f"http://127.0.0.1:{server.server_port}")
        yield asked
        server.shutdown()


def test_its_boxes_are_those_of_the_picture_best_first(monkeypatch: pytest.MonkeyPatch) -> None:
    low = {"type": "box", "box": {**BOX, "left": 0.0}, "confidence": 0.4}
    high = {"type": "box", "box": BOX, "confidence": 0.9}
    detector = Models().detector("systemone/eyes")
    with answering(monkeypatch, low, high, {"type": "box", "box": None}) as asked:
        found = detector.boxes(PICTURE, ["a can", "a red can", "a tin"], 10)
    assert [(box.tolist(), score) for box, score in found] == [
        ([16.0, 24.0, 48.0, 48.0], 0.9),
        ([0.0, 24.0, 48.0, 48.0], 0.4),
    ]
    (body,) = asked
    assert body["questions"]["box2"] == {"type": "box", "instructions": "a red can"}
    assert body["model"] == "eyes"
    kind, _, data = body["images"][0].partition(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(data).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"type": "refusal"}, "systemone/eyes refuses to answer"),
        ({"type": "box", "box": {**BOX, "top": 17}, "confidence": 1}, "the box question by"),
        ("here", "the box question by 'here'"),
    ],
)
def test_what_is_no_box_is_told(monkeypatch: pytest.MonkeyPatch, answer: object, told: str) -> None:
    with answering(monkeypatch, answer), pytest.raises(ModelUnavailable, match=told):
        BoxQuestion("systemone/eyes").boxes(PICTURE, ["a can"], 10)


def test_without_an_address_it_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SYSTEMONE_API_BASE", raising=False)
    with pytest.raises(ModelUnavailable, match="SYSTEMONE_API_BASE in the environment"):
        BoxQuestion("systemone/eyes").load()
