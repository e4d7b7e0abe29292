"""Protected paths are matched by parts, in any letter case and Unicode form."""

import unicodedata

import pytest

from caramelo_tui.policy.rules import PolicyRules, is_in_git_folder, matches


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        (".env", ".env*"),
        (".ENV.local", ".env*"),
        ("a/b/.env", ".env*"),
        (".env.d/x", ".env*"),
        (".github/workflows/x.yml", ".github/**"),
        (".GitHub", ".github/**"),
        ("a/.vscode/tasks.json", "**/.vscode/**"),
        (".vscode/tasks.json", "**/.vscode/**"),
        ("secrets/a/b", "secrets/**"),
        ("a/b/c.pem", "**/*.pem"),
        ("c.pem", "**/*.pem"),
        ("a/b", "a/b"),
        ("a/b/c", "a/b"),
        ("a/x/y/b", "a/**/b"),
        ("a/b", "a/**/b"),
        ("./a//b", "a/b"),
        (unicodedata.normalize("NFD", "caf\u00e9/x"), "caf\u00e9/**"),
        (".e\u200bnv", ".env*"),
    ],
)
def test_a_protected_path_is_met(path: str, pattern: str) -> None:
    assert matches(path, pattern)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("env", ".env*"),
        ("a/.github/x", ".github/**"),
        ("a/bc", "a/b"),
        ("b/a/b", "a/b"),
        ("a", "a/b"),
        ("x.pem.txt", "*.pem"),
        ("", "a/b"),
    ],
)
def test_other_paths_are_free(path: str, pattern: str) -> None:
    assert not matches(path, pattern)


@pytest.mark.parametrize(
    "path",
    [
        ".git",
        ".git/config",
        ".GIT/hooks/x",
        "sub/.git/config",
        ".gi\u200dt/x",
        ".git./x",
        ".git /x",
        "git~1/config",
        "GIT~1/config",
        ".git::$INDEX_ALLOCATION/config",
        ".git\\hooks\\x",
    ],
)
def test_gits_folder_is_known_however_it_is_spelled(path: str) -> None:
    assert is_in_git_folder(path)


@pytest.mark.parametrize("path", [".gitignore", "git/config", ".github/x", "a.git/x"])
def test_what_only_resembles_it_is_free(path: str) -> None:
    assert not is_in_git_folder(path)


def test_users_patterns_add_to_the_defaults() -> None:
    rules = PolicyRules(protected_paths=("secrets/**",))

    assert rules.protecting("secrets/a") == "secrets/**"
    assert rules.protecting("web/package.json") == "package.json"
    assert rules.protecting("src/a.py") is None
    for path in (".env", "pyproject.toml", "AGENTS.md", ".caramelo/config.toml", ".idea/x"):
        assert PolicyRules().protecting(path) is not None
