"""docs/prompt.md has every command of the prompt, and no other."""

import re
from pathlib import Path

from caramelo_tui.ui.slash_commands import BUILT_IN

PAGE = (Path(__file__).parents[2] / "docs" / "prompt.md").read_text(encoding="utf-8")


def test_every_command_has_its_row_and_every_row_its_command() -> None:
    section = PAGE.partition("\n## Commands\n")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `/")]
    named = re.findall(r"`/([a-z-]+)", " ".join(cells))

    assert sorted(named) == sorted(command.name for command in BUILT_IN)
