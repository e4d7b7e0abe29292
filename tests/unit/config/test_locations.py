"""The program's files lie where the contract says."""

from pathlib import Path

import pytest

from caramelo_tui.config.locations import Locations, home_folder, home_or_root
from caramelo_tui.domain.errors import ConfigError


def test_one_variable_moves_everything(tmp_path: Path) -> None:
    found = Locations.from_environment({"CARAMELO_HOME": str(tmp_path), "HOME": "/nowhere"})
    assert found.config_file == tmp_path / "config.toml"
    assert found.sessions == tmp_path / "sessions"
    assert found.trust_file == tmp_path / "trust.json"


def test_xdg_folders_are_used(tmp_path: Path) -> None:
    found = Locations.from_environment(
        {"HOME": "/h", "XDG_CONFIG_HOME": f"{tmp_path}/c", "XDG_STATE_HOME": f"{tmp_path}/s"}
    )
    assert found.config == tmp_path / "c" / "caramelo"
    assert found.checkpoints == tmp_path / "s" / "caramelo" / "checkpoints"
    assert found.logs == tmp_path / "s" / "caramelo" / "logs"
    assert found.history == tmp_path / "s" / "caramelo" / "history"
    assert found.layouts == tmp_path / "s" / "caramelo" / "layouts"
    assert found.themes == tmp_path / "c" / "caramelo" / "themes"
    assert found.keys_file == tmp_path / "c" / "caramelo" / "keys.toml"


def test_relative_xdg_values_are_ignored() -> None:
    found = Locations.from_environment({"HOME": "/h", "XDG_CONFIG_HOME": "relative"})
    assert found.config == Path("/h/.config/caramelo")
    assert found.state == Path("/h/.local/state/caramelo")


def test_a_home_in_the_current_folder_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = Locations.from_environment({"CARAMELO_HOME": "here"})
    assert found.state == tmp_path / "here"
    assert home_folder({"HOME": "h"}) == tmp_path / "h"


def test_an_unknown_users_home_is_an_error_that_names_the_variable() -> None:
    with pytest.raises(ConfigError, match="CARAMELO_HOME"):
        Locations.from_environment({"CARAMELO_HOME": "~nobody-of-this-name/x"})


def test_without_any_home_the_user_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", fail)
    with pytest.raises(ConfigError, match="set HOME or CARAMELO_HOME"):
        Locations.from_environment({})
    assert home_or_root({}) == Path("/")
    assert Locations.from_environment({"CARAMELO_HOME": "/c"}).config == Path("/c")
