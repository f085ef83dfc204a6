"""Reads .npz files that may be anybody's: all their faults are reported in one form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of an .npz file by name.

    Raises FileNotFoundError, or ValueError with what is wrong with the file.
    """
    try:
        data = np.load(path, allow_pickle=False)
        if not isinstance(data, np.lib.npyio.NpzFile):
            raise ValueError("it holds one array without a name")
        with data:
            return {name: data[name] for name in data.files}
    except FileNotFoundError:
        raise
    except Exception as error:  # zipfile, zlib, tokenize and numpy each raise their own
        raise ValueError(f"{error}") from None
