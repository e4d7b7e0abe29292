"""The file tree: lazy folders, marks, preview, mention, filter."""

from dataclasses import replace

import pytest

from caramelo_tui.agent.port import FilePreview
from caramelo_tui.domain.agent_events import FilesChanged, ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange, FileKind
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.screens.preview import PreviewScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE, OpenedApp, entry
from tests.unit.ui.drawing import review, write

FOLDERS = {
    ".": (entry("src", FileKind.FOLDER), entry("README.md"), entry("[bold]odd[/bold] \x1b[2J")),
    "src": (entry("api", FileKind.FOLDER), entry("cli.py"), entry("util.py")),
    "src/api": (entry("deep.py"),),
}


def agent() -> FakeAgent:
    return FakeAgent(folders=dict(FOLDERS))


def tree_text(running: OpenedApp) -> list[str]:
    """Return the rows of the tree as drawn, without frame."""
    width = running.main.query_one("#files").region.width
    lines = running.shown().splitlines()[1:-3]
    return [line[1 : width - 1].rstrip() for line in lines if line[1 : width - 1].strip()]


async def test_folders_are_read_only_when_they_are_opened(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2")
        assert running.agent.listed == ["."]
        await running.press("enter")
        await running.until(lambda: any("cli.py" in line for line in tree_text(running)))
        assert running.agent.listed == [".", "src"]
        await running.press("left")
        assert not any("cli.py" in line for line in tree_text(running))


async def test_names_from_disk_are_shown_literally_and_safely(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        shown = running.shown()
        assert "[bold]odd[/bold]" in shown
        assert "\x1b" not in shown


async def test_left_goes_to_the_parent_of_a_file(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "right")
        await running.until(lambda: any("cli.py" in line for line in tree_text(running)))
        await running.press("down", "down", "left")
        current = running.bench.files.rows.current
        assert current is not None
        assert current.path == "src"


async def test_what_the_agent_did_is_marked(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        call = CallId("c1")
        running.agent.emit(
            lambda head: ToolCallStarted(
                head=head,
                call_id=call,
                tool="file_read",
                arguments_json='{"path": "README.md"}',
            )
        )
        result = ToolResult(call_id=call, text="t", is_error=False, state=CallState.OK)
        running.agent.emit(
            lambda head: ToolCallFinished(
                head=head, call_id=call, tool="file_read", result=result, duration_ms=1
            )
        )
        change = FileChange(path="src/cli.py", kind=ChangeKind.MODIFIED)
        running.agent.emit(
            lambda head: FilesChanged(head=head, origin=ChangeOrigin.EXTERNAL, changes=(change,))
        )
        await running.until(lambda: any("●1" in line for line in tree_text(running)))
        assert any(
            line.strip().startswith("README.md") and line.endswith("r")
            for line in tree_text(running)
        )
        await running.press("f2", "enter")
        await running.until(lambda: any("cli.py" in line for line in tree_text(running)))
        assert any("cli.py" in line and line.endswith("M!") for line in tree_text(running))


async def test_a_new_file_appears_in_an_open_folder(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        running.agent.folders = {**FOLDERS, ".": (*FOLDERS["."], entry("new.txt"))}
        change = FileChange(path="new.txt", kind=ChangeKind.CREATED)
        running.agent.emit(
            lambda head: FilesChanged(head=head, origin=ChangeOrigin.AGENT, changes=(change,))
        )
        await running.until(lambda: any("new.txt" in line for line in tree_text(running)))


async def test_a_folder_that_is_gone_closes_with_a_notice(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        running.agent.folders = {".": FOLDERS["."]}
        await running.press("f2", "enter")
        await running.until(lambda: "src: no such folder" in running.shown())


async def test_enter_previews_a_file_with_numbers_and_escape_closes(open_app: OpenApp) -> None:
    fake = agent()
    fake.previews = {
        "README.md": FilePreview(path="README.md", text="# Hi\n\x1b[31mred\n", size=12)
    }
    async with open_app(size=WIDE, agent=fake) as running:
        await running.press("f2", "down", "enter")
        await running.until_screen(PreviewScreen)
        await running.until(lambda: "1  # Hi" in running.shown())
        assert "2  <U+001B>[31mred" in running.shown()
        await running.press("escape")
        await running.until_screen(MainScreen)


async def test_a_file_that_cannot_be_shown_says_why(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "down", "enter")
        await running.until(lambda: "README.md is gone." in running.shown())


async def test_at_mentions_the_file_in_the_prompt(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press(*"see", "f2", "down", "at")
        await running.settle()
        assert running.main.prompt.draft == "see @README.md "
        assert running.main.prompt.editor.has_focus


async def test_a_preview_can_be_mentioned_too(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "down", "enter")
        await running.until_screen(PreviewScreen)
        await running.press("at")
        await running.until(lambda: running.main.prompt.draft == "@README.md ")


async def test_typing_filters_and_escape_lifts_the_filter(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "slash", *"read")
        await running.until(lambda: not any("src" in line for line in tree_text(running)))
        await running.press("escape")
        await running.until(lambda: any("src" in line for line in tree_text(running)))
        assert running.bench.files.rows.has_focus


async def test_only_touched_files_on_demand(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "t")
        assert any("No file was touched yet." in line for line in tree_text(running))
        await running.press("t")
        assert any("README.md" in line for line in tree_text(running))


PATHS = ("README.md", "src/", "src/api/", "src/api/deep.py", "src/cli.py", "src/util.py")


async def test_a_filter_finds_files_in_folders_that_were_never_opened(open_app: OpenApp) -> None:
    fake = agent()
    fake.files = PATHS
    async with open_app(size=WIDE, agent=fake) as running:
        await running.press("f2", "slash", *"deep")
        await running.until(lambda: any("deep.py" in line for line in tree_text(running)))
        assert not any("README.md" in line for line in tree_text(running))
        assert fake.listed == ["."]
        assert "only opened folders" not in running.shown()
        await running.press("enter", "down", "down", "at")
        await running.until(lambda: running.main.prompt.draft == "@src/api/deep.py ")


async def test_a_filter_says_what_it_does_not_cover(open_app: OpenApp) -> None:
    fake = agent()
    fake.files, fake.files_are_whole = PATHS, False
    async with open_app(agent=fake) as running:
        await running.press("f2", "slash", *"cli")
        await running.until(lambda: "not all paths were searched" in running.shown())
        await running.press("escape")
        await running.until(lambda: "not all paths" not in running.shown())


async def test_of_very_many_matches_the_number_is_said(open_app: OpenApp) -> None:
    fake = agent()
    fake.files = tuple(f"f{number:06}.py" for number in range(3_000))
    async with open_app(agent=fake) as running:
        await running.press("f2", "slash", "f")
        await running.until(lambda: "2,000 of 3,000 matches" in running.shown())


async def test_a_folder_that_the_filter_found_opens_in_the_tree(open_app: OpenApp) -> None:
    fake = agent()
    fake.files = PATHS
    async with open_app(size=WIDE, agent=fake) as running:
        await running.press("f2", "slash", *"api")
        await running.until(lambda: any("deep.py" in line for line in tree_text(running)))
        await running.press("enter", "down", "enter")
        await running.until(lambda: any("cli.py" in line for line in tree_text(running)))
        await running.until(lambda: any("deep.py" in line for line in tree_text(running)))
        current = running.bench.files.rows.current
        assert current is not None
        assert current.path == "src/api"
        assert any("README.md" in line for line in tree_text(running))


async def test_touched_files_show_without_their_folders_being_opened(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        change = FileChange(path="src/api/deep.py", kind=ChangeKind.MODIFIED)
        running.agent.emit(
            lambda head: FilesChanged(head=head, origin=ChangeOrigin.EXTERNAL, changes=(change,))
        )
        await running.until(lambda: any("●1" in line for line in tree_text(running)))
        await running.press("f2", "t")
        assert any("deep.py" in line and line.endswith("M!") for line in tree_text(running))


async def test_folders_that_searches_skip_are_hidden_on_demand(open_app: OpenApp) -> None:
    skipped = replace(entry("node_modules", FileKind.FOLDER), is_skipped=True)
    fake = FakeAgent(folders={".": (skipped, entry("README.md"))})
    async with open_app(size=WIDE, agent=fake) as running:
        assert any("node_modules" in line for line in tree_text(running))
        await running.press("f2", "i")
        assert not any("node_modules" in line for line in tree_text(running))
        await running.press("i")
        assert any("node_modules" in line for line in tree_text(running))


async def test_a_path_is_copied(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "down", "y")
        await running.until(lambda: "sent to the terminal" in running.shown())
        assert running.app.clipboard == "README.md"


async def test_a_file_opens_in_the_editor_of_the_person(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "o")
        await running.settle()
        # The first row is a folder.
        assert "No editor is set" not in running.shown()
        await running.press("down", "o")
        await running.until(lambda: "No editor is set" in running.shown())


async def test_d_goes_to_the_change_of_a_file(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        running.agent.ask(
            review(
                write("a\n", "b\n", path="other.py", call_id="one"),
                write("a\n", "b\n", path="README.md", call_id="two"),
            )
        )
        await running.until(lambda: any(line.endswith("?") for line in tree_text(running)))
        await running.press("f2", "down", "d")
        assert running.main.area.focused_place is Place.CHANGES
        assert running.bench.changes.view.current_path == "README.md"


async def test_a_file_without_a_change_says_so(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f2", "down", "d")
        await running.until(lambda: "README.md was not changed" in running.shown())
        assert running.main.area.focused_place is Place.FILES


async def test_what_a_command_changed_has_no_lines_to_go_to(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        change = FileChange(path="README.md", kind=ChangeKind.MODIFIED)
        running.agent.emit(
            lambda head: FilesChanged(head=head, origin=ChangeOrigin.COMMAND, changes=(change,))
        )
        await running.until(lambda: any(line.endswith("M$") for line in tree_text(running)))
        await running.press("f2", "down", "d")
        await running.until(lambda: running.main.area.focused_place is Place.CHANGES)


async def test_the_keys_of_files_are_in_the_palette(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("ctrl+p", *"Files: Hide")
        await running.until(lambda: "i there" in running.shown())
        await running.press("enter")
        await running.until(lambda: running.bench.files.tree_rows.hides_skipped)
        assert running.main.area.focused_place is Place.FILES
