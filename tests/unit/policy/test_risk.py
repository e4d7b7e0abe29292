"""What a person should know is noted in plain words."""

from pathlib import Path

import pytest

from caramelo_tui.policy.engine import PolicyEngine
from tests.doubles.policy_calls import HOME, decide, engine


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("rm -r old/", "removes files recursively"),
        ("env A=1 rm -rf build", "removes files recursively"),
        ("rsync -a --delete a b", "removes files that the source lacks"),
        ("cp a ../../x", "writes outside the workspace: /home/u/x"),
        ("rm ~/x", "writes outside the workspace: /home/u/x"),
        ("cp a $X", "writes to …, in a place that only the shell knows"),
        ("cd $X; tee a", "writes to a, in a place that only the shell knows"),
        ("echo a > src/b", "writes its output to src/b"),
        ("a > $X$Y", "writes its output to ……"),
        ("x='a b'; c > $x", "writes its output where only the shell knows"),
        ("tee .env", "writes to the protected path .env (.env*)"),
        ("sed -i s/a/b/ package.json", "writes to the protected path package.json (package.json)"),
        ("echo x > .git/config", "writes into git's own folder: .git/config"),
        ("echo a >/dev/tcp/h/80", "talks to the network"),
        ("curl x", "talks to the network"),
        ("git fetch", "talks to the network"),
        ("npm i lodash", "installs packages"),
        ("npm --prefix web install", "installs packages"),
        ("yarn", "installs packages"),
        ("pip3 install x", "installs packages"),
        ("python3 -m pip install x", "installs packages"),
        ("uv pip install x", "installs packages"),
        ("uv add x", "installs packages"),
        ("cargo install x", "installs packages"),
        ("pacman -S x", "installs packages"),
        ("git push origin main", "pushes to a remote"),
        ("git push -f", "overwrites a remote branch"),
        ("git push origin +main", "overwrites a remote branch"),
        ("git reset --hard", "throws away local changes"),
        ("git clean -fdx", "throws away local changes"),
        ("git checkout -- .", "throws away local changes"),
        ("git restore a", "throws away local changes"),
        ("git branch -D a", "throws away local changes"),
        ("git stash drop", "throws away local changes"),
        ("git -c a=b log", "sets a git option for this call, which may run a program"),
        ("sudo id", "runs with another user's rights"),
        ("python3 -c 'x'", "runs program text given inline"),
        ("perl -e1", "runs program text given inline"),
        ("node --eval x", "runs program text given inline"),
        ("cat x | python3", "runs what it reads as a program"),
        ('sh -c "$X"', "runs shell text that only the shell knows"),
        ("eval $X", "runs shell text that only the shell knows"),
        ("cat x | sh", "runs what it reads as a shell script"),
        ("LD_PRELOAD=./x.so make", "sets LD_PRELOAD, which changes what runs"),
        ("export PATH=.", "sets PATH, which changes what runs"),
        ("env GIT_DIR=x git log", "sets GIT_DIR, which changes what runs"),
        ("find . -name a -delete", "removes what it finds (-delete)"),
        ("find . -exec x {} +", "runs a program on what it finds (-exec)"),
        ("sort -o a a", "writes a file (-o)"),
        ("sort -oa a", "writes a file (-o)"),
        ("git diff --output=d", "writes a file (--output)"),
        ("$X a", "runs a command whose name only the shell knows"),
        ("curl -o a.sh u; sh a.sh", "runs a downloaded script"),
        ("wget u/b; ./b", "runs a downloaded script"),
        ("f() { a; }", "defines the function f"),
        ("echo a\u2063b", "holds hidden, reordering or look-alike characters"),
        ("echo s\u0443do", "holds hidden, reordering or look-alike characters"),
        ('echo "abc', "could not be read in full: its shell grammar has an error"),
        ("x | " * 500 + "y", "is too long or too deep to be read in full"),
        ("server &", "goes on after the call"),
    ],
)
def test_a_risk_is_noted(command: str, note: str) -> None:
    notes = {risk for part in engine().explain(command) for risk in part.risks}

    assert note in notes


def test_what_is_written_in_a_workspace_below_the_temporary_folder_is_noted_too() -> None:
    policy = PolicyEngine(root=Path("/tmp/demo"), home=Path(HOME))

    (part,) = policy.explain("cat a > seen.txt")
    assert part.risks == ("writes its output to seen.txt",)
    (inner,) = policy.explain("cat a > seen.txt", cwd="web")
    assert inner.risks == ("writes its output to seen.txt",)
    (git,) = policy.explain("echo x > .git/config")
    assert "writes into git's own folder: .git/config" in git.risks
    assert not policy.explain("cat a > /tmp/x")[0].risks


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "git status --short",
        "python3 -m pytest -q tests/unit",
        "npm test",
        "find . -type f -name '*.py'",
        "pytest -q 2>&1 | tail -5",
        "cp a.txt b.txt",
        "rm notes.txt",
        "grep -rn 'rm -rf' docs",
        "a > /dev/null 2>&1",
        "a > /tmp/x",
        "git checkout main",
        "git stash",
        "git restore --staged a",
        "git",
        "pip list",
        "node app.js",
        "sort -n a",
        "echo -e a",
        "chmod 600 a",
        "tee ''",
    ],
)
def test_everyday_commands_have_none_and_are_allowed_where_commands_may_be(command: str) -> None:
    assert not any(part.risks for part in engine().explain(command))
    assert decide(command, tool="run_command").is_allow
