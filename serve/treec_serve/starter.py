"""Runs that the page starts, one at a time, each in a process of its own (`treec_serve.started`).

What runs is a :class:`RunSpec`, as on the command line; what that said of a model holds for them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from pydantic import ValidationError

from treec import crash
from treec.files.library import Library, kind_of
from treec.run.folder import JOURNAL, read_meta
from treec.run.live_run import OrderRefused
from treec.world.events import RunBegin
from treec.world.journal import parse_record
from treec.world.spec import RunSpec
from treec_serve.link import RemoteRun, RunLink
from treec_serve.spec import FIELDS, SPEC

CLOSING = 4.0
"""Seconds in which a run stops its robots and ends, before its process is killed."""


class RunStarter:
    """Starts runs for a page; ``first`` is the run that takes orders already, if any."""

    def __init__(
        self,
        runs: Path,
        library: Path | None,
        open_library: Callable[[], Library | None],
        base: RunSpec | None = None,
        first: RunLink | None = None,
        *,
        watch: bool = False,
    ) -> None:
        """``library`` is the folder that ``open_library`` reads anew each time.

        ``base`` has what holds for all runs that are started, such as the model; ``watch``: whether
        they take up files that are edited.
        """
        self._runs, self._library, self._open_library = runs, library, open_library
        self._base = base or RunSpec()
        self._watch = watch
        self._link = first
        self._child: _Child | None = None
        self._limiter: CapacityLimiter | None = None

    def live(self) -> RunLink | None:
        """The run that takes orders: the last one that was started."""
        return self._link

    def choices(self) -> dict[str, Any] | None:
        """The systems that can run, each with its scenarios; None without a library."""
        library = self._open_library()
        if library is None:
            return None
        systems = []
        for entry in library.of_kind("system"):
            pack = library.pack_of(entry.path)
            own = [
                {"name": one.name, "about": one.model.about or ""}
                for one in library.of_kind("scenario")
                if library.belongs_to(one, entry)
            ]
            systems.append(
                {
                    "name": entry.name if pack is None else f"{pack.name}/{entry.name}",
                    "about": entry.model.about or "",
                    "scenarios": sorted(own, key=lambda one: one["name"]),
                }
            )
        known = {str(one["name"]) for one in systems}
        systems += [
            {"name": name, "about": "", "scenarios": []}
            for name in library.systems_in_packs(None)
            if name not in known
        ]
        return {"systems": systems, "watch": self._watch}

    async def start(self, asked: Mapping[str, Any]) -> str:
        """Start a run and return its name. Raises OrderRefused.

        ``asked`` has the fields of its spec, or ``again``, the name of a run whose description it
        has, or ``resume``, that of an interrupted run that goes on.
        """
        if self._limiter is None:
            self._limiter = CapacityLimiter(1)
        if self._limiter.borrowed_tokens:
            raise OrderRefused("a run is being started", 409)
        async with self._limiter:
            if self._link is not None:
                now: Any = await self._link.order("data", {})
                if not now["over"]:
                    raise OrderRefused(f"the run {now['run']} goes on: end it first", 409)
            return await run_sync(lambda: self._start(asked), abandon_on_cancel=True)

    def close(self) -> None:
        """End the run that was started last, which stops its robots."""
        if self._child is not None:
            self._child.close()

    def _start(self, asked: Mapping[str, Any]) -> str:
        resume = asked.get("resume")
        order = {
            "spec": SPEC.dump_python(self._spec(asked), mode="json"),
            "runs": str(self._runs),
            "library": None if self._library is None else str(self._library),
            "resume": None if resume is None else str(self._folder(resume)),
            "watch": bool(asked.get("watch", self._watch)),
        }
        self.close()
        child = self._child = _Child(order)
        if child.problem:
            child.close()
            raise OrderRefused(child.problem, 400)
        self._link = child.link
        return child.run

    def _spec(self, asked: Mapping[str, Any]) -> RunSpec:
        """What is to run. Raises OrderRefused."""
        if asked.get("resume") is not None:
            return self._base
        given = {key: asked[key] for key in FIELDS if asked.get(key) not in (None, "")}
        try:
            if asked.get("again") is None:
                if not given.get("system"):
                    raise OrderRefused("specify the system to run", 400)
                if kind_of(str(given["system"])) is not None:
                    raise OrderRefused("specify a system or a tree by its name, not a file", 400)
                return SPEC.validate_python({**_plain(self._base), **given})
            folder = self._folder(asked["again"])
            with open(folder / JOURNAL, "rb") as file:
                begin = parse_record(file.readline()).event
            if not isinstance(begin, RunBegin):
                raise OrderRefused(f"{folder.name} does not say what it ran", 400)
            spec = self._base.resumed(begin, read_meta(folder))
            return replace(spec, model=spec.model or (None if spec.offline else begin.model))
        except ValidationError as error:
            one = error.errors()[0]
            where = ".".join(map(str, one["loc"]))
            why = one["msg"].removeprefix("Value error, ")
            raise OrderRefused(f"'{where}': {why}" if where else why, 400) from None
        except (OSError, ValueError) as error:
            raise OrderRefused(str(error), 400) from None

    def _folder(self, name: object) -> Path:
        """The folder of a run that is listed: no other path is ever opened."""
        for journal in self._runs.glob(f"*/{JOURNAL}"):
            if journal.parent.name == name:
                return journal.parent
        raise OrderRefused(f"unknown run '{name}'", 404)


def _plain(spec: RunSpec) -> dict[str, Any]:
    found: dict[str, Any] = SPEC.dump_python(spec)
    return found


class _Child:
    """The process of a run."""

    def __init__(self, order: Mapping[str, object]) -> None:
        """Start it and wait until its run begins, or ``problem`` says why it does not."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "treec_serve.started"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # what the terminal's Ctrl-C ends is who holds the pipe to it
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.link = RemoteRun(self._process.stdout, self._process.stdin)
        answer: dict[str, str] = {}
        with suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline() or b"{}")
        self.run = self.link.run = answer.get("run", "")
        self.problem = answer.get("problem") or (
            "" if self.run else "the run's process has ended; its terminal says why"
        )
        if not self.problem:
            threading.Thread(target=self.link.listen, name="treec run", daemon=True).start()

    def close(self) -> None:
        """End it."""
        self.link.close()
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode == crash.STATUS:  # it has printed the traceback
            crash.note()
