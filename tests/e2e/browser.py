"""Drive a real browser, as a person at its keyboard would.

Owns a headless Chromium and its developer protocol: keys go in as key events, and the screen is
what the page's terminal was sent. Every address that the page asked for is kept.
"""

import asyncio
import base64
import os
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pyte

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
LIMIT_S = 20.0
_CONTROL = 2
_KEYS: Mapping[str, Mapping[str, object]] = {
    "Enter": {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"},
}


class Page:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self.answered: dict[str, int] = {}
        """Address to status, of all that came from a server."""
        self.asked: list[str] = []
        """Addresses that the page wanted, those that it was forbidden included."""

    async def listen(self) -> None:
        """Take what the browser tells, until it is closed."""
        async for message in self._socket:
            told = message.json()
            if "id" in told:
                self._answers.pop(told["id"]).set_result(told.get("result", told))
            else:
                self._take(told["method"], told.get("params", {}))

    def _take(self, method: str, told: Mapping[str, Any]) -> None:
        match method:
            case "Network.requestWillBeSent":
                self.asked.append(told["request"]["url"])
            case "Network.responseReceived":
                self.answered[told["response"]["url"]] = told["response"]["status"]
            case "Network.webSocketCreated":
                size = parse_qs(urlsplit(told["url"]).query)
                self._screen.resize(int(size["height"][0]), int(size["width"][0]))
            case "Network.webSocketFrameReceived" if told["response"]["opcode"] == 2:
                self._stream.feed(base64.b64decode(told["response"]["payloadData"]))
            case _:
                return
        self._news.set()

    async def call(self, method: str, **parameters: object) -> Any:  # noqa: ANN401 - JSON
        """Ask the browser for something, and return its answer."""
        self._number += 1
        answer = asyncio.get_running_loop().create_future()
        self._answers[self._number] = answer
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        return await asyncio.wait_for(answer, LIMIT_S)

    async def open(self, url: str) -> None:
        """Go to an address."""
        await self.call("Network.enable")
        await self.call("Page.enable")
        # A window without a screen never gets the focus by itself.
        await self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        await self.call("Page.navigate", url=url)

    async def text(self) -> str:
        """Return the text of the page itself."""
        found = await self.call("Runtime.evaluate", expression="document.body.innerText")
        return str(found["result"].get("value", ""))

    async def press(self, key: str, *, is_control: bool = False) -> None:
        """Press and release a key: a character, or ``Enter``."""
        letter = {
            "key": key,
            "code": f"Key{key.upper()}",
            "windowsVirtualKeyCode": ord(key.upper()[0]),
        }
        event = dict(_KEYS.get(key) or letter)
        if is_control:
            event["modifiers"] = _CONTROL
        elif "text" not in event:
            event["text"] = key
        await self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    async def type(self, text: str) -> None:
        """Type a text."""
        for character in text:
            await self.press(character)

    def screen(self) -> str:
        """Return the text in the page's terminal."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    async def wait_for(self, wanted: str | Callable[[], bool]) -> str:
        """Return the screen as soon as it holds ``wanted``.

        Raises:
            AssertionError: If it does not in time.
        """
        holds = wanted if callable(wanted) else lambda: wanted in self.screen()
        try:
            async with asyncio.timeout(LIMIT_S):
                while not holds():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            message = f"{wanted!r} did not come:\n{self.screen()}"
            raise AssertionError(message) from None
        return self.screen()

    async def picture(self, path: Path) -> None:
        """Keep what the page looks like."""
        taken = await self.call("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(taken["data"]))


@asynccontextmanager
async def browser(folder: Path) -> AsyncGenerator[Page]:
    """Open a browser with one empty page; its files lie in the folder."""
    profile = folder / "browser"
    process = await asyncio.create_subprocess_exec(
        *(CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"),
        *("--remote-debugging-port=0", f"--user-data-dir={profile}", "--window-size=1280,800"),
        *("--disable-background-networking", "--disable-component-update", "about:blank"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
    )
    assert process.stderr is not None
    try:
        line = b""
        while b"DevTools listening on" not in line:
            line = await asyncio.wait_for(process.stderr.readline(), LIMIT_S)
            assert line, "the browser did not start"
        base = "http://" + urlsplit(line.split()[-1].decode()).netloc
        async with aiohttp.ClientSession() as client:
            async with client.get(f"{base}/json/list") as answer:
                pages = await answer.json()
            (url,) = [each["webSocketDebuggerUrl"] for each in pages if each["type"] == "page"]
            async with client.ws_connect(url, max_msg_size=0) as socket:
                page = Page(socket)
                listening = asyncio.create_task(page.listen())
                try:
                    yield page
                finally:
                    listening.cancel()
                    await asyncio.gather(listening, return_exceptions=True)
    finally:
        process.terminate()
        await process.communicate()
