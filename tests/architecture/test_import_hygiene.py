"""What an import may bring with it: the run-time twin of the import contracts."""

import subprocess
import sys

import pytest

ROOMS_BELOW_UI = (
    "domain",
    "workspace",
    "policy",
    "tools",
    "cache",
    "providers",
    "sessions",
    "agent",
    "config",
    "headless",
    "demo",
)
LATE = ("caramelo_tui.tools.web.connections", "caramelo_tui.providers.direct_transport")
"""Modules that are loaded with the first request to the web or to a model; no other module of the
rooms may load them by being imported."""
HEAVY = ("anthropic", "openai", "jsonschema", "pydantic", "httpx2")
"""Modules that may be loaded after the first paint only."""

IMPORT_ALL = """
import importlib, pkgutil, sys
room = importlib.import_module("caramelo_tui.{room}")
for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
    if not module.name.endswith(("__main__", "worker", *{late})) and ".sample" not in module.name:
        importlib.import_module(module.name)
print(" ".join(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""


def modules_after(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("room", ROOMS_BELOW_UI)
def test_a_room_below_the_screen_loads_neither_textual_nor_an_sdk(room: str) -> None:
    loaded = modules_after(IMPORT_ALL.format(room=room, late=LATE))
    assert not loaded & {"textual", "rich", *HEAVY}


def test_the_version_loads_the_command_lines_own_module_only() -> None:
    code = """
import sys
before = set(sys.modules)
sys.argv = ["caramelo", "--version"]
from caramelo_tui.cli import main
main()
print(" ".join(sorted(name for name in set(sys.modules) - before)))
"""
    loaded = modules_after(code) - {"caramelo", "0.1.0"}
    assert {name for name in loaded if name.startswith("caramelo_tui")} == {
        "caramelo_tui",
        "caramelo_tui.cli",
    }
    assert not loaded & {"argparse", "asyncio", "pathlib", "importlib.metadata", *HEAVY}


def test_no_shell_is_used_but_by_the_shell_tools() -> None:
    done = subprocess.run(
        ["git", "grep", "-nE", r"shell=True|os\.system|os\.popen", "--", "caramelo_tui"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""
