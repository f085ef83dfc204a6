"""Calls that need a library: it is opened once in each worker."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from treec.files.library import Library, load_library
from treec_testing.pool.spread import Pool

I = TypeVar("I")  # noqa: E741
R = TypeVar("R")


def in_library(
    function: Callable[[Library, I], R], library: Library, pool: Pool, fresh: int = 0
) -> Callable[[I], R]:
    """A function of items alone, for :func:`treec_testing.pool.spread.spread`.

    Here it has this library; elsewhere the one that lies in the same folder.
    """
    if pool.is_here(fresh):
        return partial(function, library)
    return partial(_call, function, str(library.root.resolve()))


def _call(function: Callable[[Library, I], R], root: str, item: I) -> R:
    return function(_opened(root), item)


@cache
def _opened(root: str) -> Library:
    return load_library(Path(root))
