"""Files of arrays and weights, which may be anybody's: nothing is allocated that they do not hold.

The head of such a file says which arrays it has, their types and shapes. Before one is read, its
size must be that which its head says, and all together no more than ``MOST`` bytes, nor more than
``RATIO`` times the file: a file of a megabyte may be packed, and unpack to gigabytes.
"""

from __future__ import annotations

import json
import math
import struct
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import numpy.typing as npt

MOST = 2 << 30
"""Bytes that the arrays of a file may have."""

RATIO, SMALL = 50, 64 << 20
"""How many times the file's size they may have if they are more than ``SMALL`` bytes."""

MOST_ARRAYS = 10_000
_HEAD = 32 << 20
"""Bytes that the head of a file of tensors may have."""

_BITS = {"BOOL": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F16": 16, "BF16": 16, "F32": 32, "F64": 64}
_BITS |= {f"{sign}{bits}": bits for sign in "IU" for bits in (8, 16, 32, 64)}


def read_arrays(source: Path | bytes) -> dict[str, npt.NDArray[Any]]:
    """The arrays of an .npz file by name.

    Raises FileNotFoundError, or ValueError with what is wrong with the file.
    """
    try:
        if isinstance(source, bytes):
            return _arrays(BytesIO(source), len(source))
        with open(source, "rb") as file:
            return _arrays(file, source.stat().st_size)
    except (FileNotFoundError, ValueError):
        raise
    except Exception as error:  # zipfile, zlib, tokenize and numpy each raise their own
        raise ValueError(f"{error}") from None


def _arrays(file: BinaryIO, size: int) -> dict[str, npt.NDArray[Any]]:
    npy = _format()
    if file.read(6) == npy.MAGIC_PREFIX:
        raise ValueError("it holds one array without a name")
    found = {}
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        _check_total(sum(one.file_size for one in members), len(members), size)
        for one in members:
            name = one.filename.removesuffix(".npy")
            with archive.open(one) as member:
                _check_head(name, member, one.file_size)
            with archive.open(one) as member:
                found[name] = npy.read_array(member, allow_pickle=False)
    return found


def _format() -> Any:
    """numpy's module of the format, which has no types."""
    from numpy.lib import format as npy

    return npy


def _check_total(total: int, arrays: int, size: int) -> None:
    if arrays > MOST_ARRAYS:
        raise ValueError(f"it has {arrays:,} arrays; at most {MOST_ARRAYS:,} are read")
    most = min(MOST, max(SMALL, RATIO * size))
    if total > most:
        raise ValueError(
            f"its arrays have {total:,} bytes; of a file of {size:,} bytes {most:,} are read"
        )


def _check_head(name: str, member: Any, size: int) -> None:
    """Check that an array has the size that its head says. Raises ValueError."""
    npy = _format()
    version = npy.read_magic(member)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in readers:
        raise ValueError(f"'{name}' is of the unknown format {version[0]}.{version[1]}")
    shape, _, dtype = readers[version](member)
    said, there = math.prod(map(int, shape)) * dtype.itemsize, size - member.tell()
    if dtype.hasobject:
        raise ValueError(f"'{name}' holds Python objects, which are not read")
    if said != there or min(shape, default=0) < 0:
        raise ValueError(
            f"'{name}' has {there:,} bytes, and its head says {said:,}: {dtype} of "
            f"{' × '.join(map(str, shape)) or 'one number'}"
        )


def read_tensor_shapes(path: Path) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The type and shape of each tensor in a safetensors file, which has just these.

    Raises FileNotFoundError, or ValueError with what is wrong with the file.
    """
    size = path.stat().st_size
    with open(path, "rb") as file:
        begin = file.read(8)
        length = struct.unpack("<Q", begin)[0] if len(begin) == 8 else -1
        if not 0 < length <= min(size - 8, _HEAD):
            raise ValueError(f"its head would have {length:,} bytes of {size:,}")
        try:
            head = json.loads(file.read(length))
        except RecursionError:
            raise ValueError("its head is nested too deeply") from None
    if not isinstance(head, dict):
        raise ValueError("its head has no tensors")
    found, end = {}, 0
    for name, tensor in head.items():
        if name == "__metadata__":
            continue
        try:
            kind, (first, last) = tensor["dtype"], tensor["data_offsets"]
            shape = tuple(tensor["shape"])
            bits = math.prod(shape) * _BITS[kind]
            if any(type(side) is not int or side < 0 for side in (*shape, first, last)):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"its head says nothing of use about '{name}'") from None
        if not 0 <= first <= last <= size - 8 - length or (last - first) * 8 != bits:
            raise ValueError(
                f"'{name}' has {last - first:,} bytes of {size - 8 - length:,}, and its head says "
                f"{bits // 8:,}: {kind} of {' × '.join(map(str, shape)) or 'one number'}"
            )
        found[name], end = (kind, shape), max(end, last)
    if end != size - 8 - length:
        raise ValueError(f"it has {size - 8 - length:,} bytes of tensors, and its head {end:,}")
    return found


def check_model_folder(folder: Path, parameters: int) -> None:
    """Check that a model with so many parameters can come from the files of weights in a folder.

    A parameter has a byte at least. Raises ValueError.
    """
    weights = [*folder.glob("*.safetensors"), *folder.glob("*.bin")]
    for path in weights:
        if path.suffix == ".safetensors":
            try:
                read_tensor_shapes(path)
            except (OSError, ValueError) as error:
                raise ValueError(f"{path.name}: {error}") from None
    size = sum(path.stat().st_size for path in weights)
    if parameters > size:
        raise ValueError(
            f"config.json describes {parameters:,} parameters, and there are {size:,} bytes of "
            "weights"
        )
