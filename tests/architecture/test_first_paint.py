"""What the whole program has loaded when its first screen is drawn."""

import json
import os
import pty
import select
import subprocess
import sys
import termios
import textwrap
import time
from pathlib import Path

import pytest

HEAVY = frozenset(
    {
        "anthropic",
        "openai",
        "jsonschema",
        "pydantic",
        "httpx2",
        "httpx",
        "tree_sitter_bash",
        "psutil",
    }
)
"""Modules that may be loaded after the first paint only."""
LATER_ROOMS = ("agent.controller", "composition", "policy", "providers", "tools", "cache")
"""What an agent is made of; it is built after the first paint."""
SETTINGS_TABLES = frozenset(
    {
        "caramelo_tui.providers",
        *(
            f"caramelo_tui.providers.{name}"
            for name in ("presets", "chat_quirks", "endpoints", "transport_choice")
        ),
    }
)
"""Plain values that the settings are read with; they load nothing themselves."""
PATIENCE_S = 20.0

PROGRAM = textwrap.dedent(
    """
    import json, sys
    from pathlib import Path
    from caramelo_tui.app_start import AppStart

    note, *words = sys.argv[1:]
    build = AppStart._build_agent

    async def noting(start):
        # Awaited once the first paint is out, before anything of the agent is loaded.
        part = Path(note + ".part")
        part.write_text(json.dumps(sorted(sys.modules)))
        part.rename(note)
        return await build(start)

    AppStart._build_agent = noting
    sys.argv = ["caramelo", *words]
    from caramelo_tui.cli import main
    sys.exit(main())
    """
)


def modules_at_first_paint(note: Path, words: list[str], user: dict[str, str]) -> set[str]:
    """Start the program on a pseudo terminal and return the modules that it had loaded."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    drawn = b""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(note), *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=user,
        start_new_session=True,
    ) as process:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not note.exists():
                assert process.poll() is None, drawn
                assert time.monotonic() < deadline, drawn
                if select.select([master], [], [], 0.05)[0]:
                    drawn += os.read(master, 65_536)
        finally:
            process.kill()
            os.close(slave)
            os.close(master)
    assert b"\x1b[?1049h" in drawn, "nothing was drawn"
    loaded: list[str] = json.loads(note.read_text())
    return set(loaded)


@pytest.mark.parametrize("words", [["demo"], ["--trust", "."]], ids=["demo", "with a key"])
def test_the_first_screen_is_drawn_before_anything_heavy_is_loaded(
    tmp_path: Path, words: list[str], clean_environment: Path
) -> None:
    user = {
        **os.environ,
        "HOME": str(clean_environment),
        "CARAMELO_HOME": str(tmp_path / "own"),
        "ANTHROPIC_API_KEY": "k",
        "TERM": "xterm-256color",
    }
    loaded = modules_at_first_paint(tmp_path / "modules.json", words, user)
    assert "caramelo_tui.ui.app" in loaded
    assert sorted({name.partition(".")[0] for name in loaded} & HEAVY) == []
    later = [f"caramelo_tui.{room}" for room in LATER_ROOMS]
    agents = {name for name in loaded if name.startswith(tuple(later))}
    assert sorted(agents - SETTINGS_TABLES) == []


def modules_after(code: str) -> set[str]:
    """Return the modules that some code loads, beside those that Python starts with."""
    start, end = (
        "import sys; before = set(sys.modules)",
        "print(*sorted(set(sys.modules) - before))",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([start, code, end])],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "TERM": "xterm", "HOME": "/nowhere"},
    )
    return set(done.stdout.splitlines()[-1].split())


OWN_OF_THE_FIRST_PICTURE = {
    "caramelo_tui",
    "caramelo_tui.ui",
    "caramelo_tui.ui.start_frame",
    "caramelo_tui.ui.start_picture",
}
MOST_FOR_THE_FIRST_PICTURE = 45
"""Modules in all; 33 on Python 3.11."""
MOST_FOR_THE_VERSION = 10


def test_the_first_picture_loads_next_to_nothing() -> None:
    loaded = modules_after("from caramelo_tui.ui import start_frame\nstart_frame.show([], {})")
    assert {name for name in loaded if name.startswith("caramelo")} == OWN_OF_THE_FIRST_PICTURE
    assert len(loaded) <= MOST_FOR_THE_FIRST_PICTURE, sorted(loaded)
    assert not loaded & {"dataclasses", "pathlib", "threading", "asyncio", "json", "argparse"}


def test_the_version_loads_less() -> None:
    code = "sys.argv = ['caramelo', '--version']\nfrom caramelo_tui.cli import main\nmain()"
    loaded = modules_after(code)
    assert {name for name in loaded if name.startswith("caramelo")} == {
        "caramelo_tui",
        "caramelo_tui.cli",
    }
    assert len(loaded) <= MOST_FOR_THE_VERSION, sorted(loaded)
