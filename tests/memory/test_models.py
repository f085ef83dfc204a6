"""Embedders that are models: their names, what is missing, the form of their vectors."""

from __future__ import annotations

import math
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.conftest import Treec, treec  # noqa: F401
from treec.nodes.pairs import MemoryPair
from treec_memory.embedders import LexicalEmbedder, open_embedder
from treec_memory.models import EmbedderFault, LiteLlmEmbedder, SentenceEmbedder, folder_digest
from treec_memory.store import Memory


def test_names() -> None:
    assert isinstance(open_embedder("lexical"), LexicalEmbedder)
    assert open_embedder("litellm:openai/some-embedding").name == "litellm:openai/some-embedding"
    assert open_embedder("sentences:all-MiniLM-L6-v2").name == "sentences:all-MiniLM-L6-v2"
    with pytest.raises(
        EmbedderFault, match="unknown embedder 'lexicla': auto, lexical, sentences, "
    ):
        open_embedder("lexicla")
    with pytest.raises(EmbedderFault, match="unknown embedder"):
        open_embedder("litellm:")


def test_a_folder_that_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(EmbedderFault, match=r"no modules\.json"):
        SentenceEmbedder(str(tmp_path))


def test_a_folder_is_known_by_what_it_holds(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "modules.json").write_text("[]", "utf-8")
    assert folder_digest(tmp_path / "one") == folder_digest(tmp_path / "two")
    before = SentenceEmbedder(str(tmp_path / "one")).name
    (tmp_path / "one" / "weights").write_bytes(b"1")
    assert SentenceEmbedder(str(tmp_path / "one")).name != before


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(EmbedderFault, match="needs the package sentence-transformers"):
        SentenceEmbedder("some/model").embed(["a"])
    with pytest.raises(EmbedderFault, match="needs the extra 'models'"):
        LiteLlmEmbedder("some/model").embed(["a"])


