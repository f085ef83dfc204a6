"""Explains YAML syntax errors.

libyaml reports where it stopped, which is often far from the mistake. Each function here recognizes
one mistake, and returns its place, a message and a help.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from treec.source.text import shorten
from treec.source.yaml_errors import SyntaxProblem, YamlStop, quote

_TEMPLATE_START = re.compile(r"(?:^|[\n:,\[{-]) *(\{\{|\{%|\{#)")
ODD_SPACE = re.compile(r"(?:^|[:,\[{-]) *([\u00a0\u2000-\u200b\u202f\u205f\u3000])", re.MULTILINE)
"""A space of another kind where YAML's own would have a meaning."""
_CLOSE = {"[": "]", "{": "}"}


def describe(stop: YamlStop) -> SyntaxProblem:
    """Return the likeliest mistake behind a syntax error."""
    for recognise in _MISTAKES:
        found = recognise(stop)
        if found is not None:
            return found
    context = f" ({stop.context})" if stop.context else ""
    return SyntaxProblem(stop.at, 1, f"this is not YAML: {stop.problem}{context}", None)


def _tab(stop: YamlStop) -> SyntaxProblem | None:
    if "tab" not in stop.problem and stop.text[stop.at : stop.at + 1] != "\t":
        return None
    start = stop.line_start(stop.at)
    tab = stop.text.find("\t", start)
    at = tab if tab >= 0 and not stop.text[start:tab].strip(" ") else stop.at
    return SyntaxProblem(
        at, 1, "a tab cannot indent a line in YAML", "indent with spaces: two for each level"
    )


def _odd_space(stop: YamlStop) -> SyntaxProblem | None:
    """A space that YAML does not read as one, such as the no-break space of a word processor."""
    begin = stop.line_start(min(stop.at, stop.scalar_start))
    match = ODD_SPACE.search(stop.text, begin, stop.line_end(stop.at))
    return None if match is None else odd_space(match)


def odd_space(match: re.Match[str]) -> SyntaxProblem:
    """The problem of a space that YAML does not read as one."""
    name = unicodedata.name(match[1]).lower()
    message = f"a {name} (U+{ord(match[1]):04X}), which YAML does not read as a space"
    return SyntaxProblem(match.start(1), 1, message, "write a plain space")


def _template(stop: YamlStop) -> SyntaxProblem | None:
    starts = [stop.at, stop.scalar_start]
    if stop.context_at is not None:
        starts.append(stop.context_at)
    # from the line on which the value that broke began; a block mapping's own start is too far
    begin = stop.line_start(stop.scalar_start)
    if stop.context.endswith(("flow mapping", "flow sequence")) or "quoted" in stop.context:
        begin = stop.line_start(min(starts))
    match = _TEMPLATE_START.search(stop.text, max(begin - 1, 0), stop.at + 1)
    if match is None or _after_quote(stop, match.start(1)):
        return None
    at = match.start(1)
    end = stop.text.find("\n", at)
    end = at + len(stop.text[at : end if end >= 0 else None].rstrip())
    return SyntaxProblem(
        at,
        end - at,
        f"a value cannot begin with '{match[1]}': YAML reads a brace as the start of a mapping",
        f"quote the template: {quote(stop.text[at:end])}",
    )


def _after_quote(stop: YamlStop, offset: int) -> bool:
    """Whether an offset is inside the last scalar, so that its braces are text."""
    return stop.scalar_style != "plain" and stop.scalar_start <= offset < stop.scalar_end


def _text_after_quotes(stop: YamlStop) -> SyntaxProblem | None:
    if stop.scalar_style not in ("'", '"') or "did not find expected" not in stop.problem:
        return None
    between = stop.text[stop.scalar_end : stop.at]
    if "\n" in between or between.strip() or stop.text[stop.at : stop.at + 1] in ("", "\n"):
        return None
    end = stop.line_end(stop.at)
    if "flow" in stop.context:
        match = re.compile(r"[^,\]}\n]*").match(stop.text, stop.at, end)
        end = match.end() if match else end
    start = stop.scalar_start
    whole = stop.text[start:end].rstrip()
    return SyntaxProblem(
        start,
        len(whole),
        "the value begins with a quoted word and goes on after the quotes",
        f"quote the whole value: {quote(whole)}",
    )


