"""A stand-in for GitHub's login, its exchange of tokens, and Copilot's chat, on loopback.

Refuses what is not as documented: another client id, a wrong grant, no editor version, a token
that ended. Chat itself is the strict model server's. In a test::

    async with CopilotServer([ScriptedTurn(text="hello")]) as server:
        provider = CopilotProvider(EndpointSettings(key=GITHUB_TOKEN, base_url=server.url))

As a program of its own: ``python -m tests.doubles.copilot_server --port-file FILE --log FILE``;
a POST to ``/control/expire``, ``/control/revoke`` or ``/control/restore`` changes what it takes.
"""

import argparse
import asyncio
import json
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from aiohttp import web
from aiohttp.client import ClientSession

from caramelo_tui.providers.copilot_http import CLIENT_ID
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.model_server import ModelServer

GITHUB_TOKEN = "gho_planted_0123456789"
"""What a login gives."""
USER_CODE = "WDJB-MJHT"
_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_MODELS = [
    {
        "id": "gpt-test",
        "name": "GPT test",
        "model_picker_enabled": True,
        "billing": {"is_premium": False, "multiplier": 0},
        "capabilities": {
            "type": "chat",
            "limits": {"max_context_window_tokens": 128000, "max_output_tokens": 16384},
            "supports": {"tool_calls": True, "vision": True},
        },
    },
    {
        "id": "claude-test",
        "name": "Claude test",
        "model_picker_enabled": True,
        "billing": {"is_premium": True, "multiplier": 1.5},
        "capabilities": {"type": "chat", "supports": {"tool_calls": True}},
    },
    {"id": "embed", "capabilities": {"type": "embeddings"}},
    {"id": "hidden", "model_picker_enabled": False, "capabilities": {"type": "chat"}},
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenChat:
    """One request for chat that was let through."""

    token: str
    initiator: str
    has_vision_mark: bool
    editor: str


class CopilotServer:
    """The server; enter it to listen."""

    def __init__(
        self,
        turns: Sequence[ScriptedTurn] = (),
        *,
        polls: Sequence[str] = (),
        life_s: int = 1500,
        now: float = 4_000_000_000.0,
        log_file: Path | None = None,
    ) -> None:
        """Set the server up.

        Args:
            turns: What the model says.
            polls: Errors that are answered to questions about the login, in order; then it is
                there.
            life_s: Seconds for which a Copilot token is said to be good.
            now: The time that ends are counted from, in seconds since the epoch; far ahead.
            log_file: Gets a line for each request for chat: its initiator.
        """
        self._model = ModelServer(turns)
        self._polls = list(polls)
        self.life_s = life_s
        self.now = now
        self._log_file = log_file
        self.is_revoked = False
        self.exchange_status = 200
        self.exchanges = 0
        self.asked_to_log_in = 0
        self.dead_tokens: set[str] = set()
        self.verification_uri = ""
        self.interval_s = 5
        self.on_chat: Callable[[int], object] = lambda _number: None
        """Told of each request for chat, counted from 1, before it is answered."""
        self.chats: list[SeenChat] = []
        self._runner: web.AppRunner | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """Address of this GitHub."""
        return f"http://127.0.0.1:{self.port}"

    def token(self, number: int) -> str:
        """Return the Copilot token of one exchange, counted from 1."""
        return f"tid=planted-{number};exp=1;sku=test"

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/login/device/code", self._give_code)
        app.router.add_post("/login/oauth/access_token", self._give_token)
        app.router.add_get("/copilot_internal/v2/token", self._exchange)
        app.router.add_get("/copilot/models", self._list_models)
        app.router.add_post("/copilot/chat/completions", self._chat)
        app.router.add_post("/control/{what}", self._control)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = cast("tuple[str, int]", self._runner.addresses[0])[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        await self._model.__aexit__(kind, error, trace)

    def expire(self) -> None:
        """End all tokens that were given so far, before their time."""
        self.dead_tokens.update(self.token(number) for number in range(1, self.exchanges + 1))

    async def _control(self, request: web.Request) -> web.Response:
        match request.match_info["what"]:
            case "expire":
                self.expire()
            case "revoke":
                self.expire()
                self.is_revoked = True
            case _:
                self.is_revoked = False
        return web.Response()

    async def _give_code(self, request: web.Request) -> web.Response:
        form = await request.post()
        if form.get("client_id") != CLIENT_ID or request.headers.get("Accept") != _JSON:
            return web.json_response({"error": "incorrect_client_credentials"}, status=404)
        return web.json_response(
            {
                "device_code": "device-secret",
                "user_code": USER_CODE,
                "verification_uri": self.verification_uri or f"{self.url}/login/device",
                "expires_in": 900,
                "interval": self.interval_s,
            }
        )

    async def _give_token(self, request: web.Request) -> web.Response:
        form = await request.post()
        self.asked_to_log_in += 1
        if form.get("grant_type") != _GRANT or form.get("client_id") != CLIENT_ID:
            return web.json_response({"error": "unsupported_grant_type"})
        if form.get("device_code") != "device-secret":
            return web.json_response({"error": "incorrect_device_code"})
        if self._polls:
            error = self._polls.pop(0)
            more = {"interval": 10} if error == "slow_down" else {}
            return web.json_response({"error": error, **more})
        return web.json_response({"access_token": GITHUB_TOKEN, "token_type": "bearer"})

    async def _exchange(self, request: web.Request) -> web.Response:
        if not request.headers.get("User-Agent", "").startswith("Caramelo/"):
            return web.json_response({"message": "no user agent"}, status=403)
        wrong = request.headers.get("Authorization") != f"token {GITHUB_TOKEN}"
        if self.is_revoked or wrong:
            return web.json_response({"message": "Bad credentials"}, status=401)
        if self.exchange_status != 200:
            message = f"no access for {GITHUB_TOKEN}"
            return web.json_response({"message": message}, status=self.exchange_status)
        self.exchanges += 1
        return web.json_response(
            {
                "token": self.token(self.exchanges),
                "expires_at": int(self.now) + self.life_s,
                "endpoints": {"api": f"{self.url}/copilot"},
            }
        )

    async def _list_models(self, request: web.Request) -> web.Response:
        return self._refusal(request) or web.json_response({"data": _MODELS})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        refused = self._refusal(request)
        if refused is not None:
            return refused
        self.chats.append(
            SeenChat(
                token=_bearer(request),
                initiator=request.headers.get("X-Initiator", ""),
                has_vision_mark=request.headers.get("Copilot-Vision-Request") == "true",
                editor=request.headers["Editor-Version"],
            )
        )
        self.on_chat(len(self.chats))
        if self._log_file is not None:
            with self._log_file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"initiator": self.chats[-1].initiator}) + "\n")
        return await self._passed_on(request)

    async def _passed_on(self, request: web.Request) -> web.StreamResponse:
        """Let the strict model server answer."""
        async with (
            ClientSession() as session,
            session.post(
                f"{self._model.url}/v1/chat/completions",
                data=await request.read(),
                headers={"Authorization": "Bearer x", "Content-Type": _JSON},
            ) as answer,
        ):
            response = web.StreamResponse(
                status=answer.status, headers={"content-type": answer.content_type}
            )
            await response.prepare(request)
            async for piece in answer.content.iter_any():
                await response.write(piece)
            return response

    def _refusal(self, request: web.Request) -> web.Response | None:
        token = _bearer(request)
        known = {self.token(number) for number in range(1, self.exchanges + 1)}
        if token not in known - self.dead_tokens:
            return web.json_response({"message": "token expired"}, status=401)
        if "/" not in request.headers.get("Editor-Version", ""):
            message = "bad request: missing Editor-Version header for IDE auth"
            return web.json_response({"message": message}, status=400)
        return None


_JSON = "application/json"


def _bearer(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


async def _serve(port_file: Path, log_file: Path) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    turns = [ScriptedTurn(text="Hello from the stand-in.")] * 20
    async with CopilotServer(turns, log_file=log_file) as server:
        server.interval_s = 1
        partial = port_file.with_suffix(".part")
        partial.write_text(str(server.port))
        partial.rename(port_file)
        await stop.wait()


def main() -> None:
    """Serve until SIGTERM."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port-file", type=Path, required=True)
    parser.add_argument("--log", type=Path, required=True)
    words = parser.parse_args()
    asyncio.run(_serve(words.port_file, words.log))


if __name__ == "__main__":
    main()
