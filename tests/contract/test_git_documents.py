"""The examples of docs/git-tools.md give what the page says."""

import json
import re
from pathlib import Path

from tests.doubles.git_worlds import GhStandIn, WorldPlan, open_git_world

PAGE = Path(__file__).parents[2] / "docs" / "git-tools.md"
EXAMPLE = re.compile(r"^```\n> (\w+) (\{[^\n]*\})\n(.*?)^```", re.DOTALL | re.MULTILINE)
HASH = re.compile(r"\b[0-9a-f]{7,40}\b")


def without_hashes(text: str) -> str:
    return HASH.sub("#", text).strip("\n")


async def test_each_example_is_what_the_tool_answers(tmp_path: Path) -> None:
    gh = GhStandIn(tmp_path / "bin")
    world = open_git_world(tmp_path, WorldPlan(path=f"{gh.folder}:/usr/bin:/bin"))
    world.write("src/cli.py", "print(1)\n")
    world.commit("first")
    world.write("src/cli.py", "print(2)\n")
    world.write("src/report.py", "")
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))

    assert {tool for tool, _, _ in examples} == set(world.tools)
    for tool, arguments, shown in examples:
        output = await world.run(tool, **json.loads(arguments))
        text = ("error: " if output.is_error else "") + output.text
        assert without_hashes(text) == without_hashes(shown)
