"""The language of programs that a model may write: steps with variables, loops and conditions."""

from __future__ import annotations

from treec.frozen import frozen
from treec.program.grammar import Grammar, WordError
from treec_program.blocks import Blocks

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


@frozen
class ProgramGrammar(Grammar):
    """The grammar of programs: which keywords stand where."""

    def keyword_error(self, word: str, *, first: bool) -> WordError | None:
        """Why a Python keyword is not allowed here; ``first``: at the start of a line."""
        if word in _WITHIN or (word in _FIRST and first):
            return None
        if word in _FIRST:
            return WordError(f"'{word}' begins a line", _MIDWAY.get(word, self.help))
        usual = f"'{word}' cannot be used in {self.what}"
        return WordError(usual, _INSTEAD.get(word, self.help))


PROGRAM = ProgramGrammar(
    "a program",
    "a program",
    size=16_000,
    blocks=Blocks,
    help="a step is a call: place(item, table); nothing is computed: count with range(n)",
)
