"""Trust is asked once per real folder and kept with the user's settings."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from caramelo_tui.config.trust import TrustStore
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.trust import TrustChoice


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(tmp_path / "settings" / "trust.json", home=tmp_path / "home")


def test_nothing_is_trusted_before_the_question(store: TrustStore, tmp_path: Path) -> None:
    assert store.answer_for(tmp_path) is None
    assert not store.is_trusted(tmp_path)


def test_an_answer_is_remembered_by_the_real_folder(store: TrustStore, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    link = tmp_path / "link"
    link.symlink_to(project)
    store.remember(link, TrustChoice.TRUST)
    assert store.is_trusted(project)
    assert store.is_trusted(link)


def test_a_folder_inside_a_trusted_one_is_trusted(store: TrustStore, tmp_path: Path) -> None:
    store.remember(tmp_path / "project", TrustChoice.TRUST)
    assert store.is_trusted(tmp_path / "project" / "deep" / "er")
    assert not store.is_trusted(tmp_path / "project-copy")


def test_restricted_is_remembered_and_trusts_nothing(store: TrustStore, tmp_path: Path) -> None:
    store.remember(tmp_path / "project", TrustChoice.RESTRICTED)
    assert store.answer_for(tmp_path / "project") is TrustChoice.RESTRICTED
    assert not store.is_trusted(tmp_path / "project")
    assert store.answer_for(tmp_path / "project" / "sub") is None


def test_home_and_the_file_system_root_are_never_trusted(store: TrustStore, tmp_path: Path) -> None:
    for folder in [tmp_path / "home", Path("/")]:
        assert not store.can_be_trusted(folder)
        assert not store.is_trusted(folder)
        with pytest.raises(ConfigError, match="cannot be trusted"):
            store.remember(folder, TrustChoice.TRUST)


def test_the_flag_trusts_for_a_start_and_stores_nothing(store: TrustStore, tmp_path: Path) -> None:
    project = tmp_path / "project"
    assert store.is_trusted_at_start(project, by_flag=True)
    assert not store.is_trusted_at_start(project, by_flag=False)
    assert not (tmp_path / "settings").exists()
    store.remember(project, TrustChoice.TRUST)
    assert store.is_trusted_at_start(project, by_flag=False)


def test_the_flag_cannot_trust_what_nobody_can(store: TrustStore, tmp_path: Path) -> None:
    for folder in [tmp_path / "home", Path("/")]:
        assert not store.is_trusted_at_start(folder, by_flag=True)


def test_a_folder_that_holds_the_home_folder_is_not_trusted_either(tmp_path: Path) -> None:
    store = TrustStore(tmp_path / "settings" / "trust.json", home=tmp_path / "users" / "me")
    assert not store.can_be_trusted(tmp_path / "users")
    with pytest.raises(ConfigError, match="cannot be trusted"):
        store.remember(tmp_path / "users", TrustChoice.TRUST)
    assert store.can_be_trusted(tmp_path / "users" / "me" / "project")


def test_a_file_edited_by_hand_cannot_trust_what_nobody_can(
    store: TrustStore, tmp_path: Path
) -> None:
    file = tmp_path / "settings" / "trust.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"folders": {"/": "trust", str(tmp_path / "home"): "trust"}}))
    assert not store.is_trusted(tmp_path / "project")
    assert not store.is_trusted(tmp_path / "home" / "project")


def test_a_copy_of_a_trusted_folder_is_asked_about(store: TrustStore, tmp_path: Path) -> None:
    (tmp_path / "project" / ".caramelo").mkdir(parents=True)
    store.remember(tmp_path / "project", TrustChoice.TRUST)
    shutil.copytree(tmp_path / "project", tmp_path / "copy")
    assert store.answer_for(tmp_path / "copy") is None
    assert not store.is_trusted(tmp_path / "copy")


def test_an_answer_for_the_folder_itself_wins_over_one_above(
    store: TrustStore, tmp_path: Path
) -> None:
    store.remember(tmp_path / "all" / "foreign", TrustChoice.RESTRICTED)
    store.remember(tmp_path / "all", TrustChoice.TRUST)
    assert store.answer_for(tmp_path / "all" / "foreign") is TrustChoice.RESTRICTED
    assert not store.is_trusted(tmp_path / "all" / "foreign")
    assert not store.is_trusted(tmp_path / "all" / "foreign" / "part")
    assert store.is_trusted(tmp_path / "all" / "own")


def test_nothing_in_a_folder_can_mark_it_trusted(store: TrustStore, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".caramelo").mkdir(parents=True)
    text = json.dumps({"folders": {str(project): "trust"}})
    (project / "trust.json").write_text(text)
    (project / ".caramelo" / "trust.json").write_text(text)
    assert not store.is_trusted(project)


def test_the_file_is_private_whatever_the_umask(store: TrustStore, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store.remember(tmp_path / "project", TrustChoice.TRUST)
    finally:
        os.umask(old)
    file = tmp_path / "settings" / "trust.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [entry.name for entry in file.parent.iterdir()] == ["trust.json"]


@pytest.mark.parametrize("text", ["{", "[]", '{"folders": 3}', "[" * 100_000], ids=range(4))
def test_a_broken_file_is_an_error_and_trusts_nothing(
    store: TrustStore, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "settings" / "trust.json"
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"trust\.json"):
        store.is_trusted(tmp_path / "project")


def test_unknown_answers_in_the_file_count_as_not_asked(store: TrustStore, tmp_path: Path) -> None:
    file = tmp_path / "settings" / "trust.json"
    file.parent.mkdir()
    file.write_text(f'{{"folders": {{"{tmp_path}": "yes", "/x": 3}}}}')
    assert store.answer_for(tmp_path) is None


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("a file, not a folder")
    store = TrustStore(tmp_path / "settings" / "trust.json", home=tmp_path / "home")
    with pytest.raises(ConfigError, match="cannot be"):
        store.remember(tmp_path, TrustChoice.TRUST)


def test_an_answer_that_cannot_be_kept_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "settings").symlink_to("gone")
    store = TrustStore(tmp_path / "settings" / "trust.json", home=tmp_path / "home")
    with pytest.raises(ConfigError, match="cannot be written"):
        store.remember(tmp_path / "project", TrustChoice.TRUST)
