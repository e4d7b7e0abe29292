"""Sittings in lines: a whole task, a dumb terminal, what is typed early, and every kind of end."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.servers import RunningServer, model_server
from tests.e2e.sittings import Faults, connection, results_of
from tests.e2e.terminal import GUARD_S, Terminal

SIZE = (100, 200)
"""High enough that nothing scrolls away."""
PROMPT = "Type a prompt and press Enter."
DISCARDED = "It is discarded"
READY = "Ready for your prompt."
SCENARIO = """
[[turns]]
text = "I write it."
calls = [
  { name = "file_write", arguments = { path = "a.txt", content = "one\\n" } },
  { name = "file_write", arguments = { path = "b.txt", content = "two\\n" } },
]
[[turns]]
calls = [{ name = "bash", arguments = { command = "touch ran-1" } }]
[[turns]]
calls = [{ name = "bash", arguments = { command = "touch ran-2" } }]
[[turns]]
text = "FINE-MARK"
"""
LONG = """
[[turns]]
calls = [{ name = "bash", arguments = { command = "sleep 300" } }]
[[turns]]
text = "AFTER-MARK"
"""


@contextmanager
def linear(
    program: str,
    user: Mapping[str, str],
    project: Path,
    scenario: str,
    *words: str,
    faults: Faults = (),
) -> Iterator[tuple[Terminal, RunningServer]]:
    """Open the program in lines on the project."""
    with model_server(scenario, project.parent, faults=faults) as server:
        command = [program, str(project), "--linear", "--provider", "anthropic", "--model", "test"]
        environment = {**user, **connection("anthropic", server.url), "TERM": "dumb"}
        with Terminal(
            [*command, *words], cwd=project.parent, environment=environment, size=SIZE
        ) as terminal:
            yield terminal, server


def say(terminal: Terminal, text: str) -> None:
    """Type a line."""
    terminal.type(text)
    terminal.press("Enter")


def answer(terminal: Terminal, question: str, text: str, effect: str) -> None:
    """Answer a question that stands there in full, once it takes answers."""
    refused = terminal.wait_for(question).count(DISCARDED)
    for _ in range(4):
        terminal.wait_until_quiet(GUARD_S)
        say(terminal, text)
        screen = terminal.wait_for(has_effect(effect, refused))
        if effect in screen:
            return
        refused = screen.count(DISCARDED)
    terminal.wait_for(effect)


def has_effect(effect: str, refused: int) -> Callable[[str], bool]:
    """Return whether a screen shows the effect, or one more refusal."""
    return lambda screen: effect in screen or screen.count(DISCARDED) > refused


def test_a_task_is_done_in_lines(program: str, user: Mapping[str, str], project: Path) -> None:
    with linear(program, user, project, SCENARIO) as (terminal, server):
        answer(terminal, "Do you trust the folder", "1", PROMPT)
        say(terminal, "go")
        answer(terminal, "End of the review.", "a 1", "Accepted hunk 1. 1 undecided.")
        assert not list(project.iterdir())
        say(terminal, "c 2 not this one")
        terminal.wait_for("Remark about hunk 2 kept")
        say(terminal, "s")
        answer(terminal, "1 hunk is undecided.", "2", "| touch ran-1")
        assert (project / "a.txt").read_text() == "one\n"
        assert not (project / "b.txt").exists()

        answer(terminal, "| touch ran-1", "3", "Type the message.")
        say(terminal, "make is there for that")
        answer(terminal, "| touch ran-2", "5", "Type the new command")
        say(terminal, "touch ran-3")
        terminal.rest()
        say(terminal, ".")
        answer(terminal, "| touch ran-3", "1", "FINE-MARK")
        terminal.wait_for(READY)
        say(terminal, "/quit")
        assert terminal.wait_for_end() == 0
        terminal.check_restored()
        texts = "\n".join(results_of(server.bodies()[-1]))
        assert "not this one" in texts
        assert "make is there for that" in texts
    ran = sorted(path.name for path in project.iterdir())
    assert ran == ["a.txt", "ran-3"]


def test_nothing_but_text_is_written(
    program: str, user: Mapping[str, str], project: Path, tmp_path: Path
) -> None:
    """No colour, no cursor movement: what reaches the terminal is printable text and line ends."""
    log = tmp_path / "terminal"
    scenario = '[[turns]]\ntext = "a\\u001b[2Jb FINE-MARK"\n'
    with model_server(scenario, project.parent) as server:
        environment = {**user, **connection("anthropic", server.url), "TERM": "dumb"}
        script = f"{program} {project} --linear --provider anthropic --model test --trust"
        command = ["script", "-q", "-c", script, str(log)]
        with Terminal(command, cwd=tmp_path, environment=environment, size=SIZE) as terminal:
            terminal.wait_for(PROMPT)
            say(terminal, "go")
            terminal.wait_for(READY)
            say(terminal, "/quit")
            assert terminal.wait_for_end() == 0
    written = log.read_text("utf-8").replace("\r\n", "\n")
    assert "a<U+001B>[2Jb FINE-MARK" in written
    assert all(character.isprintable() or character == "\n" for character in written)


def test_a_line_typed_before_the_question_does_not_answer_it(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    scenario = SCENARIO.partition("[[turns]]\ncalls")[2]
    scenario = f"[[turns]]\ncalls{scenario}"
    # The answer is slow to begin, so that the question comes behind the typing.
    with linear(program, user, project, scenario, "--trust", faults=[{"start_delay_s": 1.5}]) as (
        terminal,
        _,
    ):
        terminal.wait_for(PROMPT)
        say(terminal, "go")
        terminal.wait_for("Working on: go")
        # Neither what was sent nor what was only typed before the question belongs to it.
        say(terminal, "1")
        terminal.type("1")
        terminal.wait_for("| touch ran-1")
        terminal.wait_until_quiet(GUARD_S)
        terminal.press("Enter")
        terminal.wait_for("An empty line answers nothing.")
        assert not (project / "ran-1").exists()
        answer(terminal, "| touch ran-1", "4", "The run ended: aborted.")
        say(terminal, "/quit")
        terminal.wait_for("1 waiting prompt would be lost.")
        say(terminal, "/quit")
        assert terminal.wait_for_end() == 0


def test_a_proposal_is_edited_in_the_users_editor(
    program: str, user: Mapping[str, str], project: Path, tmp_path: Path
) -> None:
    """The editor has the terminal for itself, and what it leaves is reviewed and written."""
    editor = tmp_path / "editor.sh"
    body = 'echo EDITOR-MARK; read line; echo "typed: $line"; echo "$line" > "$1"; stty raw -echo'
    editor.write_text(f"#!/bin/sh\n{body}\n")
    editor.chmod(0o755)
    with linear(program, {**user, "EDITOR": str(editor)}, project, SCENARIO, "--trust") as (
        terminal,
        _,
    ):
        terminal.wait_for(PROMPT)
        say(terminal, "go")
        answer(terminal, "End of the review.", "e 1", "EDITOR-MARK")
        say(terminal, "from the editor")
        terminal.wait_for("typed: from the editor")
        answer(terminal, "As you edited it:", "a all", "Accepted hunks 1 to 2.")
        say(terminal, "s")
        terminal.wait_for("| touch ran-1")
        assert (project / "a.txt").read_text() == "from the editor\n"
        assert (project / "b.txt").read_text() == "two\n"
        answer(terminal, "| touch ran-1", "4", "The run ended: aborted.")
        say(terminal, "/quit")
        assert terminal.wait_for_end() == 0
        terminal.check_restored()


def test_a_key_is_typed_unseen(program: str, user: Mapping[str, str], project: Path) -> None:
    key = "sk-typed-unseen-93"
    with model_server('[[turns]]\ntext = "FINE-MARK"\n', project.parent) as server:
        command = [program, str(project), "--trust", "--linear", "--model", "test"]
        environment = {**user, "ANTHROPIC_BASE_URL": server.url, "TERM": "dumb"}
        with Terminal(command, cwd=project, environment=environment, size=SIZE) as terminal:
            answer(terminal, "3 type a key", "3", "Whose key?")
            answer(terminal, "1 Anthropic", "1", "it is not shown")
            terminal.wait_until_quiet(GUARD_S)
            say(terminal, key)
            terminal.wait_for(PROMPT)
            say(terminal, "go")
            screen = terminal.wait_for(READY)
            assert "FINE-MARK" in screen
            assert key not in screen
            say(terminal, "/quit")
            assert terminal.wait_for_end() == 0
            terminal.check_restored()


def test_a_signal_while_a_key_is_typed_leaves_a_terminal_that_shows_what_is_typed(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    command = [program, str(project), "--trust", "--linear"]
    with Terminal(command, cwd=project, environment=user, size=SIZE) as terminal:
        answer(terminal, "3 type a key", "3", "Whose key?")
        answer(terminal, "1 Anthropic", "1", "it is not shown")
        os.kill(terminal.pid, 15)
        assert terminal.wait_for_end() == 143
        terminal.check_restored()


def test_ctrl_c_stops_a_run_and_twice_quits(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    with linear(program, user, project, LONG, "--trust", "-p", "go") as (terminal, _):
        answer(terminal, "| sleep 300", "1", "Running bash sleep 300.")
        terminal.press("C-c")
        terminal.wait_for("The run is being stopped.")
        terminal.wait_for("The run ended: cancelled.")
        terminal.wait_until_quiet(2.1)
        terminal.press("C-c")
        terminal.press("C-c")
        assert terminal.wait_for_end() == 0
        terminal.check_restored()


def test_the_end_of_input_ends_all(program: str, user: Mapping[str, str], project: Path) -> None:
    with linear(program, user, project, LONG, "--trust", "-p", "go") as (terminal, _):
        answer(terminal, "| sleep 300", "1", "Running bash sleep 300.")
        terminal.press("C-d")
        assert terminal.wait_for_end() == 0
        assert not any("sleep 300" in line for line in terminal.marked_processes().values())


def test_closing_the_window_ends_all(program: str, user: Mapping[str, str], project: Path) -> None:
    with linear(program, user, project, LONG, "--trust", "-p", "go") as (terminal, _):
        answer(terminal, "| sleep 300", "1", "Running bash sleep 300.")
        terminal.close_window()


def test_a_dumb_terminal_is_offered_lines(
    program: str, user: Mapping[str, str], tmp_path: Path
) -> None:
    environment = {**user, "TERM": "dumb", "TMPDIR": str(tmp_path)}
    with Terminal([program, "demo"], cwd=tmp_path, environment=environment, size=SIZE) as terminal:
        answer(terminal, "cannot show the full screen", "1", "/send sends it")
        say(terminal, "/send")
        terminal.wait_for("Hunk 6 of 6")
        os.kill(terminal.pid, 15)
        assert terminal.wait_for_end() == 143
        terminal.check_restored()


def test_the_setting_makes_it_the_way_to_work(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    home = Path(user["CARAMELO_HOME"])
    home.mkdir()
    (home / "config.toml").write_text("[ui]\nlinear = true\n")
    command = [program, str(project), "--trust"]
    with Terminal(command, cwd=project, environment=user, size=SIZE) as terminal:
        screen = terminal.wait_for("No model is set up yet.")
        assert "export ANTHROPIC_API_KEY=" in screen
        answer(terminal, "4 quit and set a key", "4", "")
        assert terminal.wait_for_end() == 0
