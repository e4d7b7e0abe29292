"""Answer a browser: the page, its assets, and a terminal for each connection.

Owns the way from a websocket to a terminal and back. Terminal and protocol of the page are those of
textual-serve; the app itself runs as in any terminal. Lets nobody in: that is the gate's. Proven by
tests/unit/serving/test_server.py and tests/e2e/test_serve.py.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from socket import socket

from aiohttp import WSMsgType, web
from aiohttp.typedefs import Handler
from textual_serve.server import Server, to_int

from caramelo_tui.serving.gate import Gate
from caramelo_tui.serving.terminal_process import TerminalProcess

MOST_SESSIONS = 8
"""Connections at a time; each has an app with its agent."""
_LONGEST_MESSAGE = 16 * 1024 * 1024
"""Bytes of one message of the browser, such as a paste."""
_PAGES = Path(__file__).parent / "templates"
"""The page itself is ours: it fetches nothing from elsewhere."""
_FIRST_SIZE = (80, 24)
_GOT_FOCUS = b"\x1b[I"
_LOST_FOCUS = b"\x1b[O"
"""What a terminal sends when its window gets or loses the focus."""
_DROPPED = ("TMUX", "TMUX_PANE", "STY", "COLUMNS", "LINES", "TERM_PROGRAM", "TERM_PROGRAM_VERSION")
"""Variables that describe the terminal of the server, not that of the browser."""
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    # The address holds the token: no other server is told it, and no cache keeps the page.
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class BrowserServer(Server):
    """The server behind one gate."""

    def __init__(
        self, gate: Gate, command: Sequence[str], *, environment: Mapping[str, str]
    ) -> None:
        """Serve a command.

        Args:
            gate: Who is let in.
            command: Opens the app in the terminal at its standard input.
            environment: The user's variables.
        """
        address = f"http://{gate.host}:{gate.port}"
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # its paths are open types
            "caramelo",
            gate.host,
            gate.port,
            "Caramelo",
            public_url=address,
            templates_path=_PAGES,
        )
        self._gate = gate
        self._app_command = tuple(command)
        self._environment = {
            **{name: text for name, text in environment.items() if name not in _DROPPED},
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }
        self._open = 0

    @property
    def address(self) -> str:
        """What the user opens."""
        return f"{self.public_url}{self._gate.prefix}/"

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: who starts the server says where it is."""
        del app

    @asynccontextmanager
    async def listening(self, at: socket) -> AsyncGenerator[None]:
        """Answer on a bound socket within the block; then end every session."""
        runner = web.AppRunner(
            await self._guarded(), handle_signals=False, access_log=None, shutdown_timeout=0.0
        )
        await runner.setup()
        try:
            await web.SockSite(runner, at).start()
            yield
        finally:
            await runner.cleanup()

    async def _guarded(self) -> web.Application:
        outer = web.Application(middlewares=[self._check])
        outer.add_subapp(self._gate.prefix, await self._make_app())
        return outer

    @web.middleware
    async def _check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse whoever the gate does not let in, with nothing but the number."""
        is_let_in = self._gate.lets_in(
            path=request.path,
            host=request.headers.get("Host", ""),
            origin=request.headers.get("Origin", ""),
        )
        if not is_let_in:
            return web.Response(status=403)
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run one session for as long as the connection stands.

        Raises:
            HTTPServiceUnavailable: If too many sessions are open.
        """
        if self._open >= MOST_SESSIONS:
            raise web.HTTPServiceUnavailable(text="too many sessions are open")
        self._open += 1
        try:
            return await self._run_session(request)
        finally:
            self._open -= 1

    async def _run_session(self, request: web.Request) -> web.WebSocketResponse:
        websocket = web.WebSocketResponse(heartbeat=15, max_msg_size=_LONGEST_MESSAGE)
        await websocket.prepare(request)
        columns, rows = _FIRST_SIZE
        terminal = await TerminalProcess.start(
            self._app_command,
            environment=self._environment,
            size=_FIRST_SIZE,
        )
        terminal.resize(
            to_int(request.query.get("width", ""), columns),
            to_int(request.query.get("height", ""), rows),
        )
        painting = asyncio.create_task(_paint(terminal, websocket), name="terminal output")
        try:
            async for message in websocket:
                if message.type is WSMsgType.TEXT:
                    await _take(terminal, websocket, message.data)
        finally:
            painting.cancel()
            await asyncio.gather(painting, return_exceptions=True)
            await terminal.end()
        return websocket


async def _paint(terminal: TerminalProcess, websocket: web.WebSocketResponse) -> None:
    """Send what the app prints until it ends, then close the connection."""
    try:
        while data := await terminal.read():
            await websocket.send_bytes(data)
    except ConnectionError:
        # The browser is gone; the reader of the connection sees it too, and ends the session.
        return
    await websocket.close()


async def _take(terminal: TerminalProcess, websocket: web.WebSocketResponse, text: str) -> None:
    """Take one message of the page: a kind and what belongs to it; others are ignored."""
    match _parsed(text):
        case ["stdin", str(typed)]:
            await terminal.write(typed.encode("utf-8", "replace"))
        case ["resize", {"width": int(columns), "height": int(rows)}]:
            terminal.resize(columns, rows)
        case ["ping", str(mark)]:
            await websocket.send_json(["pong", mark])
        case ["focus", *_]:
            await terminal.write(_GOT_FOCUS)
        case ["blur", *_]:
            await terminal.write(_LOST_FOCUS)
        case _:
            # A page of another version may know more kinds.
            pass


def _parsed(text: str) -> list[object]:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [*found] if isinstance(found, list) else []
