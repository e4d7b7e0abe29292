"""How files stand against git: signs in the tree, what is ignored, the changes against HEAD."""

from dataclasses import replace

from caramelo_tui.domain.agent_events import ToolCallFinished
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.files import FileKind
from caramelo_tui.domain.git_state import GitState, GitStates, HeadChanges, HeadFile
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.panes.prompt_help import HelpChoice
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeGit
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE, OpenedApp, entry
from tests.unit.ui.drawing import review, write

STATES = GitStates(
    states={
        "a.py": GitState.MODIFIED,
        "b.py": GitState.ADDED,
        "new": GitState.UNTRACKED,
        "c.py": GitState.CONFLICT,
    },
    ignored=frozenset({"x.log", "logs"}),
)
FOLDERS = {
    ".": (
        entry("logs", FileKind.FOLDER),
        entry("new", FileKind.FOLDER),
        *(entry(name) for name in ("a.py", "b.py", "c.py", "clean.py", "x.log")),
    ),
    "new": (entry("deep.py"),),
}
HUNK = Hunk(
    id=HunkId("head:a.py:0"), old_start=3, old_lines=("old\n",), new_start=3, new_lines=("new\n",)
)
HEAD = HeadChanges(
    files=(HeadFile(path="a.py", hunks=(HUNK,)), HeadFile(path="new/deep.py", note="new file"))
)


def agent() -> FakeAgent:
    files = ("a.py", "logs/", "logs/a.log", "x.log")
    git = FakeGit(now=STATES, head=HEAD)
    return FakeAgent(folders=dict(FOLDERS), git=git, files=files)


def row(running: OpenedApp, name: str) -> str:
    """Return the row of the tree that names a file, without its frame."""
    width = running.main.query_one("#files").region.width
    lines = [line[1 : width - 1].rstrip() for line in running.shown().splitlines()]
    return next((line for line in lines if name in line), "")


async def test_each_state_has_its_sign_in_the_last_column(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.until(lambda: row(running, "a.py").endswith(" M"))
        assert row(running, " b.py").endswith(" A")
        assert row(running, "c.py").endswith(" U")
        assert row(running, "new").endswith(" ?")
        assert row(running, "clean.py").endswith("clean.py")


async def test_the_branch_stands_in_the_status_bar(open_app: OpenApp) -> None:
    one = agent()
    one.git.now = replace(STATES, branch="work/[b]ünï")
    async with open_app(size=WIDE, agent=one) as running:
        await running.until(lambda: "work/[b]ünï*" in running.shown().splitlines()[-1])
        line = running.shown().splitlines()[-1]
        await running.pilot.click("#status", offset=(line.index("work/") + 1, 0))
        await running.until(lambda: running.bench.changes.shows_head)


async def test_git_is_asked_again_once_a_call_has_ended(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.until(lambda: running.agent.git.looks == 1)
        running.agent.git.now = GitStates()
        for number in range(5):
            call = CallId(f"c{number}")
            result = ToolResult(call_id=call, text="", is_error=False, state=CallState.OK)
            finish(running, result)
        await running.until(lambda: row(running, "a.py").endswith("a.py"))
        assert running.agent.git.looks == 2


async def test_what_git_ignores_can_be_hidden(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.until(lambda: row(running, "a.py").endswith(" M"))
        assert row(running, "x.log")
        await running.press("f2", "i")
        assert not row(running, "x.log")
        assert not row(running, "logs")
        await running.press("i")
        assert row(running, "x.log")


async def test_the_filter_leaves_out_what_git_ignores_until_a_key_is_pressed(
    open_app: OpenApp,
) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.until(lambda: row(running, "a.py").endswith(" M"))
        await running.press("f2", "slash", "l", "o", "g")
        await running.until(lambda: "No path matches." in running.shown())
        await running.press("alt+i")
        await running.until(lambda: bool(row(running, "x.log")))
        assert row(running, "a.log")
        await running.press("alt+i")
        await running.until(lambda: "No path matches." in running.shown())


async def test_the_picker_offers_what_git_ignores_only_where_nothing_else_is_meant(
    open_app: OpenApp,
) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press(*"@a")
        await running.until(lambda: [c.row.name for c in offered(running)] == ["a.py"])
        await running.press(*".log")
        await running.until(lambda: [c.row.name for c in offered(running)] == ["logs/a.log"])


def offered(running: OpenedApp) -> tuple[HelpChoice, ...]:
    return running.main.prompt.help.choices


def finish(running: OpenedApp, result: ToolResult) -> None:
    running.agent.emit(
        lambda head: ToolCallFinished(
            head=head, call_id=result.call_id, tool="bash", result=result, duration_ms=1
        )
    )


async def test_the_changes_against_head_are_a_view_of_their_own(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        await running.press("f4", "h")
        await running.until(lambda: "git HEAD 2 files" in running.shown())
        shown = running.shown()
        assert "against the last commit (git HEAD), read-only" in shown
        assert "new/deep.py" in shown
        assert "± differs" in shown
        assert "applied 0" in shown
        await running.press("j", "u")
        await running.until(lambda: "these are git's" in running.shown())
        await running.press("h")
        await running.until(lambda: "git HEAD 2 files" not in running.shown())
        await running.press("h", "v")
        await running.until(lambda: "git HEAD 2 files" not in running.shown())


async def test_a_key_of_the_review_decides_nothing_there(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent()) as running:
        running.agent.start_run()
        running.agent.ask(review(write("a\n", "b\n", path="src/a.py")))
        await running.until(lambda: running.main.undecided_hunks == 1)
        await running.press("f4", "h")
        await running.until(lambda: "git HEAD 2 files" in running.shown())
        await running.press("j", "a", "A", "Y", "s")
        assert running.main.undecided_hunks == 1
        assert running.agent.answers == []


async def test_without_a_repository_there_is_no_column_and_the_view_says_why(
    open_app: OpenApp,
) -> None:
    plain = FakeAgent(folders=dict(FOLDERS))
    async with open_app(size=WIDE, agent=plain) as running:
        await running.until(lambda: plain.git.looks == 1)
        assert row(running, "a.py").endswith("a.py")
        await running.press("f4", "h")
        await running.until(lambda: "no git repository here" in running.shown())
