"""The first picture of a start is kept as the next one may draw it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from caramelo_tui.ui.start_picture import Picture, read
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp, plan_for


class Kept:
    """A store in memory; may be one that cannot be written."""

    def __init__(self, depends_on: Sequence[Path] = (), *, is_full: bool = False) -> None:
        self.depends_on = depends_on
        self.texts: list[str] = []
        self._is_full = is_full

    def save(self, text: str) -> None:
        self.texts.append(text)
        if self._is_full:
            raise OSError(28, "No space left on device")

    @property
    def picture(self) -> Picture:
        (text,) = self.texts
        picture = read(text)
        assert picture is not None
        return picture


async def test_the_picture_is_the_first_screen(open_app: OpenApp, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    kept = Kept([settings])
    async with open_app(plan=replace(plan_for(FakeAgent()), frame=kept)) as running:
        await running.until(lambda: bool(kept.texts))
        picture = kept.picture
        width, height = running.app.size
        assert (picture.columns, len(picture.rows)) == (width, height)
        text = "".join(picture.rows)
        assert "sk for a change" in text
        assert "starting" in text
        # Where the editor is, as it stands when the agent is there.
        place = running.app.main.prompt.editor.cursor_screen_offset
        assert (picture.field.column, picture.field.row) == (place.x + 1, place.y + 1)
        assert picture.field.width > width // 2
    settings.write_text("changed")
    assert read(kept.texts[0]) is None


async def test_a_start_with_questions_keeps_none(open_app: OpenApp) -> None:
    kept = Kept()
    plan = replace(plan_for(FakeAgent()), frame=kept, needs_trust=Path("/home/project"))
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await running.settle()
    assert kept.texts == []


async def test_a_full_disk_disturbs_nobody(open_app: OpenApp) -> None:
    kept = Kept(is_full=True)
    async with open_app(plan=replace(plan_for(FakeAgent()), frame=kept)) as running:
        await running.until(lambda: bool(kept.texts))
        await running.settle()
        assert "claude-test" in running.shown()
