"""What git pushes, throws away or lets run is noted, whatever stands around its verb."""

import pytest

from caramelo_tui.policy.git_commands import taken_apart
from caramelo_tui.policy.shell_words import Field
from tests.doubles.policy_calls import engine


def notes_of(command: str) -> set[str]:
    return {risk for part in engine().explain(command) for risk in part.risks}


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("git push", "pushes to a remote"),
        ("git -C x --no-pager push", "pushes to a remote"),
        ("git send-pack x", "pushes to a remote"),
        ("git lfs push x", "pushes to a remote"),
        ("git push --delete x", "overwrites a remote branch"),
        ("git push --force-with-lease", "overwrites a remote branch"),
        ("git PUSH", "pushes to a remote"),
        ("git reset --merge", "throws away local changes"),
        ("git checkout-index -fa", "throws away local changes"),
        ("git read-tree -u x", "throws away local changes"),
        ("git tag -f v1", "throws away local changes"),
        ("git checkout -B x", "throws away local changes"),
        ("git filter-repo --path x", "throws away local changes"),
        ("git rm -r x", "removes files recursively"),
        ("git difftool", "runs a program that is given to git"),
        ("git hook run x", "runs a program that is given to git"),
        ("git am x", "changes the files that a patch names"),
        ("git --config-env=a=b log", "sets a git option for this call, which may run a program"),
        ("git config --add a b", "changes git's settings, which may run a program later"),
        ("git config set a b", "changes git's settings, which may run a program later"),
        ("git submodule update", "talks to the network"),
    ],
)
def test_a_risk_of_git_is_noted(command: str, note: str) -> None:
    assert note in notes_of(command)


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m push",
        "git config get a.b",
        "git config list",
        "git config a.b",
        "git stash list",
        "git tag v1",
        "git branch --list",
        "git rm x",
        "git rebase main",
        "git bisect run",
        "git submodule foreach",
        "git worktree list",
    ],
)
def test_other_git_commands_have_no_such_note(command: str) -> None:
    told = notes_of(command) - {"runs a program that is given to git", "talks to the network"}

    assert told == set()


def test_the_verb_comes_after_the_options_of_git_itself() -> None:
    words = tuple(
        Field(text) for text in ["-C", "push", "--no-pager", "-c", "a=b", "Log", "-c", "x"]
    )

    git = taken_apart(words)

    assert git.verb == "log"
    assert [arg.text for arg in git.args] == ["-c", "x"]
    assert git.texts == {"-c", "x"}
    assert taken_apart(words[:2]).verb == ""


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("git bisect run rm -r x", "rm -r x"),
        ("git submodule foreach --recursive rm -r x", "rm -r x"),
        ("git submodule foreach 'rm -r x'", "rm -r x"),
        ("git rebase --exec 'rm -r x' main", "rm -r x"),
        ("git filter-branch --index-filter 'rm -r x' HEAD", "rm -r x"),
    ],
)
def test_what_git_is_given_to_run_is_a_part_of_its_own(command: str, part: str) -> None:
    assert part in [found.text for found in engine().explain(command)]
