"""Stands for the controller of a robot: goals over HTTP, an emergency stop, a watchdog.

``python -m my_robot.fake_robot`` listens on 127.0.0.1:8642, and for heartbeats on UDP port 8643:
once there was one, wheels stop whenever none has come for a second. Other ports are two arguments;
0 takes a free one.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TAKES = 2.0
"""Seconds from one place to another."""

WATCHDOG = 1.0
"""Seconds without a heartbeat after which the wheels stop."""


class FakeRobot:
    """The controller; use it as a context manager. Port 0 takes a free one."""

    def __init__(self, port: int = 0, beats: int = 0, takes: float = TAKES) -> None:
        self.place: str | None = "dock"
        self.estop = False
        self.goals: list[dict[str, str]] = [{"id": "", "place": "dock", "status": "done"}]
        self._takes = takes
        self._ends = 0.0
        self.last_beat: float | None = None
        self.is_away = False
        """Whether nobody reaches it for now."""
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        robot = self

        class RobotRequests(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(robot.state())

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                data = json.loads(self.rfile.read(size) or b"{}")
                self._answer(robot.command(self.path.strip("/"), data))

            def _answer(self, state: dict[str, Any]) -> None:
                body = json.dumps(state).encode()
                self.send_response(503 if robot.is_away else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), RobotRequests)
        self._server.daemon_threads = True
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", beats))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.heartbeat = f"udp:127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> FakeRobot:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self._listener.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._closed.set()
        self._socket.sendto(b"", self._socket.getsockname())  # closing it would wake nobody
        self._listener.join()
        self._socket.close()

    def state(self) -> dict[str, Any]:
        """What the robot says of itself."""
        with self._lock:
            return self._state()

    def command(self, what: str, data: dict[str, Any]) -> dict[str, Any]:
        """Carry out a command; returns the state after it."""
        with self._lock:
            self._state()
            if what == "goal" and data["id"] not in [goal["id"] for goal in self.goals]:
                self.goals.append({**data, "status": "running"})
                self.place, self._ends = None, time.monotonic() + self._takes
                if self.estop:
                    self._stop("emergency stop")
            elif what == "cancel":
                self._stop("cancelled")
            elif what in ("estop", "release"):
                self.estop = what == "estop"
                if self.estop:
                    self._stop("emergency stop")
            return self._state()

    def _state(self) -> dict[str, Any]:
        now, goal = time.monotonic(), self.goals[-1]
        if goal["status"] == "running":
            if self.last_beat is not None and now - self.last_beat > WATCHDOG:
                self._stop("no heartbeat")
            elif now >= self._ends:
                goal["status"], self.place = "done", goal["place"]
        moving = goal["status"] == "running"
        return {"place": self.place, "moving": moving, "estop": self.estop, "goal": dict(goal)}

    def _stop(self, why: str) -> None:
        if self.goals[-1]["status"] == "running":
            self.goals[-1]["status"] = why

    def _listen(self) -> None:
        while True:
            beat = self._socket.recv(100)
            if self._closed.is_set():
                return
            with self._lock:
                self.last_beat = None if beat == b"STOPPING=1" else time.monotonic()


if __name__ == "__main__":
    http, beats = map(int, sys.argv[1:] or (8642, 8643))
    with FakeRobot(http, beats) as robot:
        print(f"the robot is at {robot.url}, its watchdog at {robot.heartbeat}", flush=True)
        threading.Event().wait()