def _cut_in_pieces(stop: YamlStop) -> SyntaxProblem | None:
    """Recognize ``[can('a', 'b'), x]``: a quoted word after the comma, then a parenthesis."""
    if stop.scalar_style not in ("'", '"') or stop.open_at is None:
        return None
    after = re.compile(r"[^,\]}\n]*").match(stop.text, stop.at)
    if after is None or after[0].count(")") <= after[0].count("("):
        return None
    line = max(stop.line_start(stop.scalar_start), stop.open_at)
    before = stop.text[line : stop.scalar_start]
    parenthesis = before.rfind("(")
    if parenthesis < 0:
        return None
    start = line + max(before.rfind(sign, 0, parenthesis) + len(sign) for sign in (", ", ": "))
    start = max(start, stop.open_at + 1)
    end = stop.text.index(")", stop.at) + 1
    instead = "mapping one key" if stop.text[stop.open_at] == "{" else "list one item"
    return cut_in_pieces(stop.text, start, end, instead)


def cut_in_pieces(text: str, start: int, end: int, instead: str) -> SyntaxProblem:
    """Return the mistake of a comma in an unquoted expression, inside brackets or braces."""
    return SyntaxProblem(
        start,
        end - start,
        f"a comma inside parentheses cuts the expression '{shorten(text[start:end])}' in pieces",
        f"write the {instead} a line, or quote the expression: {quote(text[start:end])}",
    )


def _colon(stop: YamlStop) -> SyntaxProblem | None:
    if not stop.problem.startswith("mapping values are not allowed"):
        return None
    start = stop.scalar_start
    first_line = stop.text[stop.line_start(start) : start]
    if "\n" not in stop.text[start : stop.at]:
        end = stop.line_end(stop.at)
        return SyntaxProblem(
            stop.at,
            1,
            "a colon and a space inside a value: YAML takes what stands before them for a key",
            f"quote the whole value: {quote(stop.text[start:end])}",
        )
    if not first_line.strip(" -"):
        end = stop.line_end(start)
        written = stop.text[start:end]
        key, colon, value = written.partition(":")
        if colon and value:
            return SyntaxProblem(
                start + len(key),
                1,
                f"missing space after the colon of '{shorten(key)}'",
                f"write '{shorten(f'{key}: {value}')}'",
            )
        return SyntaxProblem(
            start,
            end - start,
            f"missing colon after the key '{shorten(written)}'",
            f"write '{shorten(written)}: …'",
        )
    line = stop.line_start(stop.at)
    text = stop.text[line : stop.at]
    indent = len(text) - len(text.lstrip())
    row = stop.file.position(start)[0]
    return SyntaxProblem(
        line + indent,
        stop.at - line - indent,
        f"the line is indented too far: it continues the value that begins on line {row}",
        "indent it like the keys beside it",
    )


def _missing_colon(stop: YamlStop) -> SyntaxProblem | None:
    if not stop.problem.startswith("could not find expected ':'") or stop.context_at is None:
        return None
    start = stop.context_at
    end = stop.line_end(start)
    written = stop.text[start:end]
    return SyntaxProblem(
        start,
        end - start,
        f"missing colon after the key '{shorten(written)}'",
        f"write '{shorten(written)}: …', or indent the line if it continues the value above",
    )


def _unclosed_bracket(stop: YamlStop) -> SyntaxProblem | None:
    if stop.context_at is None:
        return None
    opening = stop.text[stop.context_at : stop.context_at + 1]
    if stop.context == "while scanning a quoted scalar" and stop.problem.startswith(
        "found unexpected"
    ):
        return SyntaxProblem(
            stop.context_at,
            1,
            f"the quote {opening} is never closed",
            "close it; a ' inside single quotes is written twice: 'it''s'",
        )
    if opening not in "[{" or not opening or "flow" not in stop.context:
        return None
    closing = _CLOSE[opening]
    met = stop.text[stop.at : stop.at + 1]
    if met in ("[", "{"):
        start = stop.scalar_start
        if start < stop.context_at or "\n" in stop.text[start : stop.at]:
            return None
        what = "an expression" if opening == "{" else "an item"
        return SyntaxProblem(
            stop.at,
            1,
            f"'{met}' inside {what} that is not quoted: YAML ends the value before it",
            "quote the value, or write the "
            + ("mapping one key a line" if opening == "{" else "list one item a line"),
        )
    row = stop.file.position(stop.at)[0]
    return SyntaxProblem(
        stop.context_at,
        1,
        f"the '{opening}' is not closed where it should be, on line {row}",
        f"close it with '{closing}', and set a comma between two items",
    )


