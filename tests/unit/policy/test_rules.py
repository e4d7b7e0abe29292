"""Protected paths are matched by parts, in any letter case and Unicode form."""

import unicodedata

import pytest

from caramelo_tui.policy.rules import PolicyRules, is_in_git_folder, matches
from tests.doubles.policy_calls import FILE, configured


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
        ("app/[id]/page.tsx", "app/[id]/**"),
        ("app/i/page.tsx", "app/[id]/**"),
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
    rules = PolicyRules(configured(protected=["secrets/**"]))

    secret, package = rules.protecting("secrets/a"), rules.protecting("web/package.json")
    assert secret is not None
    assert (secret.text, secret.origin) == ("secrets/**", f"{FILE}:1")
    assert package is not None
    assert (package.text, package.origin) == ("package.json", "built in")
    assert rules.protecting("src/a.py") is None


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "pyproject.toml",
        "AGENTS.md",
        ".caramelo/config.toml",
        ".caramelo/skills/x/skill.json",
        "skills/x/SKILL.md",
        "web/.idea/x",
        ".claude/settings.json",
        ".devcontainer/devcontainer.json",
    ],
)
def test_what_configures_tools_and_agents_is_protected_without_any_file(path: str) -> None:
    assert PolicyRules().protecting(path) is not None


def test_the_rule_is_named_with_who_says_that_it_denies() -> None:
    asking = PolicyRules(configured(protected=["a"]))
    denying = PolicyRules(configured(protected=["a"], denies=True))

    rule = asking.protecting("a")
    assert rule is not None
    assert asking.said_of(rule) == "protected path a"
    assert denying.said_of(rule) == (f"protected path a, protected_path_action = deny ({FILE}:9)")
