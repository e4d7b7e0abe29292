"""Look at the machine: versions, terminal, programs, the watcher, and the program's own folder.

Owns those checks of ``caramelo doctor`` that need no configuration. Starts no program and sends
nothing; the two files that prove something are removed at once. Proven by
tests/unit/headless/test_system_checks.py.
"""

import importlib.metadata
import importlib.util
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.headless.doctor_report import Check, good, problem, warning
from caramelo_tui.tools.search.ripgrep import find_ripgrep
from caramelo_tui.tools.search_path import safe_search_path
from caramelo_tui.tools.web.html_worker import ENGINE
from caramelo_tui.workspace.inotify import Inotify
from caramelo_tui.workspace.mounts import MountTable, is_local

LEAST_PYTHON = (3, 11)
TEXTUAL = ((8, 2), (9, 0))
"""The versions that this program is made for, the second excluded; as in pyproject.toml."""
USUAL_SIZE = (80, 24)
"""Cells: below, the app shows one pane at a time."""
_WATCH_LIMIT = Path("/proc/sys/fs/inotify/max_user_watches")
_FEW_WATCHES = 8_192
"""The oldest kernels' limit; a tree with more folders than half of it is not watched."""
_RICH_COLOURS = ("truecolor", "24bit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What standard output is."""

    is_terminal: bool
    size: os.terminal_size
    """Columns and lines."""
    encoding: str


def this_screen() -> Screen:
    """Return what standard output is now."""
    return Screen(
        is_terminal=sys.stdout.isatty(),
        size=shutil.get_terminal_size(),
        encoding=sys.stdout.encoding or "",
    )


def version_checks(
    python: tuple[int, ...] = sys.version_info[:3], textual: str | None = None
) -> Iterator[Check]:
    """Check the versions of Python and Textual.

    Args:
        python: Its numbers, major first.
        textual: Version; ``None``: the installed one.
    """
    shown = ".".join(map(str, python))
    if python >= LEAST_PYTHON:
        yield good("python", f"Python {shown}")
    else:
        wanted = ".".join(map(str, LEAST_PYTHON))
        yield problem("python", f"Python {shown} is too old", f"use Python {wanted} or newer")
    found = importlib.metadata.version("textual") if textual is None else textual
    least, below = TEXTUAL
    if least <= _leading_numbers(found) < below:
        yield good("textual", f"Textual {found}")
    else:
        yield warning(
            "textual",
            f"Textual {found} is not a version that this program is made for",
            "install it anew into an environment of its own",
        )


def terminal_checks(environment: Mapping[str, str], screen: Screen) -> Iterator[Check]:
    """Check what the app would be drawn on."""
    if not screen.is_terminal:
        yield good("terminal", "standard output is no terminal: the app cannot be judged from here")
        return
    term = environment.get("TERM", "")
    if term in {"", "dumb"}:
        yield problem(
            "terminal",
            f"TERM is {term or 'not set'}: the app cannot be drawn",
            "use a terminal program that sets TERM, or `caramelo run`",
        )
        return
    columns, lines = screen.size
    yield good("terminal", f"{term}, {columns} columns, {lines} lines")
    if columns < USUAL_SIZE[0] or lines < USUAL_SIZE[1]:
        yield warning(
            "size",
            f"{columns} columns, {lines} lines are few: panes are shown one at a time",
            "make the window at least {} columns wide and {} lines high".format(*USUAL_SIZE),
        )
    yield _colours(term, environment)
    if screen.encoding.lower().replace("-", "") != "utf8":
        yield warning(
            "encoding",
            f"the terminal's encoding is {screen.encoding or 'unknown'}",
            "set LC_ALL or LANG to a UTF-8 locale, such as C.UTF-8",
        )


def _colours(term: str, environment: Mapping[str, str]) -> Check:
    if environment.get("NO_COLOR"):
        return good("colours", "NO_COLOR is set: none are used")
    if environment.get("COLORTERM", "") in _RICH_COLOURS or term.endswith("direct"):
        return good("colours", "16 million")
    many = "256" if "256color" in term else "16"
    return warning(
        "colours",
        f"{many} colours: themes are approximated",
        "where the terminal can show more, set COLORTERM=truecolor",
    )


def program_checks(
    environment: Mapping[str, str], root: Path, *, needs_ripgrep: bool
) -> Iterator[Check]:
    """Check which programs are there; none is started.

    Args:
        environment: The user's variables.
        root: The workspace, resolved; a program that it brings along does not count.
        needs_ripgrep: Whether a tool that cannot do without it is offered.
    """
    path = safe_search_path(environment.get("PATH", ""), outside=root)
    yield _program("git", path, "the git tools fail", "install git")
    yield _program("gh", path, "create_pull_request fails", "install the GitHub CLI (gh)")
    ripgrep = find_ripgrep(path)
    if ripgrep is not None:
        yield good("rg", str(ripgrep))
    elif needs_ripgrep:
        yield problem("rg", "not found: search_codebase fails", "install ripgrep")
    else:
        yield warning("rg", "not found: grep is slower", "install ripgrep")
    bwrap = shutil.which("bwrap", path=path)
    yield good("bwrap", f"{bwrap or 'not found'} (this version runs commands without a sandbox)")


def _program(name: str, path: str, loss: str, advice: str) -> Check:
    found = shutil.which(name, path=path)
    return good(name, found) if found else warning(name, f"not found: {loss}", advice)


def web_check() -> Check:
    """Check whether pages become good Markdown."""
    if importlib.util.find_spec(ENGINE) is not None:
        return good("web", "pages are turned to Markdown")
    return warning(
        "web",
        "the extra is not installed: web_fetch gives pages as plain text",
        "pip install 'caramelo-tui[web]'",
    )


def watcher_checks(root: Path, limit_file: Path = _WATCH_LIMIT) -> Iterator[Check]:
    """Check whether changes of files are heard of, by making one in a folder of its own.

    Args:
        root: The workspace; its file system must be one that tells of all changes.
        limit_file: Where the system says how many folders a user may watch.
    """
    advice = "searches, listings and git answers are then not kept; raise fs.inotify.max_user_*"
    try:
        is_local_root = _is_local(root)
        with tempfile.TemporaryDirectory(prefix="caramelo-doctor-") as folder:
            is_heard = _hears_of_a_file(folder)
    except OSError as error:
        yield warning("watcher", f"changes of files cannot be watched ({error})", advice)
        return
    if not is_local_root:
        yield warning(
            "watcher",
            f"{root} is on a file system that others can change unheard",
            "searches, listings and git answers are not kept there; nothing else is lost",
        )
        return
    if not is_heard:
        yield warning("watcher", "a file that was made was not heard of", advice)
        return
    yield good("watcher", "changes of files are heard of at once")
    watches = _watch_limit(limit_file)
    if watches is not None and watches < _FEW_WATCHES:
        yield warning("watches", f"only {watches:,} folders can be watched by this user", advice)


def _is_local(root: Path) -> bool:
    mounts = MountTable()
    try:
        return is_local(str(root), mounts.mounts)
    finally:
        mounts.close()


def _hears_of_a_file(folder: str) -> bool:
    queue = Inotify()
    try:
        queue.watch(folder)
        name = "cookie"
        Path(folder, name).touch()
        return any(event.name == name for event in queue.events())
    finally:
        queue.close()


def _watch_limit(file: Path) -> int | None:
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return None


def state_check(folder: Path) -> Check:
    """Check whether the program's own folder can be written, and only by its user."""
    advice = f"chmod 700 {folder}, and see whose it is"
    if not folder.exists():
        above = next(each for each in folder.parents if each.exists())
        if os.access(above, os.W_OK | os.X_OK):
            return good("state", f"{folder} is made when it is needed")
        return problem(
            "state",
            f"{folder} does not exist and cannot be made in {above}",
            "let CARAMELO_HOME name a folder that can be written",
        )
    try:
        mode = stat.S_IMODE(folder.stat().st_mode)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-"):
            pass
    except OSError as error:
        return problem("state", f"{folder} cannot be written ({error.strerror})", advice)
    if mode & 0o077:
        return warning("state", f"{folder} is open to others (mode {mode:04o})", advice)
    return good("state", f"{folder} is private and can be written")


def _leading_numbers(version: str) -> tuple[int, int]:
    numbers = [int(part) for part in version.split(".")[:2] if part.isdecimal()]
    return (numbers[0], numbers[1]) if len(numbers) > 1 else (0, 0)
