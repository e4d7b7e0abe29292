import os
import subprocess
import sys

import pytest

from caramelo_tui.ui.start import PAINTS_PER_S, _paint_rate


def test_the_paint_rate_is_set_for_the_import_only() -> None:
    with _paint_rate():
        assert os.environ["TEXTUAL_FPS"] == PAINTS_PER_S
    assert "TEXTUAL_FPS" not in os.environ


def test_a_rate_of_the_users_own_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_FPS", "30")
    with _paint_rate():
        assert os.environ["TEXTUAL_FPS"] == "30"
    assert os.environ["TEXTUAL_FPS"] == "30"


def test_importing_the_start_brings_no_textual() -> None:
    code = (
        "import sys, caramelo_tui.ui.start;"
        "sys.exit(any(name.split('.')[0] in {'textual', 'rich'} for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_first_paint_does_without_what_is_only_needed_later() -> None:
    later = {
        "caramelo_tui.domain.agent_events",
        "caramelo_tui.ui.workbench",
        "caramelo_tui.ui.panes.conversation",
        "caramelo_tui.ui.screens.approval",
        "pygments",
        "markdown_it",
        "jsonschema",
        "pydantic",
        "httpx2",
        "anthropic",
        "openai",
    }
    ways = "caramelo_tui.launch, caramelo_tui.app_start, caramelo_tui.ui.start, caramelo_tui.ui.app"
    code = f"import sys, {ways}; print(sorted({later!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
