"""Files made to hurt: each is read in a process of its own and refused at its place.

The deadline guards against a hang; it measures nothing.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tiers import first_fast

DEADLINE = 60
MEMORY = 1 << 30

READ = f"""
import json, resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from treec.source.diagnostics import format_text, to_json
from treec.source.yaml import plain, read_documents, read_file
file, found = read_file(Path(sys.argv[1]), "a.yaml")
documents = []
if file is not None:
    documents, found = read_documents(file)
    for document in documents:
        plain(document.root)
text = format_text(found, {{}} if file is None else {{"a.yaml": file}})
assert len(text) < 100_000, len(text)
print(json.dumps([len(documents), [to_json(item) for item in found]]))
"""


def read(path: Path) -> tuple[int, list[tuple[str, int, int]]]:
    """How many documents there are, and code, line and column of what is found."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    documents, found = json.loads(done.stdout)
    return documents, [(item["code"], item["line"], item["column"]) for item in found]


def _bomb() -> bytes:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for n in range(1, 10):
        lines.append(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]")
    return "\n".join(lines).encode()


CASES: dict[str, tuple[bytes, int, list[tuple[str, int, int]]]] = {
    "a cycle": (b"a: &a\n  b: *a\n", 0, [("TC007", 1, 4)]),
    "a cycle of one": (b"&a [*a]\n", 0, [("TC007", 1, 1)]),
    "1,000 levels of brackets": (b"a: " + b"[" * 1000 + b"]" * 1000, 0, [("TC008", 1, 67)]),
    "1,000,000 open brackets": (b"[" * 1_000_000, 0, [("TC008", 1, 65)]),
    "open brackets on lines": (b"[\n" * 400_000, 0, [("TC008", 65, 1)]),
    "open braces": (b"{" * 900_000, 0, [("TC008", 1, 65)]),
    "1,000 levels of indentation": (
        b"".join(b" " * n + b"a:\n" for n in range(1000)),
        0,
        [("TC008", 65, 65)],
    ),
    "1,000 dashes": (b"- " * 1000 + b"x", 0, [("TC008", 1, 129)]),
    "100,000 question marks": (b"? " * 100_000, 0, [("TC008", 1, 129)]),
    "a Python object": (
        b"a: !!python/object/apply:os.system ['touch /tmp/x']\n",
        1,
        [("TC005", 1, 4)],
    ),
    "a duplicate key": (b"a: 1\na: 2\n", 1, [("TC004", 2, 1)]),
    "a merge key": (b"a: {<<: {b: 1}}\n", 0, [("TC006", 1, 5)]),
    "bad UTF-8": (b"a: 1\nb: \xc3\x28\n", 0, [("TC002", 2, 4)]),
    "an overlong encoding": (b"a: \xc0\xaf\n", 0, [("TC002", 1, 4)]),
    "UTF-16": ("a: 1\n".encode("utf-16"), 0, [("TC002", 1, 1)]),
    "a NUL": (b"a: 1\n---\nb: \x00\n", 1, [("TC003", 3, 4)]),
    "a terminal's escape": (b"a: \x1b]0;x\x07\n", 0, [("TC003", 1, 4)]),
    "a number of 900,000 digits": (b"a: " + b"9" * 900_000, 1, [("TC009", 1, 4)]),
    "100,000 values": (b"- 1\n" * 100_000, 0, [("TC009", 50_000, 3)]),
    "100,000 documents": (b"--- 1\n" * 100_000, 50_000, [("TC009", 50_001, 5)]),
    "20,000 parentheses that are never closed": (
        b"[" + b"f(a, " * 20_000 + b"]",
        1,
        [],
    ),
    "a quote that is never closed": (b"a: '" + b"x\n" * 400_000, 0, [("TC003", 1, 4)]),
    "empty lines before a brace": (
        b"a:\n" + b"\n" * 900_000 + b"  {{ x }} y",
        0,
        [("TC003", 900_002, 3)],
    ),
    "a key of 900,000 characters": (b"k" * 900_000 + b": 1", 0, [("TC003", 1, 900_001)]),
    "a folded block of 400,000 lines": (
        b"a: >\n" + b"  x\n" * 200_000 + b"  {{ x }}\n",
        1,
        [("TC010", 200_002, 3)],
    ),
    "colons": (b"a: " * 300_000, 0, [("TC003", 1, 5)]),
    "only blanks": (b" " * 1_000_000, 0, []),
    "nothing": (b"", 0, []),
}


@pytest.mark.parametrize("name", first_fast(CASES, 10))
@pytest.mark.few(4)
def test_a_hostile_file_is_refused_at_its_place(tmp_path, name):
    data, documents, expected = CASES[name]
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    assert read(path) == (documents, expected)


def test_a_billion_laughs_are_a_finding_each_and_never_unfolded(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(_bomb())
    documents, found = read(path)
    assert documents == 0
    assert found[:3] == [("TC007", 1, 5), ("TC007", 2, 5), ("TC007", 3, 5)]
    assert {code for code, _, _ in found} == {"TC007"}


def test_50_mb_are_refused_without_being_read_whole(tmp_path):
    path = tmp_path / "a.yaml"
    with path.open("wb") as stream:
        stream.write(b"a: 1\n")
        stream.truncate(50 * 1024 * 1024)
    assert read(path) == (0, [("TC009", 1, 1)])


def test_a_terabyte_is_refused_as_fast(tmp_path):
    path = tmp_path / "a.yaml"
    with path.open("wb") as stream:
        try:
            stream.truncate(1 << 40)
        except OSError:
            pytest.skip("this file system has no sparse files of that size")
    assert read(path) == (0, [("TC009", 1, 1)])


def test_a_device_that_never_ends_is_not_read(tmp_path):
    path = tmp_path / "a.yaml"
    path.symlink_to("/dev/zero")
    assert read(path) == (0, [("TC001", 1, 1)])
