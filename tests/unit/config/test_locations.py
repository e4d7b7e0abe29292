"""The program's files lie where the contract says."""

from pathlib import Path

from caramelo_tui.config.locations import Locations


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
    assert found.themes == tmp_path / "c" / "caramelo" / "themes"


def test_relative_xdg_values_are_ignored() -> None:
    found = Locations.from_environment({"HOME": "/h", "XDG_CONFIG_HOME": "relative"})
    assert found.config == Path("/h/.config/caramelo")
    assert found.state == Path("/h/.local/state/caramelo")
