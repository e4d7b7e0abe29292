"""A text is edited in the person's own editor, and the app has its terminal back afterwards."""

import asyncio
from pathlib import Path

import pytest
from textual.app import App

from caramelo_tui.agent.editor_command import NO_EDITOR
from caramelo_tui.ui.external_editor import (
    edit_in_editor,
    file_words,
    open_in_editor,
)
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import plan_for
from tests.pilot.lending_app import LendingApp, editor_script


def lending_app() -> LendingApp:
    return LendingApp(plan_for(FakeAgent(folders={".": ()})))


def notices(app: App[None]) -> list[str]:
    return [notice.message for notice in app._notifications]


async def edited(app: LendingApp, text: str, *, suffix: str = ".md") -> str | None:
    async with app.run_test(notifications=True) as pilot:
        result = await edit_in_editor(app, text, suffix=suffix)
        await pilot.pause()
    await app.close_agent()
    return result


async def test_the_changed_text_comes_back_without_the_editors_newline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "path.write_text(path.read_text() + ' and ü\\n', encoding='utf-8')"
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, body))
    app = lending_app()
    assert await edited(app, "one\ntwo") == "one\ntwo and ü"
    assert (app.lent, app.returned) == (1, 1)


async def test_the_file_is_private_and_named_by_the_suffix_and_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    body = (
        "import stat\n"
        "modes = [oct(stat.S_IMODE(p.stat().st_mode)) for p in (path, path.parent)]\n"
        f"pathlib.Path({str(seen)!r}).write_text(' '.join([*modes, str(path)]))"
    )
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, body))
    assert await edited(lending_app(), "one", suffix=".py") is None
    file_mode, folder_mode, path = seen.read_text().split(maxsplit=2)
    assert (file_mode, folder_mode) == ("0o600", "0o700")
    assert path.endswith(".py")
    assert not Path(path).parent.exists()


async def test_an_unchanged_text_is_none_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, "path.write_text('same\\n')"))
    app = lending_app()
    assert await edited(app, "same") is None
    assert notices(app) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("path.write_text('new'); sys.exit(3)", "The editor ended with 3; nothing was taken over."),
        ("path.unlink()", "The text could not be edited: "),
        ("path.write_bytes(b'\\xff')", "The text could not be edited: "),
    ],
)
async def test_what_fails_takes_nothing_over_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, said: str
) -> None:
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, body))
    app = lending_app()
    assert await edited(app, "old") is None
    assert notices(app)[0].startswith(said)
    assert app.returned == 1


async def test_an_editor_that_is_not_there_gives_the_terminal_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("VISUAL", "/nowhere/editor")
    app = lending_app()
    assert await edited(app, "old") is None
    assert notices(app) == [
        "The editor /nowhere/editor could not be started: No such file or directory."
    ]
    assert app.returned == 1


async def test_a_terminal_that_cannot_be_lent_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "true")
    app = App[None]()
    async with app.run_test(notifications=True) as pilot:
        assert await edit_in_editor(app, "old", suffix=".md") is None
        await pilot.pause()
        assert notices(app) == ["This terminal cannot be lent to an editor."]


async def test_a_cancel_ends_the_editor_and_gives_the_terminal_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fifo, started = tmp_path / "fifo", tmp_path / "started"
    body = (
        f"import os\nos.mkfifo({str(fifo)!r})\n"
        f"pathlib.Path({str(started)!r}).touch()\nopen({str(fifo)!r}).read()"
    )
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, body))
    app = lending_app()
    async with app.run_test():
        task = asyncio.create_task(edit_in_editor(app, "old", suffix=".md"))
        while not started.exists():  # noqa: ASYNC110 - the editor is another process
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert app.returned == 1
    await app.close_agent()


def test_each_editor_is_told_the_line_in_its_own_way() -> None:
    path = Path("/home/project/a b.py")
    assert file_words("/usr/bin/nvim", path, 7) == ("+7", "/home/project/a b.py")
    assert file_words("code", path, 7) == ("--goto", "/home/project/a b.py:7")
    assert file_words("hx", path, 7) == ("/home/project/a b.py:7",)
    assert file_words("my-editor", path, 7) == ("/home/project/a b.py",)


async def test_a_file_is_opened_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.py"
    file.write_text("one\n", encoding="utf-8")
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, "path.write_text('two')"))
    app = lending_app()
    async with app.run_test(notifications=True) as pilot:
        await open_in_editor(app, file, line=1)
        await pilot.pause()
    await app.close_agent()
    assert file.read_text(encoding="utf-8") == "two"
    assert (app.lent, app.returned) == (1, 1)


async def test_opening_without_an_editor_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    app = lending_app()
    async with app.run_test(notifications=True) as pilot:
        await open_in_editor(app, Path("/nowhere/a.py"))
        await pilot.pause()
        assert notices(app) == [NO_EDITOR]
    await app.close_agent()
