"""Calls that need a library: it is opened once in each worker."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from treec.files.library import Library, load_library

I = TypeVar("I")  # noqa: E741
R = TypeVar("R")


class InLibrary(Generic[I, R]):
    """A function of items alone, for :func:`treec_testing.pool.spread.spread`.

    In this process it has this library. Sent to another one, it has there the library that lies in
    the same folder.
    """

    def __init__(self, function: Callable[[Library, I], R], library: Library) -> None:
        self._function, self._library = function, library

    def __call__(self, item: I) -> R:
        """Call the function with the library."""
        return self._function(self._library, item)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial, (_call, self._function, str(self._library.root.resolve()))


def _call(function: Callable[[Library, I], R], root: str, item: I) -> R:
    return function(_opened(root), item)


@cache
def _opened(root: str) -> Library:
    return load_library(Path(root))
