"""The installed program without a screen: streams, exit codes, signals, and what is kept."""

import base64
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import caramelo_tui
from tests.doubles.images import png
from tests.doubles.processes import is_running, read_pid
from tests.e2e.planted_keys import KEY, OF_OTHERS, note_printed
from tests.e2e.servers import model_server

TESTS = "python3 -m unittest -q"
"""The command that the demo's script asks for."""
APPROVED = ("--auto-approve", "--allow-command", f"{TESTS}=3")


@dataclass(frozen=True, kw_only=True)
class Headless:
    """The program, a user and a project."""

    program: str
    user: Mapping[str, str]
    project: Path

    @property
    def home(self) -> Path:
        """Where the program keeps its files."""
        return Path(self.user["CARAMELO_HOME"])

    def run(
        self,
        *words: str,
        stdin: bytes = b"",
        umask: int = 0o022,
        variables: Mapping[str, str] | None = None,
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run to the end."""
        done = subprocess.run(
            [self.program, *words],
            cwd=self.project,
            env={**self.user, **(variables or {})},
            input=stdin,
            capture_output=True,
            check=False,
            timeout=60,
            umask=umask,
        )
        note_printed(done.stdout + done.stderr, "on a stream")
        return done

    def start(
        self, *words: str, variables: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        """Start with pipes and leave it running."""
        return subprocess.Popen(
            [self.program, *words],
            cwd=self.project,
            env={**self.user, **(variables or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


@pytest.fixture
def headless(program: str, user: Mapping[str, str], tmp_path: Path) -> Headless:
    """The program in a copy of the demo's sample."""
    sample = Path(caramelo_tui.__file__).parent / "demo" / "sample"
    project = tmp_path / "tally"
    shutil.copytree(sample, project, ignore=shutil.ignore_patterns("__pycache__"))
    return Headless(program=program, user=user, project=project)


def events_of(stdout: bytes) -> list[dict[str, Any]]:
    assert stdout.isascii()
    return [json.loads(line) for line in stdout.splitlines()]


def kept_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def wait_for_pid(file: Path, limit_s: float = 30.0) -> int:
    deadline = time.monotonic() + limit_s
    while not (pid := read_pid(file)):
        assert time.monotonic() < deadline, "the command did not start"
        # Another process's file sets no event of ours: it can only be looked at.
        threading.Event().wait(0.02)
    return pid


# --- the demo's task ----------------------------------------------------------------------


def test_a_whole_task_prints_its_last_text_only_and_does_the_work(headless: Headless) -> None:
    done = headless.run("run", "--provider", "demo", *APPROVED, "go")
    assert done.returncode == 0
    assert done.stdout.decode().startswith("All tests pass. What changed:\n")
    assert done.stdout.count(b"I'll look at the project") == 0
    progress = done.stderr.decode()
    assert progress.count("working restricted") == 1
    assert "demo scripted, mode auto" in progress
    assert "file_read tally/cli.py: ok" in progress
    assert f"bash {TESTS}: error" in progress
    assert f"bash {TESTS}: ok" in progress
    assert "render_json" in (headless.project / "tally" / "report.py").read_text()
    checked = subprocess.run(
        [sys.executable, "-m", "unittest", "-q"], cwd=headless.project, check=False
    )
    assert checked.returncode == 0


def test_json_is_every_event_from_start_to_end_and_the_session_is_private(
    headless: Headless,
) -> None:
    words = ("run", "--provider", "demo", "--json", "--quiet", "--trust", *APPROVED, "go")
    done = headless.run(*words, umask=0)
    assert (done.returncode, done.stderr) == (0, b"")
    events = events_of(done.stdout)
    first, last = events[0], events[-1]
    assert (first["type"], last["type"]) == ("RunStarted", "RunEnded")
    assert (first["format_version"], first["provider"], first["model"]) == (1, "demo", "scripted")
    assert (first["mode"], first["is_trusted"], first["prompt"]) == ("auto", True, "go")
    assert (last["ending"], last["refused_calls"]) == ("completed", 0)
    numbers = [event["seq"] for event in events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    proposed = [event["call_id"] for event in events if event["type"] == "ToolCallStarted"]
    finished = [event["call_id"] for event in events if event["type"] == "ToolCallFinished"]
    assert sorted(proposed) == sorted(finished)
    assert len(set(finished)) == len(finished) > 10
    (session,) = headless.home.glob("sessions/*/*.jsonl")
    assert session.stem == first["session_id"]
    assert b'"RunEnded"' in session.read_bytes().splitlines()[-1]
    for path in headless.home.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert not (headless.home / "trust.json").exists()


def test_what_nobody_could_approve_is_said_and_is_its_own_exit_code(headless: Headless) -> None:
    words = ("run", "--provider", "demo", "--mode", "auto", "go")
    refused = headless.run(*words)
    assert refused.returncode == 4
    assert b"start with --allow-command 'python3 -m unittest -q'" in refused.stderr
    quiet = headless.run(*words, "--quiet", "--allow-refusals", "--no-session")
    assert (quiet.returncode, quiet.stderr) == (0, b"")
    assert quiet.stdout
    assert len(list(headless.home.glob("sessions/*/*"))) == 1


def test_used_up_turns_and_time_have_their_codes(headless: Headless) -> None:
    turns = headless.run("run", "--provider", "demo", "--max-turns", "3", "--no-session", "go")
    assert turns.returncode == 3
    assert b"3 turns" in turns.stderr
    slow = f"sleep 600 # {headless.project}"
    scenario = f"[[turns]]\ncalls = [{{ name = 'bash', arguments = {{ command = '{slow}' }} }}]\n"
    with model_server(scenario, headless.project.parent) as server:
        late = headless.run(
            *("run", "--model", "m", "--timeout", "1.5", "--allow-command", slow, "go"),
            variables={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url},
        )
    assert late.returncode == 1
    assert b"stopped after 1.5 s (--timeout)" in late.stderr


# --- a model behind HTTP ------------------------------------------------------------------


ANSWERS = """
[[turns]]
text = "the answer"
[[turns]]
raises = "authentication"
[[turns]]
raises = { kind = "stream_broken", after_content = true }
text = "half of an"
"""


def test_prompts_notes_and_errors_of_a_real_request_and_the_key_nowhere(
    headless: Headless,
) -> None:
    both_keys = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY}
    with model_server(ANSWERS, headless.project.parent) as server:
        variables = {**both_keys, "ANTHROPIC_BASE_URL": f"{server.url}/v1"}
        both = headless.run(
            "run", "explain", "--debug", stdin=b"the log\xff\n", variables=variables
        )
        wrong = headless.run(
            "run", "--quiet", "--debug", stdin=b"from a pipe\n", variables=variables
        )
        broken = headless.run("run", "again", "--json", variables=variables)
        prompts = [request["body"]["messages"][0]["content"] for request in server.requests()]
    done = (both, wrong, broken)
    assert [run.returncode for run in done] == [0, 1, 1]
    texts = [prompt if isinstance(prompt, str) else prompt[0]["text"] for prompt in prompts]
    assert texts == ["explain\n\nthe log\ufffd\n", "from a pipe\n", "again"]
    assert both.stdout == b"the answer\n"
    said = both.stderr.decode()
    assert said.count("keys for anthropic and openai are set; using anthropic") == 1
    assert "endpoint from the environment: ANTHROPIC_BASE_URL → 127.0.0.1" in said
    assert "No model is set: using claude-" in said
    assert wrong.stderr.startswith(b"caramelo: error: ")
    assert wrong.stdout == b""
    ended = events_of(broken.stdout)[-1]
    assert (ended["type"], ended["ending"]) == ("RunEnded", "error")
    # The key is nowhere: not on a screen, in a log, a session or a kept output.
    streams = b"".join(run.stdout + run.stderr for run in done)
    files = b"".join(path.read_bytes() for path in kept_files(headless.home))
    assert KEY.encode() not in streams + files
    assert len(list(headless.home.glob("sessions/*/*.jsonl"))) == 3


LISTING = """
[[turns]]
calls = [{ name = "bash", arguments = { command = "env > seen.txt" } }]
[[turns]]
text = "done"
"""


def test_a_command_gets_no_key_of_the_user(headless: Headless) -> None:
    with model_server(LISTING, headless.project.parent) as server:
        variables = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url}
        words = ("run", "--model", "m", "--allow-command", "env > seen.txt", "go")
        done = headless.run(*words, variables=variables)
    assert done.returncode == 0
    seen = (headless.project / "seen.txt").read_text()
    assert "CARAMELO=1\n" in seen
    # The names are gone too; the values are looked for after each test.
    assert not [name for name in ("OPENAI_API_KEY", *OF_OTHERS) if f"{name}=" in seen]


