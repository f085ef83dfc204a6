"""A pretrained encoder under the network: loaded from a folder, as `transformers` writes it.

The encoder here is a BERT of 16 numbers a word with random weights: what is tested is the path.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch

from experiments.hearing import training
from experiments.hearing.phrases import Meaning
from tests.hearing.moments import everyday, moment
from treec_hearing.encoder import WordEncoder
from treec_hearing.network import read_network
from treec_hearing.network_error import NetworkError

SAID: tuple[tuple[str, Meaning], ...] = (
    ("mow the lawn", frozenset({("request", None, "mow", (("item", "lawn"),), False)})),
    ("yes please", frozenset({("accept", "p1")})),
    ("not that", frozenset({("decline", "p1")})),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import BertConfig, BertModel, BertTokenizerFast  # seconds: only if it is used

    folder = tmp_path_factory.mktemp("weights") / "tiny"
    folder.mkdir()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "thing", "yes", "please", "m", "##ow"]
    (folder / "vocab.txt").write_text("\n".join(pieces), "utf-8")
    torch.manual_seed(1)
    size = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(pieces), intermediate_size=16, **size)
    BertModel(config).save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.mark.thorough
def test_every_word_has_a_vector_and_types_are_read_as_words(folder: Path) -> None:
    encoder = WordEncoder(folder)
    found = encoder(("<begin>", "mow", "[thing]"))
    assert found.shape == (3, encoder.size) == (3, 16)
    assert not np.allclose(found[1], found[2])
    assert np.array_equal(found, encoder(("<begin>", "mow", "thing")))


@pytest.mark.thorough
def test_nothing_said_has_a_vector_too(folder: Path) -> None:
    assert WordEncoder(folder)(("<begin>",)).shape == (1, 16)


@pytest.mark.thorough
def test_a_network_over_it_runs_as_it_was_fitted(folder: Path) -> None:
    ear, now, encoder = everyday(), moment("garden"), WordEncoder(folder)
    examples = [training.example(ear, text, now, [reading]) for text, reading in SAID]
    model = training.fit(examples, 3, 1, lambda epoch, loss: None, encoder)
    out = folder.parent / "with_encoder.npz"
    model.write(out, {"encoder": folder.name})
    network = read_network(out)
    for one in examples:
        with torch.no_grad():
            given = training.batch([one], model.tables, 0, random.Random(1))
            expected = torch.sigmoid(model(given))[0, :, 0]
        scores = [score.likely for score in network.scores(one.words, one.candidates)]
        assert np.allclose(scores, expected.numpy()[: len(scores)], atol=0.01)
    blind = read_network(out).__class__(network.weights, network.about)
    assert [s.likely for s in blind.scores(examples[0].words, examples[0].candidates)] != [
        s.likely for s in network.scores(examples[0].words, examples[0].candidates)
    ]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="gone is not a folder"):
        WordEncoder(tmp_path / "gone")


@pytest.mark.thorough
def test_a_folder_without_an_encoder_is_told(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="cannot be loaded"):
        WordEncoder(tmp_path)
