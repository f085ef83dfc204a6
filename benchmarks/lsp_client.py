"""A client of language servers that measures them: CPU seconds of an edit, memory."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, Queue
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")
LONGEST = 60.0
"""Seconds that an answer may take."""


class MeasuredServer:
    """A language server as a process, and one open file. Raises TimeoutError for no answer."""

    def __init__(
        self, command: Sequence[str], root: Path, settings: Mapping[str, object] | None = None
    ) -> None:
        self._settings = settings or {}
        self._process = subprocess.Popen(
            command,
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._messages: Queue[dict[str, Any]] = Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._version = 0
        self._uri = ""
        folder = {"uri": root.as_uri(), "name": root.name}
        able = {"workspace": {"configuration": True, "workspaceFolders": True}}
        given = {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": able}
        self._send(id=0, method="initialize", params={**given, "workspaceFolders": [folder]})
        self._until(lambda message: message.get("id") == 0 and "result" in message)
        self._send(method="initialized", params={})
        changed = {"settings": self._settings}
        self._send(method="workspace/didChangeConfiguration", params=changed)

    def open(self, path: Path, text: str) -> float:
        """Open a file; return the CPU seconds of the server until its problems are there."""
        self._uri = path.as_uri()
        one = {"uri": self._uri, "languageId": "yaml", "version": 1, "text": text}
        return self._measured("textDocument/didOpen", {"textDocument": one})

    def edit(self, text: str) -> float:
        """Give the file another text; return the CPU seconds until its problems are there."""
        self._version += 1
        one = {"uri": self._uri, "version": self._version + 1}
        given = {"textDocument": one, "contentChanges": [{"text": text}]}
        return self._measured("textDocument/didChange", given)

    @property
    def cpu(self) -> float:
        """CPU seconds that the process has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def peak(self) -> float:
        """The most memory that the process has had, in MB."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _measured(self, method: str, params: Mapping[str, object]) -> float:
        before = self.cpu
        self._send(method=method, params=params)
        self._until(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"]["uri"] == self._uri
            )
        )
        return self.cpu - before

    def _send(self, **fields: object) -> None:
        text = json.dumps({"jsonrpc": "2.0", **fields}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(text), text))
        self._process.stdin.flush()

    def _until(self, is_it: Any) -> None:
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            try:
                message = self._messages.get(timeout=1)
            except Empty:
                continue
            if "method" in message and "id" in message:  # the server asks
                items = (message.get("params") or {}).get("items", [])
                answer = [self._settings.get(item.get("section"), {}) for item in items]
                self._send(id=message["id"], result=answer if items else None)
            if is_it(message):
                return
        raise TimeoutError(f"no answer within {LONGEST:.0f} s")

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while head := stream.readline():
            length = int(head.split(b":")[1]) if head.lower().startswith(b"content-length") else 0
            while stream.readline().strip():
                pass
            if length:
                self._messages.put(json.loads(stream.read(length)))