def test_images_go_with_the_prompt_and_one_that_cannot_be_read_ends_it(
    headless: Headless,
) -> None:
    (headless.project / "shot.png").write_bytes(png(2, 1))
    with model_server('[[turns]]\ntext = "seen"\n', headless.project.parent) as server:
        variables = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}
        lost = headless.run("run", "look", "--image", "none.png", variables=variables)
        seen = headless.run("run", "look", "--image", "shot.png", variables=variables)
        (request,) = server.requests()
    assert (lost.returncode, lost.stdout) == (2, b"")
    assert b"none.png" in lost.stderr
    assert (seen.returncode, seen.stdout) == (0, b"seen\n")
    (image, _) = request["body"]["messages"][0]["content"]
    assert base64.b64decode(image["source"]["data"]) == png(2, 1)


def test_instructions_are_taken_where_the_folder_is_trusted_and_that_is_said(
    headless: Headless,
) -> None:
    (headless.project / "AGENTS.md").write_text("Use INSTRUCTED-MARK.\n")
    with model_server('[[turns]]\ntext = "fine"\n', headless.project.parent) as server:
        variables = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}
        bare = headless.run("run", "go", variables=variables)
        trusted = headless.run("run", "go", "--trust", "--json", variables=variables)
        quiet = headless.run("run", "go", "--trust", "--quiet", variables=variables)
        bodies = [json.dumps(request["body"]) for request in server.requests()]
    assert [run.returncode for run in (bare, trusted, quiet)] == [0, 0, 0]
    assert ["INSTRUCTED-MARK" in body for body in bodies] == [False, True, True]
    assert b"AGENTS.md" in trusted.stderr
    assert quiet.stderr == b""
    assert "NoticeRaised" in [event["type"] for event in events_of(trusted.stdout)]


