"""Shows a run to OpenTelemetry: a span for the run, its nodes, skills and requests to models.

Times are those of the machine's clock, on the virtual clock of a run, too: they say what a run
waits for. A node has a span while it is RUNNING from one tick to another, or asks; a request is a
client span by the conventions for generative AI (``gen_ai.*``), below its node's.

What was asked and answered, arguments and reasons are left out, unless the standard variable
``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` asks for them; keys are left out always.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from treec.ask.transport import Answer, Request, is_decision_model
from treec.nodes.events import Answered, Asked, NodeFailed, SkillEnded, SkillStarted
from treec.run.events import NodeRaised, Ticked, TreeBegun
from treec.world.events import RunEnd
from treec_models.redaction import Redactor

if TYPE_CHECKING:
    from treec.ask.asker import Deliver, Handle
    from treec.run.run import Run
    from treec.world.journal import Record

CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable of OpenTelemetry's own instrumentations; in spans if it is one of these:"""

IN_SPANS = ("true", "1", "span_only", "span_and_event")

PROVIDERS = {
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}
"""Names of providers in the conventions that differ from those in names of models."""

TIMEOUT = 5.0
"""Seconds for one request to a collector, with its retries."""

FLUSH = 2.0
"""Seconds that the end of a run waits at most for spans that have not been sent."""

_LOGGER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
_SYSTEM_ERROR = re.compile(r"\[Errno -?\d+\] ([^'\"\])]+)")
_SILENT = "it does not answer"
_STATUS = re.compile(r"batch code: (\d+, reason: .+)|Transient error (.+) encountered")


def open_monitor(run: Run, address: str) -> OtelMonitor:
    """Send a run's spans to a collector by OTLP over HTTP.

    ``address`` is its URL, such as ``http://localhost:4318``; without one, the standard variables
    ``OTEL_EXPORTER_OTLP_…`` say where. In a program that has set up a tracer provider, and without
    an address, that takes the spans. Raises ValueError.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    own = trace.get_tracer_provider()
    if not address and isinstance(own, TracerProvider):
        return OtelMonitor(run, own, "the program's tracer provider")
    if address and (
        urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc
    ):
        raise ValueError("write a collector's URL, such as otel=http://localhost:4318")
    endpoint = f"{address.rstrip('/')}/v1/traces" if address else None
    where = endpoint or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318")
    where = re.sub(r"//[^/@]*@", "//", where)  # a password is not shown
    exporter = _CollectorExporter(OTLPSpanExporter(endpoint=endpoint, timeout=TIMEOUT), where)
    name = os.environ.get("OTEL_SERVICE_NAME", "treec")
    provider = TracerProvider(
        resource=Resource.create({"service.name": name}), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return OtelMonitor(run, provider, where, lambda: exporter.close(provider))


class _CollectorExporter(SpanExporter):
    """Sends spans to a collector; says at the end if some did not arrive, instead of at each try.

    Once it does not answer, the end of a run does not wait for it.
    """

    def __init__(self, exporter: SpanExporter, where: str) -> None:
        self._exporter = exporter
        self._where = where
        self._exporting = threading.local()
        self._is_shut_down = False
        self._sent = 0
        self._why = ""
        """Why the last try failed; empty after one that did not."""
        self._lost = ""
        """Why spans did not arrive; empty if all did."""
        logging.getLogger(_LOGGER).addFilter(self._keep)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans; what the exporter logs meanwhile is kept."""
        self._exporting.now = True
        try:
            result = self._exporter.export(spans)
        finally:
            self._exporting.now = False
        if result is SpanExportResult.SUCCESS:
            self._sent += len(spans)
            self._why = ""
        else:
            self._lost = self._why or _SILENT
        return result

    def shutdown(self) -> None:
        """Stop trying, also what waits for its next try."""
        if not self._is_shut_down:
            self._is_shut_down = True
            self._exporter.shutdown()

    def _keep(self, record: logging.LogRecord) -> bool:
        if not getattr(self._exporting, "now", False):
            return True
        text = record.getMessage()
        if found := _SYSTEM_ERROR.search(text):
            self._why = found[1]
        elif found := _STATUS.search(text):
            self._why = (found[1] or found[2]).replace(", reason:", "")
        else:
            self._why = self._why or _SILENT
        return False

    def close(self, provider: TracerProvider) -> None:
        """Send what is left, for `FLUSH` seconds at most. Raises OSError if spans are lost."""
        ending = threading.Thread(target=provider.shutdown, daemon=True)
        ending.start()
        until = time.monotonic() + FLUSH
        while ending.is_alive() and (self._sent or not self._why) and time.monotonic() < until:
            ending.join(0.02)
        if ending.is_alive():
            self.shutdown()
            ending.join(0.2)
        logging.getLogger(_LOGGER).removeFilter(self._keep)
        why = self._lost or (self._why or _SILENT if ending.is_alive() else "")
        if why:
            told = "some spans did not reach" if self._sent else "no span reached"
            raise OSError(f"OpenTelemetry: {told} the collector at {self._where}: {why}")