def _no_content(stop: YamlStop) -> SyntaxProblem | None:
    if stop.problem != "did not find expected node content":
        return None
    met = stop.text[stop.at : stop.at + 1]
    if stop.open_at is not None and not stop.text[stop.at :].strip():
        opening = stop.text[stop.open_at]
        return SyntaxProblem(
            stop.open_at,
            1,
            f"the '{opening}' is never closed",
            f"close it with '{_CLOSE[opening]}'",
        )
    if met in ("]", "}") and stop.open_at is None:
        end = stop.line_end(stop.at)
        return SyntaxProblem(
            stop.at,
            1,
            f"unmatched '{met}'",
            f"quote it: {quote(stop.text[stop.at : end])}",
        )
    return SyntaxProblem(stop.at, 1, f"a value was expected here, not '{shorten(met)}'", None)


def _between_documents(stop: YamlStop) -> SyntaxProblem | None:
    if stop.context == "while scanning a directive":
        start = stop.line_start(stop.at)
        end = stop.line_end(stop.at)
        message = "a line that begins with '%' is a directive of YAML, and not one that it knows"
        return SyntaxProblem(start, max(end - start, 1), message, "remove it")
    if stop.problem == "did not find expected <document start>":
        end = stop.line_end(stop.at)
        message = "expected a new document"
        return SyntaxProblem(stop.at, max(end - stop.at, 1), message, "begin it with a line '---'")
    return None


def _bad_start(stop: YamlStop) -> SyntaxProblem | None:
    character = stop.text[stop.at : stop.at + 1]
    if not stop.problem.startswith("found character that cannot start") or character == "\t":
        return None
    end = stop.line_end(stop.at)
    return SyntaxProblem(
        stop.at,
        1,
        f"a value cannot begin with '{character}'",
        f"quote it: {quote(stop.text[stop.at : end])}",
    )


def _escape(stop: YamlStop) -> SyntaxProblem | None:
    if stop.problem == "did not find expected hexdecimal number":
        at = stop.text.rfind("\\", 0, stop.at)
        written = stop.text[at : stop.at]
        return SyntaxProblem(
            at,
            len(written),
            f"the escape '{written}' lacks digits",
            "\\x has two hexadecimal digits, \\u four, \\U eight",
        )
    if stop.problem != "found unknown escape character":
        return None
    return SyntaxProblem(
        stop.at,
        2,
        f"'{stop.text[stop.at : stop.at + 2]}' is not an escape of YAML",
        "write \\\\ for a backslash, or use single quotes, in which it means itself",
    )


def _list_item(stop: YamlStop) -> SyntaxProblem | None:
    if not stop.problem.startswith("block sequence entries are not allowed"):
        return None
    return SyntaxProblem(
        stop.at, 1, "a list cannot begin here", "begin the list on the line after the key"
    )


def _block_header(stop: YamlStop) -> SyntaxProblem | None:
    if stop.context != "while scanning a block scalar" or "comment or line break" not in (
        stop.problem
    ):
        return None
    sign = stop.text[stop.context_at or 0]
    return SyntaxProblem(
        stop.at,
        max(stop.line_end(stop.at) - stop.at, 1),
        f"text cannot follow '{sign}' on its line",
        f"begin the text on the next line, indented; or quote a value that begins with '{sign}'",
    )


def _anchor_or_tag(stop: YamlStop) -> SyntaxProblem | None:
    names = ("scanning an anchor", "scanning an alias", "scanning a tag", "parsing a tag")
    if not stop.context.endswith(names) or stop.context_at is None:
        return None
    at = stop.context_at
    end = stop.line_end(at)
    return SyntaxProblem(
        at,
        max(end - at, 1),
        f"a value cannot begin with '{stop.text[at]}': it has a meaning of its own in YAML",
        f"quote it: {quote(stop.text[at:end])}",
    )


def _indentation(stop: YamlStop) -> SyntaxProblem | None:
    if stop.problem not in ("did not find expected key", "did not find expected '-' indicator"):
        return None
    if stop.text[stop.line_start(stop.at) : stop.at].strip():
        return SyntaxProblem(stop.at, 1, "unexpected text after the end of the value", None)
    row = stop.file.position(stop.context_at or 0)[0]
    what = "list" if "indicator" in stop.problem else "mapping"
    return SyntaxProblem(
        stop.at,
        max(stop.line_end(stop.at) - stop.at, 1),
        f"the line fits no indentation above it: it stands inside the {what} that begins on "
        f"line {row}, but is not part of it",
        "indent it like its neighbours",
    )


_MISTAKES: tuple[Callable[[YamlStop], SyntaxProblem | None], ...] = (
    _odd_space,
    _template,
    _tab,
    _cut_in_pieces,
    _text_after_quotes,
    _colon,
    _missing_colon,
    _unclosed_bracket,
    _no_content,
    _between_documents,
    _bad_start,
    _escape,
    _list_item,
    _block_header,
    _anchor_or_tag,
    _indentation,
)