HANGING = """
[[turns]]
text = "Now I wait."
[[turns.calls]]
name = "bash"
arguments = { command = "echo $$ > pid; sleep 600", timeout_ms = 120000 }
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["INT", "TERM"]
)
def test_a_signal_ends_the_run_whole_and_its_children_with_it(
    headless: Headless, number: signal.Signals, code: int
) -> None:
    command = "echo $$ > pid; sleep 600"
    with model_server(HANGING, headless.project.parent) as server:
        process = headless.start(
            *("run", "--json", "--model", "m", "--allow-command", command, "go"),
            variables={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url},
        )
        assert process.stdin is not None
        process.stdin.close()
        pid = wait_for_pid(headless.project / "pid")
        process.send_signal(number)
        # A second one must not cut the ending off.
        process.send_signal(number)
        process.stdin = None
        out, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert not is_running(pid)
    assert b"Traceback" not in err
    events = events_of(out)
    assert (events[-1]["type"], events[-1]["ending"]) == ("RunEnded", "cancelled")
    kinds = [event["type"] for event in events]
    assert kinds.count("ToolCallStarted") == kinds.count("ToolCallFinished") == 1
    (session,) = headless.home.glob("sessions/*/*.jsonl")
    assert b'"RunEnded"' in session.read_bytes().splitlines()[-1]


def test_a_signal_while_the_prompt_is_awaited_is_no_traceback(headless: Headless) -> None:
    process = headless.start("run", "--provider", "demo", "explain")
    assert process.stderr is not None
    # Said when standard input stays open and silent: from here on it is being read.
    while b"waiting for the end of standard input" not in (line := process.stderr.readline()):
        assert line, "it was not said what is waited for"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err


# --- streams that fail --------------------------------------------------------------------


def test_a_reader_that_went_away_ends_every_way_quietly(headless: Headless) -> None:
    line = b'{"id": 1, "name": "list_dir", "arguments": {}}\n'
    ways: Sequence[tuple[Sequence[str], bytes]] = (
        (["run", "--provider", "demo", "--json", "--quiet", "go"], b""),
        (["tools", "--json"], b""),
        (["tool", "list_dir"], b""),
        (["tool", "--stdin"], line),
    )
    for words, stdin in ways:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [headless.program, *words],
            cwd=headless.project,
            env=dict(headless.user),
            input=stdin,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
        os.close(writing)
        assert done.returncode == 1, words
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr


def test_a_progress_that_cannot_be_written_does_not_cost_the_run(headless: Headless) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [headless.program, "run", "--provider", "demo", *APPROVED, "go"],
            cwd=headless.project,
            env=dict(headless.user),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stdout[:15]) == (0, b"All tests pass.")


def test_a_terminal_is_never_read(headless: Headless) -> None:
    master, terminal = os.openpty()
    os.write(master, b"typed ahead\n")
    for words, code in ((("--no-session", "go"), 4), ((), 2)):
        done = subprocess.run(
            [headless.program, "run", "--provider", "demo", *words],
            cwd=headless.project,
            env=dict(headless.user),
            stdin=terminal,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == code
    assert os.read(terminal, 100) == b"typed ahead\n"
    os.close(master)
    os.close(terminal)


def test_places_that_cannot_be_used_are_no_traceback(headless: Headless) -> None:
    (headless.project.parent / "file").write_text("")
    run = ("run", "--provider", "demo", "--allow-refusals", "go")
    read_only = headless.run(*run, variables={"CARAMELO_HOME": "/proc/none"})
    assert read_only.returncode == 0
    assert b"The session file /proc/none/sessions/" in read_only.stderr
    assert b"cannot be written" in read_only.stderr
    a_file = headless.run(*run, variables={"CARAMELO_HOME": str(headless.project.parent / "file")})
    assert (a_file.returncode, a_file.stdout) == (2, b"")
    assert b"file/trust.json: cannot be read" in a_file.stderr
    no_home = headless.run("tools", variables={"CARAMELO_HOME": "~nobody-of-this-name"})
    assert no_home.returncode == 2
    assert b"CARAMELO_HOME: cannot be used" in no_home.stderr
    no_terminal = headless.run()
    assert no_terminal.returncode == 2
    assert b"needs one" in no_terminal.stderr
    for done in (read_only, a_file, no_home, no_terminal):
        assert b"Traceback" not in done.stderr


# --- tools by hand ------------------------------------------------------------------------


def test_lines_are_answered_by_one_process_with_one_cache(headless: Headless) -> None:
    (headless.project / "old.txt").write_text("hello\n")
    process = headless.start("tool", "--stdin", "--approve", "writes")

    def ask(number: int, name: str, **arguments: str) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        line = {"id": number, "name": name, "arguments": arguments}
        process.stdin.write(json.dumps(line).encode() + b"\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        assert answer["id"] == number
        return answer

    # The program takes longer to start than the file needs to settle (50 ms).
    assert not ask(1, "file_read", path="old.txt")["cached"]
    again = ask(2, "file_read", path="./old.txt")
    assert (again["cached"], again["is_error"]) == (True, False)
    assert again["content"] == "path: old.txt\nlines: 1-1 of 1\nbytes: 6\n\nhello\n"
    assert not ask(3, "file_edit", path="old.txt", search="hello", replace="bye")["is_error"]
    fresh = ask(4, "file_read", path="old.txt")
    assert (fresh["cached"], fresh["content"][-5:]) == (False, "\nbye\n")
    (headless.project / "old.txt").write_text("another program was here\n")
    assert "another program" in ask(5, "file_read", path="old.txt")["content"]
    assert "--approve all" in ask(6, "bash", command="true")["content"]
    assert "no tool 'nope'" in ask(7, "nope")["content"]
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, b"", b"")


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["INT", "TERM"]
)
@pytest.mark.parametrize("is_busy", [True, False], ids=["busy", "idle"])
def test_a_signal_ends_tools_by_hand_and_their_children(
    headless: Headless, number: signal.Signals, code: int, *, is_busy: bool
) -> None:
    process = headless.start("tool", "--stdin", "--approve", "all")
    assert process.stdin is not None
    assert process.stdout is not None
    command = "setsid sleep 600 >/dev/null 2>&1 & echo $! > pid"
    command += "; sleep 600" if is_busy else ""
    line = {"id": 1, "name": "bash", "arguments": {"command": command}}
    process.stdin.write(json.dumps(line).encode() + b"\n")
    process.stdin.flush()
    pid = wait_for_pid(headless.project / "pid")
    if not is_busy:
        assert json.loads(process.stdout.readline())["is_error"] is False
    assert is_running(pid)
    process.send_signal(number)
    # Its input stays open: only the signal can end it.
    assert process.wait(timeout=30) == code
    assert not is_running(pid)
    assert b"Traceback" not in process.communicate()[1]


# --- nothing of an untrusted project acts -------------------------------------------------


def test_nothing_of_a_hostile_project_acts(headless: Headless) -> None:
    mark = headless.project.parent / "mark"
    shout = f"open({str(mark)!r}, 'a').write('x')\n"
    for name in ("anthropic", "openai", "json", "asyncio", "sitecustomize", "caramelo_tui"):
        (headless.project / f"{name}.py").write_text(shout)
    (headless.project / ".env").write_text(
        "ANTHROPIC_API_KEY=sk-project\nANTHROPIC_BASE_URL=http://127.0.0.1:9\nCARAMELO_MODE=auto\n"
    )
    (headless.project / ".envrc").write_text(f"touch {mark}\n")
    own = headless.project / ".caramelo"
    own.mkdir()
    (own / "config.toml").write_text(
        '[provider]\nname = "openai"\nbase_url = "http://127.0.0.1:9"\nkey_env = "PATH"\n'
        '[approval]\nmode = "auto"\n[ui]\nnonsense = 3\n'
    )
    (own / "trust.json").write_text(
        json.dumps({"format": 1, "folders": {str(headless.project): "trust"}})
    )
    git = ["git", "-c", "init.defaultBranch=main"]
    subprocess.run([*git, "init", "-q"], cwd=headless.project, check=True)
    hook = headless.project / ".git" / "hooks" / "fsmonitor"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external"):
        subprocess.run([*git, "config", key, str(hook)], cwd=headless.project, check=True)

    no_key = headless.run("run", "go")
    assert no_key.returncode == 2
    assert b"no key was found" in no_key.stderr
    done = headless.run("run", "--provider", "demo", "--json", "--allow-refusals", "go")
    assert done.returncode == 0
    first = events_of(done.stdout)[0]
    assert (first["is_trusted"], first["mode"]) == (False, "review")
    assert b"working restricted" in done.stderr
    by_hand = headless.run("tool", "grep", '{"pattern": "render"}')
    assert by_hand.returncode == 0
    assert not mark.exists()


def test_a_run_loads_neither_the_screen_nor_what_it_does_not_use(headless: Headless) -> None:
    code = """
import sys
sys.argv = ["caramelo", "run", "--provider", "demo", "--allow-refusals", "--quiet", "go"]
from caramelo_tui.cli import main
code = main()
print(" ".join(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr)
sys.exit(code)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=headless.project,
        env=dict(headless.user),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    loaded = set(done.stderr.decode().split())
    assert "caramelo_tui" in loaded
    assert not loaded & {"textual", "rich", "anthropic", "openai", "pydantic", "httpx2", "pygments"}
