"""Say at the start what was decided for the user.

Owns the sentences: which provider was taken of several, where the endpoint is foreign, that a
folder is worked in restricted, that a repository reaches beyond the folder. Proven by
tests/unit/config/test_start_notes.py.
"""

from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName
from caramelo_tui.workspace.repository import repository_around


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSituation:
    """What the notes are about."""

    root: Path
    """Resolved workspace."""
    connection: Connection
    is_trusted: bool
    trust_file: Path
    """Where the answers are kept."""
    can_be_trusted: bool
    """``False`` for the home folder and what holds it, as ``/``."""
    is_sample: bool = False
    """Whether it is a copy of the demo's sample."""


def start_notes(situation: StartSituation) -> tuple[str, ...]:
    """Return what to say, a sentence each, in the order in which it matters."""
    notes: list[str] = []
    if not situation.is_trusted:
        notes.append(_restricted(situation))
    if situation.connection.note:
        notes.append(situation.connection.note)
    if situation.connection.provider is ProviderName.DEMO and not situation.is_sample:
        notes.append(
            "The demo's model is a script for its sample project; here most of its calls will "
            "fail. `caramelo demo` opens the sample."
        )
    repository = repository_around(situation.root)
    if repository is not None:
        notes.append(
            f"This folder lies inside the repository {repository}. The agent sees and changes "
            "only what is below this folder."
        )
    return tuple(notes)


def _restricted(situation: StartSituation) -> str:
    if not situation.can_be_trusted:
        return (
            "This is the home folder, or a folder that holds it. It holds far more than one "
            "project and cannot be trusted as a whole: working restricted."
        )
    return (
        "This folder is not trusted: working restricted, nothing in it acts by itself. --trust "
        f"trusts it for one start; the answer that is kept stands in {situation.trust_file}."
    )
