"""The first starts of a new user: which questions come, once, and what the answers do."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from caramelo_tui.demo.sample_workspace import FIRST_PROMPT
from tests.e2e.planted_keys import KEY
from tests.e2e.terminal import Terminal

TRUST = "Do you trust this folder?"
NO_MODEL = "No model is set up yet"


def test_without_a_key_the_demo_can_be_chosen(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    (project / "own.txt").write_text("untouched\n")
    environment = {**user, "TMPDIR": str(project.parent)}

    def start() -> Terminal:
        return Terminal([program, str(project)], cwd=project.parent, environment=environment)

    with start() as terminal:
        terminal.wait_for(TRUST)
        terminal.answer("r", lambda screen: TRUST not in screen)
        screen = terminal.wait_for(NO_MODEL)
        assert "export ANTHROPIC_API_KEY=" in screen
        assert "export OPENAI_API_KEY=" in screen
        terminal.answer("q", lambda screen: NO_MODEL not in screen)
        assert terminal.wait_for_end() == 0
        terminal.check_restored()

    store = Path(user["CARAMELO_HOME"]) / "trust.json"
    assert json.loads(store.read_text())["folders"] == {os.path.realpath(project): "restricted"}
    assert store.stat().st_mode & 0o777 == 0o600

    # The answer about trust is known; the demo works on a sample of its own.
    with start() as terminal:
        terminal.wait_for(NO_MODEL)
        assert TRUST not in terminal.screen()
        terminal.answer("d", lambda screen: NO_MODEL not in screen)
        terminal.wait_for(lambda screen: FIRST_PROMPT[:30] in screen and "  demo  " in screen)
        terminal.press("Enter")
        terminal.wait_for("2 waiting")
        terminal.press("C-c")
        terminal.wait_for("again quits")
        terminal.press("C-c")
        assert terminal.wait_for_end() == 0
    assert [path.name for path in project.iterdir()] == ["own.txt"]


def test_leaving_at_the_first_question_leaves_nothing(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    command = [program, str(project), "--provider", "anthropic"]
    environment = {**user, "ANTHROPIC_API_KEY": KEY}
    with Terminal(command, cwd=project, environment=environment) as terminal:
        terminal.wait_for(TRUST)
        terminal.answer("Escape", lambda screen: TRUST not in screen)
        assert terminal.wait_for_end() == 0
        terminal.check_restored()
    assert not (Path(user["CARAMELO_HOME"]) / "trust.json").exists()
    with Terminal(command, cwd=project, environment=environment) as terminal:
        terminal.wait_for(TRUST)
        # Typed before the question could be read: it answers nothing.
        terminal.press("C-c")
        terminal.press("C-c")
        assert terminal.wait_for_end() == 0
        terminal.check_restored()
