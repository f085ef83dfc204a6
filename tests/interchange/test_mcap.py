"""Runs as MCAP files: written, read back, cut, and somebody else's."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import jsonschema
import pytest
from mcap.reader import make_reader
from mcap.writer import Writer

from tests.cli.conftest import ROOT, Treec, treec
from treec.run.folder import META
from treec.run.replay import moment
from treec.run.replay_data import moment_data
from treec.run.salvage import read_sound
from treec.world.journal import JournalError, Record, read_journal
from treec_interchange.mcap.channels import FACTS, JOURNAL, LOG, NODES
from treec_interchange.mcap.write import write_run

__all__ = ["treec"]
SLIPPED = ROOT / "tests/data/journals/dag_plan_slipped.jsonl"


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return list(read_journal(SLIPPED))


@pytest.fixture(scope="module")
def whole(records: list[Record]) -> bytes:
    file = BytesIO()
    write_run(records, None, file)
    return file.getvalue()


def test_every_moment_is_as_in_the_journal(
    records: list[Record], whole: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "run.mcap"
    file.write_bytes(whole)
    again = read_sound(file)
    assert again.problem is None
    assert [one.line() for one in again.records] == [one.line() for one in records]
    for at in ("0", "17.3", "#8", "end"):
        assert moment_data(again.records, moment(at)) == moment_data(records, moment(at))


def test_the_same_run_gives_the_same_file(records: list[Record], whole: bytes) -> None:
    file = BytesIO()
    write_run(records, None, file)
    assert file.getvalue() == whole


def test_it_says_what_ran_and_when(records: list[Record], tmp_path: Path) -> None:
    """Times are those of the clock; of the description what readers show, in one order."""
    shown = {"system": "kitchen", "scenario": "soup", "started": "2026-11-30T08:00:00+00:00"}
    meta = {"seed": 3, **dict(sorted(shown.items()))}
    (tmp_path / META).write_text(json.dumps(meta), "utf-8")
    file = BytesIO()
    few = records[:20]
    counts = write_run(few, tmp_path, file)
    reader = make_reader(BytesIO(file.getvalue()))
    (about,) = reader.iter_metadata()
    assert (about.name, [*about.metadata.items()]) == ("treec", [*shown.items()])
    times = [message.log_time for _, _, message in reader.iter_messages([JOURNAL])]
    start = 1_796_025_600 * 1_000_000_000
    assert times == [start + round(one.t * 1e9) for one in few]
    assert counts[JOURNAL] == len(few)


def test_others_read_statuses_facts_and_a_log(records: list[Record], whole: bytes) -> None:
    """By the index, as Foxglove does, and each message is of its schema."""
    reader = make_reader(BytesIO(whole), validate_crcs=True)
    found: dict[str, list[dict[str, object]]] = {}
    valid: dict[str, jsonschema.Draft202012Validator] = {}
    for schema, channel, message in reader.iter_messages():
        assert schema is not None
        assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
        data = json.loads(message.data)
        if channel.topic != JOURNAL:
            if channel.topic not in valid:
                form = {**json.loads(schema.data), "additionalProperties": False}
                valid[channel.topic] = jsonschema.Draft202012Validator(form)
            valid[channel.topic].validate(data)
        found.setdefault(channel.topic, []).append({**data, "at": message.log_time})
    assert len(found[JOURNAL]) == len(records)
    last = {str(one["path"]): one for one in found[NODES]}
    state = read_sound(SLIPPED).state
    assert [last[node.path]["status"] for node in state.nodes] == state.statuses
    assert [one["code"] for one in last.values()].count(1) == state.statuses.count("RUNNING")
    slip = next(one for one in found[LOG] if "it slipped" in str(one["message"]))
    assert (slip["name"], slip["level"], slip["at"]) == ("right", 4, 17_300_000_000)
    assert any(one["fact"] == "at(cup)" and one["value"] == "table" for one in found[FACTS])


@pytest.mark.thorough
def test_the_command_writes_it_and_replay_and_salvage_read_it(treec: Treec, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "20260101-000000-dag_plan"
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(SLIPPED.read_bytes())
    (folder / "run.json").write_text('{"started": "2026-01-01T00:00:00+00:00"}', "utf-8")
    file = tmp_path / "run.mcap"
    done = treec("export", folder, "--to", "mcap", "-o", file)
    assert (done.status, done.out.endswith("on 5 channels\n")) == (0, True)
    first = next(make_reader(BytesIO(file.read_bytes())).iter_messages())[2]
    assert first.log_time == 1767225600 * 10**9
    shown = treec("replay", file, "--at", "18.5")
    assert (shown.status, shown.out) == (0, treec("replay", folder, "--at", "18.5").out)
    assert treec("journal", "salvage", file, "--to", tmp_path / "again").status == 0
    assert (tmp_path / "again" / "journal.jsonl").read_bytes() == SLIPPED.read_bytes()
    none = treec("export", folder, "--to", "mcap")
    assert (none.status, "specify --output FILE.mcap" in none.err) == (2, True)


def test_a_cut_file_gives_what_is_before_the_cut(
    records: list[Record], whole: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "run.mcap"
    numbers = []
    for size in range(8, len(whole), len(whole) // 12):
        file.write_bytes(whole[:size])
        usable, said = usable_of(file)
        assert usable == records[: len(usable)]
        assert said.startswith(f"{file}: the file is cut")
        numbers.append(len(usable))
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (0, len(records))


def usable_of(file: Path) -> tuple[list[Record], str]:
    """The records that can be used of a file, and what is said."""
    torn: list[str] = []
    try:
        return list(read_sound(file, torn.append).records), torn[0]
    except JournalError as error:
        return [], str(error)


def test_files_without_a_run_are_named(treec: Treec, whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bag.mcap"
    file.write_bytes(SLIPPED.read_bytes())
    assert "bag.mcap: this is not an MCAP file\n" in treec("replay", file).err
    with file.open("wb") as stream:
        writer = Writer(stream)
        writer.start()
        channel = writer.register_channel("/odom", "cdr", 0)
        writer.add_message(channel, 1, b"x", 1)
        writer.finish()
    done = treec("replay", file)
    assert done.status == 2
    assert "no run of treec is in it: it lacks /treec/journal (its channels are /odom)" in done.err
    middle = len(whole) // 3
    file.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    assert "the file is damaged" in treec("replay", file).err
