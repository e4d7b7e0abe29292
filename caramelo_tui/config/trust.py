"""Remember which folders the user trusts.

Owns ``trust.json`` in the user's configuration folder. A workspace can never write it: it
lies outside every workspace and is keyed by the real path, so that a copy is asked about anew.
Proven by tests/unit/config/test_trust.py.
"""

import json
from pathlib import Path
from typing import cast

from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.system_faults import advice_for
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.workspace.private_files import write_private

FORMAT = 1
"""Version of the file."""


class TrustStore:
    """Answers by real folder, kept with the user's settings."""

    def __init__(self, path: Path, *, home: Path) -> None:
        self._path = path
        self._home = home.resolve()

    @property
    def path(self) -> Path:
        """The file; it may be missing."""
        return self._path

    def can_be_trusted(self, root: Path) -> bool:
        """Whether trusting is offered; never for the home folder and what holds it, as ``/``."""
        real = root.resolve()
        return real != Path(real.anchor) and not self._home.is_relative_to(real)

    def is_trusted_at_start(self, root: Path, *, by_flag: bool) -> bool:
        """Whether a start on ``root`` is a trusted one; stores nothing.

        Args:
            root: The folder that is opened.
            by_flag: ``--trust`` was given: trusts for this start what can be trusted at all.

        Raises:
            ConfigError: If the file cannot be read and the flag does not decide.
        """
        return (by_flag and self.can_be_trusted(root)) or self.is_trusted(root)

    def is_trusted(self, root: Path) -> bool:
        """Whether ``root`` was trusted, or is inside a folder that was.

        The nearest answer counts: a folder that the user wanted restricted stays so, although
        one above it is trusted later.

        Raises:
            ConfigError: If the file cannot be read; nothing is trusted then.
        """
        if not self.can_be_trusted(root):
            return False
        answers = self._load()
        real = root.resolve()
        nearest = next((folder for folder in (real, *real.parents) if str(folder) in answers), real)
        # A file that was edited by hand cannot trust what nobody can.
        return answers.get(str(nearest)) == TrustChoice.TRUST and self.can_be_trusted(nearest)

    def answer_for(self, root: Path) -> TrustChoice | None:
        """Return the remembered answer, ``None`` when the user was not asked yet.

        Raises:
            ConfigError: If the file cannot be read.
        """
        if self.is_trusted(root):
            return TrustChoice.TRUST
        return self._load().get(str(root.resolve()))

    def remember(self, root: Path, choice: TrustChoice) -> None:
        """Keep the answer for this real folder.

        Raises:
            ConfigError: If the folder may not be trusted, or the file cannot be read or written.
        """
        if choice is TrustChoice.TRUST and not self.can_be_trusted(root):
            raise ConfigError(root, "", "the home folder and / cannot be trusted as a whole")
        answers = {**self._load(), str(root.resolve()): choice}
        self._save(answers)

    def _load(self) -> dict[str, TrustChoice]:
        try:
            raw: object = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise ConfigError(
                self._path, "", f"cannot be read ({error}); mend or remove it"
            ) from error
        folders = cast("dict[str, object]", raw).get("folders") if isinstance(raw, dict) else None
        if not isinstance(folders, dict):
            raise ConfigError(self._path, "folders", "is missing; mend or remove the file")
        known = {choice.value for choice in TrustChoice}
        return {
            folder: TrustChoice(answer)
            for folder, answer in cast("dict[str, object]", folders).items()
            if isinstance(answer, str) and answer in known
        }

    def _save(self, answers: dict[str, TrustChoice]) -> None:
        text = json.dumps({"format": FORMAT, "folders": answers}, indent=2, sort_keys=True)
        try:
            write_private(self._path, f"{text}\n".encode())
        except OSError as error:
            raise ConfigError(
                self._path, "", f"cannot be written ({error}){advice_for(error)}"
            ) from error
