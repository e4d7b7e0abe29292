"""Let a forked session take its changes along.

Owns which entries of another session's journal become a fork's own: those from the journal's begin
up to the first change of a run that the fork does not have. Contents are the workspace's and are
not copied. Blocks. Proven by tests/unit/workspace/test_journal_forks.py.
"""

import logging
from collections.abc import Collection
from pathlib import Path

from caramelo_tui.domain.ids import RunId
from caramelo_tui.workspace.journal import JOURNAL_NAME
from caramelo_tui.workspace.journal_entries import JournalEntry, read_line
from caramelo_tui.workspace.private_files import write_private

_log = logging.getLogger(__name__)


def take_along(source: Path, target: Path, *, runs: Collection[RunId]) -> None:
    """Begin a fork's journal with what its runs changed; one that is there already stays.

    Never raises: a fork without the earlier changes is still a session.

    Args:
        source: Folder of the journal that is forked.
        target: Folder of the fork's journal.
        runs: The runs that the fork has.
    """
    journal = target / JOURNAL_NAME
    try:
        if journal.exists():
            return
        kept = _begin(source, runs)
        if kept:
            write_private(journal, b"".join(line + b"\n" for line in kept))
    except FileNotFoundError:
        # The session that is forked changed nothing.
        return
    except OSError as error:
        _log.warning("a fork goes without the changes before it: %s", error)


def _begin(source: Path, runs: Collection[RunId]) -> list[bytes]:
    """Return the lines before the first change of a foreign run; what follows builds on that."""
    kept: list[bytes] = []
    # What stands behind the last line end was cut off by a crash.
    for line in (source / JOURNAL_NAME).read_bytes().split(b"\n")[:-1]:
        entry = read_line(line, len(kept)) if line else None
        if isinstance(entry, JournalEntry) and entry.run_id not in {None, *runs}:
            break
        kept.append(line)
    return kept
