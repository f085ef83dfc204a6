"""The two languages of skill calls: a task's steps, and programs that a model may write.

Both are small subsets of Python's grammar. Steps are calls, one per line; programs also have
variables, bounded loops over lists, and conditions.
"""

from __future__ import annotations

from typing import NamedTuple

from treec.frozen import frozen

_CALL = "a step is a call: place(item, table)"
_LITERALS = frozenset({"True", "False", "None"})
_FIRST = frozenset({"for", "if", "elif", "else", "pass"})
_WITHIN = frozenset({"in", "and", "or", "not", "is"})
_LOOP = "write 'for attempt in range(3):' with an 'if' in it"
_HERE = "a program can only call skills, not define anything"
_INSTEAD = {
    "while": _LOOP,
    "break": "let the loop go on, with an 'if' around what it does",
    "continue": "put an 'if' around the rest of the loop",
    "import": "skills are there without it: leave it out",
    "from": "skills are there without it: leave it out",
    "def": _HERE,
    "class": _HERE,
    "lambda": _HERE,
    "return": "a program ends with its last step: leave it out",
    "try": "a step that fails ends the program: leave it out",
    "with": "leave it out",
}
_MIDWAY = {
    "for": "write the loop on lines of its own: 'for item in items:'",
    "if": "write it on a line of its own: 'if sealed(crate):'",
    "else": "write it on a line of its own, below its 'if'",
}


class WordError(NamedTuple):
    """An error about a keyword, and a help text."""

    message: str
    help: str | None


@frozen
class Grammar:
    """Which elements a text may contain."""

    what: str
    """Its name in messages after `in`."""
    subject: str
    """Its name in messages before `may have`."""
    size: int
    """The maximum number of characters."""
    blocks: bool
    """Whether lists, conditions, loops and method calls are allowed."""
    help: str | None = _CALL
    fields: frozenset[str] = frozenset()
    """Words after a dot that are no calls: mug.object_instance."""

    def refusal(self, word: str, *, first: bool) -> WordError | None:
        """Why a Python keyword is not allowed here; ``first``: at the start of a line."""
        usual = f"'{word}' cannot be used in {self.what}"
        if word in _LITERALS:
            return None
        if not self.blocks:
            return WordError(usual, self.help)
        if word in _WITHIN or (word in _FIRST and first):
            return None
        if word in _FIRST:
            return WordError(f"'{word}' begins a line", _MIDWAY.get(word, self.help))
        return WordError(usual, _INSTEAD.get(word, self.help))


STEPS = Grammar("steps", "steps", size=64_000, blocks=False)
PROGRAM = Grammar("a program", "a program", size=16_000, blocks=True)
