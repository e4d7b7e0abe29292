"""What differs from the last commit is read out."""

from caramelo_tui.domain.git_state import HeadChanges, HeadFile
from caramelo_tui.domain.ids import CallId
from caramelo_tui.headless.linear.head_changes import MOST_READ
from caramelo_tui.workspace.diffing import hunks_between
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeGit
from tests.unit.headless.linear_worlds import linear_world

HUNKS = hunks_between("old\n", "new\x1b\n", call_id=CallId("head"))
FILES = (HeadFile(path="a\x1b.py", hunks=HUNKS), HeadFile(path="b.png", note="binary"))


async def test_files_are_named_and_the_changes_of_one_are_read() -> None:
    agent = FakeAgent(git=FakeGit(head=HeadChanges(files=FILES, is_whole=False)))
    with linear_world(agent) as world:
        assert (await world.type_beside("/diff")).splitlines() == [
            "a<U+001B>.py: 1 line added, 1 removed.",
            "b.png: 0 lines added, 0 removed. binary",
            "2 files differ from the last commit. There is more than is shown.",
            "/diff PATH reads the changes of one.",
        ]
        assert (await world.type_beside("/diff a\x1b.py")).splitlines() == [
            "Change 1 of 1, a<U+001B>.py:",
            "removed 1: old",
            "added 1: new<U+001B>",
            "End of the changes to a<U+001B>.py.",
        ]
        assert "b.png. binary" in await world.type_beside("/diff b.png")
        assert "c.py does not differ" in await world.type_beside("/diff c.py")


async def test_a_long_list_is_cut_and_a_clean_tree_is_said() -> None:
    files = tuple(HeadFile(path=f"{n}.py") for n in range(MOST_READ + 2))
    with linear_world(FakeAgent(git=FakeGit(head=HeadChanges(files=files)))) as world:
        assert "2 are not read out." in await world.type_beside("/diff")
    with linear_world(FakeAgent(git=FakeGit(head=HeadChanges()))) as world:
        assert await world.type_beside("/diff") == "0 files differ from the last commit.\n"


async def test_without_a_repository_that_is_said() -> None:
    with linear_world() as world:
        assert "no git repository here" in await world.type_beside("/diff")
