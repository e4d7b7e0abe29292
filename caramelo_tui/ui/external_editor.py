"""Have a text edited in the person's own editor.

Owns the loan of the terminal: the app rests, ``$VISUAL`` or ``$EDITOR`` has the screen and the
keys, and the text comes back. No shell is run; the file is private and gone afterwards. The agent
works on meanwhile: nothing of it is painted until the terminal is back. Proven by
tests/pilot/test_external_editor.py.
"""

import asyncio
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from textual.app import App, SuspendNotSupported

from caramelo_tui.agent.editor_command import editor_command, read_back, write_private
from caramelo_tui.domain.screen_text import visible

_GOTO_EDITORS = frozenset({"code", "codium", "code-insiders", "cursor", "windsurf"})
_COLON_EDITORS = _GOTO_EDITORS | {"hx", "helix", "zed", "subl"}
_PLUS_EDITORS = frozenset(
    {"vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe"}
)
"""How editors are told the line: ``FILE:LINE``, or ``+LINE FILE`` as POSIX vi has it."""


async def edit_in_editor(app: App[object] | App[None], text: str, *, suffix: str) -> str | None:
    """Let the person edit a text in their editor.

    A cancel ends the editor, gives the terminal back to the app and is raised again.

    Args:
        app: Rests meanwhile; says what went wrong.
        text: What stands in the file at first.
        suffix: End of the file's name, such as ``.md``; editors choose their colours by it.

    Returns:
        The new text, without the newline that editors put at the end of a file. ``None`` when
        nothing was changed, or when it failed, which was said.
    """
    command = editor_command(os.environ)
    if isinstance(command, str):
        _say(app, command)
        return None
    with tempfile.TemporaryDirectory(prefix="caramelo-") as folder:
        path = Path(folder) / f"text{suffix}"
        try:
            await asyncio.to_thread(write_private, path, text)
            problem = await _lend_terminal(app, (*command, str(path)))
            edited = await asyncio.to_thread(read_back, path)
        except (OSError, UnicodeError) as error:
            _say(app, f"The text could not be edited: {error}")
            return None
    if problem:
        _say(app, problem)
        return None
    if not text.endswith("\n"):
        edited = edited.removesuffix("\n")
    return None if edited == text else edited


async def open_in_editor(app: App[object] | App[None], path: Path, *, line: int = 1) -> None:
    """Let the person edit a file of theirs in their editor; what went wrong is said.

    Args:
        app: Rests meanwhile.
        path: Absolute path of the file.
        line: Line on which the editor is to begin, 1-based; taken by editors whose way of saying
            it is known.
    """
    command = editor_command(os.environ)
    if isinstance(command, str):
        _say(app, command)
        return
    problem = await _lend_terminal(app, (*command, *file_words(command[0], path, line)))
    if problem:
        _say(app, problem)


def file_words(editor: str, path: Path, line: int) -> tuple[str, ...]:
    """Return the arguments with which an editor opens a file at a line."""
    name = Path(editor).name
    if name in _COLON_EDITORS:
        start = ("--goto",) if name in _GOTO_EDITORS else ()
        return (*start, f"{path}:{line}")
    return (f"+{line}", str(path)) if name in _PLUS_EDITORS else (str(path),)


async def _lend_terminal(app: App[object] | App[None], command: Sequence[str]) -> str:
    """Run a command on the app's terminal; return what went wrong, empty for nothing.

    Raises:
        asyncio.CancelledError: When cancelled; the command is ended then.
    """
    problem = ""
    cancelled: asyncio.CancelledError | None = None
    try:
        with app.suspend():
            # Nothing may be raised through here: the app would not take the terminal back.
            try:
                problem = await _run(command)
            except OSError as error:
                problem = f"The editor {command[0]} could not be started: {error.strerror}."
            except asyncio.CancelledError as error:
                cancelled = error
    except SuspendNotSupported:
        return "This terminal cannot be lent to an editor."
    if cancelled is not None:
        raise cancelled
    return problem


async def _run(command: Sequence[str]) -> str:
    process = await asyncio.create_subprocess_exec(*command)
    try:
        code = await process.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        raise
    return f"The editor ended with {code}; nothing was taken over." if code else ""


def _say(app: App[object] | App[None], text: str) -> None:
    app.notify(visible(text, keeps_newlines=False), severity="warning", markup=False)
