"""The installed program asks a program of the user's: ``--approver``."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.doubles.processes import is_running, read_pid
from tests.e2e.planted_keys import KEY
from tests.e2e.servers import model_server

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
TASK = """
[[turns]]
calls = [
  { name = "file_write", arguments = { path = "tests/a.txt", content = "a\\n" } },
  { name = "file_write", arguments = { path = "src/b.txt", content = "b\\n" } },
  { name = "bash", arguments = { command = "make test" } },
  { name = "bash", arguments = { command = "touch ran" } },
  { name = "web_fetch", arguments = { url = "http://example.com/", method = "POST", body = "x" } },
]
[[turns]]
text = "done"
"""


def run(
    program: str, user: Mapping[str, str], project: Path, url: str, *words: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [program, "run", "--model", "m", "--no-session", *words, "go"],
        cwd=project,
        env={**user, "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_the_documented_program_approves_what_it_says(
    program: str, user: Mapping[str, str], project: Path, tmp_path: Path
) -> None:
    (text,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    approver = executable(tmp_path / "approve", text)
    (project / "Makefile").write_text("test:\n\t@echo tested > tested\n")
    with model_server(TASK, tmp_path) as server:
        # A denial is an answer: nothing was refused for want of somebody to ask.
        done = run(program, user, project, server.url, "--approver", str(approver))
        results = server.bodies()[1]["messages"]
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    assert (project / "tests" / "a.txt").read_text() == "a\n"
    assert (project / "tested").read_text() == "tested\n"
    assert not (project / "src").exists()
    assert not (project / "ran").exists()
    assert "caramelo: approve: denied bash\n" in done.stderr
    assert "caramelo: approve: denied web_fetch\n" in done.stderr
    texts = [message["content"] for message in results if message["role"] == "tool"]
    assert "rejected by the user" in texts[1]
    assert "Only `make test` may be run." in texts[3]
    assert "Only `make test` may be run." in texts[4]


def test_flags_come_before_the_program_and_failing_is_a_refusal(
    program: str, user: Mapping[str, str], project: Path, tmp_path: Path
) -> None:
    executable(tmp_path / "broken", f"#!{sys.executable}\nprint('maybe')\n")
    path = {**user, "PATH": f"{tmp_path}:{user['PATH']}"}
    words = ("--approver", "broken", "--auto-approve", "--allow-command", "touch ran")
    # Allowed, the request would leave this machine.
    task = "".join(line for line in TASK.splitlines(keepends=True) if "web_fetch" not in line)
    with model_server(task, tmp_path) as server:
        done = run(program, path, project, server.url, *words)
    assert done.returncode == 4
    assert (project / "src" / "b.txt").exists()
    assert (project / "ran").exists()
    refusal = next(line for line in done.stderr.splitlines() if "bash make test" in line)
    assert "Nothing was approved: the approver broken gave no usable answer" in refusal


def test_stop_ends_the_run(
    program: str, user: Mapping[str, str], project: Path, tmp_path: Path
) -> None:
    approver = executable(
        tmp_path / "stop",
        '#!/bin/sh\ngrep -q \'"kind": "review"\' && echo \'{"hunks": {}}\' || '
        'echo \'{"action": "stop"}\'\n',
    )
    with model_server(TASK, tmp_path) as server:
        done = run(program, user, project, server.url, "--approver", str(approver), "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, events[-1]["ending"]) == (130, "aborted")
    assert not list(project.iterdir())


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_program_that_is_asked(
    program: str,
    user: Mapping[str, str],
    project: Path,
    tmp_path: Path,
    number: signal.Signals,
    code: int,
) -> None:
    approver = executable(tmp_path / "slow", "#!/bin/sh\necho $$ > pid\nsleep 600\n")
    with model_server(TASK, tmp_path) as server:
        process = subprocess.Popen(
            [program, "run", "--model", "m", "--approver", str(approver), "go"],
            cwd=project,
            env={**user, "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 30
        while not (pid := read_pid(project / "pid")):
            assert time.monotonic() < deadline, "the program was not asked"
            # Another process's file sets no event of ours: it can only be looked at.
            threading.Event().wait(0.02)
        os.kill(process.pid, number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert not is_running(pid)
    assert b"Traceback" not in err


CORE = """
[[turns]]
text = "I begin."
calls = [{ name = "read_file", arguments = { file_path = "a.txt" } }]
[[turns]]
calls = [{ name = "task_done", arguments = { summary = "All is well." } }]
[[turns]]
text = "One."
[[turns]]
text = "Two."
[[turns]]
text = "Three."
"""


def test_profile_core_prints_its_summary_or_is_incomplete(
    program: str, user: Mapping[str, str], project: Path, tmp_path: Path
) -> None:
    (project / "a.txt").write_text("hello\n")
    with model_server(CORE, tmp_path) as server:
        done = run(program, user, project, server.url, "--profile", "core")
        unfinished = run(program, user, project, server.url, "--profile", "core")
    assert (done.returncode, done.stdout) == (0, "All is well.\n"), done.stderr
    assert (unfinished.returncode, unfinished.stdout) == (3, "Three.\n")
