"""Headless Chromium, driven over a pipe by its own protocol: no network, no other package."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium")
GUARD = 60.0
"""Real seconds after which a page that does not come is given up."""


class PageError(AssertionError):
    """What the page asked for did not come, or its script raised."""


class Browser:
    """One page. ``errors`` are exceptions of its scripts and refusals of its policy."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._number = 0
        self._buffer = b""
        self._session: str | None = None
        self.errors: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        attached = self._send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Accessibility", "Performance"):
            self._send(f"{domain}.enable")
        self.size(1400, 1000)

    def size(self, width: int, height: int) -> None:
        """Set the size of the window in pixels."""
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def colours(self, scheme: str) -> None:
        """Prefer ``light`` or ``dark`` colours."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self._send("Emulation.setEmulatedMedia", features=[feature])

    def open(self, url: str) -> None:
        """Go to an address, and wait until its scripts have begun."""
        self._send("Page.navigate", url=url)
        self.until(f"location.href.startsWith({url!r}) && document.readyState === 'complete'")

    def value(self, script: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        answer = self._send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise PageError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        """The text of the first element of a selector; '' if there is none."""
        return str(self.value(f"(document.querySelector({selector!r}) || {{}}).textContent || ''"))

    def until(self, script: str, why: Callable[[], object] = lambda: "") -> Any:
        """Wait until an expression is true; returns its value."""
        ends = time.monotonic() + GUARD
        pause = 0.005  # asking without a pause would take the time that the page needs
        while (found := self._value_or_none(script)) in (None, False, "", 0):  # {} is an element
            if time.monotonic() > ends:
                raise PageError(f"it never was: {script}; {why() or self.text('#message')}")
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        return found

    def _value_or_none(self, script: str) -> Any:
        try:
            return self.value(script)
        except PageError:  # what it looks at is not there yet
            return None

    def click(self, selector: str) -> None:
        """Click with the mouse in the middle of an element."""
        x, y = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, selector: str, target: str) -> None:
        """Drag an element with the mouse to the lower edge of another one."""
        (left, top), (x, y) = self.place(selector), self.place(target)
        steps = [(left, top + 1), (left, top + 3), (x, y), (x, y + 8), (x, y + 8)]
        more = {"button": "left", "buttons": 1}
        self._send("Input.dispatchMouseEvent", type="mousePressed", x=left, y=top, **more)
        for one in steps:
            self._send("Input.dispatchMouseEvent", type="mouseMoved", x=one[0], y=one[1], **more)
        self._send("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y + 8, button="left")

    def place(self, selector: str) -> tuple[float, float]:
        """The middle of an element, once it is seen and has stayed in its place for two frames."""
        box = self.until(
            "(async () => {"
            f"const it = document.querySelector({selector!r}); if (!it) return null;"
            "it.scrollIntoView({block: 'nearest'}); const at = () => it.getBoundingClientRect();"
            "const before = at(); const frame = () => new Promise(requestAnimationFrame);"
            "await frame(); await frame(); const b = at();"
            "const rests = it.isConnected && b.x === before.x && b.y === before.y;"
            "return rests && b.width && [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        return box[0], box[1]

    def key(self, name: str, text: str = "", modifiers: int = 0) -> None:
        """Press and release a key, such as Tab, Enter or ArrowDown; 2 is Ctrl, 1 is Alt."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36}
        codes |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, " ": 32}
        codes |= {"Delete": 46, ".": 190, "z": 90, "w": 87, "a": 65, "s": 83}
        text = text or {"Enter": "\r", " ": " "}.get(name, "")
        more: dict[str, Any] = {"key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
        more["modifiers"] = modifiers
        if text:
            more["text"] = text
        self._send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **more)
        self._send("Input.dispatchKeyEvent", type="keyUp", **more)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self._send("Input.insertText", text=text)

    def cpu(self) -> float:
        """Seconds that the page's thread has worked since it was opened."""
        found = self._send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in found if one["name"] == "TaskDuration")

    def picture(self, file: Path) -> None:
        """Write a picture of the window."""
        import base64

        file.write_bytes(base64.b64decode(self._send("Page.captureScreenshot")["data"]))

    def accessible(self) -> list[tuple[str, str]]:
        """Role and name of every element that the accessibility tree has."""
        nodes = self._send("Accessibility.getFullAXTree")["nodes"]
        return [
            (str(n["role"]["value"]), str(n.get("name", {}).get("value", "")))
            for n in nodes
            if not n.get("ignored") and "role" in n
        ]

    def close(self) -> None:
        """End the browser."""
        self._session = None
        with suppress(PageError, OSError):
            self._send("Browser.close")

    def _send(self, method: str, **params: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']}")
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], GUARD)[0]:
                raise PageError("the browser does not answer")
            more = os.read(self._read, 1 << 16)
            if not more:
                raise PageError("the browser has ended")
            self._buffer += more
        whole, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(whole)
        match answer.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(str(answer["params"]["exceptionDetails"]))
            case "Log.entryAdded" if answer["params"]["entry"]["level"] == "error":
                entry = answer["params"]["entry"]
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")
        return answer


@contextmanager
def browser(profile: Path, *flags: str) -> Iterator[Browser]:
    """A browser with a profile of its own and more flags, which ends with the block."""
    to_browser, write = os.pipe()
    read, from_browser = os.pipe()

    def connect() -> None:  # in the child: the pipe is its files 3 and 4
        one, other = os.dup(to_browser), os.dup(from_browser)
        os.dup2(one, 3)
        os.dup2(other, 4)

    process = subprocess.Popen(
        [
            str(CHROMIUM),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-gpu-rasterization",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-extensions",
            "--disable-component-update",
            "--disable-sync",
            "--no-zygote",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
            *flags,
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=False,
        preexec_fn=connect,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        page = Browser(write, read)
        yield page
        page.close()
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
        os.close(write)
        os.close(read)
