"""What `mkdocs build` does beside building: the reference, links out of docs/, Markdown, llms.txt.

Pages link to files of the repository that are not in docs/ (README, changelog, examples). Such a
file becomes a page if it is Markdown, else it is copied; a folder stays its name. So no link of the
site leads out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from docs import make_results
from docs.make_reference import PAGES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

SPLIT = ("kinds.md", "rules.md", "commands.md", "api.md")
"""Pages of the reference of which each section is a page, too."""

OUTSIDE = "repository"
"""The folder of the site for files from outside docs/."""
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def anchor(text: str, separator: str) -> str:
    """The name of a heading in links, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)


def sections(name: str, text: str) -> Iterator[tuple[str, str]]:
    """A page for each section of a page of the reference: its path, and its text.

    The page as a whole stays, to be read through; the parts are for links, and for who looks one
    thing up.
    """
    folder = name.removesuffix(".md")
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        path = f"reference/{folder}/{anchor(title.partition(':')[0], '-')}.md"
        body = re.sub(r"\]\(#", f"]({name}#", re.sub(r"^##", "#", body, flags=re.MULTILINE))
        for link in reversed(_links(body)):
            body = f"{body[: link.start('path')]}../{body[link.start('path') :]}"
        yield path, f"---\nsearch: {{exclude: true}}\n---\n\n# {title}\n{body}"


def _links(text: str) -> list[re.Match[str]]:
    code = [found.span() for found in _CODE.finditer(text)]
    return [
        link
        for link in _LINK.finditer(text)
        if not re.match(r"\w+:", link["path"])
        and not any(begin <= link.start() < end for begin, end in code)
    ]


def _target(source: str, path: str) -> str:
    """Where a link of a page leads, from the root of the repository."""
    folder = PurePosixPath(source).parent
    if folder.parts[:1] == (OUTSIDE,):
        return normpath(folder.relative_to(OUTSIDE) / path)
    return normpath(PurePosixPath("docs") / folder / path)


def _place(target: str) -> str:
    """The path in the site's sources of a file of the repository."""
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return f"{OUTSIDE}/{target}"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name headings in links as GitHub does."""
    config.mdx_configs["toc"]["slugify"] = anchor
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the reference, made from the code, and what pages link to outside docs/."""
    root = Path(config.config_file_path).parent
    for name, make in PAGES.items():
        if old := files.get_file_from_path(f"reference/{name}"):
            files.remove(old)
        text = make()
        files.append(File.generated(config, f"reference/{name}", content=text))
        for path, section in sections(name, text) if name in SPLIT else ():
            files.append(File.generated(config, path, content=section))
    waiting = [file for file in files if file.src_uri.endswith(".md")]
    while waiting:
        page = waiting.pop()
        for link in _links(page.content_string):
            target = _target(page.src_uri, link["path"])
            place = _place(target)
            source = root / target
            if (
                place.startswith(OUTSIDE)
                and source.is_file()
                and not files.get_file_from_path(place)
            ):
                added = File.generated(config, place, abs_src_path=str(source))
                files.append(added)
                waiting += [added] * place.endswith(".md")
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to where the files are in the site; a folder of the repository is its name.

    A page of results says when it was measured, and what has changed since then.
    """
    source = page.file.src_uri

    def moved(link: re.Match[str]) -> str:
        target = _target(source, link["path"])
        if (root / target).is_dir():
            return link["text"]
        to = relpath(_place(target), str(PurePosixPath(source).parent))
        return f"[{link['text']}]({to}{link['anchor'] or ''})"

    root = Path(config.config_file_path).parent

    for link in reversed(_links(markdown)):
        markdown = markdown[: link.start()] + moved(link) + markdown[link.end() :]
    path = root / "docs" / source
    if path.parent == make_results.RESULTS and path != make_results.INDEX:
        title, _, rest = markdown.partition("\n\n")
        return f"{title}\n\n> {make_results.read(path).note()}\n\n{rest}"
    return markdown


def on_post_build(*, config: MkDocsConfig) -> None:
    """Write each page as Markdown beside its HTML, and llms.txt, which lists them."""
    site = Path(config.site_dir)
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    for title, page in _pages:
        text = _COMMENT.sub("", page.markdown or "")
        path = site / page.file.src_uri
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        lines.append(f"- [{title}]({page.file.src_uri})")
    (site / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


_pages: list[tuple[str, Page]] = []


def on_nav(nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
    """Remember the pages in reading order."""
    _pages[:] = [(_title(page), page) for page in nav.pages]


def _title(page: Page) -> str:
    names = [*(it.title for it in reversed(page.ancestors)), page.title or page.file.name]
    return " · ".join(names)
