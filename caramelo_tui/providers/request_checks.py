"""Refuse requests that no vendor would take.

Owns the rules a transcript must keep (invariant I4) as a vendor checks them; used by the
scripted provider so that a demo or a test fails where a real endpoint would. Pure. Proven by
tests/unit/providers/test_request_checks.py.
"""

from collections.abc import Sequence

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.providers.base import ProviderRequest


def check_request(request: ProviderRequest) -> None:
    """Check a request as a vendor does.

    Raises:
        BadRequest: If it is not valid; the message names the message's number, from 1.
    """
    if request.max_tokens < 1:
        raise BadRequest("The request sets no answer limit.")
    names = [tool.name for tool in request.tools]
    if len(set(names)) != len(names):
        raise BadRequest("The request offers two tools of one name.")
    check_transcript(request.messages)


def check_transcript(messages: Sequence[Message]) -> None:
    """Check order and answers of a transcript.

    Raises:
        BadRequest: If it does not start with the user, ends with the model, or a call is not
            answered exactly once, in order, by the next message.
    """
    if not messages or not isinstance(messages[0], UserMessage):
        raise BadRequest("The first message is not the user's.")
    if isinstance(messages[-1], AssistantMessage):
        raise BadRequest("The last message is the model's.")
    seen_ids: set[str] = set()
    open_ids: list[str] = []
    for number, message in enumerate(messages, start=1):
        answered = _answered_ids(message)
        if answered != open_ids:
            msg = f"Message {number} answers {_listed(answered)}; asked were {_listed(open_ids)}."
            raise BadRequest(msg)
        open_ids = _asked_ids(message)
        repeated = {each for each in open_ids if each in seen_ids or open_ids.count(each) > 1}
        if repeated:
            msg = f"Message {number} repeats the call id {_listed(sorted(repeated))}."
            raise BadRequest(msg)
        seen_ids.update(open_ids)


def _answered_ids(message: Message) -> list[str]:
    if not isinstance(message, ToolResultsMessage):
        return []
    return [result.call_id for result in message.results]


def _asked_ids(message: Message) -> list[str]:
    return [call.id for call in message.calls] if isinstance(message, AssistantMessage) else []


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids) or "nothing"
