"""Images in prompts: by a mention, a dropped file and the clipboard, as chips."""

from textual.events import Paste

from caramelo_tui.ui.panes.draft_editor import DraftEditor
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.images import FakeImages, attachment
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE, OpenedApp

CHIP = "[image shot.png 24 B 800×600]"  # noqa: RUF001 - the sign between width and height
SHOT = attachment("shot.png")
OTHER = attachment("docs/two.png", more=b"more")


def agent_with_images(*, can_send: bool = True) -> FakeAgent:
    files = {"shot.png": SHOT, "/tmp/a b/shot.png": SHOT, "docs/two.png": OTHER}
    return FakeAgent(images=FakeImages(files=files, can_send=can_send, clipboard=SHOT))


def draft(running: OpenedApp) -> str:
    return running.main.prompt.draft


async def paste(running: OpenedApp, text: str) -> None:
    running.main.prompt.query_one(DraftEditor).post_message(Paste(text))
    await running.settle()


async def test_a_mention_becomes_a_chip_and_its_image_goes_along(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_images(), size=WIDE) as running:
        await running.press(*"what is @shot.png")
        assert draft(running) == "what is @shot.png"
        await running.press("space", *"?")
        await running.until(lambda: draft(running) == f"what is {CHIP} ?")
        await running.press("enter")
        await running.until(lambda: running.agent.submitted == [f"what is {CHIP} ?"])
        assert running.agent.sent_images == [(SHOT,)]
        await running.until(lambda: CHIP in running.shown())


async def test_the_cursor_stays_where_one_types_when_a_chip_comes_on_another_line(
    open_app: OpenApp,
) -> None:
    async with open_app(agent=agent_with_images(), size=WIDE) as running:
        await running.press(*"one", "ctrl+j", *"see @shot.png ", "ctrl+j", *"three")
        await running.until(lambda: CHIP in draft(running))
        await running.press(*"!")
        assert draft(running) == f"one\nsee {CHIP} \nthree!"


async def test_enter_right_behind_a_mention_takes_the_image_along(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_images()) as running:
        await running.press(*"see @shot.png", "enter")
        await running.until(lambda: running.agent.submitted == [f"see {CHIP}"])
        assert running.agent.sent_images == [(SHOT,)]


async def test_a_dropped_file_becomes_a_chip(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_images()) as running:
        await running.press(*"see ")
        await paste(running, r"'/tmp/a b/shot.png'")
        await running.until(lambda: draft(running) == f"see {CHIP}")
        await paste(running, r" /tmp/a\ b/shot.png ")
        await running.until(lambda: draft(running) == f"see {CHIP}{CHIP}")
        await running.press("enter")
        await running.until(lambda: running.agent.sent_images == [(SHOT,)])


async def test_backspace_takes_a_chip_out_whole_and_undo_brings_it_back(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_images()) as running:
        await running.press(*"see @shot.png ")
        await running.until(lambda: draft(running) == f"see {CHIP} ")
        await running.press("backspace")
        assert draft(running) == f"see {CHIP}"
        await running.press("backspace")
        assert draft(running) == "see "
        await running.press("backspace", *"n this", "enter")
        await running.until(lambda: running.agent.sent_images == [()])


async def test_a_file_that_is_not_there_stays_as_text(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_images()) as running:
        await running.press(*"make @new.png now")
        await running.until(lambda: "new.png cannot be read" in running.shown())
        await running.press("enter")
        await running.until(lambda: running.agent.submitted == ["make @new.png now"])
        assert running.agent.sent_images == [()]


async def test_the_clipboards_image_is_put_at_the_cursor(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_images()) as running:
        await running.press(*"see ", "alt+v")
        await running.until(lambda: draft(running) == f"see {CHIP} ")
        await running.press("ctrl+u", *"/paste-image", "enter")
        await running.until(lambda: draft(running) == f"{CHIP} ")


async def test_an_empty_clipboard_is_said(open_app: OpenApp) -> None:
    agent = FakeAgent()
    async with open_app(agent=agent) as running:
        await running.press("alt+v")
        await running.until(lambda: "No image came from the clipboard" in running.shown())


async def test_a_model_without_images_is_said_before_anything_is_sent(open_app: OpenApp) -> None:
    agent = agent_with_images()
    async with open_app(agent=agent) as running:
        await running.press(*"see @shot.png ")
        await running.until(lambda: CHIP in draft(running))
        agent.images.can_send = False
        await running.press("enter")
        await running.until(lambda: "takes no images" in running.shown())
        assert draft(running) == f"see {CHIP} "
        assert agent.submitted == []
        await running.press("backspace", "backspace", *"it", "enter")
        await running.until(lambda: agent.submitted == ["see it"])


async def test_for_a_model_without_images_a_path_stays_a_path(open_app: OpenApp) -> None:
    agent = agent_with_images(can_send=False)
    async with open_app(agent=agent) as running:
        await running.press(*"see @shot.png now")
        await running.until(lambda: "takes no images" in running.shown())
        await running.press("alt+v", "enter")
        await running.until(lambda: agent.submitted == ["see @shot.png now"])
        assert agent.images.asked == []


async def test_queued_and_steered_prompts_keep_their_images(open_app: OpenApp) -> None:
    agent = agent_with_images()
    async with open_app(agent=agent, size=WIDE) as running:
        await running.press(*"go", "enter", *"queue @shot.png", "enter")
        await running.until(lambda: agent.queue == [f"queue {CHIP}"])
        await running.press(*"steer @docs/two.png", "ctrl+t")
        await running.until(lambda: len(agent.steering) == 1)
        assert agent.sent_images == [(), (SHOT,), (OTHER,)]
        await running.press("ctrl+c")
        await running.until(lambda: CHIP in draft(running))
        await running.press("enter")
        await running.until(lambda: agent.sent_images[-1] == (OTHER, SHOT))


async def test_a_text_that_only_reads_like_a_chip_is_said(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_images(), size=WIDE) as running:
        await running.press(*"see [image old.png 3 KB]", "enter")
        await running.until(lambda: "went as text" in running.shown())
        assert running.agent.sent_images == [()]
