"""Show what differs from the last commit, each file once; nothing can be decided here.

Owns the list as it was last read, and whether it is on show. Reads nothing. Proven by
tests/unit/ui/test_head_list.py and tests/pilot/test_git_signs.py.
"""

from caramelo_tui.domain.git_state import HeadChanges, HeadFile
from caramelo_tui.ui.widgets.diff_sections import FileSection, HunkSection, Section, TextSection
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows

TITLE = "against the last commit (git HEAD), read-only"


class HeadList:
    """The changes against git HEAD."""

    def __init__(self) -> None:
        self.is_shown = False
        """Whether the list is on show."""
        self._changes: HeadChanges | None = None
        self._problem = ""
        self._sections: list[Section] | None = None

    @property
    def file_count(self) -> int:
        """Files that differ, as far as they are known."""
        return 0 if self._changes is None else len(self._changes.files)

    def take(self, changes: HeadChanges | None, problem: str = "") -> bool:
        """Take what was read, or why nothing could be; ``False``: all is as it was."""
        if (changes, problem) == (self._changes, self._problem):
            return False
        self._changes, self._problem, self._sections = changes, problem, None
        return True

    def sections(self) -> list[Section]:
        """Return the list, made when it is first looked at."""
        if self._sections is None:
            self._sections = self._made()
        return list(self._sections)

    def _made(self) -> list[Section]:
        title = TextSection(TITLE, "secondary", "bold")
        if self._changes is None:
            return [title, TextSection(self._problem or "asking git …", sign=" ")]
        if not self._changes.files:
            return [title, TextSection("Nothing differs.", sign=" ")]
        parts = [part for file in self._changes.files for part in _file_sections(file)]
        if not self._changes.is_whole:
            parts.append(TextSection("There is more than is shown here.", "warning", sign=" ! "))
        return [title, *parts]


def _file_sections(file: HeadFile) -> list[Section]:
    head = FileSection(
        path=file.path,
        note=file.note,
        added=sum(hunk.added_lines for hunk in file.hunks),
        removed=sum(hunk.removed_lines for hunk in file.hunks),
    )
    hunks = [
        HunkSection(
            hunk=hunk,
            path=file.path,
            rows=HunkRows(hunk, file.path),
            fate=lambda: Fate.DIFFERS,
            stop=hunk.id,
        )
        for hunk in file.hunks
    ]
    return [head, *hunks]
