"""The table of docs/cache.md is what happens."""

import re
from pathlib import Path

import pytest

from tests.contract.test_no_stale_answer import asker
from tests.doubles.other_program import other_program

DOCUMENT = Path(__file__).parents[2] / "docs/cache.md"
ROW = re.compile(r"\| `(\w+) (\{.*?\})` \| (nothing|(write|git) `(.+?)`) \| (cached|runs) \|")
ROWS = ROW.findall(DOCUMENT.read_text("utf-8"))


def test_the_table_is_found() -> None:
    assert len(ROWS) > 12


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[2]}")
async def test_each_row_is_true(tmp_path: Path, row: tuple[str, ...]) -> None:
    tool, arguments, _, act, subject, expected = row
    root = tmp_path / "ws"
    root.mkdir()
    with other_program(root) as other:
        for path in ("src/a.txt", "src/b.txt", "src/deep/c.txt", "lib/b.txt", "node_modules/m.js"):
            other.write(path, f"x = '{path}'\n")
        other.git("init", "-q")
        other.git("add", "-A")
        other.git("commit", "-qm", "first")
        async with asker(root, tmp_path / "home") as me:
            await me.until_cached(tool, **me.arguments(arguments))
            if act == "write":
                other.write(subject, "x = 'other'\n")
            elif act == "git":
                other.git(*subject.split())
            answer = await me.ask(tool, **me.arguments(arguments))
    assert answer.is_cached is (expected == "cached")
