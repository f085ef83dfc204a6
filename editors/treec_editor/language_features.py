"""What the language server says of a file: completion, descriptions, outline, colours, layout."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from treec.check.edits import Edit
from treec.check.fixes import fix_of, fixed
from treec.source.text import SourceFile
from treec_editor.completion import Completion, complete
from treec_editor.declarations import declarations
from treec_editor.folding import folds
from treec_editor.hover import hover
from treec_editor.layout import formatted
from treec_editor.outline import Heading, outline
from treec_editor.requests import position_in
from treec_editor.server import TreecServer
from treec_editor.session import EditorSession
from treec_editor.tokens import TYPES, tokens

_ITEMS = {
    "key": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.Value,
    "name": lsp.CompletionItemKind.Variable,
    "function": lsp.CompletionItemKind.Function,
    "field": lsp.CompletionItemKind.Field,
}
MOST_SYMBOLS = 500
"""So many names of a library are listed at most."""


def add_language_features(server: TreecServer) -> None:
    """Add to a server what it says of a file's text."""
    _add_reading(server)
    _add_looks(server)
    _add_corrections(server)


def _add_reading(server: TreecServer) -> None:
    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "$", "{", " "])
    )
    def completion(ls: TreecServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        uri = params.text_document.uri
        found = ls.file_of(uri)
        file = found[0].text(found[1]) if found is not None else None
        if found is None or file is None:
            return []
        session, shown = found
        at = ls.offset(uri, file, params.position)
        offered = complete(session.library, shown, at, file)
        return [_item(one, number) for number, one in enumerate(offered)]

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def describe(ls: TreecServer, params: lsp.HoverParams) -> lsp.Hover | None:
        if (here := position_in(ls, params)) is None:
            return None
        session, shown, at = here
        if (found := hover(session.library, shown, at)) is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0])
        return lsp.Hover(text, ls.range(session, found[1]))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: TreecServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        if (found := ls.file_of(params.text_document.uri)) is None:
            return []
        session, shown = found
        return [_symbol(ls, session, one) for one in outline(session.library, shown)]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def library_symbols(
        ls: TreecServer, params: lsp.WorkspaceSymbolParams
    ) -> list[lsp.WorkspaceSymbol]:
        asked = params.query.lower()
        found = []
        for session in ls.sessions.values():
            for entry in session.library.entries:
                own, *below = declarations(entry)
                for one in (own, *below):
                    if asked in one.name.lower():
                        kind = lsp.SymbolKind.Class if one is own else lsp.SymbolKind.Field
                        holder = entry.path if one is own else own.name
                        place = ls.location(session, one.span)
                        found.append(
                            lsp.WorkspaceSymbol(
                                location=place, name=one.name, kind=kind, container_name=holder
                            )
                        )
        found.sort(key=lambda it: (not it.name.lower().startswith(asked), len(it.name), it.name))
        return found[:MOST_SYMBOLS]