class OtelMonitor:
    """Turns a run's records into spans, from the beginning until it is left."""

    def __init__(
        self,
        run: Run,
        provider: trace.TracerProvider,
        where: str = "",
        close: Callable[[], None] = lambda: None,
        *,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._run = run
        self._where = where
        self._close = close
        self._tracer = provider.get_tracer("treec")
        self._tells = environment.get(CONTENT, "").lower() in IN_SPANS
        self._redact = Redactor.of_environment(environment)
        entry = run.view.system
        name = entry.name if entry is not None else ""
        known = {"system": name, "scenario": run.spec.scenario, "seed": run.spec.seed}
        self._whole = self._tracer.start_span(
            f"run {name}", attributes=_attributes(known), context=trace.set_span_in_context(_NONE)
        )
        self._nodes: dict[str, Span] = {}
        """Open spans by path; outer before inner ones."""
        self._statuses: dict[int, str] = {}
        self._paths: list[str] = []
        self._skills: dict[str, Span] = {}
        self._asked: tuple[Asked, str] | None = None
        """The record of the request that leaves next, and its node's path."""
        self._requests: set[Span] = set()

    def __enter__(self) -> OtelMonitor:
        self._leave = self._run.world.subscribe(self._take, traces=True)
        asker = self._run.asker
        if asker is not None:
            self._start_request = asker.start
            asker.start = self._watch  # type: ignore[method-assign]
        return self

    def __exit__(self, *error: object) -> None:
        self._leave()
        if self._run.asker is not None:
            self._run.asker.start = self._start_request  # type: ignore[method-assign]
        for span in (*self._requests, *self._skills.values(), *reversed(self._nodes.values())):
            span.end()
        self._whole.end()
        self._close()

    def __str__(self) -> str:
        return f"OpenTelemetry: spans go to {self._where}"

    def _take(self, record: Record) -> None:
        match record.event:
            case TreeBegun() as event:
                self._paths = ["" if node.modifier else node.path for node in event.nodes]
                self._statuses = {}
            case Ticked() as event:
                self._tick(event)
            case Asked() as event:
                self._ask(event)
            case Answered() as event if event.refused is not None:
                self._refuse(event)
            case SkillStarted() as event:
                given = {"skill": event.skill, "agent": event.agent}
                if self._tells:
                    given["args"] = self._text(dict(event.args))
                self._skills[event.id] = self._start(f"skill {event.skill}", record.by, given)
            case SkillEnded() as event:
                self._end_skill(event)
            case NodeFailed() as event if self._tells and event.node in self._nodes:
                self._nodes[event.node].set_attribute("treec.reason", self._text(event.reason))
            case NodeRaised() as event:
                self._whole.set_attribute("error.type", event.module)
            case RunEnd() as event:
                self._whole.set_attributes(_attributes({"ended": event.reason, "ok": event.ok}))
                if not event.ok:
                    self._whole.set_status(Status(StatusCode.ERROR))

    # Nodes

    def _tick(self, event: Ticked) -> None:
        self._statuses.update((n, status) for status, all_ in event.to.items() for n in all_)
        running = {self._paths[n] for n, s in self._statuses.items() if s == "RUNNING"} - {""}
        ended = dict.fromkeys(path for path in self._nodes if path not in running)
        by_path = {self._paths[n]: status for n, status in self._statuses.items()}
        for path in reversed(ended):
            span = self._nodes.pop(path)
            span.set_attribute("treec.status", by_path.get(path, "INVALID"))
            span.end()
        for path in self._paths:
            if path in running and path not in self._nodes:
                self._open(path)

    def _open(self, path: str) -> None:
        name = path.rpartition("/")[2]
        self._nodes[path] = self._start(f"node {name}", path, {"node": path})

    def _start(
        self,
        name: str,
        path: str,
        known: Mapping[str, object],
        request: Mapping[str, Any] | None = None,
    ) -> Span:
        """A span below that of the nearest node on a path; of a request with its attributes."""
        parent = self._nodes.get(path)
        while parent is None and path:
            path = path.rpartition("/")[0]
            parent = self._nodes.get(path)
        context = trace.set_span_in_context(parent or self._whole)
        others = {key: value for key, value in (request or {}).items() if value is not None}
        attributes = {**_attributes({**known, "t": self._run.clock.now()}), **others}
        kind = SpanKind.INTERNAL if request is None else SpanKind.CLIENT
        return self._tracer.start_span(name, context, kind, attributes)

    def _end_skill(self, event: SkillEnded) -> None:
        span = self._skills.pop(event.id or "", None)
        if span is None:
            return
        if event.failed:
            why = self._text(event.reason) if self._tells else None
            span.set_status(Status(StatusCode.ERROR, why))
        span.set_attribute("treec.cancelled", event.cancelled)
        span.end()

    # Requests

    def _ask(self, event: Asked) -> None:
        steps = event.node.split("/")
        for number in () if event.ahead else range(len(steps)):
            path = "/".join(steps[: number + 1])
            if path not in self._nodes:
                self._open(path)
        self._asked = event, event.node

    def _watch(self, request: Request, deliver: Deliver, deadline: float | None = None) -> Handle:
        """Start a request, which leaves just after its record."""
        span = self._request(request)

        def delivered(result: Answer | Exception) -> None:
            self._answered(span, result)
            deliver(result)

        return _Handle(self._start_request(request, delivered, deadline), lambda: self._end(span))

    def _request(self, request: Request) -> Span:
        model = request.model or self._run.runtime.model or ""
        provider, _, name = model.partition("/")
        typed = is_decision_model(model)
        known: dict[str, Any] = {
            # the conventions know no decision models
            "gen_ai.operation.name": "decide" if typed else "chat",
            "gen_ai.provider.name": PROVIDERS.get(provider, provider),
            "gen_ai.request.model": name or provider,
            "gen_ai.output.type": "json",
            "gen_ai.request.temperature": request.temperature,
            "gen_ai.conversation.id": self._run.folder and self._run.folder.name,
        }
        if self._run.spec.api_base and not request.model:
            url = urlsplit(self._run.spec.api_base)
            known |= {"server.address": url.hostname, "server.port": url.port}
        if self._tells:
            system = [_part(one.content) for one in request.messages if one.role == "system"]
            rest = [one for one in request.messages if one.role != "system"]
            said = [{"role": one.role, "parts": [_part(one.content)]} for one in rest]
            known["gen_ai.system_instructions"] = self._text(system)
            known["gen_ai.input.messages"] = self._text(said)
        asked, path = self._asked or (Asked(request.node), "")
        ours = {"node": asked.node, "attempt": asked.attempt, "ahead": asked.ahead}
        title = f"{known['gen_ai.operation.name']} {known['gen_ai.request.model']}"
        span = self._start(title, path, ours, known)
        self._requests.add(span)
        return span

    def _answered(self, span: Span, result: Answer | Exception) -> None:
        answer = result if isinstance(result, Answer) else getattr(result, "spent", None)
        known: dict[str, Any] = {}
        if isinstance(answer, Answer):
            known = {
                "gen_ai.response.model": answer.by.rpartition("@")[2],
                "gen_ai.usage.input_tokens": answer.input_tokens,
                "gen_ai.usage.output_tokens": answer.output_tokens,
                "treec.cost": answer.cost,
                "treec.confidence": answer.confidence,
                "treec.tries": len(answer.tries) + 1,
            }
            if self._tells:
                said = {"role": "assistant", "parts": [_part(answer.text)], "finish_reason": "stop"}
                known["gen_ai.output.messages"] = self._text([said])
        span.set_attributes({key: value for key, value in known.items() if value is not None})
        if isinstance(result, Exception):
            span.set_attribute("error.type", type(result).__name__)
            why = self._text(str(result)) if self._tells else None
            span.set_status(Status(StatusCode.ERROR, why))
        self._requests.discard(span)
        span.end()

    def _end(self, span: Span) -> None:
        """A request was closed, perhaps before its answer."""
        if span in self._requests:
            self._requests.discard(span)
            span.set_attribute("error.type", "cancelled")
            span.end()

    def _refuse(self, event: Answered) -> None:
        """An answer was refused: on the span of its node."""
        span = self._nodes.get(event.node, self._whole)
        why = {"reason": self._text(event.refused or "")} if self._tells else {}
        known = {"node": event.node, "attempt": event.attempt, **why}
        span.add_event("answer refused", _attributes(known))

    def _text(self, value: object) -> str:
        """Words, or data as JSON, without what looks like a key."""
        text = (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        )
        return self._redact(text)


class _Handle:
    def __init__(self, handle: Handle, closed: Callable[[], None]) -> None:
        self._handle, self._closed = handle, closed

    def cancel(self) -> None:
        self._handle.cancel()
        self._closed()


_NONE = trace.NonRecordingSpan(trace.INVALID_SPAN_CONTEXT)


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "content": text}


def _attributes(known: Mapping[str, object]) -> dict[str, Any]:
    """As attributes of ours, without what is unknown."""
    return {f"treec.{key}": value for key, value in known.items() if value is not None}
