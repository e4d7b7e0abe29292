"""The page about the configuration says what the program does."""

import re
from pathlib import Path

import pytest

from caramelo_tui.config.keys import KEYS, Key
from caramelo_tui.config.loader import (
    WORKSPACE_FILE,
    SettingsSources,
    WorkspaceSource,
    load_settings,
)
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.tightening import (
    Tighten,
    add,
    lower,
    stricter_action,
    stricter_mode,
)
from caramelo_tui.domain.profiles import CARAMELO, CORE

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
WORKSPACE_EXAMPLE = EXAMPLES[-1]
NOTHING = "\N{EN DASH}"
WORDS_FOR: dict[Tighten | None, str] = {
    add: "adds",
    lower: "lowers",
    stricter_mode: "stricter",
    stricter_action: "`deny`",
    None: NOTHING,
}


def rows() -> dict[str, list[str]]:
    """Return the cells of the table of keys by the first cell."""
    table = PAGE.partition("| Key | Default |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]
    return {row[0]: row[1:] for row in cells}


def code(text: str | None) -> str:
    return f"`{text}`" if text else NOTHING


def default_words(key: Key) -> str:
    words: list[str] = []
    for profile in (CARAMELO, CORE):
        value = key.default_in(profile)
        words.append(key.when_unset if value in {None, ()} else f"`{key.show(value)}`")
    in_caramelo, in_core = words
    return in_caramelo if in_caramelo == in_core else f"{in_caramelo}; `core`: {in_core}"


def test_the_table_has_every_key_and_no_other() -> None:
    named = [code(".".join(key.path).replace("*", "NAME")) for key in KEYS]
    assert list(rows()) == named


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_a_row_says_default_variable_flag_and_who_may_set_it(key: Key) -> None:
    default, allowed, variable, flag, workspace = rows()[
        code(".".join(key.path).replace("*", "NAME"))
    ]
    assert default == default_words(key)
    assert allowed
    assert (variable, flag) == (code(key.variable), code(key.flag))
    assert workspace == WORDS_FOR[key.tighten]


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_can_be_loaded(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    loaded = load_settings(
        SettingsSources(user_file=file, is_file_required=True, environment={}, flags={})
    )
    assert loaded.settings != Settings()


def test_the_workspaces_example_is_taken_whole(tmp_path: Path) -> None:
    (tmp_path / ".caramelo").mkdir()
    (tmp_path / WORKSPACE_FILE).write_text(WORKSPACE_EXAMPLE, encoding="utf-8")
    loaded = load_settings(
        SettingsSources(
            user_file=tmp_path / "none", is_file_required=False, environment={}, flags={}
        ),
        WorkspaceSource(root=tmp_path, is_trusted=True),
    )
    assert loaded.notes == ()
    assert len(loaded.provenance) == 5
