"""Make the demo's workspace: a copy of the bundled sample in a temporary folder.

Owns the copy and its place; the script that the demo's model plays stands beside it in
``scenario.toml``. Proven by tests/unit/demo/.
"""

import tempfile
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from caramelo_tui.domain.errors import ConfigError

FIRST_PROMPT = "Make the --json flag that tests/test_cli.py expects."
"""The task that the demo's script plays; offered in the prompt."""
FOLDER_NAME = "tally"
"""Name of the sample, shown as the workspace's name."""


def copy_sample() -> Path:
    """Copy the sample into a fresh folder and return its root.

    The folder is left behind on purpose: the user may want to look at what was written. It
    lies under the system's temporary folder, which the system cleans.

    Raises:
        ConfigError: If the temporary folder cannot be written.
    """
    try:
        root = Path(tempfile.mkdtemp(prefix="caramelo-demo-")) / FOLDER_NAME
        _copy(files("caramelo_tui.demo") / "sample", root)
    except OSError as error:
        raise ConfigError("TMPDIR", "", f"the sample cannot be copied: {error}") from error
    return root


def _copy(source: Traversable, target: Path) -> None:
    """Copy names and bytes only: an installation may be read-only, the copy must not be."""
    target.mkdir()
    for entry in source.iterdir():
        if entry.is_dir():
            if entry.name != "__pycache__":
                _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())


def scenario_text() -> str:
    """Return the demo's script, TOML."""
    return (files("caramelo_tui.demo") / "scenario.toml").read_text(encoding="utf-8")
