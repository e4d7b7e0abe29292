"""The main job from the installed program in a terminal, against both vendors' streams."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from caramelo_tui.tools.profiles import profile_names
from tests.e2e.planted_keys import KEY
from tests.e2e.servers import model_server
from tests.e2e.terminal import Terminal

SCENARIO = """
[[turns]]
text = "I'll look first."
calls = [
  { name = "file_read", arguments = { path = "src/app.py" } },
  { name = "grep", arguments = { pattern = "greet" } },
]

[[turns]]
text = "Two edits."
[[turns.calls]]
name = "file_edit"
arguments = { path = "src/app.py", search = "return 'hello'", replace = "return 'good day'" }
[[turns.calls]]
name = "file_edit"
arguments = { path = "README.md", search = "greets", replace = "shouts" }

[[turns]]
text = "Now the check."
calls = [{ name = "bash", arguments = { command = "cat src/app.py README.md > seen.txt" } }]

[[turns]]
text = "ALL-DONE-MARK"
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A real git repository with two files."""
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "app.py").write_text("def greet():\n    return 'hello'\n")
    (root / "README.md").write_text("It greets.\n")
    for arguments in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["-c", "user.name=T", "-c", "user.email=t@example.test", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
def test_a_change_is_made_reviewed_and_checked(
    vendor: str,
    size: tuple[int, int],
    program: str,
    user: Mapping[str, str],
    repository: Path,
    tmp_path: Path,
) -> None:
    with model_server(SCENARIO, tmp_path) as server:
        environment = {**user, **connection(vendor, server.url)}
        command = [program, str(repository), "--provider", vendor, "--model", "test-model"]
        with Terminal(command, cwd=tmp_path, environment=environment, size=size) as terminal:
            terminal.wait_for("Do you trust this folder?")
            terminal.answer("t", lambda screen: "trust" not in screen)
            terminal.wait_for("Ask for a change")
            terminal.type("Make it louder")
            terminal.press("Enter")
            terminal.wait_for("Two edits")
            review_the_change(terminal)
            terminal.answer_command("cat src/app.py", "y")
            terminal.press("F3")
            terminal.wait_for("ALL-DONE-MARK")
            assert "waits" not in terminal.screen()
            terminal.press("C-c")
            terminal.press("C-c")
            assert terminal.wait_for_end() == 0
        # One hunk was accepted, the other was not: the files say so, and so did the command.
        assert (repository / "src" / "app.py").read_text().endswith("return 'good day'\n")
        assert (repository / "README.md").read_text() == "It greets.\n"
        assert (repository / "seen.txt").read_text().endswith("'good day'\nIt greets.\n")
        check_requests(vendor, server.requests())


def review_the_change(terminal: Terminal) -> None:
    """Accept the first file's hunk, reject the second's, and settle."""
    terminal.wait_for("2 waiting")
    terminal.press("C-o")
    terminal.wait_for("▌waiting 2 files · 2 hunks")
    terminal.decide("a", undecided=1)
    terminal.decide("r", undecided=0)
    terminal.press("s")


def connection(vendor: str, url: str) -> dict[str, str]:
    """Return the variables that name the server and its key."""
    if vendor == "anthropic":
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url}
    return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{url}/v1"}


def check_requests(vendor: str, requests: list[Mapping[str, Any]]) -> None:
    """Look at the bodies that were sent."""
    assert len(requests) == 4
    bodies = [request["body"] for request in requests]
    assert all(not request.get("refused") for request in requests)
    assert all(body["model"] == "test-model" and body["stream"] for body in bodies)
    first, last = bodies[0], bodies[-1]
    if vendor == "anthropic":
        names = [tool["name"] for tool in first["tools"]]
        assert first["max_tokens"] > 0
        assert "workspace" in str(first["system"])
        results = [
            block
            for message in last["messages"]
            for block in (message["content"] if isinstance(message["content"], list) else [])
            if block["type"] == "tool_result"
        ]
        assert [bool(result.get("is_error")) for result in results] == [
            False,
            False,
            False,
            True,
            False,
        ]
    else:
        names = [tool["function"]["name"] for tool in first["tools"]]
        results = [message for message in last["messages"] if message["role"] == "tool"]
    assert names == list(profile_names("caramelo"))
    assert len(results) == 5
    assert "rejected by the user" in str(results[3])
    assert "exit_code: 0" in str(results[4])
