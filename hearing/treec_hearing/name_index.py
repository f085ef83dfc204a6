"""Names by their words, found by walking along what was said, however many names there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class NameIndex(Generic[T]):
    """What goes by which name; an index is also what follows after the first words of names."""

    def __init__(self) -> None:
        self._following: dict[str, NameIndex[T]] = {}
        self._here: dict[T, None] = {}

    def add(self, words: Sequence[str], value: T) -> None:
        """One more that goes by these words."""
        self._at(words)._here[value] = None

    def remove(self, words: Sequence[str], value: T) -> None:
        """It does not go by these words any more. Raises KeyError if it did not."""
        del self._at(words)._here[value]

    def after(self, word: str) -> NameIndex[T] | None:
        """The names that begin with a word, without it; None if there are none."""
        return self._following.get(word)

    def __iter__(self) -> Iterator[T]:
        """What goes by the words so far and no more, in the order in which it was added."""
        return iter(self._here)

    def _at(self, words: Sequence[str]) -> NameIndex[T]:
        place = self
        for word in words:
            place = place._following.setdefault(word, NameIndex())
        return place
