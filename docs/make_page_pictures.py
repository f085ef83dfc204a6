"""The pictures of the page of runs, from real runs: ``python -m docs.make_page_pictures``.

A moment of the warehouse's morning shift, a tree of it that is edited, and both on a phone, in
headless Chromium.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from docs.make_pictures import PICTURES
from tests.serve.browser import CHROMIUM, Browser, browser
from tests.support.library import copy_warehouse
from treec.cli import main as treec
from treec.files.library import load_library
from treec_serve.app import make_app
from treec_serve.drafts import TreeDrafts
from treec_serve.server import PageServer
from treec_serve.starter import RunStarter

TICK = 60
"""Both robots have worked, one still does."""

BOX = "document.querySelector('.box.RUNNING') !== null"
CHOSEN = "[...document.querySelectorAll('.box')].find(it => it.title.endsWith('/{}')).id = 'chosen'"


def main() -> int:
    """Write the pictures; without Chromium nothing is written."""
    if CHROMIUM is None:
        print("Chromium is not installed: the pictures of the page stay as they are")
        return 0
    with tempfile.TemporaryDirectory() as name, browser(Path(name) / "profile") as page:
        library = copy_warehouse(Path(name) / "library")
        args = ["run", "warehouse", "--scenario", "morning_shift", "--fast", "-L", str(library)]
        treec(args)
        with PageServer() as server:
            app = make_app(
                library / "runs",
                server.token,
                server.hosts,
                open_library=lambda: load_library(library),
                drafts=TreeDrafts(library),
                starter=RunStarter(library / "runs", library, lambda: load_library(library)),
            )
            server.start(app)
            for file, size, colours in (
                ("serve.png", (1440, 900), "light"),
                ("serve_phone.png", (390, 844), "dark"),
            ):
                page.size(*size)
                page.colours(colours)
                page.open(f"{server.url}?{file}#tick={TICK}")
                page.until(BOX)
                take(page, file)
            page.size(1440, 900)
            page.colours("light")
            page.open(f"{server.url}?edit#tick={TICK}")
            edit(page)
            take(page, "serve_edit.png")
            page.open("about:blank")
    return 0


def edit(page: Browser) -> None:
    """Edit a tree: a node more, and a place that there is not."""
    page.until("!document.querySelector('#edit').hidden")
    page.click("#edit")
    page.until("document.querySelectorAll('.editor .box').length > 3")
    page.until("document.querySelector('.editor-right h3') !== null")
    time.sleep(0.5)  # it is drawn where it stays
    page.value(CHOSEN.format("1"))
    page.click("#chosen .name")
    field = ".value:nth-of-type(3) input"
    page.until(f"(document.querySelector('{field}') || {{}}).value === 'dock'")
    page.click(field)
    page.value("document.activeElement.select()")
    page.type("dok")
    page.key("Enter")
    page.until("document.querySelector('.problems li') !== null")
    page.value("document.activeElement.blur()")


def take(page: Browser, file: str) -> None:
    """Take a picture once nothing moves any more."""
    time.sleep(1.0)
    page.picture(PICTURES / file)


if __name__ == "__main__":
    sys.exit(main())
