"""Which files outside the workspace decide what git and searches answer."""

import os
import subprocess
from pathlib import Path

import pytest

from caramelo_tui.workspace.git_surroundings import GitSurroundings
from caramelo_tui.workspace.outside_states import Unprovable


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = (tmp_path / "home").resolve()
    (folder / ".config/git").mkdir(parents=True)
    (folder / "ws/.git").mkdir(parents=True)
    return folder


def surroundings(home: Path, **environment: str) -> GitSurroundings:
    return GitSurroundings(root=home / "ws", environment={"HOME": str(home), **environment})


def found(home: Path, **environment: str) -> set[str]:
    return set(surroundings(home, **environment).configurations())


def test_the_usual_places_count_whether_they_exist_or_not(home: Path) -> None:
    settings = f"{home}/.config/git"
    assert found(home) == {
        f"{home}/.gitconfig",
        f"{settings}/config",
        f"{settings}/ignore",
        f"{settings}/attributes",
        "/etc/gitconfig",
        "/etc/gitattributes",
    }


def test_variables_name_further_places(home: Path) -> None:
    assert f"{home}/x/git/ignore" in found(home, XDG_CONFIG_HOME=f"{home}/x")
    assert f"{home}/mine" in found(home, GIT_CONFIG_GLOBAL=f"{home}/mine")
    files = surroundings(home, RIPGREP_CONFIG_PATH=f"{home}/rg").ignore_files()
    assert f"{home}/rg" in files
    assert "/etc/gitconfig" in GitSurroundings(root=home, environment={}).configurations()


def test_ignore_files_of_the_folders_above_count(home: Path) -> None:
    files = surroundings(home).ignore_files()
    assert f"{home}/.gitignore" in files
    assert "/.rgignore" in files
    assert f"{home}/ws/.gitignore" not in files


def test_files_that_a_setting_names_count(home: Path) -> None:
    (home / ".gitconfig").write_text(
        "# comment\n[core]\n\texcludesFile = ~/ignored ; why\n"
        '[Core] AttributesFile = "/srv/my attributes"\n'
        f"[diff]\norderFile={home}/order # why\n[mailmap]\nfile = ~/mailmap\n[core]\nexcludesfile\n"
        "[core]\nexcludesfile =\n"
    )
    named = {f"{home}/ignored", "/srv/my attributes", f"{home}/order", f"{home}/mailmap"}
    assert named <= found(home)


def test_included_files_are_followed_and_circles_end(home: Path) -> None:
    (home / ".gitconfig").write_text('[includeIf "gitdir:~/work/"]\n\tpath = work.inc\n')
    (home / "work.inc").write_text("[include]\npath = ~/.gitconfig\n[core]\nexcludesfile=~/w\n")
    assert {f"{home}/work.inc", f"{home}/w"} <= found(home)


def test_what_lies_in_the_workspace_is_watched_and_does_not_count(home: Path) -> None:
    (home / "ws/.git/config").write_text("[core]\nexcludesfile = tools/ignored\n")
    assert not [path for path in found(home) if path.startswith(f"{home}/ws")]
    (home / "elsewhere").mkdir()
    (home / "ws/tools").symlink_to(home / "elsewhere")
    assert f"{home}/ws/tools/ignored" in found(home)


@pytest.mark.parametrize(
    "text",
    [
        "[core]\nworktree = /srv\n",
        "[core]\nexcludesfile = ~other/x\n",
        "[include]\npath = %(prefix)/x\n",
        "[include]\npath = :(optional)x\n",
        "[core]\nexcludesfile = a\\\nb\n",
        '[core]\nexcludesfile = "a"b\n',
        "[core\nexcludesfile = a\n",
        "x" * 300_000,
    ],
)
def test_what_only_git_understands_is_not_guessed(home: Path, text: str) -> None:
    (home / ".gitconfig").write_text(text)
    with pytest.raises(Unprovable):
        found(home)


def test_too_long_a_chain_of_includes_is_not_followed(home: Path) -> None:
    (home / ".gitconfig").write_text("[include]\npath = c0\n")
    for number in range(60):
        (home / f"c{number}").write_text(f"[include]\npath = c{number + 1}\n")
    with pytest.raises(Unprovable):
        found(home)


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_CONFIG_COUNT", "GIT_INDEX_FILE"])
def test_a_variable_that_leads_git_elsewhere_ends_it(home: Path, name: str) -> None:
    with pytest.raises(Unprovable, match=name):
        found(home, **{name: "1"})


def test_git_itself_reads_no_other_configuration(home: Path) -> None:
    (home / ".gitconfig").write_text("\ufeff[include]\n\tpath = more # why\n")
    (home / "more").write_text("[user]\nname = x\n")
    (home / ".config/git/config").write_text("[user]\nemail = x\n")
    subprocess.run(["git", "init", "-q", str(home / "ws")], check=True, capture_output=True)
    listed = subprocess.run(
        ["git", "config", "--list", "--show-origin", "-z"],
        cwd=home / "ws",
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        capture_output=True,
        check=True,
    )
    origins = {
        part.removeprefix("file:")
        for part in listed.stdout.decode().split("\0")
        if part.startswith("file:/")
    }
    assert {f"{home}/more", f"{home}/.gitconfig"} <= origins
    assert origins <= found(home)
