"""What is known of the key or name at a position, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from treec.check.environments import world
from treec.check.texts import all_places
from treec.check.type_checker import TypeChecker
from treec.extensions import registry
from treec.files.library import Library, kind_of
from treec.source.text import Span
from treec.source.yaml import plain, read_documents
from treec.team.actions import action_names, find_action
from treec_editor.arguments import argument_at, bound_names
from treec_editor.completion import complete
from treec_editor.declarations import declarations, find_declarations, meant
from treec_editor.place import DataPlace, place_at
from treec_editor.schema_walk import SchemaWalk, keys
from treec_editor.tokens import code
from treec_editor.views import view_of

_WORD = re.compile(r"\w+")
_BACKTICKS = re.compile(r"`[^`\n]+`")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_SENTENCE = re.compile(r"[A-Z].*\s.*[.?!]\s*$", re.DOTALL)
_FOR_PEOPLE = ("about", "reasoning", "quote")
"""Keys whose values are words."""


def word_at(library: Library, path: str, offset: int) -> tuple[str, Span] | None:
    """Return the name at an offset: a key or a value, or the word there inside of a longer text."""
    file = library.sources.get(path)
    if file is None:
        return None
    documents, _ = read_documents(file)
    place = place_at(documents, offset)
    if place is None:
        return None
    text = place.scalar.text
    if not place.is_key and _is_prose(place):
        return None
    if (place.is_key and "(" not in text) or (
        _is_name(text) and not _is_code(library, path, place)
    ):
        name = text.removeprefix("$").partition(".")[0] if not place.is_key else text
        return name, place.scalar.at(text.find(name), len(name)) if name else place.scalar.span
    for match in _WORD.finditer(text):
        if match.start() <= place.offset <= match.end():
            return match[0], place.scalar.at(match.start(), len(match[0]))
    return None


def _is_code(library: Library, path: str, place: DataPlace) -> bool:
    """Whether a place is in an expression: `name in acts.request` is several names."""
    starts = (
        entry.at(*one.loc, key=one.key).start
        for entry in library.entries
        if entry.path == path
        for one in all_places(entry)
        if one.kind == "expression"
    )
    return place.scalar.start in starts


def _is_prose(place: DataPlace) -> bool:
    """Whether a place is in words for people or models, outside of braces and backticks."""
    text, at = place.scalar.text, place.offset
    if any(it.start() < at < it.end() for it in _BACKTICKS.finditer(text)):
        return False
    keys = ["", *(it for it in place.loc if isinstance(it, str))]
    if keys[-1] in _FOR_PEOPLE or keys[:-1] == ["", "options"]:
        return True
    if "{{" in text or "{%" in text:
        return not any(begin <= at <= end for begin, end in code(text, is_template=True))
    return bool(_SENTENCE.match(text))


def _quoted(place: DataPlace) -> str | None:
    """The text in quotes of an expression or statement that a place is in, if it is in one."""
    text, at = place.scalar.text, place.offset
    for begin, end in code(text, is_template="{{" in text or "{%" in text):
        for match in _QUOTED.finditer(text, begin, end):
            if match.start() < at < match.end():
                return match[0][1:-1]
    return None


def _is_name(text: str) -> bool:
    return bool(re.fullmatch(r"\$?[\w./ -]+", text)) and len(text) <= _LONGEST


_LONGEST = 80
_LETTERS = f"_{ascii_letters}{digits}"


def hover(library: Library, path: str, offset: int) -> tuple[str, Span] | None:
    """Return what is known of the key or name at an offset of a file, and its span."""
    kind, file = kind_of(path), library.sources.get(path)
    if kind is None or file is None:
        return None
    documents, _ = read_documents(file)
    place = place_at(documents, offset)
    if place is None:
        return None
    if place.is_key:
        data = plain(place.document.root)
        above = SchemaWalk(kind).parts(data, place.loc[:-1])
        part = keys(above).get(place.scalar.text)
        is_node = place.scalar.text in registry().nodes
        texts = []
        if part is not None:
            texts.append(str(part.get("description", "")))
            if is_node:  # the type of a tree's node: what the node does
                texts += [str(one.get("description", "")) for one in above]
        if about := "\n\n".join(dict.fromkeys(filter(None, texts))):
            return f"**{place.scalar.text}**\n\n{about}", place.scalar.span
    if (argument := _argument(library, path, place)) is not None:
        return argument, place.scalar.span
    word = word_at(library, path, offset)
    if word is None:
        return None
    before = place.scalar.text[: place.offset].rstrip(_LETTERS)
    if not place.is_key and (before.endswith(".") or re.search(r"(?<!\|)\|\s*$", before)):
        return _could_be_written(library, path, word, "field", "function")
    if not place.is_key and before == "$":
        bound = dict(bound_names(view_of(library, path), path, _data(place), place.loc))
        return (f"**{word[0]}**: {bound[word[0]]}", word[1]) if word[0] in bound else None
    about = "\n\n".join(_known(library, path, word, place))
    return (about, word[1]) if about else _could_be_written(library, path, word, "name")


def _data(place: DataPlace) -> object:
    return plain(place.document.root)


def _argument(library: Library, path: str, place: DataPlace) -> str | None:
    """What is known of the argument whose name is at a place."""
    if not place.is_key:
        return None
    found = argument_at(view_of(library, path), _data(place), place.loc)
    if found is None:
        return None
    entry, one = found
    return f"**{one.name}**: {one.what} of {entry.kind} {entry.name}\n\n{one.about}".rstrip()


def _could_be_written(
    library: Library, path: str, word: tuple[str, Span], *kinds: str
) -> tuple[str, Span] | None:
    """What is known of a field, filter or local name: what could be written there says it."""
    name, span = word
    end = library.sources[path].offset(span.end_line, span.end_column)
    for one in complete(library, path, end):
        if one.text != name or one.what not in kinds:
            continue
        if one.what != "function":
            return f"**{name}**: {one.detail}", span
        return f"`{name}` {one.detail}\n\n{one.about}".rstrip(), span
    return None


def _known(library: Library, path: str, word: tuple[str, Span], place: DataPlace) -> Iterator[str]:
    name, span = word
    view = view_of(library, path)
    env = world(view)
    own = [one for it in view.entries if it.path == path for one in declarations(it)]
    here = [one for one in own if one.span == span and one.what != "option"]
    after = library.sources[path].offset(span.end_line, span.end_column)
    is_call = library.sources[path].text[after : after + 1] == "("
    is_own = any(one.name == name and one.path for one in own)  # an argument, a port, a variable
    is_among_words = not place.is_key and _quoted(place) not in (None, name)  # in what is said
    is_known = not is_among_words and (name in env.facts or name in env.functions)
    if not here and is_known and (is_call or not is_own):
        info, spec = env.functions.get(name), view.facts.get(name)
        about = info.about if info else (spec.about or "") if spec else ""
        gives = info.returns if info else env.facts[name].gives
        yield f"`{TypeChecker(env, lambda at: 1).signature(name)}` → {gives}\n\n{about}".rstrip()
        return
    found = here or find_declarations(view.entries, name, path)
    for one in meant(found, span, place.loc):
        if not is_among_words or one.what != "fact":
            yield f"**{one.name}**: {one.what}\n\n{one.about}".rstrip()
    if found or is_among_words:
        return
    if (type_ := env.type_of(name)) is not None:
        yield f"**{name}**: {type_}"
    if name in action_names() and (action := find_action(name)) is not None:
        yield f"**{name}**: high-level action\n\n{action.about}".rstrip()
