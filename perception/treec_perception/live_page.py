"""A page on this machine that shows a camera live: motion JPEG over HTTP, no script needed.

Only the loopback address is served, and only under a random path.
"""

from __future__ import annotations

import io
import secrets
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from treec_perception.picture import Picture

BOUNDARY = "picture"

PAGE = """<!doctype html><meta charset="utf-8"><title>{name}</title>
<style>body{{margin:0;background:#161616;color:#ddd;font:14px system-ui}}
img{{display:block;max-width:100%;margin:auto}}p{{text-align:center}}</style>
<img src="pictures" alt="What the camera {name} sees"><p>{name}</p>
"""


class LivePage:
    """Serves a camera's pictures until it is closed."""

    def __init__(
        self, name: str, take: Callable[[], Picture], *, rate: float, port: int = 0
    ) -> None:
        """Begin to serve; ``rate`` is pictures a second. Raises OSError for a port in use."""
        self._name, self._take, self._pause = name, take, 1.0 / rate
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self.failure = ""
        token = secrets.token_urlsafe(16)
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self, f"/{token}/"))
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/{token}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def jpeg(self) -> bytes:
        """Take a picture, as JPEG."""
        from PIL import Image as Pillow

        with self._lock:  # a camera is one, viewers may be several
            picture = self._take()
        out = io.BytesIO()
        Pillow.fromarray(picture.colour).save(out, "JPEG", quality=85)
        return out.getvalue()

    def page(self) -> bytes:
        """Return the page."""
        import html

        return PAGE.format(name=html.escape(self._name)).encode()

    def pause(self) -> None:
        """Wait for the next picture's time."""
        self.closing.wait(self._pause)

    def fail(self, why: str) -> None:
        """End, since the camera gives no more pictures."""
        self.failure = why
        self.closing.set()

    def close(self) -> None:
        """Stop serving."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


def _handler(page: LivePage, root: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == root:
                self._send("text/html; charset=utf-8", page.page())
            elif self.path == f"{root}pictures":
                self._stream()
            else:
                self.send_error(HTTPStatus.NOT_FOUND)

        def _send(self, kind: str, body: bytes) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            policy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def _stream(self) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Cache-Control", "no-store")
            self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
            self.end_headers()
            while not page.closing.is_set():
                try:
                    body = page.jpeg()
                except Exception as error:  # whatever a camera raises ends the view with its reason
                    page.fail(str(error))
                    return
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n"
                head += f"Content-Length: {len(body)}\r\n\r\n"
                try:
                    self.wfile.write(head.encode() + body + b"\r\n")
                except OSError:  # the viewer has gone
                    return
                page.pause()

        def log_message(self, *_: object) -> None:
            pass

    return Handler
