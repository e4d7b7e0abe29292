"""Read a TOML file into values that know where they stand.

Owns the way from bytes to rows: a path of names, the raw value, file and line. It knows no key.
A file of the user's is opened as it is; one of a workspace only through the sandbox, and never
more of it than a configuration can need. Proven by tests/unit/config/test_toml_file.py.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from caramelo_tui.domain.errors import ConfigError, ToolFailure
from caramelo_tui.domain.screen_text import visible

if TYPE_CHECKING:
    from caramelo_tui.config.toml_lines import TomlPath

MAX_WORKSPACE_BYTES = 256 * 1024
"""Largest configuration that is read from a workspace."""
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST_NAME = 60
"""Characters of one name in a message."""
_LONG_KEY = re.compile(
    r"""(?:(?:(?<![A-Za-z0-9_-])[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}"""
)
"""A key of more names than any has. ``tomllib`` takes the square of their number in time and
memory: minutes for a file of the size that is read."""
_SYNTAX_LINE = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileValue:
    """One value of a file, or a table without any."""

    path: tuple[str, ...]
    """Names from the outermost table inwards."""
    value: object
    """As ``tomllib`` gives it; an empty mapping for an empty table."""
    file: str
    """The file, as it is shown to the user."""
    line: int
    """Where the key stands, from 1."""
    element_lines: tuple[int, ...] = ()
    """Where each element stands, when the value is a list."""

    @property
    def name(self) -> str:
        """The dotted key, safe for the screen."""
        return dotted(self.path)

    @property
    def origin(self) -> str:
        """File and line of the key."""
        return f"{self.file}:{self.line}"

    def element_origin(self, index: int) -> str:
        """Return file and line of one element, from 0."""
        return f"{self.file}:{self.element_lines[index]}"


def dotted(path: tuple[str, ...]) -> str:
    """Return names as a dotted key of TOML; long names are cut, hidden characters visible."""
    return ".".join(_shown_name(name) for name in path)


def read_user_file(path: Path, *, shown: str, is_required: bool) -> tuple[FileValue, ...]:
    """Return the values of a file of the user's; none when it does not exist.

    Raises:
        ConfigError: If it cannot be read, is no TOML, or is required and missing.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        if is_required:
            raise ConfigError(shown, "", "does not exist") from error
        return ()
    except OSError as error:
        raise ConfigError(shown, "", f"cannot be read ({error.strerror})") from error
    return values_of(data, shown=shown)


def read_workspace_file(root: Path, name: str) -> tuple[FileValue, ...] | None:
    """Return the values of a file of a trusted workspace; ``None`` when it does not exist.

    Args:
        root: The workspace.
        name: Path of the file, relative to ``root``.

    Raises:
        ConfigError: If it leads out of the workspace, is no regular file, is too large, or is
            no TOML.
    """
    # Called once a workspace is trusted, which is after the first paint.
    from caramelo_tui.workspace.path_failures import MissingPath  # noqa: PLC0415 - see above
    from caramelo_tui.workspace.sandbox import Sandbox  # noqa: PLC0415 - see above

    try:
        sandbox = Sandbox(root)
        with os.fdopen(sandbox.open_regular(sandbox.resolve(name)), "rb") as file:
            data = file.read(MAX_WORKSPACE_BYTES + 1)
    except MissingPath:
        return None
    except (ToolFailure, OSError) as error:
        raise ConfigError(name, "", f"cannot be read ({error})") from error
    if len(data) > MAX_WORKSPACE_BYTES:
        raise ConfigError(name, "", f"is larger than {MAX_WORKSPACE_BYTES // 1024} KB")
    return values_of(data, shown=name)


def values_of(data: bytes, *, shown: str) -> tuple[FileValue, ...]:
    """Return the values of a TOML document, in its order.

    Raises:
        ConfigError: If it is no TOML; the source names the line where one is known.
    """
    # Whoever has no file starts without the parser.
    import tomllib  # noqa: PLC0415 - see above

    from caramelo_tui.config.toml_lines import lines_of  # noqa: PLC0415 - see above

    try:
        text = data.decode("utf-8-sig")
        _refuse_long_keys(text)
        leaves = tuple(_leaves(tomllib.loads(text)))
        lines = lines_of(text)
    except RecursionError as error:
        raise ConfigError(shown, "", "is nested too deep") from error
    # A plain ValueError is raised for a number of thousands of digits.
    except ValueError as error:
        line = _line_of_problem(error, data)
        source = f"{shown}:{line}" if line else shown
        problem = visible(str(error), keeps_newlines=False)
        raise ConfigError(source, "", f"is not valid TOML: {problem}") from error
    return tuple(
        FileValue(
            path=path,
            value=value,
            file=shown,
            line=lines[path],
            element_lines=_element_lines(path, value, lines),
        )
        for path, value in leaves
    )


def _refuse_long_keys(text: str) -> None:
    """Refuse what ``tomllib`` would read for minutes.

    Raises:
        RecursionError: If a key has more names than tables can be nested in earnest.
    """
    if _LONG_KEY.search(text):
        raise RecursionError


def _line_of_problem(error: ValueError, data: bytes) -> int | None:
    if isinstance(error, UnicodeDecodeError):
        return data.count(b"\n", 0, error.start) + 1
    named = _SYNTAX_LINE.search(str(error))
    if named:
        return int(named[1])
    is_at_end = str(error).endswith("(at end of document)")
    return data.rstrip().count(b"\n") + 1 if is_at_end else None


def _element_lines(
    path: tuple[str, ...], value: object, lines: "Mapping[TomlPath, int]"
) -> tuple[int, ...]:
    if not isinstance(value, list):
        return ()
    count = len(cast("list[object]", value))
    # The elements of an array of tables are not told apart.
    return tuple(lines.get((*path, index), lines[path]) for index in range(count))


def _leaves(
    table: Mapping[str, object], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    for name, value in table.items():
        path = (*above, name)
        if isinstance(value, dict) and value:
            yield from _leaves(cast("dict[str, object]", value), path)
        else:
            yield path, value


def _shown_name(name: str) -> str:
    short = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    if _BARE_KEY.fullmatch(name):
        return short
    return json.dumps(visible(short, keeps_newlines=False), ensure_ascii=False)
