"""Read the instruction files of a session, once, and notice when they change.

Owns which files are read and when: at the first run, so that the system prompt stays the same
for the whole session; looked at again at each further run. Every file is opened through a
sandbox: regular files only, no link out of the root, a bounded part. Proven by
tests/unit/agent/test_instruction_files.py.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from caramelo_tui.agent.instructions import InstructionFile, Instructions, taken_from
from caramelo_tui.agent.run_frames import RunEvents
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tag_characters import without_tag_characters
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.tools.skills.hidden_characters import hidden_findings
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.path_failures import MissingPath

NAME = "AGENTS.md"
"""Name of an instruction file, in a workspace and in the user's settings."""
LARGEST_BYTES = 262_144
"""256 KB; what stands behind is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionSource:
    """A place where an instruction file may stand."""

    files: FileStore
    place: str
    """How its file is named."""


class InstructionFiles:
    """The instructions of one session."""

    def __init__(
        self,
        sources: Sequence[InstructionSource],
        *,
        events: RunEvents,
        tell: Callable[[str], None],
    ) -> None:
        """Take the places; nothing is read yet.

        Args:
            sources: The nearest first.
            events: Where the user is told what was taken.
            tell: Gives the model a note.
        """
        self._sources = tuple(sources)
        self._events = events
        self._tell = tell
        self._first: Instructions | None = None
        self._told: Instructions | None = None

    @property
    def prompt(self) -> str:
        """The end of the system prompt; the same from the first run on."""
        return self._first.prompt if self._first is not None else ""

    async def begin_run(self) -> None:
        """Read the files at the first run; tell the user and the model when they changed."""
        found = await asyncio.to_thread(self._read)
        if found == self._told:
            return
        if self._first is None:
            self._first = found
        else:
            self._tell(found.change_note)
        self._told = found
        is_flawed = any(taken.file.problem or taken.left_out for taken in found.files)
        level = NoticeLevel.WARNING if is_flawed else NoticeLevel.INFO
        if found.report:
            self._events.raise_notice(level, found.report)

    def _read(self) -> Instructions:
        read = (read_instructions(source) for source in self._sources)
        return taken_from([file for file in read if file is not None])


def read_instructions(source: InstructionSource, name: str = NAME) -> InstructionFile | None:
    """Return a file, or why it could not be read; ``None`` when there is none. Blocks.

    Args:
        source: Where it may stand.
        name: Its path there.
    """
    sandbox = source.files.sandbox
    try:
        path = sandbox.resolve(name)
        found = source.files.read_bytes(path, limit_bytes=LARGEST_BYTES + 1)
    except MissingPath:
        return None
    except ToolFailure as failure:
        return InstructionFile(place=source.place, problem=make_inert(str(failure)))
    data, findings = found.data, list[str]()
    if len(data) > LARGEST_BYTES:
        data = data[:LARGEST_BYTES]
        findings.append(f"only the first {LARGEST_BYTES // 1024} KB were read")
    try:
        # A character that was cut at the limit is left out.
        text = data.decode("utf-8-sig", errors="ignore" if findings else "strict")
    except UnicodeDecodeError as error:
        return InstructionFile(place=source.place, problem=f"not UTF-8 (byte {error.start})")
    if path.relative != name:
        findings.append(f"a link to {make_inert(path.relative)}")
    findings += [finding.text for finding in hidden_findings(text)]
    return InstructionFile(
        place=source.place, text=without_tag_characters(text), findings=tuple(findings)
    )
