"""The app in a browser: nothing without the token, a whole task with it."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.e2e.browser import CHROMIUM, Page, browser
from tests.e2e.servers import model_server
from tests.e2e.sittings import BUSY, IDLE, connection
from tests.e2e.terminal import MARK_VARIABLE, marked_processes

SCENARIO = """
[[turns]]
calls = [
  { name = "file_write", arguments = { path = "a.txt", content = "one\\n" } },
  { name = "file_write", arguments = { path = "b.txt", content = "two\\n" } },
]
[[turns]]
calls = [{ name = "bash", arguments = { command = "touch ran-1" } }]
[[turns]]
text = "FINE-MARK"
"""
MARK = "serve-test"


@asynccontextmanager
async def serving(
    program: str, user: Mapping[str, str], project: Path
) -> AsyncGenerator[tuple[str, asyncio.subprocess.Process]]:
    """Serve the app with a scripted model behind it; yields its address."""
    with model_server(SCENARIO, project.parent) as server:
        mark = f"{MARK}-{os.getpid()}-{project}"
        process = await asyncio.create_subprocess_exec(
            *(program, "serve", str(project), "--trust", "--provider", "anthropic"),
            *("--model", "test"),
            stdout=asyncio.subprocess.PIPE,
            env={**user, **connection("anthropic", server.url), MARK_VARIABLE: mark},
        )
        assert process.stdout is not None
        try:
            line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
            assert line.startswith("Caramelo is at http://127.0.0.1:")
            yield line.split()[-1], process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await process.communicate()
            assert not marked_processes(MARK_VARIABLE, mark)


async def test_the_websocket_starts_the_app_and_its_end_ends_it(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    async with serving(program, user, project) as (url, process), aiohttp.ClientSession() as client:
        base = url.rstrip("/").rpartition("/")[0]
        for part in ("/", "/ws", "/static/js/textual.js"):
            async with client.get(base + part) as answer:
                assert (answer.status, await answer.read()) == (403, b"")
        async with client.ws_connect(f"{url}ws?width=100&height=30") as socket:
            got = b""
            while IDLE.encode() not in got:
                got += await socket.receive_bytes(timeout=30)
        async with client.ws_connect(f"{url}ws") as socket:
            await socket.receive_bytes(timeout=30)
            # With a session open, too, a signal ends all.
            process.send_signal(signal.SIGINT)
            assert await asyncio.wait_for(process.wait(), 30) == 130


@pytest.mark.skipif(not CHROMIUM, reason="needs the program chromium")
async def test_a_prompt_a_review_and_an_approval_in_a_browser(
    program: str, user: Mapping[str, str], project: Path, tmp_path: Path
) -> None:
    async with serving(program, user, project) as (url, _), browser(tmp_path) as page:
        base = url.rstrip("/").rpartition("/")[0]
        await page.open(f"{base}/")
        await page.wait_for(lambda: page.answered.get(f"{base}/") == 403)
        assert "Caramelo" not in await page.text()

        await page.open(url)
        await page.wait_for(IDLE)
        await page.type("go")
        await page.press("Enter")
        await page.wait_for("2 waiting")
        await review(page)
        assert (project / "a.txt").read_text() == "one\n"
        assert not (project / "b.txt").exists()
        assert not (project / "ran-1").exists()
        await page.wait_for("ready: y runs it once")
        await page.press("y")
        await page.wait_for("FINE-MARK")
        await page.wait_for(lambda: BUSY not in page.screen())
        await page.picture(tmp_path / "page.png")
        assert (project / "ran-1").exists()
        # Nothing was fetched from anywhere else.
        others = [each for each in page.asked if not each.startswith((f"{base}/", "data:"))]
        assert not others


async def review(page: Page) -> None:
    """Accept the first file and reject the second."""
    await page.press("o", is_control=True)
    # The pane has the keys when its title is marked; the hint alone may have been there before.
    await page.wait_for("▶ 3 Changes")
    await page.wait_for("a accept  r reject")
    await page.press("a")
    await page.wait_for("· 1 undecided")
    await page.wait_for("a accept  r reject")
    await page.press("r")
    await page.wait_for("· 0 undecided")
    await page.press("s")
    await page.wait_for("touch ran-1")
