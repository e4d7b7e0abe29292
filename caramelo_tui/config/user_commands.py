"""Load the user's own commands.

Owns where they lie and how their Markdown files are read: a head with a description is optional,
the rest is the prompt. Every file is opened through a sandbox, regular files only. Runs nothing.
Proven by tests/unit/config/test_user_commands.py.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.tools.skills.front_matter import (
    FENCE,
    MarkdownParts,
    head_text,
    split_front_matter,
)
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.path_failures import MissingPath
from caramelo_tui.workspace.sandbox import Sandbox

WORKSPACE_FOLDER = ".caramelo/commands"
"""Commands of a workspace, from its root."""
MOST_COMMANDS = 200
"""Files of one folder that are read."""
LARGEST_FILE_BYTES = 64 * 1024
"""Bytes of one command; it is a prompt that somebody wrote."""
_ENDING = ".md"
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedCommands:
    """What was found."""

    commands: tuple[UserCommand, ...]
    """By name; each name once."""
    problems: tuple[str, ...]
    """What is not used, and why; a sentence each, safe for the screen."""


def load_user_commands(own: Path, workspace: Path | None) -> LoadedCommands:
    """Read all commands. Blocks on the disk.

    Args:
        own: The user's folder of commands; may be missing.
        workspace: Root of a workspace that is trusted; ``None`` leaves its commands unread.
    """
    commands: dict[str, UserCommand] = {}
    problems: list[str] = []
    for found in _all(own, workspace):
        if isinstance(found, str):
            problems.append(visible(found, keeps_newlines=False))
        elif found.name in commands:
            name = f"{WORKSPACE_FOLDER}/{found.name}{_ENDING}"
            problems.append(f"The command {name} is not used: you have one of that name.")
        else:
            commands[found.name] = found
    ordered = tuple(commands[name] for name in sorted(commands))
    return LoadedCommands(commands=ordered, problems=tuple(problems))


def _all(own: Path, workspace: Path | None) -> Iterator[UserCommand | str]:
    """Yield the user's commands, then the workspace's, each by name; problems among them."""
    try:
        yield from _in_folder(FileStore(Sandbox(own)), ".", str(own), CommandOrigin.USER)
    except FileNotFoundError:
        # Nobody has to have commands.
        pass
    except (OSError, RuntimeError) as error:
        yield f"The folder of commands {own} is not used: {error}."
    if workspace is not None:
        files = FileStore(Sandbox(workspace))
        yield from _in_folder(files, WORKSPACE_FOLDER, WORKSPACE_FOLDER, CommandOrigin.WORKSPACE)


def _in_folder(
    files: FileStore, inside: str, shown: str, origin: CommandOrigin
) -> Iterator[UserCommand | str]:
    try:
        folder = files.sandbox.resolve(inside)
        entries = () if folder.relative != inside else files.list_folder(folder)
    except MissingPath:
        return
    except ToolFailure as failure:
        yield f"The folder of commands {shown} is not used: {failure}"
        return
    named = sorted((e for e in entries if _is_command(e)), key=lambda e: e.name)
    for entry in named[:MOST_COMMANDS]:
        path = entry.name if inside == "." else f"{inside}/{entry.name}"
        try:
            yield _command(files, path, entry, origin)
        except (ToolFailure, ValueError) as problem:
            yield f"The command {shown}/{entry.name} is not used: {problem}."
    if len(named) > MOST_COMMANDS:
        yield f"Only the first {MOST_COMMANDS} of {len(named)} commands in {shown} are used."


def _is_command(entry: FolderEntry) -> bool:
    return entry.name.endswith(_ENDING) and not entry.name.startswith(".")


def _command(files: FileStore, path: str, entry: FolderEntry, origin: CommandOrigin) -> UserCommand:
    """Read one command.

    Raises:
        ToolFailure: If the file cannot be read.
        ValueError: If it is no command.
    """
    name = entry.name.removesuffix(_ENDING)
    if not _NAME.fullmatch(name):
        msg = "its name is not lower-case letters, digits and hyphens"
        raise ValueError(msg)
    if entry.kind is not FileKind.FILE:
        raise ValueError("it is no regular file")
    data = files.read_bytes(files.sandbox.resolve(path), limit_bytes=LARGEST_FILE_BYTES + 1).data
    if len(data) > LARGEST_FILE_BYTES:
        msg = f"it has more than {LARGEST_FILE_BYTES // 1024} KB"
        raise ValueError(msg)
    parts = _parts(data.decode("utf-8-sig"))
    text = parts.body.strip()
    if not text:
        raise ValueError("it has no text")
    description = head_text(parts.head["description"]) if "description" in parts.head else ""
    first_line = text.partition("\n")[0]
    return UserCommand(name=name, description=description or first_line, text=text, origin=origin)


def _parts(text: str) -> MarkdownParts:
    """Return head and body; a text without a head is all body.

    Raises:
        ValueError: If there is a head that cannot be read.
    """
    if text.partition("\n")[0].rstrip() != FENCE:
        return MarkdownParts(head={}, body=text)
    return split_front_matter(text)
