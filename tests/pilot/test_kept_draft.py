"""What stands in the prompt survives the end of the program, whatever the end."""

from dataclasses import replace

from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp, plan_for


class MemoryDraft:
    """Keeps a draft in memory."""

    def __init__(self, left: str = "") -> None:
        self.left = left
        self.kept: list[str] = []
        self.is_full = False
        self.is_closed = False

    def load(self) -> str:
        return self.left

    def save(self, text: str) -> None:
        if self.is_full:
            raise OSError(28, "No space left on device")
        self.kept.append(text)

    def close(self) -> None:
        self.is_closed = True


def plan_with(draft: MemoryDraft) -> StartPlan:
    return replace(plan_for(FakeAgent()), draft=draft)


async def test_what_was_left_stands_in_the_prompt_and_is_said(open_app: OpenApp) -> None:
    async with open_app(plan=plan_with(MemoryDraft("half a thought"))) as running:
        assert running.main.prompt.draft == "half a thought"
        await running.until(lambda: "typed last time" in running.shown())


async def test_a_large_one_comes_back_folded_and_whole(open_app: OpenApp) -> None:
    text = "line\n" * 5000
    async with open_app(plan=plan_with(MemoryDraft(text))) as running:
        assert running.main.prompt.draft == "[paste 5,001 lines]"
        assert running.main.prompt.whole_draft == text


async def test_typing_is_kept_a_moment_later_and_sending_leaves_none(open_app: OpenApp) -> None:
    draft = MemoryDraft()
    async with open_app(plan=plan_with(draft)) as running:
        await running.press(*"ab")
        await running.until(lambda: draft.kept[-1:] == ["ab"])
        await running.press("enter")
        await running.until(lambda: draft.kept[-1:] == [""])
    assert draft.kept.count("") == 1


async def test_the_last_keys_are_kept_at_the_end(open_app: OpenApp) -> None:
    draft = MemoryDraft()
    async with open_app(plan=plan_with(draft)) as running:
        await running.press(*"xyz")
        await running.app.close_agent()
        assert draft.kept[-1] == "xyz"
        assert draft.is_closed


async def test_a_full_disk_is_said_once(open_app: OpenApp) -> None:
    draft = MemoryDraft()
    draft.is_full = True
    async with open_app(plan=plan_with(draft)) as running:
        await running.press("a")
        await running.until(lambda: "The draft is not kept" in running.shown())
        assert running.main.prompt.draft == "a"
        # Once there is room again, the next key keeps all of it.
        draft.is_full = False
        await running.press("b")
        await running.until(lambda: draft.kept[-1:] == ["ab"])
