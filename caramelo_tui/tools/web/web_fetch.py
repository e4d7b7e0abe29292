"""Fetch a page for the model.

Owns the tool ``web_fetch``: its schema, what is shown for approval and why it asks. Preparing
contacts nothing, so that a refused call leaves no trace. Proven by
tests/unit/tools/web/test_web_fetch.py, tests/contract/test_web_fetch.py and
tests/unit/tools/web/test_web_cases.py.
"""

from collections.abc import Mapping
from typing import cast

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.tool_calls import (
    Action,
    ActionFact,
    ActionKind,
    Effect,
    JsonValue,
    PreparedCall,
    ToolCall,
    ToolSpec,
)
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.output_limits import counted
from caramelo_tui.tools.validation import integer_argument, text_argument
from caramelo_tui.tools.web.client import WebClient
from caramelo_tui.tools.web.html_process import HtmlConverter
from caramelo_tui.tools.web.requests import (
    FREE_METHODS,
    PLAIN_BODY_TYPE,
    WebRequest,
    read_headers,
    read_method,
)
from caramelo_tui.tools.web.urls import DEFAULT_PORTS, WebUrl, parse_url

DEFAULT_MAX_LENGTH = 50_000
"""As the tool reference says."""
_SUMMARY_CHARACTERS = 200

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "url": {"type": "string", "minLength": 1, "description": "http:// or https:// URL."},
        "method": {
            "type": "string",
            "default": "GET",
            "description": "GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS. Default GET.",
        },
        "headers": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Custom request headers, name to value.",
        },
        "body": {"type": "string", "description": "Request body, sent as UTF-8."},
        "max_length": {
            "type": "integer",
            "minimum": 1,
            "default": DEFAULT_MAX_LENGTH,
            "description": "Most characters of the body to return. Default 50000.",
        },
    },
    "required": ["url"],
    "additionalProperties": False,
}


class WebFetch:
    """Send one request and return the answer as text."""

    effect = Effect.OTHER

    def __init__(self, client: WebClient, *, converter: HtmlConverter | None = None) -> None:
        """Wire.

        Args:
            client: The session's way to the web.
            converter: Turns pages into Markdown; the best that is installed by default.
        """
        self._client = client
        self._converter = converter or HtmlConverter()
        self._spec = ToolSpec(
            name="web_fetch", description=description_of("web_fetch"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self,
        call: ToolCall,
        arguments: Mapping[str, JsonValue],
        context: ToolContext,  # noqa: ARG002 - needs nothing of the workspace
    ) -> PreparedCall:
        """Read and check the request; contacts nothing and looks nothing up.

        Raises:
            ToolFailure: If the URL, a host, the method or a header is refused.
        """
        request = _request_of(arguments)
        self._client.rules.check_name(request.url)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=visible(
                f"{request.method} {request.url.text}"[:_SUMMARY_CHARACTERS], keeps_newlines=False
            ),
            action=Action(
                kind=ActionKind.FETCH,
                title=f"{request.method} {_in_short(request.url)}",
                facts=tuple(_facts(request, self._client.limits.redirects)),
                body=text_argument(arguments, "body"),
                asks_because=self._asks_because(request),
            ),
        )

    async def execute(
        self,
        prepared: PreparedCall,
        context: ToolContext,  # noqa: ARG002 - needs nothing of the workspace
    ) -> ToolOutput:
        """Send what was prepared.

        Raises:
            ToolFailure: If a host or redirect is refused, or nothing came.
            asyncio.CancelledError: When interrupted; no connection and no process is left.
        """
        request = _request_of(prepared.arguments)
        answer = await self._client.fetch(request)
        from caramelo_tui.tools.web.rendering import render  # noqa: PLC0415 - for answers only

        return await render(
            answer,
            method=request.method,
            max_length=integer_argument(prepared.arguments, "max_length", DEFAULT_MAX_LENGTH),
            converter=self._converter,
        )

    def _asks_because(self, request: WebRequest) -> str:
        reasons = [
            *([f"it uses {request.method}"] if request.method not in FREE_METHODS else []),
            *(["it sends a body"] if request.body is not None else []),
            *(["it sends custom headers"] if request.headers else []),
            *(
                ["its host has letters that may only look like those of another"]
                if request.url.is_international
                else []
            ),
            *(["its host is new in this session"] if self._client.is_new(request.url) else []),
        ]
        return f"This request asks because {', and '.join(reasons)}." if reasons else ""


def _request_of(arguments: Mapping[str, JsonValue]) -> WebRequest:
    headers = cast("Mapping[str, str]", arguments.get("headers", {}))
    return WebRequest(
        url=parse_url(text_argument(arguments, "url")),
        method=read_method(text_argument(arguments, "method", "GET")),
        headers=read_headers(headers),
        body=text_argument(arguments, "body").encode() if "body" in arguments else None,
    )


def _in_short(url: WebUrl) -> str:
    rest = url.target if url.target == "/" else "/…"
    return f"{url.scheme}://{url.authority}{rest}"


def _facts(request: WebRequest, redirects: int) -> list[ActionFact]:
    url = request.url
    rows = [("method", request.method), ("host", url.host)]
    if url.is_international:
        rows.append(("host in letters", url.host_in_letters))
        if url.host_as_written not in {url.host, url.host_in_letters}:
            rows.append(("host as written", url.host_as_written))
    if url.port != DEFAULT_PORTS[url.scheme]:
        rows.append(("port", str(url.port)))
    if url.scheme == "http":
        rows.append(("encrypted", "no"))
    rows += [("url", url.text), ("length", _lengths(request))]
    rows += [(f"header {name}", value) for name, value in request.headers]
    if request.body is not None and "content-type" not in {n.lower() for n, _ in request.headers}:
        rows.append(("header Content-Type", f"{PLAIN_BODY_TYPE} (not given)"))
    rows.append(("redirects", _redirect_rule(request, redirects)))
    return [ActionFact(label=label, value=value) for label, value in rows]


def _lengths(request: WebRequest) -> str:
    parts = [
        f"path {counted(len(request.url.path), 'character')}",
        f"query {counted(len(request.url.query), 'character')}",
    ]
    if request.body is not None:
        parts.append(f"body {counted(len(request.body), 'byte')}")
    return ", ".join(parts)


def _redirect_rule(request: WebRequest, redirects: int) -> str:
    rule = f"at most {redirects}, each checked"
    if request.headers:
        rule += f"; the headers go to {request.url.scheme}://{request.url.authority} only"
    if request.body is not None or request.method not in FREE_METHODS:
        rule += "; never to another origin"
    return rule
