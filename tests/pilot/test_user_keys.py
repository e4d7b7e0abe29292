"""The user's own keys work, are shown, and what is wrong with them is said."""

from dataclasses import replace

from caramelo_tui.agent.port import SkillInfo
from caramelo_tui.domain.key_wishes import KeyWish, KeyWishes
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.screens.find import FindScreen
from caramelo_tui.ui.screens.help import HelpScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.screens.preview import PreviewScreen
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp, plan_for
from tests.pilot.driving import WIDE, OpenedApp, command_request, entry
from tests.unit.ui.drawing import review, write


def plan(*wishes: tuple[str, *tuple[str, ...]], problems: tuple[str, ...] = ()) -> StartPlan:
    return replace(
        plan_for(FakeAgent()),
        keys=KeyWishes(
            wishes=tuple(
                KeyWish(action=action, keys=tuple(keys), origin=f"keys.toml:{line}")
                for line, (action, *keys) in enumerate(wishes, start=2)
            ),
            problems=problems,
        ),
    )


def said(running: OpenedApp) -> list[str]:
    """Return the notices about keys."""
    messages = [notice.message for notice in running.app._notifications]
    return [message for message in messages if message.startswith("keys.toml")]


async def test_a_key_of_the_frame_is_another_one(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, plan=plan(("screen.zoom", "f12"))) as running:
        await running.press("f4", "f8")
        assert not running.main.area.is_zoomed
        await running.press("f12")
        assert running.main.area.is_zoomed


async def test_two_keys_change_places(open_app: OpenApp) -> None:
    wanted = plan(("screen.files", "f4"), ("screen.changes", "f2"))
    async with open_app(size=WIDE, plan=wanted) as running:
        seen: list[Place] = []
        for key in ("f2", "f4"):
            await running.press(key)
            seen.append(running.main.area.focused_place)
        assert seen == [Place.CHANGES, Place.FILES]
        assert said(running) == []


async def test_a_key_of_a_pane_is_another_one(open_app: OpenApp) -> None:
    agent = FakeAgent(folders={".": (entry("README.md"),)})
    async with open_app(size=WIDE, agent=agent, plan=plan(("files.mention", "+"))) as running:
        await running.press("f2", "m")
        assert running.main.prompt.draft == ""
        assert "+ mention" in running.shown()
        await running.press("plus")
        await running.until(lambda: running.main.prompt.draft == "@README.md ")


async def test_status_bar_palette_and_help_show_the_key_in_force(open_app: OpenApp) -> None:
    wanted = plan(("screen.help", "f12"), ("diff.wrap", "alt+w"), ("screen.go_to_waiting", "alt+o"))
    async with open_app(size=WIDE, plan=wanted) as running:
        assert "F12 keys" in running.shown()
        await running.press("ctrl+p", *"show all")
        await running.until(lambda: "Show all keys" in running.shown())
        assert "F12" in running.shown()
        await running.press("escape", "f12")
        await running.until_screen(HelpScreen)
        assert isinstance(running.top, HelpScreen)
        rows = {
            (section.title, words): keys
            for section in running.top.sections
            for keys, words in section.rows
        }
        assert rows["Everywhere on the main screen", "Show all keys"] == "F12"
        assert rows["Everywhere on the main screen", "Go to what waits for you"] == "alt+o"
        assert rows["Changes", "Wrap long lines"] == "alt+w"


async def test_conflicts_are_said_at_the_start_and_in_help(open_app: OpenApp) -> None:
    wanted = plan(("screen.zoom", "f2"), ("screen.hlep", "f12"), problems=("keys.toml:1: odd",))
    async with open_app(size=WIDE, plan=wanted) as running:
        assert said(running) == [
            "keys.toml:1: odd",
            "keys.toml:3: there is no action screen.hlep; the nearest is screen.help",
            "keys.toml:2: F2 is screen.zoom now; screen.files still has alt+1",
        ]
        await running.press("f1")
        await running.until_screen(HelpScreen)
        assert "Keys that could not be set" in running.shown()
        await running.press("escape", "f4", "f2")
        assert running.main.area.is_zoomed
        await running.press("alt+1")
        assert running.main.area.focused_place is Place.FILES


async def test_another_key_interrupts_inside_of_a_question_too(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, plan=plan(("app.interrupt", "alt+x"))) as running:
        running.agent.ask(command_request())
        await running.until(lambda: "pytest -q" in running.shown())
        await running.press("alt+x", "alt+x")
        await running.until(lambda: running.app._exit)


async def test_the_prompt_has_keys_of_the_user_too_and_names_them(open_app: OpenApp) -> None:
    wanted = plan(("prompt.new_line", "alt+n"), ("screen.steer", "alt+t"))
    async with open_app(size=WIDE, plan=wanted) as running:
        assert "alt+n makes a new line." in running.shown()
        await running.press("a", "alt+n", "b")
        assert running.main.prompt.draft == "a\nb"
        await running.press("ctrl+c")
        running.agent.start_run()
        await running.until(lambda: "alt+t steers" in running.shown())
        await running.press(*"now", "alt+t")
        await running.until(lambda: running.main.prompt.draft == "")


async def test_the_keys_of_lists_and_of_the_preview_are_other_ones(open_app: OpenApp) -> None:
    wanted = plan(
        ("find.remove", "f12"),
        ("pick.close", "f11"),
        ("preview.mention", "+"),
        ("preview.close", "f10"),
    )
    agent = FakeAgent(
        folders={".": (entry("README.md"),)},
        skills=(SkillInfo(name="migrate", description="Migrates.", is_active=False),),
    )
    async with open_app(size=WIDE, agent=agent, plan=wanted) as running:
        await running.press(*"/skill", "enter")
        await running.until_screen(PickScreen)
        await running.until(lambda: "↑↓ · enter chooses · F11 closes" in running.shown())
        await running.press("f11")
        await running.until_screen(MainScreen)
        await running.press(*"go", "enter", *"later", "enter", "ctrl+l")
        await running.until_screen(FindScreen)
        await running.until(lambda: "F12 removes" in running.shown())
        await running.press("f12")
        await running.until(lambda: agent.queue == [])
        await running.until_screen(MainScreen)
        await running.press("f2", "enter")
        await running.until_screen(PreviewScreen)
        await running.until(lambda: "+ mention · F10 close" in running.shown())
        await running.press("plus")
        await running.until(lambda: running.main.prompt.draft == "@README.md ")
        assert said(running) == []


async def test_heads_and_edges_name_the_keys_in_force(open_app: OpenApp) -> None:
    wanted = plan(("conversation.copy_block", "f12"), ("diff.next_hunk", "f11"))
    async with open_app(size=WIDE, plan=wanted) as running:
        await running.press("f3")
        await running.until(lambda: "F12 copy" in running.shown())
        running.agent.start_run()
        running.agent.ask(review(write("a\n", "b\n")))
        await running.press("f4")
        await running.until(lambda: "F11/k hunk" in running.shown())
        running.agent.interrupt()