def _add_looks(server: TreecServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(ls: TreecServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        found = ls.file_of(params.text_document.uri)
        file = found[0].library.sources.get(found[1]) if found is not None else None
        kinds = {True: lsp.FoldingRangeKind.Comment, False: lsp.FoldingRangeKind.Region}
        return [
            lsp.FoldingRange(first - 1, last - 1, kind=kinds[is_comment])
            for first, last, is_comment in (folds(file) if file is not None else ())
        ]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend([*TYPES], []))
    def colours(ls: TreecServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        if (found := ls.file_of(params.text_document.uri)) is None:
            return lsp.SemanticTokens([])
        session, shown = found
        data: list[int] = []
        line = column = 0
        for span, kind in tokens(session.library, shown):
            at = ls.range(session, span)
            begin = at.start
            shift = begin.character - (column if begin.line == line else 0)
            length = at.end.character - begin.character
            data += [begin.line - line, shift, length, TYPES.index(kind), 0]
            line, column = begin.line, begin.character
        return lsp.SemanticTokens(data)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def layout(ls: TreecServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        uri = params.text_document.uri
        if ls.file_of(uri) is None:
            return []
        text = ls.workspace.get_text_document(uri).source
        new = formatted(text)
        return [] if new is None or new == text else [_whole_edit(text, new)]


def _add_corrections(server: TreecServer) -> None:
    fix_all, quick = lsp.CodeActionKind.SourceFixAll, lsp.CodeActionKind.QuickFix

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([quick, fix_all]))
    @server.thread()
    def actions(ls: TreecServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        if (found := ls.file_of(params.text_document.uri)) is None:
            return []
        only = params.context.only
        made: list[lsp.CodeAction] = []
        if only is None or quick in only:
            made += _fixes(ls, *found, params.range)
        if only is not None and any(fix_all.value.startswith(kind) for kind in only):
            made += _fix_all(ls, *found, params.text_document.uri)
        return made


def _fixes(
    ls: TreecServer, session: EditorSession, shown: str, among: lsp.Range
) -> Iterator[lsp.CodeAction]:
    """Return the corrections of the problems in a range."""
    file = session.library.sources.get(shown)
    for problem in ls.problems.get(session.root, ()):
        fix = fix_of(problem, file) if problem.span.path == shown else None
        here = ls.range(session, problem.span)
        if fix is None or here.end < among.start or among.end < here.start:
            continue
        yield lsp.CodeAction(
            title=fix.title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[ls.diagnostic(session, problem)],
            edit=ls.workspace_edit(session, {shown: [fix.edit]}),
            is_preferred=True,
        )


def _fix_all(
    ls: TreecServer, session: EditorSession, shown: str, uri: str
) -> Iterator[lsp.CodeAction]:
    """Return what makes all certain corrections of a file, as `treec check --fix` does."""
    text = ls.workspace.get_text_document(uri).source
    problems = [it for it in session.check_reached() if it.span.path == shown]
    done = fixed({shown: text}, problems, _checked_file(session, shown))
    if shown in done.texts:
        file = SourceFile(shown, text)
        new = SourceFile(shown, done.texts[shown]).text
        whole = Edit(file.span(0, len(file.text)), new)
        edit = ls.workspace_edit(session, {shown: [_shortest(file, whole)]})
        yield lsp.CodeAction(
            "treec: correct what is certain", lsp.CodeActionKind.SourceFixAll, edit=edit
        )


def _checked_file(session: EditorSession, shown: str):  # type: ignore[no-untyped-def]
    def check(texts):  # type: ignore[no-untyped-def]
        return [it for it in session.check_with(texts) if it.span.path == shown]

    return check


def _shortest(file: SourceFile, edit: Edit) -> Edit:
    """Return an edit of a whole text without what is the same at its ends."""
    old, new = file.text, edit.text
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Edit(file.span(start, len(old) - end - start), new[start : len(new) - end])


def _whole_edit(text: str, new: str) -> lsp.TextEdit:
    lines = text.count("\n") + text.count("\r") - text.count("\r\n") + 1
    return lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(lines, 0)), new)


def _item(one: Completion, number: int) -> lsp.CompletionItem:
    about = lsp.MarkupContent(lsp.MarkupKind.Markdown, one.about) if one.about else None
    text = f"{one.text}: " if one.what == "key" else one.text
    return lsp.CompletionItem(
        label=one.text,
        kind=_ITEMS[one.what],
        detail=one.detail or None,
        documentation=about,
        insert_text=f" {text}" if one.follows_colon else text,
        sort_text=f"{number:04}",
    )


def _symbol(ls: TreecServer, session: EditorSession, one: Heading) -> lsp.DocumentSymbol:
    kind = lsp.SymbolKind.Class if one.below else lsp.SymbolKind.Field
    return lsp.DocumentSymbol(
        name=one.name,
        detail=one.what,
        kind=kind,
        range=ls.range(session, one.span),
        selection_range=ls.range(session, one.name_span),
        children=[_symbol(ls, session, below) for below in one.below],
    )
