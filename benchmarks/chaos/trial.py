"""One draw: a system, a fault and a moment from a seed, run, resumed and judged."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import socket
import threading
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.chaos.cage import Cage
from benchmarks.chaos.judge import (
    ENDED,
    NAMED,
    Call,
    Kept,
    Verdict,
    judge_end,
    judge_names,
    judge_orders,
    judge_output,
    judge_records,
    judge_stop,
    orders_at,
    read_log,
)
from benchmarks.chaos.library import TREEC, draw_rig, environment, write_rig, write_site
from benchmarks.process import ROOT
from treec.run.folder import JOURNAL
from treec.world.check_sums import sums_file

PATIENCE = 60.0
"""Real seconds after which a process that has begun nothing, or ends nothing, hangs."""

STOPS = ("SIGINT", "SIGTERM", "SIGHUP")
HANGS = ("sleeps", "waits", "spins", "is deaf", "blocks outside Python")
CALLS = {
    "start": "worker",
    "poll": "worker",
    "cancel": "worker",
    "initialise": "node",
    "tick": "node",
    "terminate": "node",
    "open": "environment",
    "busy": "environment",
    "step": "environment",
    "sense": "environment",
    "notify": "environment",
    "is_at_rest": "environment",
    "close": "environment",
    "import": "worker",
}
"""The calls of foreign code, and whose they are."""

AT_STOP = ("cancel", "terminate", "close", "is_at_rest")
"""Calls that come only once the run is to end."""

TRICKS = (
    "leaves a thread",
    "hangs at exit",
    "forks",
    "ignores signals",
    "closes standard output",
    "deletes the run's folder",
    "sets the clock back",
)
SHIPPED = (
    ("engine/treec/templates/empty", "my_robot", "first_drive"),
    ("engine/treec/templates/warehouse", "warehouse", "morning_shift"),
    ("engine/treec/templates/warehouse", "warehouse", "direct_orders"),
    ("templates/mosaic", "my_robot", "iced_water"),
    (".", "mosaic", "caesar_salad"),
    (".", "mosaic", "impatient_user"),
    (".", "helper", "mary_breakfast"),
    (".", "dag_plan", "pot_and_arms"),
)

FAULTS = (
    "kill -9",
    "journal cut",
    "signal",
    "signal twice",
    "full disk",
    "two owners",
    "suspended",
    *(f"hang of {call}" for call in CALLS),
    "lost environment",
    "frozen environment",
    "flood",
    "model",
    "word",
    *TRICKS,
)


@dataclass(frozen=True)
class Draw:
    """A number of a seed, from which all else follows."""

    seed: int
    number: int

    @property
    def fault(self) -> str:
        """Faults follow one another, in an order that the seed shuffles."""
        order = list(FAULTS)
        Random(f"{self.seed}").shuffle(order)
        return order[self.number % len(order)]

    @property
    def command(self) -> str:
        """What repeats it."""
        return f"python -m benchmarks chaos --seed {self.seed} --draw {self.number}"


@dataclass
class Trial:
    """A draw in a folder of its own."""

    draw: Draw
    folder: Path
    verdict: Verdict = field(default_factory=Verdict)
    about: str = ""

    def __post_init__(self) -> None:
        self.chance = Random(f"{self.draw.seed} {self.draw.number}")
        self.runs = self.folder / "runs"
        self.runs.mkdir(parents=True)
        self.log = self.folder / "log"
        self.site = write_site(self.folder)
        self.library = self.folder / "library"
        self.system, self.scenario = "rig", "all_made"
        self.plan: dict[str, object] = {"log": str(self.log), "runs": str(self.runs)}
        self.phases: list[int] = []
        self.kept: list[Kept] = []
        self.cages: list[Cage] = []
        """The processes so far, with what they printed."""

    # systems

    def _choose(self, **wanted: Any) -> None:
        """Write a library of its own."""
        self.rig = draw_rig(self.chance, **wanted)
        write_rig(self.rig, self.library)
        self.about = ", ".join(self.rig.workers)

    def _choose_any(self, *, shipped: float = 0.4) -> None:
        """A shipped system, or a library of its own."""
        if self.chance.random() < shipped:
            where, self.system, self.scenario = self.chance.choice(SHIPPED)
            self.library = ROOT / where
            self.about = self.scenario
        else:
            self._choose()

    # processes

    def _command(self, *options: str, serve: bool = False) -> list[str]:
        words = [*TREEC, "serve" if serve else "run", self.system]
        words += [] if serve else ["--scenario", self.scenario]
        return [*words, "-L", str(self.library), "--runs", str(self.runs), *options]

    @contextmanager
    def _run(self, command: list[str], disk: int | None = None) -> Iterator[Cage]:
        """A process, which is ended at the end of the block."""
        self.phases.append(len(read_log(self.log)))
        cage = Cage(
            command,
            environment(self.site, self.plan),
            self.folder,
            runs=self.runs,
            disk=disk,
        )
        self.cages.append(cage)
        with cage:
            yield cage

    def _journals(self) -> list[Path]:
        return sorted(self.runs.glob(f"*/{JOURNAL}"))

    def _resume(self) -> None:
        """Resume the run, without its fault, until it has ended; judge what has become of it."""
        journals = self._journals()
        if not journals:
            return
        folder = journals[0].parent
        before = Kept.of(folder)
        self.kept.append(before)
        if not before.lines or before.end not in (None, "stopped", "error"):
            return
        self.plan = {"log": str(self.log), "runs": str(self.runs), "hurry": 0.02}
        options = ("--resume", str(folder), "--fast", "-L", str(self.library))
        with self._run([*TREEC, "run", *options, "--runs", str(self.runs)]) as cage:
            status = cage.wait(PATIENCE)
            if status is None:
                self.verdict.say("hung", "the resumed run")
        judge_output(self.verdict, cage.text, status, "resumed")
        after = Kept.of(folder)
        judge_records(self.verdict, before, after)
        if status not in (0, None) and not after.has_failures | (self.system != "rig"):
            last = [line.text for line in cage.lines if line.text.strip()][-8:]
            why = next((t for t in last if t.startswith(("treec:", "finished", "ended"))), last[:1])
            self.verdict.say("lost", f"the goal is not reached after --resume: {why}")
        self.kept.append(after)

    # the whole

    def run(self) -> Verdict:
        """Draw, run, judge."""
        fault = self.draw.fault
        if fault.startswith("hang of "):
            self._hang(fault.removeprefix("hang of "))
        elif fault in TRICKS:
            self._trick(fault)
        else:
            {
                "kill -9": self._kill,
                "journal cut": lambda: self._kill(cut=True),
                "signal": self._signal,
                "signal twice": lambda: self._signal(twice=True),
                "full disk": self._full,
                "two owners": self._owners,
                "suspended": self._suspend,
                "lost environment": self._lose,
                "frozen environment": self._freeze,
                "flood": self._flood,
                "model": self._model,
                "word": self._word,
            }[fault]()
        self._resume()
        calls = read_log(self.log)
        bounds = [*self.phases, len(calls)]
        phases = [calls[a:b] for a, b in pairwise(bounds)]
        if not self.verdict.missed:
            judge_orders(self.verdict, phases, self.kept)
        return self.verdict

    def transcript(self) -> str:
        """What was printed and called, in order of time."""
        lines = [
            (line.at, f"{line.stream[3:]}  {line.text}") for c in self.cages for line in c.lines
        ]
        calls = [
            (call.at, f"     {call.pid} {call.what} {call.robot} {call.order} {call.item}")
            for call in read_log(self.log)
            if call.what not in ("poll", "busy", "step", "tick")
        ]
        return "\n".join(f"{at:.3f} {text}" for at, text in sorted([*lines, *calls]))

    def _calls(self, what: str) -> int:
        return sum(call.what == what for call in read_log(self.log))

    def _strike(self, number: signal.Signals) -> Iterator[tuple[Cage, float]]:
        """Run, and send a signal at a drawn moment; gives nothing if the run had ended before.

        Half of them come from within a worker's `start`, so that they repeat exactly.
        """
        orders = len(self.rig.robots) * self.rig.jobs if self.system == "rig" else 8
        nth, is_inside = self.chance.randint(1, orders), self.chance.random() < 0.5
        pause = self.chance.choice((0.0, 0.01, 0.1, 0.3))
        if is_inside:
            self.plan["signal"] = (int(number), nth)
        with self._run(self._command(self.chance.choice(("--fast", "--speed=4")))) as cage:
            if is_inside:
                self.verdict.missed = not cage.wait_until(lambda: self._calls("signal"), PATIENCE)
            else:
                reached = cage.wait_until(lambda: self._calls("start") >= nth, PATIENCE)
                time.sleep(pause)
                self.verdict.missed = not reached or cage.process.poll() is not None
            if self.verdict.missed:
                cage.wait(PATIENCE)
            elif is_inside:
                cage.mark()
                yield cage, next(c.at for c in self._this_phase() if c.what == "signal")
            else:
                yield cage, cage.send(number)

    def _kill(self, cut: bool = False) -> None:
        self._choose_any()
        for cage, _ in self._strike(signal.SIGKILL):
            cage.wait(PATIENCE)
            judge_output(self.verdict, cage.text, None, "run")
        if cut and self._journals():
            self._cut(self._journals()[0])

    def _cut(self, journal: Path) -> None:
        """Cut the journal at a byte after the run's beginning; its check sums too, or not."""
        whole = journal.read_bytes()
        kept = Kept.of(journal.parent).lines
        first = len(b"".join(kept[:2]))
        if len(whole) <= first + 1:
            self.verdict.missed = True
            return
        at = self.chance.randrange(first, len(whole))
        journal.write_bytes(whole[:at])
        if self.chance.random() < 0.5:
            sums = sums_file(journal).read_bytes().splitlines(keepends=True)
            sums_file(journal).write_bytes(b"".join(sums[: whole[:at].count(b"\n")]))

    def _signal(self, twice: bool = False) -> None:
        self._choose_any()
        number = signal.Signals[self.chance.choice(STOPS)]
        self.about += f"; {number.name}"
        for cage, at in self._strike(number):
            if twice:
                time.sleep(self.chance.choice((0.0, 0.02, 0.2)))
                cage.send(number)
            self._judge_stop(cage, at, None, twice=twice)

    def _judge_stop(self, cage: Cage, at: float, exempt: str | None, twice: bool = False) -> None:
        """Wait for the end after a stop, and judge both."""
        self._wait_until_told(cage)
        self._judge_end(cage, at)
        if not twice:
            judge_stop(self.verdict, self._this_phase(), at, exempt)

    def _wait_until_told(self, cage: Cage) -> None:
        """Wait until nobody is at work, and note how long the run has waited for a core."""
        cage.wait_until(
            lambda: cage.waited >= 0 and not orders_at(read_log(self.log), time.monotonic()), 1.0
        )
        self.verdict.busy = cage.waited

    def _judge_end(self, cage: Cage, at: float) -> None:
        """A run ends after a signal; one that does not, after the second."""
        status = cage.wait(max(0.0, at + ENDED - time.monotonic()))
        if status is None:
            self.verdict.say("hung", f"after the stop, for {ENDED:g} s")
            cage.send(signal.SIGINT)
            if cage.wait(NAMED) is None:
                self.verdict.say("hung", "after a second signal, too")
        judge_output(self.verdict, cage.text, status, "run")

    def _judge_names(self, cage: Cage, kind: str, at: float) -> None:
        """Whoever hangs is named, unless it has confirmed: its own thread hangs, not the loop's."""
        calls = self._this_phase()
        strikes = [call for call in calls if call.what == "strikes"]
        if not strikes:
            self.verdict.missed = True
            return
        struck = strikes[0]
        if not any(c.what == "cancelled" and c.order == struck.order != "-" for c in calls):
            since = struck.at
            judge_names(self.verdict, cage.lines, kind, since, max(at, since) + NAMED)

    def _this_phase(self) -> list[Call]:
        return read_log(self.log)[self.phases[-1] :]

    def _full(self) -> None:
        self._choose_any()
        disk = self.chance.randint(4, 24) * 4096
        with self._run(self._command("--fast"), disk=disk) as cage:
            status = cage.wait(PATIENCE)
            if status is None:
                self.verdict.say("hung", "on the full disk")
        kept = Path(f"{self.runs}.kept")
        if kept.is_dir():
            shutil.rmtree(self.runs)
            kept.rename(self.runs)
        judge_output(self.verdict, cage.text, status, "run")
        if status == 0:
            self.verdict.missed = True
        else:
            judge_end(self.verdict, self._this_phase(), None)

    def _owners(self) -> None:
        self._choose(has_long=True)
        with self._run(self._command("--speed=1")) as cage:
            begun = cage.wait_until(lambda: self._calls("start") > len(self.rig.robots), PATIENCE)
            if not begun:
                self.verdict.missed = True
                return
            folder = self._journals()[0].parent
            again = [*TREEC, "run", "--resume", str(folder), "--fast", "-L", str(self.library)]
            with Cage(again, environment(self.site, self.plan), self.folder) as other:
                status = other.wait(PATIENCE)
            judge_output(self.verdict, other.text, status, "the second owner")
            if status in (0, None):
                self.verdict.say("doubled", f"a second owner was let in: status {status}")
            if cage.process.poll() is not None:
                self.verdict.say("crashed", "the first owner ended when a second one came")
            self._judge_stop(cage, cage.send(signal.SIGINT), None)

    def _suspend(self) -> None:
        self._choose_any(shipped=0.2)
        with self._run(self._command("--speed=4")) as cage:
            cage.wait_until(lambda: self._calls("start") > 1, PATIENCE)
            self.verdict.missed = cage.process.poll() is not None
            cage.send(signal.SIGSTOP)
            time.sleep(self.chance.choice((0.5, 1.5, 7.0)))
            cage.send(signal.SIGCONT)
            status = cage.wait(PATIENCE)
            if status is None and self.system == "rig":
                self.verdict.say("hung", "after it was suspended")
        judge_output(self.verdict, cage.text, status, "run")
        if status not in (0, None):
            self.verdict.say("lost", "the goal is not reached after it was suspended")

    def _hang(self, where: str) -> None:
        kind = CALLS[where]
        chance = self.chance
        first = "Stepped" if kind == "environment" else chance.choice(("Timed", "Threaded"))
        if where == "poll":
            first = chance.choice(("Timed", "Threaded", "Blocking", "Stepped"))
        module = "broken" if where == "import" else "workers"
        self._choose(has_long=True, has_node=kind == "node", first=first, module=module)
        how = chance.choice(HANGS)
        who = "R1" if kind == "worker" and where != "import" else "-"
        is_once = where in (*AT_STOP, "import", "open", "initialise")
        nth = 1 if is_once else chance.randint(1, 1 + self.rig.jobs)
        self.plan["fault"] = {"where": where, "who": who, "nth": nth, "how": how}
        stop = chance.choice(("SIGINT", "SIGTERM", "button"))
        if where == "is_at_rest":  # asked only of a robot that a person has stopped
            stop = "button"
        self.about += f"; {where} {how}; {stop}"
        serve = stop == "button"
        command = self._command("--speed=1", serve=serve)
        with self._run(command) as cage:
            url = self._url(cage) if serve else ""

            def ready() -> bool:
                if where not in AT_STOP:
                    return self._calls("strikes") > 0
                flying = orders_at(read_log(self.log), time.monotonic())
                return len(flying) == len(self.rig.robots)

            cage.wait_until(ready, 20.0)
            time.sleep(chance.choice((0.0, 0.2, 1.0)))
            if not ready():
                self.verdict.missed = True
                return
            exempt = "R1" if where in ("start", "poll") else None
            if serve:
                cage.mark()
                at = self._post(url, "stop")
                self._wait_until_told(cage)
                cage.wait_until(lambda: False, NAMED + 0.5)
                judge_stop(self.verdict, self._this_phase(), at, exempt)
                self._judge_end(cage, cage.send(signal.SIGINT))
            else:
                at = cage.send(signal.Signals[stop])
                self._judge_stop(cage, at, exempt)
        if where != "import":
            self._judge_names(cage, kind, at)

    def _url(self, cage: Cage) -> str:
        def find() -> str:
            lines = [line.text.strip() for line in cage.lines]
            return next((text for text in lines if text.startswith("http://")), "")

        cage.wait_until(find, 30.0)
        return find()

    def _post(self, url: str, what: str, **body: str) -> float:
        """Say something on the page, or press its stop button; returns when it was sent.

        The connection is open by then: to open it, and to wait for a core before that, is the time
        of chaos, not of the run.
        """
        parts = urllib.parse.urlsplit(url)
        link = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
        headers = {"Origin": f"{parts.scheme}://{parts.netloc}", "Content-Type": "application/json"}
        try:
            link.connect()
            link.request("POST", f"{parts.path}live/{what}", json.dumps(body).encode(), headers)
            at = time.monotonic()
            answer = link.getresponse()
            if answer.status >= 400:
                self.verdict.say("not stopped", f"'{what}' was not taken: {answer.status}")
            answer.read()
        except OSError as error:
            at = time.monotonic()
            self.verdict.say("not stopped", f"'{what}' was not taken: {error}")
        finally:
            link.close()
        return at

    def _lose(self) -> None:
        where = self.chance.choice(("open", "busy", "step", "sense", "notify", "close"))
        how = self.chance.choice(("raises", "raises no Exception", "exits"))
        self._choose(first="Stepped")
        nth = self.chance.randint(1, 4)
        self.plan["fault"] = {"where": where, "who": "-", "nth": nth, "how": how}
        self.about += f"; {where} {how}"
        with self._run(self._command("--fast")) as cage:
            status = cage.wait(PATIENCE)
            if status is None:
                self.verdict.say("hung", "after the environment was lost")
        judge_output(self.verdict, cage.text, status, "run")
        if not self._calls("strikes"):
            self.verdict.missed = True
        elif where != "close":
            is_refused = where == "open" or "cannot be sensed" in cage.text  # before it has begun
            if not is_refused and not self._others_made():
                self.verdict.say("lost", "robots elsewhere did not go on")
            if "rig" not in cage.text.replace("run rig", ""):
                self.verdict.say("not named", "the environment was never named")

    def _others_made(self) -> bool:
        """Whether all is made that does not need the environment."""
        places = zip(self.rig.robots, self.rig.environments, strict=True)
        others = {robot for robot, place in places if place == "symbolic"}
        made = [call for call in self._this_phase() if call.what == "finish"]
        return sum(call.robot in others for call in made) == len(others) * self.rig.jobs

    def _freeze(self) -> None:
        self._choose(first="Stepped")
        self.plan["frozen"] = True
        with self._run(self._command(self.chance.choice(("--fast", "--speed=1")))) as cage:
            if not cage.wait_until(self._others_made, 20.0):
                self.verdict.say("lost", "robots elsewhere did not go on")
            if not cage.wait_until(lambda: "'rig'" in cage.text, 10.0):
                self.verdict.say("not named", "the frozen environment was never named")
            self._judge_stop(cage, cage.send(signal.SIGINT), None)
        self.plan.pop("frozen")

    def _trick(self, how: str) -> None:
        self._choose(has_long=how in ("ignores signals", "leaves a thread", "hangs at exit"))
        where = self.chance.choice(("start", "poll"))
        nth = self.chance.randint(1, self.rig.jobs)
        self.plan["fault"] = {"where": where, "who": "R1", "nth": nth, "how": how}
        number = signal.Signals[self.chance.choice(STOPS)]
        self.about += f"; {where}; {number.name}"
        with self._run(self._command("--speed=2")) as cage:
            if not cage.wait_until(lambda: self._calls("strikes"), 20.0):
                self.verdict.missed = True
                return
            time.sleep(self.chance.choice((0.0, 0.2)))
            if self.rig.has_long:
                self._judge_stop(cage, cage.send(number), None)
            elif cage.wait(20.0) is None:
                self.verdict.say("hung", f"after a worker {how}")
            judge_output(self.verdict, cage.text, cage.process.poll(), "run")
        pids = {call.pid for call in self._this_phase() if call.what == "start"}
        if len(pids) > 1:
            self.verdict.say("doubled", "two processes carry orders out")

    def _flood(self) -> None:
        self._choose(has_long=True, first=self.chance.choice(("Flooding", "Wordy")))
        with self._run(self._command("--speed=1")) as cage:
            cage.wait_until(lambda: self._calls("strikes"), 20.0)
            time.sleep(self.chance.choice((0.0, 0.3)))
            self._judge_stop(cage, cage.send(signal.SIGINT), "R1")
        size = sum(path.stat().st_size for path in self._journals())
        if size > 5 << 20:
            self.verdict.say("not stopped", f"the journal has {size >> 20} MB")

    def _model(self) -> None:
        """The warehouse, with a model that is dead, silent, or says something else."""
        how = self.chance.choice(("dead", "silent", "garbage", "half"))
        self._warehouse()
        self.about = f"a model that is {how}"
        with fake_model(how) as port:
            base = f"http://127.0.0.1:{port}/v1"
            options = ("--speed=4", "--model", "openai/chaos", "--api-base", base)
            with self._run(self._command(*options)) as cage:
                cage.wait_until(lambda: self._calls("start"), 10.0)
                time.sleep(self.chance.choice((0.0, 0.5, 2.0)))
                if cage.process.poll() is None:
                    self._judge_stop(cage, cage.send(signal.SIGTERM), None)
        judge_output(self.verdict, cage.text, cage.process.poll(), "run")

    def _warehouse(self) -> None:
        """A copy of the warehouse whose robots drive by workers of the rig."""
        shutil.copytree(ROOT / "engine/treec/templates/warehouse", self.library)
        self.system, self.scenario = "warehouse", "morning_shift"
        skill = self.library / "skills/drive/drive.skill.yaml"
        worker = f"rig.workers:{self.chance.choice(('Timed', 'Threaded', 'Blocking'))}"
        skill.write_text(skill.read_text().replace("treec.envs.symbolic:Effects", worker))

    def _word(self) -> None:
        """Stop by a word, while a call of Hauler's worker hangs or none does."""
        self._warehouse()
        where = self.chance.choice(("none", "poll", "cancel"))
        how = self.chance.choice(HANGS)
        self.plan["fault"] = {"where": where, "who": "Hauler", "nth": 1, "how": how}
        self.about = f"{where} {how}"
        with self._run(self._command(serve=True)) as cage:
            url = self._url(cage)
            self._post(url, "say", text="Scout, inspect crate 40.")
            self._post(url, "say", text="Hauler, fetch crate 12.")
            self.verdict.missed = not cage.wait_until(lambda: self._calls("start") > 1, 20.0)
            if where == "poll":
                cage.wait_until(lambda: self._calls("strikes"), 20.0)
            cage.mark()
            at = self._post(url, "say", text="Stop!")
            self._wait_until_told(cage)
            cage.wait_until(lambda: False, NAMED + 0.5)
            exempt = "Hauler" if where == "poll" else None
            judge_stop(self.verdict, self._this_phase(), at, exempt)
            self._judge_end(cage, cage.send(signal.SIGINT))
        if where != "none":
            self._judge_names(cage, "worker", at)


@contextmanager
def fake_model(how: str) -> Iterator[int]:
    """A server on a port of loopback that is dead, or answers as it should not."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = int(server.getsockname()[1])
        answers = {
            "silent": b"",
            "garbage": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "half": b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{",
        }
        if how == "dead":
            server.close()
            yield port
            return
        taken: list[socket.socket] = []

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.sendall(answers[how])
                    taken.append(connection)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield port
        finally:
            server.shutdown(socket.SHUT_RDWR)
            for connection in taken:
                connection.close()
