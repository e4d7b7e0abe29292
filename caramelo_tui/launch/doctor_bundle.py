"""Gather what a bug report needs: ``caramelo doctor --bundle``.

Owns which of the program's own files go into it and how much of each. Prompts, answers and the
contents of the user's files stay out: of sessions only sizes and dates are told. Proven by
tests/unit/test_doctor_bundle.py.
"""

import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from caramelo_tui import __version__
from caramelo_tui.config.crash_report import PACKAGES, PREFIX, version_of
from caramelo_tui.config.credentials import secret_variables
from caramelo_tui.config.loader import LoadedSettings
from caramelo_tui.config.locations import home_or_root
from caramelo_tui.config.log_file import LOG_NAME
from caramelo_tui.config.private_parts import secrets_of, without_private_parts
from caramelo_tui.config.report import config_report
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.sessions import SessionTrouble
from caramelo_tui.headless.bundle import Member, listing, wants_it, write_bundle
from caramelo_tui.launch.start import Start
from caramelo_tui.sessions.catalogue import session_files
from caramelo_tui.sessions.folders import workspace_folder

MOST_BYTES = 256 * 1024
"""Of a log its end is taken, which says what happened."""
_TOLD_VARIABLES = ("TERM", "COLORTERM", "TERM_PROGRAM", "LANG", "LC_ALL", "TMUX", "SSH_TTY")
"""Variables that decide how things look; of the last two only whether they are set."""
_ONLY_WHETHER = frozenset({"TMUX", "SSH_TTY"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was looked at, and what came of it."""

    root: Path
    loaded: LoadedSettings | None
    """What holds in the folder; ``None``: it cannot be used."""
    report: str
    """What the doctor found, as text."""


def run_bundle(wanted: Path | None, start: Start, found: Found, *, is_agreed: bool) -> None:
    """Show what the bundle holds, and write it where that is wanted.

    Args:
        wanted: The file; ``None``: a new one in the current folder.
        start: What is known of the user.
        found: The folder and what holds in it.
        is_agreed: ``--yes``: nobody is asked.

    Raises:
        ConfigError: If nobody is there to agree.
        CarameloError: If it cannot be written.
    """
    path = wanted or Path(f"caramelo-report-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip")
    members = tuple(_private(_members(start, found), start, found))
    sys.stdout.write(listing(members, path))
    sys.stdout.flush()
    if not is_agreed:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise ConfigError(
                "--bundle", "", "nobody is there to agree; --yes writes what was listed"
            )
        if not wants_it(members, ask=_ask, say=_say):
            sys.stdout.write("Nothing was written.\n")
            return
    write_bundle(path, members)
    sys.stdout.write(f"Written: {path}\n")


def _members(start: Start, found: Found) -> Iterator[Member]:
    yield Member(name="doctor.txt", what="what the doctor found", text=found.report)
    yield Member(name="machine.txt", what="versions and terminal", text=_machine(start.environment))
    if found.loaded is not None:
        text = config_report(found.loaded)
        yield Member(name="settings.txt", what="settings, without keys", text=text)
    yield Member(
        name="sessions.txt",
        what="sizes and dates of this folder's sessions",
        text=_sessions(workspace_folder(start.locations.sessions, found.root)),
    )
    logs = start.locations.logs
    for path in (logs / f"{LOG_NAME}.1", logs / LOG_NAME):
        yield from _file(path, "the end of the program's log")
    for path in sorted(logs.glob(f"{PREFIX}*.txt")):
        yield from _file(path, "a crash report")


def _file(path: Path, what: str) -> Iterator[Member]:
    """Return a file's end; one that is not there is left out, one that cannot be read is told."""
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            # A key that the cut goes through would not be found any more: whole lines only.
            start = max(file.tell() - MOST_BYTES, 0)
            file.seek(start)
            data = file.read(MOST_BYTES)
    except FileNotFoundError:
        return
    except OSError as error:
        yield Member(name=path.name, what=what, text=f"cannot be read: {error.strerror}\n")
        return
    if start:
        data = data.partition(b"\n")[2]
    yield Member(name=path.name, what=what, text=data.decode("utf-8", "backslashreplace"))


def _machine(environment: Mapping[str, str]) -> str:
    facts = {
        "Caramelo": __version__,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        **{name: version_of(name) for name in PACKAGES},
        **{name: _told(environment, name) for name in _TOLD_VARIABLES},
    }
    return "".join(f"{name}: {value}\n" for name, value in facts.items())


def _told(environment: Mapping[str, str], name: str) -> str:
    if name in _ONLY_WHETHER:
        return "set" if environment.get(name) else "not set"
    return environment.get(name, "not set")


def _sessions(folder: Path) -> str:
    try:
        files = session_files(folder)
    except SessionTrouble as error:
        return f"{error}\n"
    lines: list[str] = []
    for path in files:
        try:
            facts = path.stat()
        except OSError as error:
            lines.append(f"{path.name}: cannot be read: {error.strerror}")
            continue
        changed = datetime.fromtimestamp(facts.st_mtime, UTC)
        lines.append(f"{path.name}: {facts.st_size:,} bytes, written {changed:%Y-%m-%d %H:%M} UTC")
    return "".join(f"{line}\n" for line in lines) or "none\n"


def _private(members: Iterator[Member], start: Start, found: Found) -> Iterator[Member]:
    named = () if found.loaded is None else secret_variables(found.loaded.settings)
    environment = {**start.environment, **start.keys.to_hide()}
    secrets = secrets_of(environment, names=named)
    home = home_or_root(start.environment)
    for member in members:
        text = without_private_parts(member.text, secrets=secrets, home=home)
        yield replace(member, text=text)


def _ask(question: str) -> str:
    sys.stdout.write(question)
    sys.stdout.flush()
    return sys.stdin.readline()


def _say(text: str) -> None:
    sys.stdout.write(text)
