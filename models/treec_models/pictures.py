"""Pictures in prompts: ``{{ photo(dish) | picture }}`` shows a model the picture in a file.

The rendered prompt has the picture's digest, so that a question changes with its picture, and
recordings hold no pictures. A client that can sends the picture itself in the digest's place. Only
what a template has shown is ever sent: a digest that somebody says brings nothing else in.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from treec.ask.transport import Message
from treec.source.errors import EvaluationProblem
from treec.source.frame import ClosureFrame
from treec_models.model_client import ModelError

if TYPE_CHECKING:
    from treec.team.team import Team

LARGEST = 5_000_000
"""Bytes of a picture."""

KEPT = 64
"""Pictures that are kept until they are sent; those shown longest ago go first."""

_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}
_SHOWN = re.compile(r"picture:([0-9a-f]{64})")
_LOCK = Lock()


class _Picture(NamedTuple):
    kind: str
    data: bytes


_pictures: OrderedDict[str, _Picture] = OrderedDict()
"""By digest."""
_read: OrderedDict[str, tuple[tuple[int, int, int], str]] = OrderedDict()
"""What a file was, and its digest, so that it is read again only when it has changed."""


def library_file(team: Team, path: object) -> str:
    """`library_file(path)`: where a file of the library is. Raises EvaluationProblem outside it."""
    library = team.knowledge.view.library
    if not isinstance(path, str) or not path:
        raise EvaluationProblem("'library_file' takes the path of a file")
    if "\0" in path or library.leads_out(found := library.root / path):
        raise EvaluationProblem(f"{path!r} leads out of the library: put the file into the library")
    return str(found)


def picture_filter(frame: ClosureFrame, value: object) -> str:
    """`path | picture`: the picture in a PNG, JPEG, WebP or GIF file, for a model that sees.

    The path is below the library's root. Raises EvaluationProblem.
    """
    if not isinstance(value, str) or not value:
        raise EvaluationProblem("'picture' takes the path of a file")
    return shown_picture(value, Path(str(frame.scope.call("library_file", (value,), {}))))


def shown_picture(value: str, path: Path) -> str:
    """The digest of a picture's file, which is kept; ``value`` names it in EvaluationProblem."""
    try:
        stat = path.stat()
        state = stat.st_mtime_ns, stat.st_size, stat.st_ino
        with _LOCK:
            known = _read.get(str(path))
            if known is not None and known[0] == state and known[1] in _pictures:
                _read.move_to_end(str(path))
                _pictures.move_to_end(known[1])
                return f"picture:{known[1]}"
        if not S_ISREG(stat.st_mode):  # a pipe would be waited for
            raise EvaluationProblem(f"{value} is not a file")
        if stat.st_size > LARGEST:
            raise EvaluationProblem(f"{value} is larger than {LARGEST // 1_000_000} MB")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise EvaluationProblem(f"the picture {value} cannot be read: {why}") from None
    kind = next((it for begins, it in _BEGINNINGS.items() if data.startswith(begins)), None)
    if kind is None or (kind == "image/webp" and data[8:12] != b"WEBP"):
        raise EvaluationProblem(f"{value} is not a picture: PNG, JPEG, WebP or GIF")
    digest = hashlib.sha256(data).hexdigest()
    with _LOCK:
        _read[str(path)] = state, digest
        _pictures[digest] = _Picture(kind, data)
        _read.move_to_end(str(path))
        _pictures.move_to_end(digest)
        for table in (_read, _pictures):
            while len(table) > KEPT:
                table.popitem(last=False)
    return f"picture:{digest}"


def content_parts(message: Message) -> str | list[dict[str, object]]:
    """A message's content as OpenAI's interface takes it: a text, or texts and pictures in order.

    A digest of no picture that is kept stays text.
    """
    pieces = _SHOWN.split(message.content)
    found: list[dict[str, object]] = []
    for number, piece in enumerate(pieces):
        if number % 2:
            with _LOCK:
                shown = _pictures.get(piece)
            if shown is not None:
                url = f"data:{shown.kind};base64,{base64.b64encode(shown.data).decode()}"
                found.append({"type": "image_url", "image_url": {"url": url}})
                continue
            piece = f"picture:{piece}"
        if piece.strip():
            found.append({"type": "text", "text": piece})
    return found if any(one["type"] == "image_url" for one in found) else message.content


def refuse_pictures(model: str, messages: Sequence[Message]) -> None:
    """Raise ModelError if a prompt shows pictures: the model takes none."""
    for message in messages:
        if any(digest in _pictures for digest in _SHOWN.findall(message.content)):
            raise ModelError(f"{model} takes no pictures")
