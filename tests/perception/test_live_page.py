"""The page of `treec camera show --live`: pictures over HTTP, under a random path."""

from __future__ import annotations

import http.client
import io
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from PIL import Image

from tests.perception.support import camera
from treec_perception.live_page import LivePage
from treec_perception.picture import Picture


class Takes:
    """A camera that fails after some pictures."""

    def __init__(self, good: int) -> None:
        self._left = good
        self._picture = camera().take(1)

    def __call__(self) -> Picture:
        self._left -= 1
        if self._left < 0:
            raise ValueError("the camera 'overhead' is gone")
        return self._picture


@pytest.fixture
def page() -> Iterator[LivePage]:
    found = LivePage("<overhead>", Takes(3), rate=1000)
    yield found
    found.close()


def get(page: LivePage, path: str) -> http.client.HTTPResponse:
    address = urlsplit(page.address)
    assert address.hostname == "127.0.0.1"
    with closing(http.client.HTTPConnection("127.0.0.1", address.port, timeout=20)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.body = answer.read()  # type: ignore[attr-defined]
        return answer


@pytest.mark.thorough
def test_the_page_shows_the_name_as_text(page: LivePage) -> None:
    answer = get(page, urlsplit(page.address).path)
    text = answer.body.decode()  # type: ignore[attr-defined]
    assert "&lt;overhead&gt;" in text
    assert "<overhead>" not in text
    assert "default-src 'none'" in (answer.getheader("Content-Security-Policy") or "")


def test_pictures_come_until_the_camera_fails(page: LivePage) -> None:
    answer = get(page, urlsplit(page.address).path + "pictures")
    parts = answer.body.split(b"--picture\r\n")[1:]  # type: ignore[attr-defined]
    assert len(parts) == 3
    picture = Image.open(io.BytesIO(parts[1].split(b"\r\n\r\n", 1)[1]))
    assert picture.size == (320, 240)
    assert page.closing.is_set()
    assert page.failure == "the camera 'overhead' is gone"


@pytest.mark.parametrize("path", ["/", "/pictures", "/wrong/pictures", "/../etc/passwd"])
def test_nothing_is_served_without_the_random_path(page: LivePage, path: str) -> None:
    assert get(page, path).status == 404
