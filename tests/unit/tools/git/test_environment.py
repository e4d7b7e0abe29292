"""git and gh see what they need and nothing that leads them elsewhere."""

import os
from pathlib import Path

import pytest

from caramelo_tui.tools.git.environment import GitEnvironment, Reach, setting_arguments

USER = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/ada",
    "LANG": "de_DE.UTF-8",
    "LC_ALL": "fr_FR.UTF-8",
    "LANGUAGE": "fr",
    "SSH_AUTH_SOCK": "/run/agent",
    "GPG_TTY": "/dev/pts/1",
    "SSH_ASKPASS": "/usr/bin/ask",
    "GIT_DIR": "/elsewhere/.git",
    "GIT_EXTERNAL_DIFF": "evil",
    "GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='evil'",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_SSH_COMMAND": "ssh -4",
    "GH_TOKEN": "a",
    "GITHUB_TOKEN": "b",
    "GH_HOST": "code.test",
    "GH_REPO": "x/y",
    "MY_KEY": "k",
    "SECRET_NAMED_BY_A_PROVIDER": "p",
    "ALLOWED_TOKEN": "ok",
}


def variables(reach: Reach, root: Path = Path("/ws"), *, is_trusted: bool = True) -> dict[str, str]:
    environment = GitEnvironment(
        USER,
        root=root,
        is_trusted=is_trusted,
        provider_names=["SECRET_NAMED_BY_A_PROVIDER"],
        env_allow=["ALLOWED_TOKEN"],
    )
    return environment.for_child(reach).variables()


@pytest.mark.parametrize("reach", Reach)
def test_nothing_asks_pages_or_leads_elsewhere(reach: Reach) -> None:
    seen = variables(reach)

    assert seen["GIT_TERMINAL_PROMPT"] == "0"
    assert seen["GIT_ASKPASS"] == ""
    assert seen["SSH_ASKPASS_REQUIRE"] == "never"
    assert seen["GCM_INTERACTIVE"] == "never"
    assert seen["GIT_EDITOR"] == seen["GIT_SEQUENCE_EDITOR"] == "false"
    assert seen["GIT_PAGER"] == seen["PAGER"] == "cat"
    gone = {"GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS", "GH_REPO", "GPG_TTY"}
    assert not gone & set(seen)
    assert not {"SSH_ASKPASS", "LANGUAGE", "MY_KEY", "SECRET_NAMED_BY_A_PROVIDER"} & set(seen)


@pytest.mark.parametrize("reach", Reach)
def test_what_the_user_chose_stays(reach: Reach) -> None:
    seen = variables(reach)

    assert seen["HOME"] == "/home/ada"
    assert seen["SSH_AUTH_SOCK"] == "/run/agent"
    assert seen["GIT_AUTHOR_NAME"] == "Ada"
    assert seen["GIT_SSH_COMMAND"] == "ssh -4"
    assert seen["GH_HOST"] == "code.test"
    assert seen["ALLOWED_TOKEN"] == "ok"


def test_a_read_speaks_to_nobody_takes_no_lock_and_gets_no_token() -> None:
    seen = variables(Reach.READ)

    assert seen["GIT_ALLOW_PROTOCOL"] == ""
    assert seen["GIT_NO_LAZY_FETCH"] == "1"
    assert seen["GIT_OPTIONAL_LOCKS"] == "0"
    assert seen["LC_ALL"] == "C"
    assert not {"GH_TOKEN", "GITHUB_TOKEN"} & set(seen)


def test_writes_get_the_tokens_and_keep_their_hooks_characters() -> None:
    seen = variables(Reach.LOCAL)

    assert (seen["GH_TOKEN"], seen["GITHUB_TOKEN"]) == ("a", "b")
    assert seen["LC_CTYPE"] == "fr_FR.UTF-8"
    assert seen["LC_MESSAGES"] == "C"
    assert not {"LC_ALL", "GIT_LITERAL_PATHSPECS", "GIT_ALLOW_PROTOCOL"} & set(seen)


def test_only_three_protocols_reach_a_remote() -> None:
    assert variables(Reach.REMOTE)["GIT_ALLOW_PROTOCOL"] == "https:ssh:file"


def test_a_program_is_looked_for_outside_the_workspace_only(tmp_path: Path) -> None:
    root, tools = tmp_path / "ws", tmp_path / "tools"
    for folder in (root / "bin", tools, tmp_path / "broken"):
        folder.mkdir(parents=True)
    for file in (root / "git", root / "bin" / "git", tools / "git"):
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    (tmp_path / "broken" / "git").write_text("not to be run")
    (tmp_path / "link").symlink_to(root)
    path = ["", ".", "bin", root, root / "bin", tmp_path / "link", tmp_path / "broken", tools]
    environment = GitEnvironment(
        {"PATH": os.pathsep.join(map(str, path))}, root=root, is_trusted=True
    )

    assert environment.program("git") == str(tools / "git")
    assert environment.program("gh") is None


@pytest.mark.parametrize("is_trusted", [True, False])
def test_gits_own_helpers_are_found_in_the_workspace_only_when_trusted(
    tmp_path: Path, *, is_trusted: bool
) -> None:
    user = {"PATH": f"bin:/usr/bin:{tmp_path}/bin"}
    environment = GitEnvironment(user, root=tmp_path, is_trusted=is_trusted)

    path = environment.for_child(Reach.LOCAL).variables()["PATH"]

    assert path == (f"/usr/bin:{tmp_path}/bin" if is_trusted else "/usr/bin")


def test_settings_become_single_arguments() -> None:
    assert setting_arguments(["a.b=c d", "e="]) == ["-c", "a.b=c d", "-c", "e="]
