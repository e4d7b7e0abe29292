"""A strict model server on loopback that speaks the vendors' streams (``served_wires``).

Refuses what the vendors refuse (``model_server_rules``), plays scripted turns, logs every
request, and fails on demand. In a test::

    async with ModelServer([ScriptedTurn(text="hello")]) as server:
        provider = AnthropicProvider(EndpointSettings(key=KEY, base_url=server.url))

As a program of its own, for tests of the installed command::

    python -m tests.doubles.model_server --scenario FILE --port-file FILE --log FILE

``--faults FILE`` names a JSON list with one object of ``Fault``'s fields, or null, per request.
"""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from aiohttp import web

from caramelo_tui.providers.scenario import (
    FaultKind,
    Observation,
    Scenario,
    ScenarioCursor,
    ScriptedTurn,
)
from caramelo_tui.providers.scenario_files import read_scenario
from tests.doubles.model_server_rules import Refused
from tests.doubles.served_wires import SERVED, Body, ServedWire

FAR_AHEAD = 4_000_000_000
"""A time that no test comes to, in seconds since the epoch."""
COUNTED_TOKENS = 2_095
"""What the server counts in every request that it is asked to count."""

_FAULT_STATUS = {
    FaultKind.RATE_LIMITED: 429,
    FaultKind.OVERLOADED: 529,
    FaultKind.AUTHENTICATION: 401,
    FaultKind.BAD_REQUEST: 400,
    FaultKind.CONTEXT_TOO_LONG: 400,
}
_ERROR_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """How one answer goes wrong; the default goes right."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    message: str = "made to fail"
    text_body: str | None = None
    """Body in place of the vendor's error envelope (an HTML page of a proxy)."""
    drop_before_head: bool = False
    """Close the connection before any answer."""
    start_delay_s: float = 0.0
    drop_at: int | None = None
    """Byte of the body after which the connection is reset."""
    end_at: int | None = None
    """Byte of the body after which the answer ends regularly."""
    stall_at: int | None = None
    """Byte of the body after which nothing comes any more."""
    error_event_at: int | None = None
    """Byte after which an error event is sent; at the next end of an event."""
    chunk_sizes: tuple[int, ...] = ()
    """Sizes of the pieces in which the body is sent, over and over; empty: at once."""
    pace_s: float = 0.0
    """Pause after each piece, so that an answer takes as long as a model's."""
    body: bytes | None = None
    """Body of the stream in place of the script's turn."""


@dataclass(slots=True, kw_only=True)
class LoggedRequest:
    """One request as it came."""

    wire: ServedWire
    path: str
    headers: Mapping[str, str]
    """With lower-case names."""
    body: Mapping[str, object]
    refused: str = ""
    disconnected: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client went away before the answer was whole."""
    started: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the part of the body that is sent before a stall has been sent."""


