"""The end of a run carries the summary, and only what fits the schema ends one."""

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import ActionFact, ActionKind, Effect, JsonValue
from tests.doubles.core_tool_worlds import core_world
from tests.doubles.tool_worlds import ToolWorld

__all__ = ["core_world"]


async def test_call_is_an_action_that_finishes(core_world: ToolWorld) -> None:
    prepared = await core_world.prepare(
        "task_done", summary="\n  Fixed it.\nAll green.", files_changed=["a.py", "b\x1b.py"]
    )

    assert prepared.effect is Effect.OTHER
    assert prepared.summary == "Fixed it."
    assert prepared.action is not None
    assert prepared.action.kind is ActionKind.FINISH
    assert prepared.action.body == "\n  Fixed it.\nAll green."
    assert prepared.action.facts == (
        ActionFact(label="file", value="a.py"),
        ActionFact(label="file", value="b\x1b.py"),
    )
    assert prepared.action.asks_because == ""
    assert not prepared.is_cacheable


async def test_result_is_the_summary(core_world: ToolWorld) -> None:
    output = await core_world.run("task_done", summary="Fixed it.\nAll green.")

    assert output.text == "Fixed it.\nAll green."
    assert not output.is_error


async def test_row_of_a_long_or_blank_summary_stays_short(core_world: ToolWorld) -> None:
    assert len((await core_world.prepare("task_done", summary="x" * 5_000)).summary) == 120
    assert (await core_world.prepare("task_done", summary=" \n")).summary == ""
    assert (await core_world.prepare("task_done", summary="a\x1b[2J")).summary == "a<U+001B>[2J"


async def test_summary_beyond_a_result_is_cut(core_world: ToolWorld) -> None:
    output = await core_world.run("task_done", summary="x" * 300_000)

    assert output.is_truncated
    assert len(output.text.encode()) <= 262_144


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({}, "summary"),
        ({"summary": 1}, "summary"),
        ({"summary": "s", "files_changed": "a.txt"}, "files_changed"),
        ({"summary": "s", "files_changed": [1]}, "files_changed"),
        ({"summary": "s", "filesChanged": []}, "filesChanged"),
    ],
)
async def test_wrong_arguments_are_refused_by_name(
    core_world: ToolWorld, arguments: dict[str, JsonValue], name: str
) -> None:
    with pytest.raises(ToolFailure, match=name):
        await core_world.prepare("task_done", **arguments)
