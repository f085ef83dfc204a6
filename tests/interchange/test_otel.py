"""Spans of a run, by the SDK's own exporter into memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.nodes.test_decide import bench as deciding
from tests.support.bench import Bench
from tests.support.files import tree
from treec.ask.transport import Scripted, Unavailable
from treec.run.monitors import attach_monitors
from treec.run.run import CannotRun

pytest.importorskip("opentelemetry.sdk")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import (
    InMemorySpanExporter,
)
from opentelemetry.trace import SpanKind, StatusCode

from treec_interchange.otel import CONTENT, OtelMonitor

KEY = "sk-0123456789abcdefghij"
RIGHT = {"reasoning": f"it said {KEY}", "choose": "A"}


def watched(
    b: Bench, environment: Mapping[str, str] = {}
) -> tuple[OtelMonitor, InMemorySpanExporter]:
    memory, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    return OtelMonitor(b.run, provider, environment=environment), memory


def attributes(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


def test_requests_are_spans_below_their_nodes_without_what_was_said(tmp_path: Path) -> None:
    answers = ["nonsense", Scripted(RIGHT, after=1.0)]
    b = deciding(tmp_path, answers={"D": answers}, root="sequence: [{ask: D}]")
    monitor, memory = watched(b)
    with monitor:
        b.pass_time(3)
    spans = {span.context.span_id: span for span in memory.get_finished_spans()}
    first, second = (span for span in spans.values() if span.kind is SpanKind.CLIENT)
    told = attributes(second)
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.response.model"] == "scripted"
    assert (told["treec.node"], told["treec.attempt"]) == ("main/D", 2)
    assert first.end_time <= second.start_time < second.end_time
    chain = []
    while second.parent is not None:
        second = spans[second.parent.span_id]
        chain.append(second.name)
    assert chain == ["node D", "node main", "run test"]
    (refused,) = (event for span in spans.values() for event in span.events)
    assert (refused.name, dict(refused.attributes)["treec.attempt"]) == ("answer refused", 1)
    everything = " ".join(span.to_json() for span in spans.values())
    assert "nonsense" not in everything
    assert "it said" not in everything
    assert not any("messages" in key or "instructions" in key for key in told)


def test_what_was_said_is_told_where_it_is_asked_for_and_no_key(tmp_path: Path) -> None:
    b = deciding(tmp_path, answers={"D": [RIGHT]})
    monitor, memory = watched(b, {CONTENT: "SPAN_ONLY"})
    with monitor:
        b.pass_time(1)
    (span,) = (span for span in memory.get_finished_spans() if span.kind is SpanKind.CLIENT)
    (answer,) = json.loads(str(attributes(span)["gen_ai.output.messages"]))
    text = answer["parts"][0]["content"]
    assert json.loads(text) == {"reasoning": "it said [key]", "choose": "A"}
    assert json.loads(str(attributes(span)["gen_ai.input.messages"]))[-1]["role"] == "user"
    assert KEY not in span.to_json()


def test_a_request_that_fails_and_one_that_is_closed(tmp_path: Path) -> None:
    answers = [Unavailable("busy"), Scripted(RIGHT, after=9.0)]
    b = deciding(tmp_path, answers={"D": answers})
    monitor, memory = watched(b)
    with monitor:
        b.pass_time(1)
        b.set(level=1)
        b.pass_time(1)
        b.run.root.stop()
    failed, closed = (one for one in memory.get_finished_spans() if one.kind is SpanKind.CLIENT)
    assert (attributes(failed)["error.type"], failed.status.description) == ("Unavailable", None)
    assert failed.status.status_code is StatusCode.ERROR
    assert attributes(closed)["error.type"] == "cancelled"


def test_nodes_and_skills_have_spans_while_they_run(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("sequence: [{skill: pick, with: {agent: R1, item: pepper}}]"))
    monitor, memory = watched(b)
    with monitor:
        b.pass_time(20)
    names = [span.name for span in memory.get_finished_spans()]
    assert names == ["skill go_to", "skill pick", "node pick", "node main", "run test"]


@contextmanager
def collector(status: int = 200) -> Iterator[tuple[str, list[bytes]]]:
    """A collector that answers all requests by one status: its address, and what it got."""
    received: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", received
        server.shutdown()


def test_a_collector_gets_the_spans_by_http(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("wait: 1s"))
    with pytest.raises(CannotRun, match="write a collector's URL, such as otel=http://local"):
        attach_monitors(b.run, ["otel=4318"])
    with collector() as (url, received):
        (told,) = attach_monitors(b.run, [f"otel={url.replace('//', '//me:secret@')}"])
        b.pass_time(2)
        b.run.shown.close()
    assert told == f"OpenTelemetry: spans go to {url}/v1/traces"
    assert b"run test" in b"".join(received)


@pytest.mark.parametrize(
    ("status", "why"), [(None, "Connection refused"), (404, "404 Not Found"), (503, "Service Un")]
)
def test_of_a_collector_that_takes_nothing_one_line_is_told_at_the_end(
    status: int | None, why: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    b = Bench(tmp_path, tree("wait: 1s"))
    with collector(status or 200) as (url, _):
        if status is not None:
            attach_monitors(b.run, [f"otel={url}"])
            b.run.shown.close()
    if status is None:  # nobody listens there any more
        attach_monitors(b.run, [f"otel={url}"])
        b.run.shown.close()
    (line,) = (record.getMessage() for record in caplog.records)
    assert line.startswith(
        f"OpenTelemetry: no span reached the collector at {url}/v1/traces: {why}"
    )
