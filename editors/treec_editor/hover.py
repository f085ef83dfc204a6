"""What is known of the key or name at a position, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from treec.check.environments import world
from treec.check.type_checker import TypeChecker
from treec.extensions import registry
from treec.files.library import Library, kind_of
from treec.source.text import Span
from treec.source.yaml import plain, read_documents
from treec_editor.arguments import argument_at, bound_names
from treec_editor.completion import complete
from treec_editor.declarations import declarations, find_declarations, meant
from treec_editor.place import DataPlace, place_at
from treec_editor.schema_walk import SchemaWalk, keys
from treec_editor.views import view_of

_WORD = re.compile(r"\w+")


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
    if place.is_key or _is_name(text):
        name = text.removeprefix("$").partition(".")[0] if not place.is_key else text
        return name, place.scalar.at(text.find(name), len(name)) if name else place.scalar.span
    for match in _WORD.finditer(text):
        if match.start() <= place.offset <= match.end():
            return match[0], place.scalar.at(match.start(), len(match[0]))
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
        return _field_or_filter(library, path, word)
    if not place.is_key and before == "$":
        bound = dict(bound_names(view_of(library, path), path, _data(place), place.loc))
        return (f"**{word[0]}**: {bound[word[0]]}", word[1]) if word[0] in bound else None
    about = "\n\n".join(_known(library, path, word, place))
    return (about, word[1]) if about else None


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


def _field_or_filter(
    library: Library, path: str, word: tuple[str, Span]
) -> tuple[str, Span] | None:
    """What is known of a word after a dot or a bar: what could be written there says it."""
    name, span = word
    end = library.sources[path].offset(span.end_line, span.end_column)
    for one in complete(library, path, end):
        if one.text == name and one.what == "field":
            return f"**{name}**: {one.detail}", span
        if one.text == name and one.what == "function":
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
    if not here and (name in env.facts or name in env.functions) and (is_call or not is_own):
        info, spec = env.functions.get(name), view.facts.get(name)
        about = info.about if info else (spec.about or "") if spec else ""
        gives = info.returns if info else env.facts[name].gives
        yield f"`{TypeChecker(env, lambda at: 1).signature(name)}` → {gives}\n\n{about}".rstrip()
        return
    found = here or find_declarations(view.entries, name, path)
    for one in meant(found, span, place.loc):
        yield f"**{one.name}**: {one.what}\n\n{one.about}".rstrip()
    if not found and (type_ := env.type_of(name)) is not None:
        yield f"**{name}**: {type_}"
