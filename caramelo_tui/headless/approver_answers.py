"""Read the answer of a program that was asked for an approval.

Owns the form of the answers (docs/command-line.md): whatever is not exactly of that form approves
nothing. Proven by tests/unit/headless/test_approver_answers.py.
"""

from collections.abc import Mapping
from typing import cast

from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    Remark,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.domain.strict_json import load_json


class UnusableAnswer(ValueError):
    """An answer that is not of the form; the text says what is wrong with it."""


def read_answer(data: bytes, request: ApprovalRequest) -> ApprovalAnswer:
    """Return what a program answered to a request.

    Args:
        data: All that it printed.
        request: What it was asked.

    Raises:
        UnusableAnswer: If it is not one JSON object of the form for this kind of request.
    """
    fields = _fields(data)
    if isinstance(request, ReviewRequest):
        return _review(fields, request)
    return _command(fields, can_edit=isinstance(request, CommandRequest))


def _fields(data: bytes) -> Mapping[str, object]:
    if not data.strip():
        raise UnusableAnswer("it printed nothing")
    try:
        loaded, repeated = load_json(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        msg = f"it did not print JSON ({error})"
        raise UnusableAnswer(msg) from error
    if repeated:
        msg = f"a key stands twice in one object: {', '.join(repeated)}"
        raise UnusableAnswer(msg)
    return _object(loaded, "the answer")


def _command(fields: Mapping[str, object], *, can_edit: bool) -> CommandAnswer:
    _only(fields, ("action", "command", "remark"), "the answer")
    allowed = [action for action in CommandAction if can_edit or action is not CommandAction.EDIT]
    word = fields.get("action")
    if word not in allowed:
        msg = f'"action" must be one of {", ".join(allowed)}, not {word!r}'
        raise UnusableAnswer(msg)
    action = CommandAction(cast("str", word))
    command = _text(fields, "command")
    if action is CommandAction.EDIT and not command.strip():
        raise UnusableAnswer('"edit" needs the new "command"')
    if action is not CommandAction.EDIT and command:
        raise UnusableAnswer('"command" goes with "edit" only')
    return CommandAnswer(action=action, command=command or None, remark=_text(fields, "remark"))


def _review(fields: Mapping[str, object], request: ReviewRequest) -> ReviewAnswer:
    _only(fields, ("hunks", "remarks"), "the answer")
    hunks = _object(fields.get("hunks"), '"hunks"')
    shown = {hunk.id for write in request.writes for hunk in write.proposal.hunks}
    for name, verdict in hunks.items():
        if name not in shown:
            msg = f'"hunks" names {name!r}, which is not in the request'
            raise UnusableAnswer(msg)
        if not isinstance(verdict, bool):
            msg = f'"hunks": {name!r} must be true or false, not {verdict!r}'
            raise UnusableAnswer(msg)
    remarks = fields.get("remarks", [])
    if not isinstance(remarks, list):
        raise UnusableAnswer('"remarks" must be a list')
    paths = {write.proposal.path for write in request.writes}
    return ReviewAnswer(
        accepted={HunkId(name): bool(verdict) for name, verdict in hunks.items()},
        remarks=tuple(_remark(each, paths) for each in cast("list[object]", remarks)),
    )


def _remark(value: object, paths: set[str]) -> Remark:
    fields = _object(value, "a remark")
    _only(fields, ("path", "text", "line", "excerpt"), "a remark")
    path, text, line = _text(fields, "path"), _text(fields, "text"), fields.get("line")
    if path not in paths:
        msg = f"a remark names the path {path!r}, which is not in the request"
        raise UnusableAnswer(msg)
    if not text.strip():
        raise UnusableAnswer('a remark needs a "text"')
    if line is not None and (not isinstance(line, int) or isinstance(line, bool) or line < 1):
        msg = f'"line" of a remark must be a whole number from 1, not {line!r}'
        raise UnusableAnswer(msg)
    return Remark(path=path, text=text, line=line, excerpt=_text(fields, "excerpt"))


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        msg = f"{what} must be an object"
        raise UnusableAnswer(msg)
    return cast("dict[str, object]", value)


def _only(fields: Mapping[str, object], known: tuple[str, ...], what: str) -> None:
    unknown = [name for name in fields if name not in known]
    if unknown:
        msg = f"{what} has the unknown key {unknown[0]!r}; known: {', '.join(known)}"
        raise UnusableAnswer(msg)


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        msg = f'"{name}" must be a text'
        raise UnusableAnswer(msg)
    return value
