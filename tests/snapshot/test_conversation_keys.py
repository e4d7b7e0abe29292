"""How a search, a folded block, a failed run and the pager look."""

from caramelo_tui.domain.agent_events import AssistantReplied, Ending, TextStreamed
from caramelo_tui.domain.messages import AssistantMessage, StopReason, TextBlock
from caramelo_tui.ui.screens.pager import PagerScreen
from tests.pilot.driving import OpenedApp
from tests.snapshot.scenes import MAIN_SIZES, Scene, look_at, scenes_of
from tests.snapshot.test_panes import ANSWER


def answer_with(running: OpenedApp, text: str) -> None:
    """Play a run of one answer."""
    running.agent.submit("add a --json flag to the CLI")
    running.agent.emit(lambda head: TextStreamed(head=head, text=text))
    message = AssistantMessage(blocks=(TextBlock(text=text),), stop_reason=StopReason.END_TURN)
    running.agent.emit(lambda head: AssistantReplied(head=head, message=message))
    running.agent.end_run()


async def failed_run(running: OpenedApp) -> None:
    """Show two answers, the first with a long listing, and a run that failed."""
    listing = "".join(f"src/module_{number:02}.py\n" for number in range(40))
    answer_with(running, f"The files:\n\n```text\n{listing}```\n\nNow the change.\n")
    answer_with(running, ANSWER)
    running.agent.submit("now the tests")
    running.agent.end_run(Ending.ERROR, "HTTP 529: the server is overloaded.")
    await running.until(lambda: "and then r" in running.shown())
    await running.press("f3")
    view = running.bench.conversation.view
    await running.until(lambda: view.is_settled and view._tick_timer is None)


async def search(running: OpenedApp) -> None:
    await failed_run(running)
    await running.press("home", "alt+down", "alt+down", "alt+down")
    await running.press("space", "slash", *"json")


async def pager(running: OpenedApp) -> None:
    await failed_run(running)
    await running.press("t")
    await running.until_screen(PagerScreen)
    await running.press("slash", *"render", "enter", "n")


SCENES = (
    Scene(name="failed-run", play=failed_run, sizes=MAIN_SIZES),
    Scene(name="search", play=search, sizes=MAIN_SIZES),
    Scene(name="pager", play=pager, screen=PagerScreen),
)


@scenes_of(SCENES)
async def test_scene(scene: Scene) -> None:
    await look_at(scene)