def test_answers_of_litellm_are_put_in_order_and_scaled(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the form that litellm.embedding gives: rows with an index, in any order, in batches."""
    sizes: list[int] = []

    def embedding(*, model: str, input: list[str], **other: Any) -> dict[str, Any]:
        sizes.append(len(input))
        rows = [{"index": n, "embedding": [3.0, 4.0 * len(text)]} for n, text in enumerate(input)]
        return {"data": rows[::-1]}

    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(embedding=embedding))
    found = LiteLlmEmbedder("x/y").embed(["a", "bb"] * 40)
    assert sizes == [64, 16]
    assert list(found[0]) == pytest.approx([0.6, 0.8])
    assert found[1][1] > found[0][1]
    assert all(math.hypot(*row) == pytest.approx(1) for row in found)


def test_an_error_of_the_provider_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def embedding(**given: Any) -> Any:
        if given["input"] == ["a"]:
            raise RuntimeError("no such\nmodel")
        return {"data": []}

    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(embedding=embedding))
    told = "litellm:x/y has not answered: no such model", "litellm:x/y gave 0 vectors for 2 texts"
    for texts, says in zip((["a"], ["a", "b"]), told, strict=True):
        with pytest.raises(EmbedderFault) as error:
            LiteLlmEmbedder("x/y").embed(texts)
        assert str(error.value) == says


def test_pairs_of_two_embedders_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        sys.modules,
        "litellm",
        SimpleNamespace(
            embedding=lambda **given: {
                "data": [
                    {"index": n, "embedding": [1.0, 0.0]} for n, _ in enumerate(given["input"])
                ]
            }
        ),
    )
    path = tmp_path / "memory.db"
    lexical = Memory(path, LexicalEmbedder())
    lexical.add(MemoryPair("water the plant", "a"))
    lexical.close()
    other = Memory(path, open_embedder("litellm:x/y"))
    other.add(MemoryPair("make coffee", "b"))
    assert [one.pair.answer for one in other.nearest("water the plant")] == ["b"]
    assert other.of_others() == 1
    other.close()


def test_a_run_names_its_embedder(treec: Treec, tmp_path: Path) -> None:  # noqa: F811
    result = treec("memory", "search", "x", "--memory", tmp_path / "no.db", "--embedder", "lexicla")
    assert result.status == 2
    (tmp_path / "pairs.yaml").write_text("- {key: a, answer: b}\n", "utf-8")
    result = treec(
        *("memory", "import", tmp_path / "pairs.yaml", "--memory", tmp_path / "m.db"),
        *("--embedder", "lexicla"),
    )
    assert "unknown embedder 'lexicla'" in result.err


def test_a_tiny_model_of_sentence_transformers_is_loaded_from_its_folder(tmp_path: Path) -> None:
    """The real package with a real (tiny) model; skipped where the package is not installed."""
    package = pytest.importorskip("sentence_transformers")
    words = ["make", "coffee", "water", "the", "plant", "please"]
    model = package.SentenceTransformer(modules=[package.models.BoW(vocab=words)], device="cpu")
    model.save(str(tmp_path / "tiny"))
    embedder = open_embedder(f"sentences:{tmp_path / 'tiny'}")
    one, two, three = embedder.embed(["make coffee", "coffee please", "water the plant"])
    near = sum(a * b for a, b in zip(one, two, strict=True))
    assert near > sum(a * b for a, b in zip(one, three, strict=True))


def test_sentences_is_the_model_of_an_installed_package_and_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CARRIER", "STATIC"):
        monkeypatch.setattr(f"treec_memory.models.{name}", "no_such_package")
    with pytest.raises(EmbedderFault, match=r"'sentences' needs the package wordllama, or "):
        open_embedder("sentences")
    assert open_embedder("auto").name == LexicalEmbedder.name
    (tmp_path / "carrier").mkdir()
    (tmp_path / "carrier" / "__init__.py").write_text(CARRIER)
    (tmp_path / "sentence_transformers.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("treec_memory.models.STATIC", "carrier")
    assert open_embedder("sentences").name == "sentences:wordllama-256-1"
    assert open_embedder("auto").name == "sentences:wordllama-256-1"
    assert list(open_embedder("auto").embed(["<Commander> tea"])[0]) == pytest.approx([0.6, 0.8])

    old = Memory(tmp_path / "old.db", LexicalEmbedder())
    old.add(MemoryPair("make coffee", "a"))
    old.close()
    for file, maker in (("old", "lexical-384-1"), ("new", "sentences:wordllama-256-1")):
        memory = Memory(tmp_path / f"{file}.db", open_embedder("auto"))
        memory.add(MemoryPair("water the plant", "b"))
        assert (memory.embedder.name, memory.of_others()) == (maker, 0)
        memory.close()

    monkeypatch.setattr("treec_memory.models.CARRIER", "carrier")
    monkeypatch.setattr("treec_memory.models.STATIC", "no_such_package")
    (tmp_path / "carrier" / "model").mkdir()
    (tmp_path / "carrier" / "model" / "modules.json").write_text("[]")
    maker = open_embedder("sentences").name
    assert maker.startswith("sentences:model@")
    db = sqlite3.connect(tmp_path / "new.db")
    db.execute("UPDATE pairs SET embedder=?", (maker,))
    db.commit()
    db.close()
    monkeypatch.setattr("treec_memory.models.STATIC", "carrier")
    memory = Memory(tmp_path / "new.db", open_embedder("auto"))
    assert memory.embedder.name == maker  # though another one would be chosen for a new memory
    memory.close()


CARRIER = """\
class WordLlama:
    @classmethod
    def load(cls, cache_dir, disable_download):
        assert cache_dir.name == "carrier" and disable_download
        return cls()

    def embed(self, texts):
        return [[3.0, 4.0] if text.strip() == "tea" else [1.0, 0.0] for text in texts]
"""


def test_the_packages_own_vectors_tell_like_sentences() -> None:
    """The real package, which a wheel brings; skipped where it is not installed."""
    pytest.importorskip("wordllama")
    one, two, three = open_embedder("sentences").embed(
        ["Wash the fork", "Please clean a fork", "Bring me the laptop"]
    )
    near = sum(a * b for a, b in zip(one, two, strict=True))
    assert near > sum(a * b for a, b in zip(one, three, strict=True))
