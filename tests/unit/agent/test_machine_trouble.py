"""What only the user can mend is told once a turn, beside the call's own row."""

import errno
import os
from pathlib import Path

import pytest

from caramelo_tui.agent.machine_trouble import MachineTrouble
from caramelo_tui.domain.errors import ToolFailure


def failure(number: int, path: str) -> ToolFailure:
    made = ToolFailure(f"{path}: {os.strerror(number)}")
    made.__cause__ = OSError(number, os.strerror(number))
    return made


def explained(trouble: MachineTrouble, error: Exception) -> str:
    return trouble.explain(error, str(error))


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ESTALE]
)
def test_a_disk_that_refuses_is_told_once_a_turn(tmp_path: Path, number: int) -> None:
    told: list[str] = []
    trouble = MachineTrouble(tmp_path, told.append)
    texts = [explained(trouble, failure(number, name)) for name in ("a", "b", "c")]
    assert texts == [f"{name}: {os.strerror(number)}" for name in ("a", "b", "c")]
    assert told == texts[:1]
    trouble.begin_turn()
    explained(trouble, failure(number, "d"))
    assert told == [texts[0], f"d: {os.strerror(number)}"]


def test_a_tool_that_met_the_machine_itself_is_told_too(tmp_path: Path) -> None:
    told: list[str] = []
    explained(MachineTrouble(tmp_path, told.append), OSError(errno.EMFILE, "Too many open files"))
    assert len(told) == 1


def test_what_the_model_can_mend_is_the_models(tmp_path: Path) -> None:
    told: list[str] = []
    trouble = MachineTrouble(tmp_path, told.append)
    explained(trouble, ToolFailure("no match"))
    explained(trouble, failure(errno.ENOENT, "a"))
    explained(trouble, failure(errno.EACCES, "a"))
    explained(trouble, ValueError("a fault of ours"))
    assert told == []


def test_a_workspace_that_is_gone_is_why_whatever_the_path_seems_to_be(tmp_path: Path) -> None:
    told: list[str] = []
    root = tmp_path / "project"
    trouble = MachineTrouble(root, told.append)
    texts = {explained(trouble, failure(errno.ENOENT, name)) for name in ("a", "b")}
    assert texts == set(told)
    assert f"the workspace folder {root} is not there any more" in told[0]
    root.mkdir()
    assert explained(trouble, failure(errno.ENOENT, "a")).startswith("a: ")
