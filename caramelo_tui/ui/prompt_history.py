"""Keep the prompts that were sent, for ``up`` and ``down``.

Owns their order, the walk through them and, when a file is given, their private JSON lines. A
file that cannot be read or written leaves the history in memory and says so in ``problem``.
Proven by tests/unit/ui/test_prompt_history.py.
"""

import json
import os
from pathlib import Path

KEPT = 1000
"""Prompts that are walked through; older ones stay in the file."""


class PromptHistory:
    """Sent and cleared prompts, oldest first, and a place among them."""

    def __init__(self, path: Path | None = None) -> None:
        self.problem = ""
        """Why the file is not used; empty when all is well."""
        self._path = path
        self._entries: list[str] = []
        self._place: int | None = None
        self._draft = ""
        if path is not None:
            self._entries = self._read(path)

    @property
    def entries(self) -> tuple[str, ...]:
        """All known prompts, oldest first."""
        return tuple(self._entries)

    def add(self, text: str) -> None:
        """Remember a prompt; blank ones and immediate repeats are left out."""
        self._place = None
        if not text.strip() or (self._entries and self._entries[-1] == text):
            return
        self._entries.append(text)
        del self._entries[:-KEPT]
        if self._path is not None:
            self._append(self._path, text)

    def earlier(self, draft: str) -> str | None:
        """Return the prompt before the present one; ``None`` at the oldest.

        Args:
            draft: What stands in the editor; kept for the way back when the walk begins.
        """
        if self._place is None:
            self._draft = draft
        place = len(self._entries) if self._place is None else self._place
        if place == 0:
            return None
        self._place = place - 1
        return self._entries[self._place]

    def later(self) -> str | None:
        """Return the prompt after the present one, at last the draft; ``None`` off the walk."""
        if self._place is None:
            return None
        self._place += 1
        if self._place >= len(self._entries):
            self._place = None
            return self._draft
        return self._entries[self._place]

    def leave(self) -> None:
        """End the walk: the text shown now is the draft."""
        self._place = None

    def _read(self, path: Path) -> list[str]:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            self._tell(error)
            return []
        except UnicodeDecodeError as error:
            # Not ours: nothing is added to it.
            self._tell(error)
            self._path = None
            return []
        return [text for line in lines[-KEPT:] if (text := _decode(line))]

    def _append(self, path: Path, text: str) -> None:
        line = json.dumps({"prompt": text}) + "\n"
        try:
            # Each missing folder by itself: ``parents=True`` would make the upper ones public.
            for folder in reversed((path.parent, *path.parent.parents)):
                folder.mkdir(mode=0o700, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            # The next prompt tries again.
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        self.problem = f"The prompt history is kept in memory only: {error}"


def _decode(line: str) -> str:
    """Return the prompt of one line; empty for a line that is cut or not ours."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    items: dict[object, object] = {**value}
    prompt = items.get("prompt")
    return prompt if isinstance(prompt, str) else ""
