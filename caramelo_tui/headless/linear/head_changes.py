"""Read out what differs from the last commit.

Owns ``/diff``: the files, or the hunks of one. Proven by tests/unit/headless/test_linear_head.py.
"""

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.git_state import HeadChanges
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.hunk_text import counted, hunk_lines
from caramelo_tui.headless.linear.output import LinearOutput

MOST_READ = 50
"""Files that are named at once."""


class LinearHead:
    """What is typed about the difference from the last commit."""

    def __init__(self, agent: AgentPort, out: LinearOutput) -> None:
        """Ask an agent and say what it answers."""
        self._agent = agent
        self._out = out

    async def read(self, path: str = "") -> None:
        """Read out the files that differ, or the hunks of one."""
        try:
            changes = await self._agent.git.head_changes()
        except ToolFailure as failure:
            self._out.say(one_line(str(failure)))
        else:
            if path:
                self._read_file(changes, path)
            else:
                self._read_files(changes)
        await self._out.flush()

    def _read_files(self, changes: HeadChanges) -> None:
        for file in changes.files[:MOST_READ]:
            added = sum(hunk.added_lines for hunk in file.hunks)
            removed = sum(hunk.removed_lines for hunk in file.hunks)
            size = f"{counted(added, 'line')} added, {removed:,} removed"
            note = f" {one_line(file.note)}" if file.note else ""
            self._out.say(f"{one_line(file.path, is_exact=True)}: {size}.{note}")
        more = len(changes.files) - MOST_READ
        left = f" {more:,} are not read out." if more > 0 else ""
        whole = "" if changes.is_whole else " There is more than is shown."
        count = counted(len(changes.files), "file differs", "files differ")
        self._out.say(f"{count} from the last commit.{left}{whole}")
        if changes.files:
            self._out.say("/diff PATH reads the changes of one.")

    def _read_file(self, changes: HeadChanges, path: str) -> None:
        found = next((file for file in changes.files if file.path == path), None)
        shown = one_line(path, is_exact=True)
        if found is None:
            self._out.say(f"{shown} does not differ from the last commit; /diff reads the files.")
            return
        for number, hunk in enumerate(found.hunks, 1):
            self._out.say(f"Change {number} of {len(found.hunks)}, {shown}:")
            for line in hunk_lines(hunk):
                self._out.say(line)
        self._out.say(f"End of the changes to {shown}.{' ' + one_line(found.note)}".rstrip())
