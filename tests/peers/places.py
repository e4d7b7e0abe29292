"""Where the servers that others wrote are installed, and which versions.

Owns names and places only; ``install`` puts them there, ``running`` starts them.
"""

import shutil
from pathlib import Path

LLMOCK = "llmock==0.2.2"
AIMOCK = "@copilotkit/aimock@1.43.0"

FOLDER = Path(__file__).parents[2] / "build" / "peers"
PYTHON = FOLDER / "python"
"""An environment of its own: the package brings plugins that must not be loaded by our tests."""
NODE = FOLDER / "node"

LLMOCK_PROGRAM = PYTHON / "bin" / "llmock"
AIMOCK_SCRIPT = NODE / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"


def why_no_llmock() -> str:
    """Return why the tests cannot use it; empty: they can."""
    return "" if LLMOCK_PROGRAM.exists() else f"{LLMOCK} is not installed: make peers"


def why_no_aimock() -> str:
    """Return why the tests cannot use it; empty: they can."""
    if shutil.which("node") is None:
        return "Node is not installed, which aimock runs on"
    return "" if AIMOCK_SCRIPT.exists() else f"{AIMOCK} is not installed: make peers"
