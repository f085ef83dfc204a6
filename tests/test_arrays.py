"""Files of arrays and weights that ask for more than they hold are refused before they are read."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treec import arrays
from treec.arrays import check_model_folder, read_arrays, read_tensor_shapes


def npy(values: Any, shape: str | None = None, dtype: str | None = None) -> bytes:
    """An array as .npy, with another shape or type in its head."""
    file = io.BytesIO()
    np.save(file, values, allow_pickle=True)
    data = file.getvalue()
    head, rest = data[: 10 + data[8] + 256 * data[9]], data[10 + data[8] + 256 * data[9] :]
    if shape is not None:
        old = str(values.shape).encode()
        new = shape.encode()
        head = head.replace(old, new).replace(b" " * (len(new) - len(old)) + b"\n", b"\n", 1)
    if dtype is not None:
        head = head.replace(values.dtype.str.encode(), dtype.encode())
    return head + rest


def npz(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return path


def test_arrays_are_read_from_a_file_or_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    given = {"a": np.arange(6).reshape(2, 3), "b": np.array("text"), "c": np.zeros((0, 3))}
    np.savez_compressed(path, **given)
    for source in (path, path.read_bytes()):
        found = read_arrays(source)
        assert found.keys() == given.keys()
        assert all(np.array_equal(found[name], given[name]) for name in given)
        assert found["a"].flags.writeable


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """No array is made."""

    def none(*args: object, **values: object) -> None:
        raise AssertionError("an array was made")

    monkeypatch.setattr(np.lib.format, "read_array", none)


@pytest.mark.usefixtures("no_memory")
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (npy(np.zeros(9), "(99999999999,)"), "'a' has 72 bytes, and its head says 799,999,999,992"),
        (npy(np.zeros(9), "(9, 9)"), "its head says 648: float64 of 9 × 9"),
        (npy(np.zeros(9), "(-1, -9)"), "its head says 72"),
        (npy(np.zeros(9), "(8,)"), "'a' has 72 bytes, and its head says 64"),
        (npy(np.array([{}])), "Python objects"),
        (b"\x93NUMPY\x09\x00" + bytes(200), "unknown format 9.0"),
        (b"junk", "magic string"),
        (b"", "magic string"),
    ],
    ids=["8 GB", "square", "negative", "short", "objects", "version", "junk", "empty"],
)
def test_an_array_has_the_size_that_its_head_says(tmp_path: Path, data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        read_arrays(npz(tmp_path / "a.npz", a=data))
    assert why in str(error.value)


@pytest.mark.usefixtures("no_memory")
def test_a_small_file_does_not_unpack_to_a_large_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = npz(tmp_path / "a.npz", a=npy(np.zeros(10**6)))
    monkeypatch.setattr(arrays, "SMALL", 10**5)
    with pytest.raises(ValueError, match=r"8,000,128 bytes; of a file of [\d,]+ bytes [\d,]+ are"):
        read_arrays(path)
    monkeypatch.setattr(arrays, "MOST_ARRAYS", 0)
    with pytest.raises(ValueError, match="it has 1 arrays; at most 0 are read"):
        read_arrays(path)


@pytest.mark.parametrize("data", [b"", b"junk", npy(np.zeros(3)), b"PK\x03\x04" + bytes(99)])
def test_other_files_are_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"."):
        read_arrays(path)
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "none.npz")


def tensors(path: Path, head: object, data: bytes, length: int | None = None) -> Path:
    text = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + data)
    return path


def tensor(kind: str, shape: list[object], first: object, last: object) -> dict[str, object]:
    return {"dtype": kind, "shape": shape, "data_offsets": [first, last]}


def test_the_shapes_of_tensors_are_read(tmp_path: Path) -> None:
    head = {"__metadata__": {}, "a": tensor("F32", [2, 3], 0, 24), "b": tensor("BF16", [], 24, 26)}
    found = read_tensor_shapes(tensors(tmp_path / "m.safetensors", head, bytes(26)))
    assert found == {"a": ("F32", (2, 3)), "b": ("BF16", ())}


@pytest.mark.parametrize(
    ("head", "length", "why"),
    [
        ({"a": tensor("F32", [2**31], 0, 2**33)}, None, "its head says 8,589,934,592"),
        ({"a": tensor("F32", [3], 0, 8)}, None, "'a' has 8 bytes of 8, and its head says 12"),
        ({"a": tensor("F32", [1], 0, 4)}, None, "it has 8 bytes of tensors, and its head 4"),
        ({"a": tensor("F32", [-2], 8, 0)}, None, "nothing of use about 'a'"),
        ({"a": tensor("X9", [2], 0, 8)}, None, "nothing of use about 'a'"),
        ({"a": tensor("F32", ["2"], 0, 8)}, None, "nothing of use about 'a'"),
        ({"a": 3}, None, "nothing of use about 'a'"),
        ([], None, "its head has no tensors"),
        ({}, 2**60, "its head would have 1,152,921,504,606,846,976 bytes of"),
        ({}, 0, "its head would have 0 bytes"),
    ],
)
def test_tensors_have_the_sizes_that_their_head_says(
    tmp_path: Path, head: object, length: int | None, why: str
) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        read_tensor_shapes(tensors(tmp_path / "m.safetensors", head, bytes(8), length))
    assert why in str(error.value)


def test_a_model_has_no_more_parameters_than_its_weights_bytes(tmp_path: Path) -> None:
    head = {"a": tensor("F32", [2], 0, 8)}
    size = tensors(tmp_path / "model.safetensors", head, bytes(8)).stat().st_size
    check_model_folder(tmp_path, size)
    with pytest.raises(ValueError, match=r"describes 2,000,000,000 parameters, and there are \d+ "):
        check_model_folder(tmp_path, 2_000_000_000)
    (tmp_path / "more.safetensors").write_bytes(b"junk")
    with pytest.raises(ValueError, match=r"more\.safetensors: its head would have"):
        check_model_folder(tmp_path, 1)
