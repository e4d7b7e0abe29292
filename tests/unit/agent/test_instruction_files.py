"""Instruction files: read once, bounded, through the sandbox; changes and hidden text are told."""

from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.instruction_files import (
    LARGEST_BYTES,
    InstructionFiles,
    InstructionSource,
)
from caramelo_tui.domain.agent_events import NoticeLevel, NoticeRaised
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.agent_worlds import FixedClock


class World:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.events = EventStream(FixedClock())
        self.told: list[str] = []
        source = InstructionSource(files=FileStore(Sandbox(root)), place="AGENTS.md")
        self.files = InstructionFiles([source], events=self.events, tell=self.told.append)

    def write(self, text: str) -> None:
        (self.root / "AGENTS.md").write_text(text, "utf-8")

    @property
    def notices(self) -> list[NoticeRaised]:
        return [event for event in self.events.events if isinstance(event, NoticeRaised)]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_they_are_read_at_the_first_run_and_shown_once(world: World) -> None:
    world.write("Be kind.\n")
    assert world.files.prompt == ""
    await world.files.begin_run()
    await world.files.begin_run()
    assert "Be kind." in world.files.prompt
    assert [notice.text for notice in world.notices] == ["Instructions: AGENTS.md (8 characters)."]
    assert world.told == []


async def test_a_change_is_told_as_a_note_and_the_system_prompt_stays(world: World) -> None:
    world.write("Be kind.\n")
    await world.files.begin_run()
    before = world.files.prompt
    world.write("Be quick.\n")
    await world.files.begin_run()
    await world.files.begin_run()
    assert world.files.prompt == before
    (note,) = world.told
    assert "Be quick." in note
    assert len(world.notices) == 2


async def test_a_file_that_comes_or_goes_later_is_a_change(world: World) -> None:
    await world.files.begin_run()
    assert world.notices == []
    world.write("New.\n")
    await world.files.begin_run()
    (world.root / "AGENTS.md").unlink()
    await world.files.begin_run()
    assert ["New." in note for note in world.told] == [True, False]
    assert "none any more" in world.told[1]


async def test_tag_characters_are_removed_and_other_hidden_ones_announced(world: World) -> None:
    world.write("Be\U000e0068\U000e0069 kind\u200b.\n")
    await world.files.begin_run()
    assert "Be kind\u200b." in world.files.prompt
    assert "2 invisible tag characters removed" in world.notices[0].text
    assert "U+200B" in world.notices[0].text


async def test_a_link_out_of_the_root_is_not_followed(world: World, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.md"
    outside.write_text("SECRET", "utf-8")
    (world.root / "AGENTS.md").symlink_to(outside)
    await world.files.begin_run()
    assert "SECRET" not in world.files.prompt
    assert world.notices[0].level is NoticeLevel.WARNING
    assert "was not read" in world.notices[0].text


async def test_a_link_within_the_root_is_followed_and_said(world: World) -> None:
    (world.root / "OTHER.md").write_text("Be kind.", "utf-8")
    (world.root / "AGENTS.md").symlink_to("OTHER.md")
    await world.files.begin_run()
    assert "Be kind." in world.files.prompt
    assert "a link to OTHER.md" in world.notices[0].text


async def test_what_is_no_text_is_not_read(world: World) -> None:
    (world.root / "AGENTS.md").write_bytes(b"\xff\xfe")
    await world.files.begin_run()
    assert "not UTF-8" in world.notices[0].text
    (world.root / "AGENTS.md").unlink()
    (world.root / "AGENTS.md").mkdir()
    await world.files.begin_run()
    assert "was not read" in world.notices[1].text


async def test_of_a_huge_file_the_beginning_is_read(world: World) -> None:
    world.write("é" * LARGEST_BYTES)
    await world.files.begin_run()
    assert "only the first 256 KB were read" in world.notices[0].text
