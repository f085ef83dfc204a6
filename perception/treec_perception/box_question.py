"""Detects a thing by a decision model's box question: the picture and words in, a box out.

The model is `systemone/NAME` at SYSTEMONE_API_BASE, as everywhere in treec; its answer is a box as
shares of the picture's width and height, with a confidence.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

TIMEOUT = 20.0
"""Seconds that an answer may take."""

STATE = "A picture of a robot's camera."

SIDES = ("left", "top", "right", "bottom")


class ModelUnavailable(Exception):
    """A model cannot be loaded, or gives no answer; the message says what to do."""


@dataclass(frozen=True)
class BoxQuestion:
    """A decision model, by name, as a detector."""

    source: str

    def load(self) -> None:
        """Check that the model can be asked. Raises ModelUnavailable."""
        self._client({})

    def _client(self, more: Mapping[str, object]) -> Any:
        try:
            from treec.ask.transport import TransportError
            from treec_asking.open_model import RequestSettings
            from treec_models.decision_models import BASE, SystemOne
        except ImportError as error:
            raise ModelUnavailable(
                f"asking {self.source} needs the package '{error.name}', which is not installed: "
                "pip install 'treec[models]'"
            ) from None
        if not os.environ.get(BASE):
            raise ModelUnavailable(
                f"asking {self.source} needs the address of its server: {BASE} in the environment"
            )
        client = SystemOne(self.source, settings=RequestSettings(extra_body=more))
        try:
            client.prepare(self.source)
        except TransportError as error:
            raise ModelUnavailable(str(error)) from None
        return client

    def boxes(self, picture: Image, prompts: Sequence[str], k: int) -> list[tuple[Floats, float]]:
        """Return the boxes (x0, y0, x1, y1 in pixels) with confidences, one a prompt, best first.

        ``picture`` is (height, width, 3). Raises ModelUnavailable.
        """
        import asyncio

        from treec.ask.transport import TransportError
        from treec_sapien.bodies.picture.png import png

        url = f"data:image/png;base64,{base64.b64encode(png(picture)).decode()}"
        client = self._client({"images": [url]})
        asked = {
            f"box{number}": {"type": "box", "instructions": prompt}
            for number, prompt in enumerate(prompts, 1)
        }

        async def ask() -> Mapping[str, object]:
            async with asyncio.timeout(TIMEOUT):
                found: Mapping[str, object] = await client.ask_alone(self.source, STATE, asked)
                return found

        try:
            answers = asyncio.run(ask())
        except TimeoutError:
            raise ModelUnavailable(f"{self.source}: no answer within {TIMEOUT:g} s") from None
        except TransportError as error:
            raise ModelUnavailable(f"{self.source}: {error}") from None
        high, wide, _ = picture.shape
        found = [_box(self.source, answers.get(name), wide, high) for name in asked]
        return sorted((one for one in found if one is not None), key=lambda it: -it[1])[:k]


def _box(source: str, answer: object, wide: int, high: int) -> tuple[Floats, float] | None:
    """The box of an answer in pixels, and its confidence; None if it says that there is none.

    Raises ModelUnavailable for one that is no box.
    """
    if answer is None or (isinstance(answer, Mapping) and answer.get("box", 0) is None):
        return None
    shares = answer.get("box") if isinstance(answer, Mapping) else None
    if isinstance(answer, Mapping) and answer.get("type") == "refusal":
        raise ModelUnavailable(f"{source} refuses to answer")
    given = shares if isinstance(shares, Mapping) else {}
    sides = [given.get(side) for side in SIDES]
    sure = answer.get("confidence") if isinstance(answer, Mapping) else None
    sure = 1.0 if sure is None and shares is not None else sure
    numbers = [one for one in (*sides, sure) if isinstance(one, int | float) and 0 <= one <= 1]
    if len(numbers) < 5:
        raise ModelUnavailable(f"{source} answered the box question by {answer!r:.120}")
    corners = np.array(numbers[:4], dtype=np.float64) * (wide, high, wide, high)
    if (corners[2:] - corners[:2] < 1.0).any():
        return None
    return corners, float(numbers[4])
