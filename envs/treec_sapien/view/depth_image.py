"""A camera's image: depth, segmentation and, on request, colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
How = Literal["ray cast", "rendered"]


@dataclass(frozen=True)
class DepthImage:
    """One image. ``depth`` (height, width): metres along the optical axis, inf for nothing.

    ``ids`` (height, width): the number of the thing, 0 for nothing; ``names`` are by number.
    ``rgb`` (height, width, 3) in bytes.
    """

    how: How
    depth: npt.NDArray[np.float32]
    ids: npt.NDArray[np.int32]
    names: Mapping[int, str]
    rgb: Image | None = None

    def mask(self, name: str) -> npt.NDArray[np.bool_]:
        """Return the pixels (height, width) that show a thing. Raises KeyError if it is unknown."""
        for number, known in self.names.items():
            if known == name:
                return np.asarray(self.ids == number)
        raise KeyError(name)