class ModelServer:
    """The server; enter it to listen."""

    def __init__(
        self,
        turns: Scenario | Sequence[ScriptedTurn] = (),
        *,
        faults: Sequence[Fault | None] = (),
        log_file: Path | None = None,
    ) -> None:
        """Set the server up.

        Args:
            turns: What the model says.
            faults: One for each request, in order; then all goes right.
            log_file: Gets a line of JSON for each request.
        """
        scenario = turns if isinstance(turns, Scenario) else Scenario(turns=tuple(turns))
        self._cursor = ScenarioCursor(scenario)
        self._faults = list(faults)
        self._log_file = log_file
        self._runner: web.AppRunner | None = None
        self._is_closing = asyncio.Event()
        self.requests: list[LoggedRequest] = []
        self.arrived = asyncio.Condition()
        self.port = 0

    @property
    def url(self) -> str:
        """Base URL without ``/v1``."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        for wire in SERVED:
            app.router.add_post(wire.path, partial(self._answer, wire))
            if wire.check_count is not None:
                app.router.add_post(wire.count_path, partial(self._count, wire, wire.check_count))
        app.router.add_get("/copilot_internal/v2/token", self._exchange)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = cast("tuple[str, int]", self._runner.addresses[0])[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_closing.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def wait_for_requests(self, count: int) -> LoggedRequest:
        """Wait until ``count`` requests have come and return the last of them."""
        async with self.arrived:
            await self.arrived.wait_for(lambda: len(self.requests) >= count)
        return self.requests[count - 1]

    async def _exchange(self, request: web.Request) -> web.Response:
        """Give a token for Copilot to any login; ``copilot_server`` is the strict one."""
        del request
        return web.json_response(
            {"token": "tid=1", "expires_at": FAR_AHEAD, "endpoints": {"api": f"{self.url}/copilot"}}
        )

    async def _answer(self, wire: ServedWire, request: web.Request) -> web.StreamResponse:
        logged, fault = await self._take(request, wire)
        refusal = wire.refusal(logged.headers)
        if refusal is not None:
            return self._refuse(logged, *refusal)
        try:
            wire.check(logged.body)
        except Refused as error:
            return self._refuse(logged, 400, str(error))
        return await self._play(request, logged, fault, wire.observation(logged.body))

    async def _count(
        self, wire: ServedWire, check: Callable[[Body], None], request: web.Request
    ) -> web.StreamResponse:
        logged, fault = await self._take(request, wire)
        if fault.status != 200:
            return _error_answer(logged.wire, fault)
        try:
            check(logged.body)
        except Refused as error:
            return self._refuse(logged, 400, str(error))
        return web.json_response({"object": "count", "input_tokens": COUNTED_TOKENS})

    async def _take(self, request: web.Request, wire: ServedWire) -> tuple[LoggedRequest, Fault]:
        body: object = json.loads(await request.read())
        logged = LoggedRequest(
            wire=wire,
            path=request.path,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=cast("Mapping[str, object]", body) if isinstance(body, dict) else {},
        )
        async with self.arrived:
            self.requests.append(logged)
            self.arrived.notify_all()
        if self._log_file is not None:
            line = json.dumps({"vendor": wire.name, "path": logged.path, "body": body})
            await asyncio.to_thread(_append, self._log_file, line)
        return logged, (self._faults.pop(0) if self._faults else None) or Fault()

    def _refuse(self, logged: LoggedRequest, status: int, message: str) -> web.Response:
        logged.refused = message
        if self._log_file is not None:
            _append(self._log_file, json.dumps({"refused": message}))
        return _error_answer(logged.wire, Fault(status=status, message=message))

    async def _play(
        self, request: web.Request, logged: LoggedRequest, fault: Fault, seen: Observation
    ) -> web.StreamResponse:
        try:
            return await self._played(request, logged, fault, seen)
        except (asyncio.CancelledError, ConnectionError):
            logged.disconnected.set()
            raise

    async def _played(
        self, request: web.Request, logged: LoggedRequest, fault: Fault, seen: Observation
    ) -> web.StreamResponse:
        await asyncio.sleep(fault.start_delay_s)
        if fault.drop_before_head:
            _reset(request)
            return web.Response()
        if fault.status != 200:
            return _error_answer(logged.wire, fault)
        turn = self._cursor.next_turn(seen)
        if turn.raises and not turn.raises.after_content:
            self._cursor.advance(turn)
            return _scripted_failure(request, logged.wire, turn)
        body = (
            fault.body
            if fault.body is not None
            else logged.wire.stream(turn, logged.body, number=len(self.requests))
        )
        if fault.error_event_at is not None:
            body = _with_error_event(body, fault.error_event_at, logged.wire)
        if turn.raises:
            body = body[: len(body) * 2 // 3]
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        is_cut = await self._send(request, response, logged, fault, body)
        if is_cut or turn.raises:
            _reset(request)
        self._cursor.advance(turn)
        return response

    async def _send(
        self,
        request: web.Request,
        response: web.StreamResponse,
        logged: LoggedRequest,
        fault: Fault,
        body: bytes,
    ) -> bool:
        """Send the body, or the part that the fault lets through; ``True``: reset it now."""
        del request
        ends = [at for at in (fault.drop_at, fault.end_at, fault.stall_at) if at is not None]
        sent = body[: min(ends)] if ends else body
        for piece in _pieces(sent, fault.chunk_sizes):
            await response.write(piece)
            if fault.pace_s:
                await asyncio.sleep(fault.pace_s)
        logged.started.set()
        if fault.stall_at is not None:
            await self._is_closing.wait()
        return fault.drop_at is not None and fault.drop_at < len(body)


def _pieces(body: bytes, sizes: Sequence[int]) -> list[bytes]:
    if not sizes:
        return [body] if body else []
    pieces: list[bytes] = []
    start = 0
    while start < len(body):
        size = max(1, sizes[len(pieces) % len(sizes)])
        pieces.append(body[start : start + size])
        start += size
    return pieces


def _with_error_event(body: bytes, at: int, wire: ServedWire) -> bytes:
    end = body.find(b"\n\n", at)
    cut = body[: end + 2] if end >= 0 else body
    return cut + wire.error_event("the model failed in mid-stream")


def _scripted_failure(request: web.Request, wire: ServedWire, turn: ScriptedTurn) -> web.Response:
    raised = turn.raises
    assert raised is not None
    status = _FAULT_STATUS.get(raised.kind)
    if status is None:
        _reset(request)
        return web.Response()
    after = raised.retry_after_s
    is_too_long = raised.kind is FaultKind.CONTEXT_TOO_LONG
    return _error_answer(
        wire,
        Fault(
            status=status,
            headers={} if after is None else {"retry-after": f"{after:g}"},
            message="prompt is too long: 9 > 8" if is_too_long else "made to fail",
        ),
    )


def _error_answer(wire: ServedWire, fault: Fault) -> web.Response:
    if fault.text_body is not None:
        return web.Response(
            status=fault.status,
            text=fault.text_body,
            content_type="text/html",
            headers=fault.headers,
        )
    kind = _ERROR_KINDS.get(fault.status, "api_error")
    envelope = wire.envelope(kind, fault.message)
    return web.json_response(envelope, status=fault.status, headers=fault.headers)


def _reset(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")


def _read_faults(file: Path) -> list[Fault | None]:
    listed: list[dict[str, Any] | None] = json.loads(file.read_text(encoding="utf-8"))
    return [None if each is None else Fault(**each) for each in listed]


async def _serve(
    scenario: Path, port_file: Path, log_file: Path | None, faults_file: Path | None
) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopped.set)
    script = read_scenario(scenario)
    faults = () if faults_file is None else _read_faults(faults_file)
    async with ModelServer(script, faults=faults, log_file=log_file) as server:
        # Renamed into place, so that a reader never sees half of the number.
        waiting = port_file.with_name(port_file.name + ".new")
        waiting.write_text(str(server.port), encoding="ascii")
        waiting.replace(port_file)
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        await stopped.wait()


def main(arguments: Sequence[str]) -> None:
    """Run the server until a signal ends it."""
    parser = argparse.ArgumentParser(prog="model_server")
    parser.add_argument("--scenario", type=Path, required=True)
    parser.add_argument("--port-file", type=Path, required=True)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--faults", type=Path)
    parsed = parser.parse_args(arguments)
    asyncio.run(_serve(parsed.scenario, parsed.port_file, parsed.log, parsed.faults))


if __name__ == "__main__":
    main(sys.argv[1:])
