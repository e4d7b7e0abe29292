"""The page of a compaction shows what goes and what stays, pins prompts, and compacts on enter."""

from dataclasses import replace

from caramelo_tui.agent.context_port import CompactionPreview, ContextRow, Fate
from caramelo_tui.domain.agent_events import ContextCompacted
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.compaction import CompactionScreen
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_context import FakeContext
from tests.pilot.conftest import OpenApp

PREVIEW = CompactionPreview(
    rows=(
        ContextRow(label="you: add [bold] \x1b[2J", tokens=12, fate=Fate.SUMMED_UP, place=0),
        ContextRow(label="turn: file_read", tokens=31_000, fate=Fate.SUMMED_UP),
        ContextRow(label="you: next", tokens=9, fate=Fate.STAYS, place=1),
    ),
    tokens_before=46_000,
    tokens_after=4_000,
    context_window=200_000,
)
PINNED = replace(
    PREVIEW,
    rows=(replace(PREVIEW.rows[0], fate=Fate.PINNED), *PREVIEW.rows[1:]),
    tokens_after=4_012,
)


async def test_it_says_what_goes_and_compacts_on_enter(open_app: OpenApp) -> None:
    context = FakeContext(previews=[PREVIEW])
    # A folder that can be listed: a toast would lie over the page.
    async with open_app(agent=FakeAgent(context=context, folders={".": ()})) as running:
        await running.press(*"/compact", "enter")
        await running.until_screen(CompactionScreen)
        await running.settle()
        shown = running.shown()
        assert "About 46k to 4.0k tokens of 200k. 2 rows summed up." in shown
        assert "- summed up" in shown
        assert "you: add [bold] <U+001B>[2J" in shown
        assert "The session file keeps everything" in shown
        await running.press("enter")
        await running.until_screen(MainScreen)
        await running.until(lambda: context.compactions == 1)
        assert running.agent.submitted == []


async def test_a_compaction_that_gains_nothing_says_so(open_app: OpenApp) -> None:
    longer = replace(PREVIEW, tokens_before=2_700, tokens_after=7_000)
    async with open_app(agent=FakeAgent(context=FakeContext(previews=[longer]))) as running:
        await running.press(*"/compact", "enter")
        await running.until_screen(CompactionScreen)
        await running.until(lambda: "It would not get shorter: 2.7k tokens now" in running.shown())


async def test_space_pins_a_prompt_and_nothing_else(open_app: OpenApp) -> None:
    context = FakeContext(previews=[PREVIEW, PINNED])
    async with open_app(agent=FakeAgent(context=context)) as running:
        await running.press(*"/compact", "enter")
        await running.until_screen(CompactionScreen)
        await running.press("space")
        await running.until(lambda: "* pinned" in running.shown())
        assert context.pins == [(0, True)]
        await running.press("down", "space")
        await running.until(lambda: "Only prompts can be pinned." in running.shown())
        await running.press("up", "space")
        await running.until(lambda: context.pins == [(0, True), (0, False)])
        await running.press("escape")
        await running.until_screen(MainScreen)
        assert context.compactions == 0


async def test_where_nothing_can_go_enter_does_nothing(open_app: OpenApp) -> None:
    context = FakeContext()
    async with open_app(agent=FakeAgent(context=context)) as running:
        await running.press(*"/compact", "enter")
        await running.until_screen(CompactionScreen)
        await running.settle()
        assert "The conversation is empty." in running.shown()
        await running.press("enter", "escape")
        await running.until_screen(MainScreen)
        assert context.compactions == 0


async def test_what_kept_it_from_happening_is_said(open_app: OpenApp) -> None:
    context = FakeContext(previews=[PREVIEW], problem="A run is under way.")
    async with open_app(agent=FakeAgent(context=context)) as running:
        await running.press(*"/compact", "enter")
        await running.until_screen(CompactionScreen)
        await running.press("enter")
        await running.until(lambda: "A run is under way." in running.shown())


async def test_the_palette_offers_it(open_app: OpenApp) -> None:
    async with open_app(agent=FakeAgent(context=FakeContext(previews=[PREVIEW]))) as running:
        await running.press("ctrl+p", *"compact the")
        await running.settle()
        await running.press("enter")
        await running.until_screen(CompactionScreen)


async def test_a_compaction_is_a_block_of_the_conversation(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.emit(
            lambda head: ContextCompacted(
                head=head,
                is_by_hand=False,
                tokens_before=152_000,
                tokens_after=31_000,
                dropped_messages=40,
                kept_answers=3,
                summary="We added a flag.",
            )
        )
        await running.until(lambda: "We added a flag." in running.shown())
        assert "152,000 to 31,000 tokens" in running.shown()
