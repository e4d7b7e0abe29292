"""A model server that counts what it is sent, and sums up when it is asked to.

Owns the counts: each answer reports the tokens of its request, so that a program that trusts them
sees its context grow. A request for a summary takes no turn of the script.
"""

import json
import re
from collections.abc import Mapping

from aiohttp import web

from caramelo_tui.providers.scenario import Observation, Scenario, ScenarioCursor, ScriptedTurn
from tests.doubles.model_server import Fault, LoggedRequest, ModelServer

CHARACTERS_PER_TOKEN = 3.5
"""A little more tokens than the program estimates."""
SUMMARY = "The files were read one after the other."
_COUNT = re.compile(rb'"input_tokens":\s*\d+')


def tokens_of(body: Mapping[str, object]) -> int:
    """Return what a request of the Messages API is counted as."""
    return int(len(json.dumps(body)) / CHARACTERS_PER_TOKEN)


def is_summary(body: Mapping[str, object]) -> bool:
    """Whether a request asks for a summary."""
    return "Sum up this record." in json.dumps(body.get("messages"))


class CountingServer(ModelServer):
    """Counts requests as they are; see the module."""

    async def _played(
        self, request: web.Request, logged: LoggedRequest, fault: Fault, seen: Observation
    ) -> web.StreamResponse:
        if not is_summary(logged.body):
            return await super()._played(request, logged, fault, seen)
        script = self._cursor
        self._cursor = ScenarioCursor(Scenario(turns=(ScriptedTurn(text=SUMMARY),)))
        try:
            return await super()._played(request, logged, fault, seen)
        finally:
            self._cursor = script

    async def _send(
        self,
        request: web.Request,
        response: web.StreamResponse,
        logged: LoggedRequest,
        fault: Fault,
        body: bytes,
    ) -> bool:
        count = f'"input_tokens": {tokens_of(logged.body)}'.encode()
        return await super()._send(request, response, logged, fault, _COUNT.sub(count, body))
