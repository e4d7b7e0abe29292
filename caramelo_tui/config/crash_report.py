"""Write down a fault of the program itself, for a bug report.

Owns the report's text and file: where it happened and on what kind of machine; no values of
variables, no keys, no path of the user's home. Reports are private to the user and few. Proven
by tests/unit/config/test_crash_report.py and tests/e2e/test_crashes.py.
"""

import logging
import os
import platform
import sys
import traceback
from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from caramelo_tui import __version__
from caramelo_tui.config.private_parts import secrets_of, without_private_parts
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.workspace.private_files import write_private

KEPT_REPORTS = 10
"""Newest reports that are kept."""
MOST_CHARS = 64 * 1024
"""Length of a trace; of a longer one the end is kept, which says what happened."""
PREFIX = "crash-"
"""Begin of a report's name in the folder of logs."""
PACKAGES = ("textual", "rich", "anthropic", "openai", "httpx2", "watchfiles")
"""Whose versions a report names."""
_log = logging.getLogger(__name__)


def crash_notice(
    folder: Path, error: BaseException | None, *, environment: Mapping[str, str]
) -> str:
    """Write a report and return what the user reads instead of it. Blocks; never raises.

    A report that cannot be written is shown.
    """
    home = Path(environment.get("HOME", "/"))
    name = type(error).__name__ if error is not None else "unknown error"
    lines = [f"Caramelo ended by a fault of its own ({name})."]
    try:
        path = write_crash_report(folder, error, environment=environment, home=home)
        lines.append(f"A report without keys is in {path}.")
    except OSError as failure:
        lines.append(f"The report could not be written ({failure.strerror or failure}):")
        lines.append(crash_text(error, environment=environment, home=home, at="now"))
    lines.append("Nothing in your files is half-written. `caramelo -c` goes on with the session.")
    return "\n".join(lines)


def write_crash_report(
    folder: Path, error: BaseException | None, *, environment: Mapping[str, str], home: Path
) -> Path:
    """Write a report and return its file. Blocks.

    Args:
        folder: Where to; made if it is missing.
        error: What ended the program; ``None``: unknown.
        environment: The user's variables; values of those that look like secrets are hidden.
        home: Written as ``~``.

    Raises:
        OSError: If it cannot be written.
    """
    now = datetime.now().astimezone()
    path = folder / f"{PREFIX}{now:%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    text = crash_text(error, environment=environment, home=home, at=f"{now:%Y-%m-%d %H:%M:%S %z}")
    write_private(path, text.encode("utf-8", "backslashreplace"))
    _remove_old(folder, besides=path)
    return path


def crash_text(
    error: BaseException | None, *, environment: Mapping[str, str], home: Path, at: str
) -> str:
    """Return the text of a report; ``at``: when it happened."""
    facts = {
        "Caramelo": __version__,
        "at": at,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "terminal": environment.get("TERM", ""),
        "packages": ", ".join(f"{name} {version_of(name)}" for name in PACKAGES),
        "modules loaded": str(len(sys.modules)),
    }
    lines = [f"{name}: {value}" for name, value in facts.items()]
    trace = "".join(traceback.format_exception(error)) if error is not None else "unknown\n"
    # First hidden, then cut: half of a key would not be found any more. It may be printed.
    secrets = secrets_of(environment)
    hidden = without_private_parts(trace, secrets=secrets, home=home)[-MOST_CHARS:]
    head = without_private_parts("\n".join(lines), secrets=secrets, home=home)
    return visible(f"{head}\n\n{hidden}")


def version_of(package: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def _remove_old(folder: Path, *, besides: Path) -> None:
    """Keep the newest reports; their names are in the order of time.

    The one just written is the newest whatever the clock says: it may have gone back.
    """
    others = sorted(path for path in folder.glob(f"{PREFIX}*.txt") if path != besides)
    for path in others[: 1 - KEPT_REPORTS]:
        try:
            path.unlink()
        except OSError as error:
            _log.warning("an old crash report stays: %s", error)
