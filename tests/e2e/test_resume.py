"""Sessions that go on: after kill -9 in mid-answer, from the command line, and forked."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.e2e.servers import model_server
from tests.e2e.sittings import IDLE, connection, user_texts
from tests.e2e.terminal import Terminal

# The server plays an answer that it did not finish once more.
SCENARIO = """
[[turns]]
text = "FIRST-MARK it is done."

[[turns]]
text = "HALF-MARK and then much more that does not come at the first time."

[[turns]]
text = "does not come at the first time."
"""


def is_idle(screen: str) -> bool:
    return IDLE in screen and "starting" not in screen


def test_after_a_kill_everything_that_was_on_the_screen_is_there(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    flags = ["--provider", "anthropic", "--model", "test", "--trust"]
    with model_server(SCENARIO, project.parent, faults=[None, {"stall_at": 1100}]) as server:
        environment = {**user, **connection("anthropic", server.url)}

        def start(*words: str) -> Terminal:
            return Terminal(
                [program, *words, str(project), *flags], cwd=project.parent, environment=environment
            )

        with start() as terminal:
            terminal.wait_for(is_idle)
            ask(terminal, "say the first", "FIRST-MARK it is done.")
            terminal.wait_for(is_idle)
            ask(terminal, "say the second", "HALF-MARK and then")
            seen = half_of(terminal.screen())
            # The pieces that were shown are on disk within a tenth of a second.
            [file] = (Path(user["CARAMELO_HOME"]) / "sessions").glob("*/*.jsonl")
            terminal.wait_until(lambda: "HALF-MARK" in said(file), "the answer on disk")
            second = run([program, "run", "-c", "hello", *flags], project, environment)
            assert second.returncode == 1
            assert "open in another Caramelo" in second.stderr
            os.kill(terminal.pid, signal.SIGKILL)
            terminal.wait_for_end()

        listed = run([program, "sessions", "list", "--json"], project, environment)
        assert json.loads(listed.stdout)["is_cut_off"]

        with start() as terminal:
            terminal.wait_for("cut off in mid-run")
            ask(terminal, "/resume", "Go on with a session")
            terminal.press("Enter")
            screen = terminal.wait_for(lambda shown: "goes on after 2 prompts" in shown)
            assert seen in screen
            leave(terminal)

        with start("-c") as terminal:
            screen = terminal.wait_for(lambda shown: "goes on after 2 prompts" in shown)
            for part in ("say the first", "FIRST-MARK it is done.", "say the second", seen):
                assert part in screen
            ask(terminal, "and now", "does not come at the first time.")
            terminal.wait_for(is_idle)
            leave(terminal)
        texts = user_texts(server.bodies()[-1])
    assert [text for text in texts if not text.startswith("Note:")] == [
        "say the first",
        "say the second",
        "and now",
    ]


def run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run the program without a terminal."""
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def leave(terminal: Terminal) -> None:
    """Quit by the keyboard, and see the terminal restored."""
    terminal.press("C-c")
    terminal.press("C-c")
    assert terminal.wait_for_end() == 0
    terminal.check_restored()


def ask(terminal: Terminal, prompt: str, answer: str) -> None:
    """Send a prompt, and wait for an answer."""
    terminal.type(prompt)
    terminal.press("Enter")
    terminal.wait_for(answer)


def half_of(screen: str) -> str:
    """Return what was shown of the answer that never became whole, without its moving end."""
    line = next(line for line in screen.splitlines() if "HALF-MARK" in line)
    return line[line.index("HALF-MARK") :][:20].rstrip()


def said(file: Path) -> str:
    """Return the text of answers in a session file that is being written."""
    lines = file.read_text("ascii").split("\n")[:-1]
    events = [json.loads(line) for line in lines]
    return "".join(event["text"] for event in events if event["type"] == "TextStreamed")


def test_runs_without_a_screen_go_on_and_sessions_are_exported(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    flags = ["--provider", "anthropic", "--model", "test", "--trust"]
    with model_server(SCENARIO, project.parent) as server:
        environment = {**user, **connection("anthropic", server.url)}

        def call(*words: str) -> subprocess.CompletedProcess[str]:
            return run([program, *words], project, environment)

        assert call("run", "-c", "hello", *flags).returncode == 2
        assert call("run", "first prompt", *flags).returncode == 0
        gone_on = call("run", "-c", "second prompt", "--json", *flags)
        assert gone_on.returncode == 0
        events = [json.loads(line) for line in gone_on.stdout.splitlines()]
        assert (events[0]["type"], events[-1]["type"]) == ("RunStarted", "RunEnded")
        texts = user_texts(server.bodies()[-1])
        assert [t for t in texts if "prompt" in t] == ["first prompt", "second prompt"]
    listed = call("sessions", "list")
    assert "2 prompts" in listed.stdout
    assert "first prompt" in listed.stdout
    assert "SECOND" not in call("sessions", "show", "last").stdout
    page = call("sessions", "export", "last", "--format", "html")
    assert "first prompt" in page.stdout
    assert page.stdout.startswith("<!doctype html>")
    again = call("sessions", "export", "last", "-o", "out.md")
    assert again.returncode == 0
    assert "FIRST-MARK" in (project / "out.md").read_text()
    assert call("sessions", "export", "last", "-o", "out.md").returncode == 1
    assert call("sessions", "show", "none").returncode == 2


def test_a_session_in_lines_goes_on(program: str, user: Mapping[str, str], project: Path) -> None:
    flags = ["--provider", "anthropic", "--model", "test", "--trust"]
    with model_server(SCENARIO, project.parent) as server:
        environment = {**user, **connection("anthropic", server.url)}
        assert run([program, "run", "first prompt", *flags], project, environment).returncode == 0
        command = [program, "-c", str(project), "--linear", *flags]
        with Terminal(command, cwd=project, environment=environment) as terminal:
            terminal.wait_for("The session goes on after 1 prompt.")
            ask(terminal, "second prompt", "HALF-MARK and then")
            terminal.wait_for("The run ended: completed.")
            ask(terminal, "/quit", "")
            assert terminal.wait_for_end() == 0
        texts = user_texts(server.bodies()[-1])
        assert [t for t in texts if "prompt" in t] == ["first prompt", "second prompt"]
    bare = [program, "-r", "--linear", str(project), *flags]
    with Terminal(bare, cwd=project, environment=environment) as terminal:
        terminal.wait_for("2 prompts: first prompt.")
        terminal.wait_for("/resume NUMBER goes on with one")
        ask(terminal, "/resume 1", "The session goes on after 2 prompts.")
        # The last prompt is read again, with its answer.
        terminal.wait_for("Prompt 2 of 2:")
        terminal.wait_for("End of what was said before.")
        ask(terminal, "/export notes.md", "The session was written to")
        ask(terminal, "/quit", "")
        assert terminal.wait_for_end() == 0
    assert "second prompt" in (project / "notes.md").read_text()
