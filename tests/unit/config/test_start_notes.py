"""What was decided for the user is said at the start."""

from dataclasses import replace
from pathlib import Path

from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName
from caramelo_tui.config.start_notes import StartSituation, start_notes

PLAIN = Connection(provider=ProviderName.OPENAI, key="k", base_url=None)


def situation(root: Path) -> StartSituation:
    return StartSituation(
        root=root,
        connection=PLAIN,
        is_trusted=True,
        trust_file=Path("/home/ada/.config/caramelo/trust.json"),
        can_be_trusted=True,
    )


def test_nothing_is_said_where_nothing_was_decided(tmp_path: Path) -> None:
    assert start_notes(situation(tmp_path)) == ()


def test_a_restricted_folder_is_named_so_once(tmp_path: Path) -> None:
    (note,) = start_notes(replace(situation(tmp_path), is_trusted=False))
    assert "not trusted: working restricted" in note
    # How to think better of it.
    assert "--trust trusts it for one start" in note
    assert "/home/ada/.config/caramelo/trust.json" in note


def test_the_home_folder_is_warned_of(tmp_path: Path) -> None:
    home = replace(situation(tmp_path), is_trusted=False, can_be_trusted=False)
    (note,) = start_notes(home)
    assert "home folder" in note
    assert "working restricted" in note


def test_the_choice_among_several_keys_is_said(tmp_path: Path) -> None:
    chosen = replace(PLAIN, note="using anthropic")
    assert start_notes(replace(situation(tmp_path), connection=chosen)) == ("using anthropic",)


def test_the_script_on_a_folder_of_the_users_is_warned_of(tmp_path: Path) -> None:
    demo = replace(situation(tmp_path), connection=replace(PLAIN, provider=ProviderName.DEMO))
    (note,) = start_notes(demo)
    assert "`caramelo demo` opens the sample" in note
    assert start_notes(replace(demo, is_sample=True)) == ()


def test_a_part_of_a_repository_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "part").mkdir()
    assert start_notes(situation(tmp_path)) == ()
    (note,) = start_notes(situation(tmp_path / "part"))
    assert f"inside the repository {tmp_path}" in note
