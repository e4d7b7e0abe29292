"""What a real shell runs, the policy has seen: a blocked program never runs where it allows.

Random shell text of harmless words is given to real shells in an empty folder, with a program on
the path that leaves a mark.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.doubles.policy_calls import configured, decide

SHELLS = [shell for shell in ("dash", "bash") if shutil.which(shell) is not None]
PIECES = [
    "mark", "mark", "mark ", " mark a", "ma", "rk", "m''ark", "ma\\rk", '"mark"', "'mark'",
    "{mark,a}", "m?rk", "true", "x", "'", '"', "\\", "\\\n", "$(", ")", "`", "(", "{ ", " }", ";",
    "\n", "&&", "||", "|", " ", " ", "\t", ">f", "2>&1", ">&-", "<&-", "{fd}>f", "<>f", "<<E\n",
    "\nE\n", "<<'E'\n", "<<-E\n", "<<<", "$x", "x=mark", "x=mark;", "${x}", "set -- mark;", "$@",
    "${x:-mark}", "${y-mark}", "${x+mark}", "$'", "$1", "eval ", "exec ", "command ", "time ",
    "sh -c ", "env ", "A=1 ", "! ", "if ", "; then ", "; fi", "for i in mark; do ", "; done", "$i",
    "case a in a) ", ";; esac", "#", " # ", "[ ", " ]", "[[ ", " ]]", "((", "))", "$((", "<(", ">(",
    "export x=mark;", "trap 'mark' 0;", "alias x=mark\n", "g() { mark; }", "(g", "$(echo mark)",
    "`echo mark`", "printf mark", "declare x=mark;", "a=(mark)", "${a[0]}", "[$", "]", "=", "-",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=10).map("".join)


@pytest.fixture(name="folder", scope="module")
def folder_with_a_mark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("shells")
    programs = folder / "bin"
    programs.mkdir()
    mark = programs / "mark"
    mark.write_text(f"#!/bin/sh\n: > {folder}/ran\n")
    mark.chmod(0o755)
    for name in ("env", "sh"):
        (programs / name).symlink_to(shutil.which(name) or "")
    (folder / "cwd").mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("shell", SHELLS)
@given(text=TEXTS)
@settings(
    deadline=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
def test_a_blocked_program_never_runs_where_the_policy_allows(
    folder: Path, shell: str, text: str
) -> None:
    decision = decide(text, tool="run_command", settings=configured(blocked=["mark"]))
    assume(decision.is_allow)
    ran = folder / "ran"
    ran.unlink(missing_ok=True)

    subprocess.run(
        [shutil.which(shell) or shell, "-c", text],
        cwd=folder / "cwd",
        env={"PATH": str(folder / "bin"), "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )

    assert not ran.exists(), text
