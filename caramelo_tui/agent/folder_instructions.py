"""Tell the model the instruction files of the folders that it works in.

Owns which of them it was told: each once, when the first file below its folder became known, with
the next request. The file at the top of the workspace is not theirs (``instruction_files``). Reads
only what the workspace's sandbox lets through; in a folder that is not trusted nothing is read.
Proven by tests/unit/agent/test_folder_instructions.py.
"""

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from caramelo_tui.agent.instruction_files import NAME, InstructionSource, read_instructions
from caramelo_tui.agent.instructions import MOST_CHARACTERS, taken_from
from caramelo_tui.agent.run_frames import RunEvents
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS

OF_OTHERS = SKIPPED_FOLDERS | {"bower_components", "Pods", "site-packages", "third_party", "vendor"}
"""Folders of what was made or fetched, at any depth: whoever wrote a package that the developer
uses is not the developer, and what it says to agents is text like any other."""
MOST_FOLDERS = 100
"""Folders whose files are told in one session; of more it is said."""


class FolderInstructions:
    """The instruction files of folders, for one agent."""

    def __init__(
        self, files: FileStore, *, known_paths: Callable[[], Iterable[str]], events: RunEvents
    ) -> None:
        """Take the workspace; nothing is read yet.

        Args:
            files: The trusted workspace.
            known_paths: Returns the workspace-relative paths of files that the model knows.
            events: Where the user is told what was taken.
        """
        self._files = files
        self._known_paths = known_paths
        self._events = events
        self._looked: set[PurePosixPath] = {PurePosixPath()}
        self._left = MOST_CHARACTERS
        self._told = 0

    def news(self) -> tuple[str, ...]:
        """Return what the model is told now, each file once, the nearest folder first. Blocks."""
        folders = {
            folder
            for path in self._known_paths()
            for folder in PurePosixPath(path).parents
            if folder not in self._looked and OF_OTHERS.isdisjoint(folder.parts)
        }
        self._looked |= folders
        nearest_first = sorted(folders, key=lambda folder: (-len(folder.parts), folder))
        return tuple(note for folder in nearest_first if (note := self._note_of(folder)))

    def _note_of(self, folder: PurePosixPath) -> str:
        name = f"{folder}/{NAME}"
        place = make_inert(name)
        file = read_instructions(InstructionSource(files=self._files, place=place), name)
        if file is None or self._told > MOST_FOLDERS:
            return ""
        self._told += 1
        if self._told > MOST_FOLDERS:
            self._events.raise_notice(
                NoticeLevel.WARNING, f"No more than {MOST_FOLDERS} instruction files are read."
            )
            return ""
        taken = taken_from([file], limit=self._left)
        text = taken.files[0].text
        self._left -= len(text)
        is_flawed = bool(file.problem or taken.files[0].left_out)
        self._events.raise_notice(
            NoticeLevel.WARNING if is_flawed else NoticeLevel.INFO, taken.report
        )
        if not text:
            return ""
        return (
            f"Note: the developer's instructions for files below {make_inert(str(folder))}/. There "
            "they win over those of folders above it.\n\n"
            f'<instructions file="{place}">\n{text}\n</instructions>'
        )
