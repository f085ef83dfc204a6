"""`treec fake-model`: a process of its own that another one can ask."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.cli.conftest import ROOT, Treec


def test_it_answers_by_its_script_says_so_and_ends_in_order(tmp_path: Path) -> None:
    script = tmp_path / "answers.yaml"
    script.write_text("cases:\n  - {when: hello, answer: Good day.}\n")
    command = [sys.executable, "-m", "treec", "fake-model", "--port", "0", "--script", str(script)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        match = re.search(r"http://127\.0\.0\.1:\d+/v1", process.stdout.readline())
        assert match is not None
        asked = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
        request = urllib.request.Request(
            f"{match[0]}/chat/completions", json.dumps(asked).encode(), method="POST"
        )
        with urllib.request.urlopen(request, timeout=30.0) as response:
            told = json.load(response)
        assert told["choices"][0]["message"]["content"] == "Good day."
        assert "answer" in process.stdout.readline()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(30.0) == 0


def test_a_wrong_script_and_a_taken_port_are_said(treec: Treec, tmp_path: Path) -> None:
    script = tmp_path / "answers.yaml"
    script.write_text("cases:\n  - {answr: x}\n  - {node: '('}\n")
    result = treec("fake-model", "--script", script)
    assert result.status == 2
    assert f"{script}:2:6: error TC101: unknown key 'answr'\n" in result.err
    assert "did you mean 'answer'?" in result.err
    assert f"{script}:3:12: error TC103: 'node': it is not a regular expression" in result.err
    result = treec("fake-model", "--script", tmp_path / "none.yaml")
    told = f"treec: {tmp_path / 'none.yaml'}: this cannot be read: No such file or directory\n"
    assert (result.status, result.err) == (2, told)
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = treec("fake-model", "--port", port)
    assert result.status == 2
    assert f"cannot listen on port {port}" in result.err
