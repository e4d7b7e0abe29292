"""Mode plan offers what reads; skills' tools come and go."""

from typing import TYPE_CHECKING

from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.tool_offer import ToolOffer
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.tool_calls import Effect
from tests.doubles.pipeline_worlds import ScriptedTool

if TYPE_CHECKING:
    from caramelo_tui.tools.base import Tool

LOOK, RUN = ScriptedTool("look", Effect.READ), ScriptedTool("run", Effect.COMMAND)
FETCH, DONE = ScriptedTool("fetch", Effect.OTHER), ScriptedTool("task_done", Effect.OTHER)


def test_mode_plan_offers_only_what_reads_and_the_end_of_the_run() -> None:
    mode = CurrentMode(ApprovalMode.REVIEW)
    offer = ToolOffer([LOOK, RUN, FETCH, DONE], mode=mode)
    assert list(offer.names) == ["look", "run", "fetch", "task_done"]
    mode.change(ApprovalMode.PLAN)
    assert list(offer.names) == ["look", "task_done"]
    assert [spec.name for spec in offer.specs] == ["look", "task_done"]
    assert offer.get("run") is None
    assert "mode plan" in offer.unknown_tool_text("run")
    assert "mode plan" not in offer.unknown_tool_text("nothing")
    mode.change(ApprovalMode.AUTO)
    assert offer.get("run") is RUN


def test_the_tools_of_a_skill_stand_behind_the_others_while_it_is_active() -> None:
    active: list[Tool] = []
    offer = ToolOffer(
        [LOOK], mode=CurrentMode(ApprovalMode.REVIEW), skill_tools=lambda: tuple(active)
    )
    assert offer.get("run") is None
    active.append(RUN)
    assert list(offer.names) == ["look", "run"]
    active.clear()
    assert list(offer.names) == ["look"]


def test_the_offer_is_the_same_object_while_nothing_changes() -> None:
    offer = ToolOffer([LOOK], mode=CurrentMode(ApprovalMode.REVIEW))
    assert offer.registry is offer.registry
