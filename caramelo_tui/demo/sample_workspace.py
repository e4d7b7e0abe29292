"""Make the demo's workspace: a copy of the bundled sample in a temporary folder.

Owns the copy and its place; the script that the demo's model plays stands beside it in
``scenario.toml``. Proven by tests/unit/demo/.
"""

import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

FIRST_PROMPT = "Make the --json flag that tests/test_cli.py expects."
"""The task that the demo's script plays; offered in the prompt."""
FOLDER_NAME = "tally"
"""Name of the sample, shown as the workspace's name."""


def copy_sample() -> Path:
    """Copy the sample into a fresh folder and return its root.

    The folder is left behind on purpose: the user may want to look at what was written. It
    lies under the system's temporary folder, which the system cleans.

    Raises:
        OSError: If the temporary folder cannot be written.
    """
    root = Path(tempfile.mkdtemp(prefix="caramelo-demo-")) / FOLDER_NAME
    with as_file(files("caramelo_tui.demo") / "sample") as sample:
        shutil.copytree(sample, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def scenario_text() -> str:
    """Return the demo's script, TOML."""
    return (files("caramelo_tui.demo") / "scenario.toml").read_text(encoding="utf-8")
