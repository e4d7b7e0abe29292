"""Install the servers that others wrote: ``python -m tests.peers.install``.

Whatever is missing for that (Node, a registry in reach) is said and no failure: the tests that
need the server skip themselves then.
"""

import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence

from tests.peers.places import AIMOCK, LLMOCK, NODE, PYTHON, why_no_aimock, why_no_llmock

LIMIT_S = 300
"""Seconds for one installation."""


def main() -> None:
    """Install what is missing."""
    if why_no_llmock():
        venv.create(PYTHON, with_pip=True, clear=True)
        pip = [str(PYTHON / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        _install(LLMOCK, [*pip, "--disable-pip-version-check", LLMOCK])
    npm = shutil.which("npm")
    if npm is None:
        _say(f"{AIMOCK} is left out: npm is not installed")
    elif why_no_aimock():
        NODE.mkdir(parents=True, exist_ok=True)
        flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        _install(AIMOCK, [npm, "install", "--prefix", str(NODE), *flags, AIMOCK])


def _install(name: str, command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        _say(f"{name} is left out: no answer within {LIMIT_S} s")
        return
    if done.returncode:
        _say(f"{name} is left out: {done.stderr.strip().splitlines()[-1:] or 'it failed'}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
