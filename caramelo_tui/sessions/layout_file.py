"""Keep the sizes of the panes for one workspace.

Owns the file's form: JSON of names and whole numbers, private to the user, a few hundred bytes.
A file that cannot be read, or is none of ours, counts as empty: nothing depends on it but where
borders stand. Proven by tests/unit/sessions/test_layout_file.py.
"""

import json
import logging
from collections.abc import Mapping
from pathlib import Path

from caramelo_tui.workspace.private_files import write_private

MOST_BYTES = 4096
"""Bytes of the largest file that is read."""

_log = logging.getLogger(__name__)


class LayoutFile:
    """One workspace's file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> dict[str, dict[str, int]]:
        """Return what was kept: whole numbers by two names each. Never raises."""
        try:
            with self._path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
            table: object = json.loads(data) if len(data) <= MOST_BYTES else None
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            _log.debug("sizes of panes were not read: %s", error)
            return {}
        return {name: _numbers(value) for name, value in _items(table)}

    def save(self, sizes: Mapping[str, Mapping[str, int]]) -> None:
        """Keep sizes instead of those before. Blocks.

        Raises:
            OSError: If they cannot be written; the file before stays.
        """
        text = json.dumps({name: dict(numbers) for name, numbers in sizes.items()})
        write_private(self._path, text.encode("ascii"))


def _numbers(value: object) -> dict[str, int]:
    return {name: number for name, number in _items(value) if type(number) is int}


def _items(value: object) -> list[tuple[str, object]]:
    if not isinstance(value, dict):
        return []
    items: dict[object, object] = {**value}
    return [(str(name), item) for name, item in items.items()]
