"""A pretrained encoder of text under the network: vectors of words in their context.

Any encoder that `transformers` loads from a folder will do, such as a small BERT with a fast
tokenizer. Nothing is downloaded, and the encoder's own weights stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec_hearing.network_error import NetworkError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class WordEncoder:
    """The encoder in a folder. Raises NetworkError if it cannot be loaded."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise NetworkError(f"no encoder is installed: {folder} is not a folder")
        try:
            import torch
            from transformers import AutoConfig, AutoModel, AutoTokenizer

            from treec.arrays import check_model_folder
        except ImportError as error:
            extra = "pip install -c constraints.txt 'treec[hear-encoder]'"
            raise NetworkError(f"an encoder needs {error.name}: {extra}") from error
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            config = AutoConfig.from_pretrained(folder, local_files_only=True)
            with torch.device("meta"):  # takes no memory
                empty = AutoModel.from_config(config)
            check_model_folder(folder, sum(one.numel() for one in empty.parameters()))
            self._model: Any = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        except (OSError, ValueError, KeyError) as error:
            raise NetworkError(f"the encoder in {folder} cannot be loaded: {error}") from error
        if not self._tokenizer.is_fast:
            raise NetworkError(f"the encoder in {folder} has no fast tokenizer (tokenizer.json)")
        self.size = int(self._model.config.hidden_size)

    def __call__(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of words, (words, size); the first stands for the whole utterance.

        A type in place of a name, such as "[thing]", is read as that word.
        """
        import numpy as np
        import torch

        plain = [word.strip("[]") for word in words[1:]]
        found = np.zeros((len(words), self.size), np.float32)
        if not plain:
            return found
        tokens = self._tokenizer(
            plain, is_split_into_words=True, truncation=True, return_tensors="pt"
        )
        with torch.no_grad():
            states = self._model(**tokens).last_hidden_state[0].float().numpy()
        owners = tokens.word_ids()
        for number in {owner for owner in owners if owner is not None}:
            found[number + 1] = states[
                [at for at, owner in enumerate(owners) if owner == number]
            ].mean(0)
        found[0] = states.mean(0)
        return found


@cache
def load_encoder(folder: Path) -> WordEncoder:
    """The encoder in a folder, loaded once. Raises NetworkError."""
    return WordEncoder(folder)
