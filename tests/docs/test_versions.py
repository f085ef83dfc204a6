"""The site has its versions side by side."""

from __future__ import annotations

import yaml

from docs.make_house import ROOT


def test_make_docs_can_keep_a_version_beside_others():
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert yaml.safe_load(text)["extra"]["version"]["provider"] == "mike"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "mike deploy --branch pages --update-aliases $(VERSION) latest" in makefile
