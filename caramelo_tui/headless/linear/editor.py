"""Have a text edited in the person's own editor, in a session in lines.

Owns the loan of the terminal: nothing is read or written meanwhile, while the agent works on; the
text comes back, and the terminal is as it was. No shell is run; the file is private and gone
afterwards. Proven by tests/unit/headless/test_linear_editor.py and tests/e2e/test_linear.py.
"""

import asyncio
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from caramelo_tui.agent.editor_command import editor_command, read_back, write_private
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.typed_lines import Lines


class LinearEditor:
    """Lends the terminal to the editor that the variables name."""

    def __init__(
        self, lines: Lines, out: LinearOutput, *, environment: Mapping[str, str] | None = None
    ) -> None:
        """Wire it.

        Args:
            lines: Read nothing meanwhile.
            out: Writes nothing meanwhile; says what went wrong.
            environment: Names the editor; ``None``: the program's own.
        """
        self._lines = lines
        self._out = out
        self._environment = os.environ if environment is None else environment
        self.is_lent = False
        """Whether the editor has the terminal: a ctrl+c is its own then."""

    async def edit(self, text: str, *, suffix: str) -> str | None:
        """Let the person edit a text; a cancel ends the editor and is raised again.

        Args:
            text: What stands in the file at first.
            suffix: End of the file's name, such as ``.md``.

        Returns:
            The new text, without the newline that editors put at the end of a file. ``None`` when
            nothing was changed, or when it failed, which was said.
        """
        command = editor_command(self._environment)
        if isinstance(command, str):
            self._out.say(command)
            return None
        with tempfile.TemporaryDirectory(prefix="caramelo-") as folder:
            path = Path(folder) / f"text{suffix}"
            try:
                await asyncio.to_thread(write_private, path, text)
                code = await self._run((*command, str(path)))
                edited = await asyncio.to_thread(read_back, path)
            except (OSError, UnicodeError) as error:
                self._out.say(one_line(f"The text could not be edited: {error}"))
                return None
        if code:
            self._out.say(f"The editor ended with {code}; nothing was taken over.")
            return None
        if not text.endswith("\n"):
            edited = edited.removesuffix("\n")
        return None if edited == text else edited

    async def _run(self, command: tuple[str, ...]) -> int:
        """Run a command on the terminal and return its exit code."""
        async with self._out.held():
            with self._lines.lent():
                self.is_lent = True
                try:
                    process = await asyncio.create_subprocess_exec(*command)
                    return await _ended(process)
                finally:
                    self.is_lent = False


async def _ended(process: asyncio.subprocess.Process) -> int:
    try:
        return await process.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        raise
