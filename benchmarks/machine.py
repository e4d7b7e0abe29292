"""Say on what was measured: the machine, how busy it was, and the versions."""

import importlib.metadata
import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psutil

from caramelo_tui import __version__

_PACKAGES = ("textual", "httpx2", "anthropic", "openai", "watchfiles")


def facts(rounds: int) -> dict[str, str]:
    """Return what has to be known about a run."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "caramelo": f"{__version__}{_revision()}",
        "python": platform.python_version(),
        "packages": ", ".join(f"{name} {_version(name)}" for name in _PACKAGES),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": f"{psutil.cpu_count()} x {_processor()}",
        "memory": f"{psutil.virtual_memory().total / 1_000_000_000:.0f} GB",
        "load when it began": f"{os.getloadavg()[0]:.1f}",
        "rounds": str(rounds),
    }


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _revision() -> str:
    """Return the commit, where this is a clone and not an unpacked archive."""
    git = shutil.which("git")
    if git is None:
        return ""
    root = Path(__file__).parents[1]
    words = [git, "-C", str(root), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return f" ({done.stdout.strip()})" if done.returncode == 0 else ""
