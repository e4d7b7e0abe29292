"""Any bytes as a file of settings: taken, or refused with the place; a workspace's never loosens.

Of every document that can be read, each value has a line.
"""

import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from caramelo_tui.config.loader import (
    WORKSPACE_FILE,
    SettingsSources,
    WorkspaceSource,
    load_settings,
)
from caramelo_tui.config.toml_lines import TomlPath, lines_of
from caramelo_tui.domain.errors import ConfigError
from tests.property.test_workspace_settings import untouchable

SEEDS = (
    b'[policy]\nblocked_commands = ["a"]\nmax_diff_lines = 3\n',
    b'[provider]\nname = "openai"\nbase_url = "http://x.test"\nkey_env = "A"\n',
    b'approval.mode = "auto"\n[[roles]]\n[roles.coder]\nmodel = """\nx"""\n',
    b'[keys]\nquit = ["ctrl+q", "\\u0000"]\n[limits]\nturns = 1e400\n',
    b"a = [1, {b = '''\n''', c = [[]]}, 1979-05-27T07:32:00Z] # ]\n",
    b"\xef\xbb\xbf[x]\r\ny = 0x1F",
)


def fuzz_one(data: bytes) -> None:
    """Read the bytes as the user's file and as a workspace's.

    Raises:
        AssertionError: If anything but a refusal comes of it, or the workspace loosens.
    """
    _lines(data)
    with TemporaryDirectory() as name:
        folder = Path(name)
        file, root = folder / "config.toml", folder / "project"
        (root / WORKSPACE_FILE).parent.mkdir(parents=True)
        (root / WORKSPACE_FILE).write_bytes(data)
        sources = SettingsSources(
            user_file=file, is_file_required=False, environment={"HOME": "/nowhere"}, flags={}
        )
        alone = load_settings(sources).settings
        loaded = load_settings(sources, WorkspaceSource(root=root, is_trusted=True))
        assert untouchable(loaded.settings) == untouchable(alone)
        assert all(note.isprintable() for note in loaded.notes), loaded.notes
        file.write_bytes(data)
        try:
            load_settings(sources)
        except ConfigError as error:
            assert "config.toml" in str(error)  # noqa: PT017 - what is raised, if anything, is checked


def _lines(data: bytes) -> None:
    try:
        text = data.decode()
        document = tomllib.loads(text)
        lines = lines_of(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return
    assert set(_paths((), document)) <= set(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())


def _paths(start: TomlPath, value: object) -> list[TomlPath]:
    """Return where the values of tables stand; arrays of tables have no numbers there."""
    if not isinstance(value, dict):
        return []
    return [
        path
        for name, inner in value.items()
        for path in ((*start, name), *_paths((*start, name), inner))
    ]
