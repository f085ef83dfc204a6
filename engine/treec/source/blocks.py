"""Checks the tags of a template on its tokens: allowed ones only, each closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.source.errors import SourceError, suggest

if TYPE_CHECKING:
    from jinja2.lexer import Token

MAX_BLOCKS = 20
"""Each open block costs Jinja's parser four frames of Python's stack."""

_OPENING = frozenset({"for", "if", "with", "filter", "set"})
_MIDDLE = {"else": ("if", "for"), "elif": ("if",)}
_REFUSED = {
    "macro": "a template cannot define macros",
    "call": "a template cannot call macros",
    "include": "a template cannot include another file",
    "import": "a template cannot import another file",
    "from": "a template cannot import another file",
    "extends": "a template cannot extend another file",
    "block": "a template cannot have blocks",
    "autoescape": "nothing is escaped in a template: 'autoescape' cannot be used",
    "do": "a template cannot change anything: 'do' cannot be used",
    "print": "'print' cannot be used: write {{ … }}",
    "break": "a loop cannot be left early: filter its list",
    "continue": "an iteration of a loop cannot be skipped: use 'if'",
}
_KNOWN = (*_OPENING, *_MIDDLE, "raw", *(f"end{name}" for name in _OPENING), "endraw")


def check_blocks(tokens: list[Token]) -> None:
    """Raise `SourceError` for a tag that is not allowed, not closed, or closes nothing."""
    opened: list[tuple[str, Token, int]] = []
    for index, token in enumerate(tokens):
        if token.type != "block_begin":
            continue
        tag = tokens[index + 1]
        name = tag.value
        if tag.type != "name":
            raise SourceError("the name of a tag is missing here", tag.lineno)
        length = tag.lineno + len(name) - token.lineno
        if name in _REFUSED:
            raise SourceError(_REFUSED[name], tag.lineno, len(name))
        if name in _MIDDLE:
            if not opened or opened[-1][0] not in _MIDDLE[name]:
                raise SourceError(f"'{name}' without 'if'", tag.lineno, len(name))
        elif name.startswith("end") and name[3:] in _OPENING:
            _close(name, tag, opened)
        elif name not in _OPENING:
            raise SourceError(
                f"'{name}' is not a tag", tag.lineno, len(name), suggest(name, _KNOWN)
            )
        elif name != "set" or _is_block(tokens, index):
            opened.append((name, token, length))
            if len(opened) > MAX_BLOCKS:
                raise SourceError(f"more than {MAX_BLOCKS} nested blocks", token.lineno, length)
    if opened:
        name, token, length = opened[-1]
        raise SourceError(
            f"this '{name}' is never closed", token.lineno, length, f"add {{% end{name} %}}"
        )


def _close(name: str, tag: Token, opened: list[tuple[str, Token, int]]) -> None:
    if not opened:
        raise SourceError(f"unexpected '{name}': no block is open", tag.lineno, len(name))
    if name != f"end{opened[-1][0]}":
        raise SourceError(f"expected 'end{opened[-1][0]}', not '{name}'", tag.lineno, len(name))
    opened.pop()


def _is_block(tokens: list[Token], index: int) -> bool:
    """Whether a `set` has no `=`, and so captures the text up to its `endset`."""
    for token in tokens[index:]:
        if token.type == "assign":
            return False
        if token.type in ("block_end", "pipe"):
            return True
    return True
