"""The network in numpy: the same scores as in torch, from a file that can be read or is told."""

from __future__ import annotations

import io
import json
import random
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from experiments.hearing.training import HearingModel, batch, example
from tests.hearing.fitted import few_examples, fitted
from tests.hearing.moments import everyday, moment
from tests.hearing.stub_network import two_proposals
from treec.team.talk import TalkContext
from treec_hearing.candidates import Candidate, CandidateNames
from treec_hearing.network import (
    BEGIN,
    QUESTION,
    Network,
    encode,
    network_input,
    read_network,
    signs_of,
    trigrams,
)
from treec_hearing.network_error import NetworkError

UTTERANCES = (
    "affirmative notion, gaffer",
    "Hauler, fetch crate 17 first, and somebody inspect the label printer, will you?",
    "stop",
    "I'm done with this, Hauler! What about the morning round?",
    "uh " * 60,
    "ß 🙂 ½ naïve",
)


@pytest.fixture(scope="module")
def model() -> HearingModel:
    return fitted(few_examples("warehouse", "garden"))[0]


@pytest.fixture(scope="module")
def weights(model: HearingModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "few.npz"
    model.write(path, {"command": "experiments.hearing.train warehouse", "phrases": 12})
    return path


@pytest.mark.parametrize("text", UTTERANCES)
@pytest.mark.parametrize("now", [moment("warehouse"), two_proposals("ward")])
def test_scores_are_those_of_torch(
    model: HearingModel, weights: Path, text: str, now: TalkContext
) -> None:
    given = example(everyday(), text, now, [frozenset()])
    with torch.no_grad():
        logits = model.eval()(batch([given], model.tables, 0.0, random.Random(0)))
    chances = torch.sigmoid(logits)[0].tolist()
    scores = read_network(weights).scores(given.words, given.candidates)
    assert len(scores) == len(given.candidates) > 10
    for (likely, first), score in zip(chances, scores, strict=True):
        assert score.likely == pytest.approx(likely, abs=1e-2)
        assert score.first == pytest.approx(first, abs=1e-2)
        assert 0 <= score.word < len(given.words.words) - 1
    assert len({score.likely for score in scores}) > 1


def test_a_network_says_how_it_was_made_and_which_kinds_it_knows(weights: Path) -> None:
    network = read_network(weights)
    assert network.about["command"] == "experiments.hearing.train warehouse"
    assert network.about["phrases"] == 12
    assert {"accept", "decline", "stop", "done", "drop"} <= network.kinds
    assert "request" not in network.kinds, "nobody ordered anything in these phrases"


def test_without_candidates_there_are_no_scores(weights: Path) -> None:
    nothing = replace(moment("garden"), acts=("remark",))
    words, found = network_input(everyday(), "affirmative notion, gaffer", nothing)
    assert found == []
    assert read_network(weights).scores(words, found) == []


def test_a_sign_that_was_never_seen_changes_nothing(weights: Path) -> None:
    words, found = network_input(everyday(), "affirmative notion, gaffer", moment("garden"))
    odd = [replace(one, signs=(*one.signs, "never seen")) for one in found]
    network = read_network(weights)
    assert network.scores(words, odd) == network.scores(words, found)


def test_a_candidate_is_scored_beside_the_others(weights: Path) -> None:
    words, found = network_input(everyday(), "affirmative notion, gaffer", moment("garden"))
    network = read_network(weights)
    backwards = network.scores(words, found[::-1])[::-1]
    for score, other in zip(network.scores(words, found), backwards, strict=True):
        assert score.likely == pytest.approx(other.likely, abs=2e-3)


# What the network sees


def encoded(text: str, now: TalkContext) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    seen = network_input(everyday(), text, now)[0]
    return seen.words, seen.flags


def test_names_are_replaced_by_what_they_are() -> None:
    words, flags = encoded("Rover, water the roses in the evening round", moment("garden"))
    assert words == (
        BEGIN,
        "[agent]",
        "water",
        "[thing]",
        "[thing]",
        "in",
        "[recipe]",
        "[recipe]",
        "[recipe]",
    )
    assert [flag[1] for flag in flags[1:]] == [0, 2, 0, 0, 0, 0, 0, 0], (
        "water stands as in an order"
    )
    assert encoded("I watered it", moment("garden"))[0][:2] == (BEGIN, "i"), (
        "the speaker is no name"
    )
    assert encoded("I watered it", moment("garden"))[1][2][1] == 1


def test_what_stands_before_a_word_is_seen_and_that_it_is_a_question() -> None:
    words, flags = encoded("well, so. What now?", moment("garden"))
    assert words[0] == QUESTION
    assert flags[0][1] == 3
    assert [flag[0] for flag in flags[1:]] == [2, 1, 2, 0]
    assert encoded("well", moment("garden"))[0][0] == BEGIN


def test_no_words_are_encoded_as_the_beginning_alone() -> None:
    names = CandidateNames(everyday().mentions("", moment("garden")))
    assert encode((), names, "").words == (BEGIN,)


def test_parts_of_words_have_the_same_numbers_on_every_machine() -> None:
    assert trigrams("yes") == (654, 1449, 1863, 1214, 1631)
    assert trigrams("[thing]") == trigrams(BEGIN) == ()
    assert set(trigrams("watering")) & set(trigrams("watered"))


def test_a_candidate_s_kind_is_a_sign_and_begins_all_others() -> None:
    assert signs_of(Candidate("stop", {}, ("mine", "agent"), ())) == [
        "stop:",
        "stop:mine",
        "stop:agent",
    ]


# Files that cannot be read


def told(path: Path) -> str:
    with pytest.raises(NetworkError) as error:
        read_network(path)
    assert str(path) in str(error.value)
    assert "experiments.hearing.train, in the repository of treec, writes such a file" in str(
        error.value
    )
    return str(error.value)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def about(data: object) -> Any:
    return np.frombuffer(json.dumps(data).encode(), np.uint8)


def test_a_file_that_is_absent_is_told(tmp_path: Path) -> None:
    assert "No such file" in told(tmp_path / "absent.npz")


def test_a_folder_is_told(tmp_path: Path) -> None:
    told(tmp_path)


@pytest.mark.parametrize("size", [0, 10, 1000, -10])
def test_a_truncated_file_is_told(weights: Path, tmp_path: Path, size: int) -> None:
    path = tmp_path / "short.npz"
    path.write_bytes(weights.read_bytes()[:size])
    told(path)


def test_a_file_that_is_damaged_inside_is_told(weights: Path, tmp_path: Path) -> None:
    data = bytearray(weights.read_bytes())
    with zipfile.ZipFile(weights) as packed:
        entry = packed.getinfo("trigrams.npy")
    begin = (
        entry.header_offset
        + 30
        + int.from_bytes(data[entry.header_offset + 26 : entry.header_offset + 28], "little")
    )
    begin += int.from_bytes(data[entry.header_offset + 28 : entry.header_offset + 30], "little")
    data[begin] = 0xFF  # no kind of block that a compressed file may have
    path = tmp_path / "damaged.npz"
    path.write_bytes(data)
    told(path)


@pytest.mark.parametrize(
    "data",
    [
        b"not a network",
        npz(words=np.zeros((2, 64))),
        npz(about=np.frombuffer(b"{", np.uint8)),
        npz(about=about({"command": "x"})),
        npz(about=about(["a list"])),
    ],
    ids=["text", "no about", "no JSON", "no words", "no mapping"],
)
def test_a_file_that_is_no_network_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other.npz"
    path.write_bytes(data)
    told(path)


def test_an_array_instead_of_a_network_is_told(tmp_path: Path) -> None:
    path = tmp_path / "array.npz"
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    path.write_bytes(file.getvalue())
    told(path)


def test_weights_that_are_missing_are_told_when_the_file_is_read(
    weights: Path, tmp_path: Path
) -> None:
    with np.load(weights) as file:
        arrays = {name: file[name] for name in file.files if name != "join"}
    path = tmp_path / "without_join.npz"
    path.write_bytes(npz(**arrays))
    assert "join" in told(path)


WRONG = {
    "a layer that does not fit": ("join", lambda a: a[:, :-1]),
    "fewer words than said": ("words", lambda a: a[:-1]),
    "one number": ("conv.bias", lambda a: np.float32(1)),
    "another axis": ("forward.recur", lambda a: a[None]),
    "swapped axes": ("compare", lambda a: a.T),
    "not a number": ("out.bias", lambda a: a * np.nan),
    "infinite": ("trigrams", lambda a: a + np.inf),
}


@pytest.mark.parametrize("case", WRONG)
def test_weights_that_do_not_fit_are_told_when_the_file_is_read(
    weights: Path, tmp_path: Path, case: str
) -> None:
    name, change = WRONG[case]
    with np.load(weights) as file:
        arrays = {name: file[name] for name in file.files}
    arrays[name] = change(arrays[name])
    path = tmp_path / "wrong.npz"
    path.write_bytes(npz(**arrays))
    told(path)


def test_each_of_the_weights_has_one_shape_that_is_read(weights: Path, tmp_path: Path) -> None:
    with np.load(weights) as file:
        arrays = {name: file[name] for name in file.files}
    for name in sorted(arrays.keys() - {"about"}):
        path = tmp_path / f"{name}.npz"
        path.write_bytes(npz(**{**arrays, name: np.concatenate([arrays[name]] * 2, axis=-1)}))
        assert "shape" in told(path), name


def test_a_network_is_read_once(weights: Path) -> None:
    assert isinstance(read_network(weights), Network)
    assert read_network(weights) is read_network(weights)
