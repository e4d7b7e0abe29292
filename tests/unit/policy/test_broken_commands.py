"""Command lines that once got by: other names for commands, for standard input, and git's options.

None of them is run here; the policy only reads them.
"""

import pytest

from caramelo_tui.domain.decisions import Verdict
from tests.doubles.policy_calls import decide


def verdict_of(text: str) -> Verdict:
    return decide(text, tool="run_command").verdict


@pytest.mark.parametrize(
    "text",
    [
        "alias ls=rm\nls -rf /",
        "alias ls='rm -rf'\nls /",
        "alias ll='ls -l'",
        "ls; alias -- -=cd",
        "builtin alias x=y",
        "alias $X",
    ],
)
def test_another_meaning_of_later_words_asks(text: str) -> None:
    assert verdict_of(text) is not Verdict.ALLOW


@pytest.mark.parametrize("text", ["alias", "alias ll", "alias -p", "unalias ll"])
def test_a_look_at_other_meanings_is_allowed(text: str) -> None:
    assert verdict_of(text) is Verdict.ALLOW


@pytest.mark.parametrize("reader", [".", "source", "bash", "sh", "dash -e"])
@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
@pytest.mark.parametrize(
    "feed", ["{} <<< 'rm -rf /'", "{} <<E\nrm -rf /\nE", "echo 'rm -rf /' | {}"]
)
def test_a_script_on_standard_input_is_read_whatever_its_name(
    reader: str, name: str, feed: str
) -> None:
    assert verdict_of(feed.format(f"{reader} {name}")) is Verdict.DENY


@pytest.mark.parametrize("reader", [".", "source", "sh", "python3", "node"])
@pytest.mark.parametrize("name", ["/dev/fd/3", "/proc/self/fd/3", "/proc/1/fd/3", "//dev/./fd/3"])
def test_a_script_from_another_descriptor_asks(reader: str, name: str) -> None:
    assert verdict_of(f"{reader} {name} 3<<E\nls\nE") is Verdict.ASK


def test_a_script_that_is_only_known_later_asks() -> None:
    assert verdict_of("cat x | .  /dev/stdin") is Verdict.ASK
    assert verdict_of(". /dev/stdin") is Verdict.ALLOW


@pytest.mark.parametrize("name", ["mapfile", "readarray"])
@pytest.mark.parametrize("option", ["-C 'rm -rf /'", "-C'rm -rf /'", "-tC 'rm -rf /'"])
def test_what_is_run_for_each_line_is_read(name: str, option: str) -> None:
    assert verdict_of(f"{name} {option} -c 1 lines < f") is Verdict.DENY


@pytest.mark.parametrize(
    "text",
    [
        "git grep -O x",
        "git grep -Osh x",
        "git grep -nOsh x",
        "git grep --open-files-in-pager=sh x",
        "git grep --open x",
        "git clone -u sh h:x",
        "git clone -ush h:x",
        "git clone --upload-pack=sh h:x",
        "git clone -c core.fsmonitor=x y",
        "git clone -qc core.fsmonitor=x y",
        "git clone --config core.fsmonitor=x y",
        "git clone --template=x y",
        "git init --template=x",
        "git init --templ x",
        "git archive --remote=h:x --exec=y HEAD",
    ],
)
def test_an_option_of_git_that_runs_a_program_asks(text: str) -> None:
    assert verdict_of(text) is Verdict.ASK


@pytest.mark.parametrize(
    "text",
    [
        "git archive -o x.tar HEAD",
        "git archive -ox.tar HEAD",
        "git archive --output=x.tar HEAD",
        "git format-patch HEAD~",
        "git format-patch -o .. HEAD~",
        "git bundle create x HEAD",
        "git clone x ../y",
        "git clone --depth 1 x /etc/y",
        "git init ../y",
        "git init --bare /srv/y",
        "git worktree add ../y",
        "git worktree add -b z ../y main",
        "git mv a .env",
        "git mv package.json b",
        "git mv a b .github",
        "git rm .env",
        "git clone --separate-git-dir ../y x",
    ],
)
def test_a_file_that_git_writes_out_of_sight_asks(text: str) -> None:
    assert verdict_of(text) is Verdict.ASK


@pytest.mark.parametrize(
    "text",
    [
        "git credential fill",
        "git credential-store get",
        "git send-email x",
        "git imap-send",
        "git p4 submit",
        "git daemon",
        "git instaweb",
        "git maintenance start",
    ],
)
def test_a_verb_of_git_that_reaches_out_asks(text: str) -> None:
    assert verdict_of(text) is Verdict.ASK


@pytest.mark.parametrize(
    "text",
    [
        "git grep -n x",
        "git grep --only-matching x",
        "git grep -e O",
        "git clone --quiet x",
        "git clone x y",
        "git init",
        "git init sub",
        "git init --quiet",
        "git archive HEAD",
        "git format-patch --stdout HEAD~",
        "git bundle verify x",
        "git worktree list",
        "git worktree add sub",
        "git mv a b",
        "git maintenance run",
        "mapfile -t lines < f",
    ],
)
def test_what_only_looks_like_it_is_allowed(text: str) -> None:
    assert verdict_of(text) is Verdict.ALLOW
