"""Decide what request follows a redirect.

Owns the rules of RFC 9110 (15.4) with ours on top: what the user approved for one origin goes
to no other. Proven by tests/unit/tools/web/test_redirects.py.
"""

from dataclasses import replace

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.tools.web.requests import FREE_METHODS, WebRequest
from caramelo_tui.tools.web.urls import URL_CHARACTERS, UrlRefused, WebUrl, join_url

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
"""Statuses whose ``Location`` is followed."""
_KEEP_METHOD = frozenset({307, 308})
_SEE_OTHER = 303
_BODY_HEADERS = "content-"


class RedirectRefused(ToolFailure):
    """A redirect that is not followed; the text names where it leads."""

    def __init__(self, source: WebUrl, target: str, reason: str) -> None:
        shown = visible(target[:URL_CHARACTERS], keeps_newlines=False)
        super().__init__(f"{source.text} redirects to {shown}, which was not followed: {reason}")


def redirected(request: WebRequest, status: int, location: str) -> WebRequest:
    """Return the request that follows.

    A change of origin (scheme, host or port) drops all custom headers, and they stay dropped.
    303 asks with GET; 301 and 302 turn POST into GET; 307 and 308 send the same again.

    Raises:
        RedirectRefused: If the target is no plain http or https URL, if it leaves https, or if
            a method other than GET and HEAD, or a body, would go to another origin.
    """
    try:
        target = join_url(request.url, location)
    except UrlRefused as error:
        raise RedirectRefused(request.url, location, str(error)) from error
    if request.url.scheme == "https" and target.scheme == "http":
        raise RedirectRefused(
            request.url, target.text, "it leaves https. Call it directly if that is meant."
        )
    following = _with_method(request, status)
    if target.origin == request.url.origin:
        return replace(following, url=target)
    if following.method not in FREE_METHODS or following.body is not None:
        raise RedirectRefused(
            request.url,
            target.text,
            "the request was approved for one origin and this is another. Call it directly.",
        )
    return replace(following, url=target, headers=())


def _with_method(request: WebRequest, status: int) -> WebRequest:
    if status in _KEEP_METHOD or (request.body is None and request.method in FREE_METHODS):
        return request
    becomes_get = status == _SEE_OTHER or request.method == "POST"
    method = "GET" if becomes_get and request.method != "HEAD" else request.method
    if method not in FREE_METHODS:
        return request
    headers = tuple(
        (name, value)
        for name, value in request.headers
        if not name.lower().startswith(_BODY_HEADERS)
    )
    return replace(request, method=method, body=None, headers=headers)
