"""Compare what a start of the program sent, stored and offered with a case's ``expect``.

Owns one function per expectation key of trust, skills and private files.
"""

import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from caramelo_tui.composition import offered_tools
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, ProtectedAction
from caramelo_tui.tools.base import Tool
from tests.case_runner.played import Check, Look, differs, found_of


def _requests_to_absent(look: Look, wanted: list[str]) -> list[str]:
    if not look.played.sent:
        return ["no request was seen at all"]
    places = "\n".join(f"{sent.host}\n{sent.text}" for sent in look.played.sent)
    return found_of(wanted, places, "a request")


def _sent_text_absent(look: Look, wanted: list[str]) -> list[str]:
    return found_of(wanted, "\n".join(sent.text for sent in look.played.sent), "a request")


def _offered(look: Look) -> list[Mapping[str, Any]]:
    """Return the tools of the first request, whatever the vendor's shape."""
    body = look.played.sent[0].body if look.played.sent else {}
    return [tool.get("function", tool) for tool in body.get("tools", [])]


def _tools(look: Look, wanted: list[str], *, are_there: bool) -> list[str]:
    names = {tool["name"] for tool in _offered(look)}
    if not names:
        return ["no tools were offered at all"]
    return [f"{name}: offered are {names}" for name in wanted if (name in names) != are_there]


def _builtin_unchanged(look: Look, wanted: list[str]) -> list[str]:
    own = {tool.spec.name: tool.spec for tool in _product_tools()}
    problems: list[str] = []
    for name in wanted:
        found = [tool for tool in _offered(look) if tool["name"] == name]
        if [tool["description"] for tool in found] != [own[name].description]:
            problems.append(f"{name} is offered as {found}")
    return problems


def _product_tools() -> tuple[Tool, ...]:
    return (*offered_tools(Settings()), *offered_tools(Settings(profile="core")))


def _codepoints_absent(look: Look, wanted: list[str]) -> list[str]:
    if not look.played.sent:
        return ["no request was seen at all"]
    text = "\n".join(sent.text for sent in look.played.sent)
    return [f"U+{number} was sent" for number in wanted if chr(int(number, 16)) in text]


def _not_weaker(look: Look, wanted: bool) -> list[str]:
    assert look.played.policies is not None
    return differs(_is_as_strict(*look.played.policies), wanted)


def _is_as_strict(alone: PolicySettings, merged: PolicySettings) -> bool:
    blocked = {rule.text for rule in merged.blocked_commands}
    protected = {rule.text for rule in merged.protected_paths}
    return (
        {rule.text for rule in alone.blocked_commands} <= blocked
        and {rule.text for rule in alone.protected_paths} <= protected
        and (
            alone.protected_action is not ProtectedAction.DENY
            or merged.protected_action is ProtectedAction.DENY
        )
        and _is_no_higher(alone.max_diff_lines, merged.max_diff_lines)
        and _is_no_higher(alone.require_approval_above, merged.require_approval_above)
    )


def _is_no_higher(alone: LineLimit | None, merged: LineLimit | None) -> bool:
    return alone is None or (merged is not None and merged.lines <= alone.lines)


def _mode_of(pattern: str) -> Check:
    def compare(look: Look, wanted: str) -> list[str]:
        found = list(look.world.home.glob(pattern))
        modes = {f"{stat.S_IMODE(path.stat().st_mode):04o}" for path in found}
        return differs(modes, {wanted})

    return compare


def _written(look: Look) -> Iterator[Path]:
    """Yield every file that the program may have written."""
    for folder in (look.world.home, look.world.root.resolve()):
        yield from (path for path in folder.rglob("*") if path.is_file())


def _disk_text_absent(look: Look, wanted: list[str]) -> list[str]:
    new = [path for path in _written(look) if path not in look.world.unchanged]
    return [
        f"{text!r} is in {path}"
        for path in new
        for text in wanted
        if text.encode() in path.read_bytes()
    ]


def _log(look: Look) -> bytes:
    return b"\n".join(path.read_bytes() for path in look.world.home.glob("logs/*"))


def _log_lines(look: Look, wanted: list[str]) -> list[str]:
    lines = _log(look).decode("utf-8", "replace").splitlines()
    return [line for line in lines if line.startswith(tuple(wanted))]


def _no_traceback(look: Look, _: bool) -> list[str]:
    everything = "\n".join([*look.played.told, _log(look).decode("utf-8", "replace")])
    return found_of(["Traceback (most recent"], everything, "log or screen")


START_CHECKS: dict[str, Check] = {
    "requests_to_absent": _requests_to_absent,
    "sent_text_absent": _sent_text_absent,
    "tools_present": lambda look, wanted: _tools(look, wanted, are_there=True),
    "tools_absent": lambda look, wanted: _tools(look, wanted, are_there=False),
    "builtin_unchanged": _builtin_unchanged,
    "model_context_codepoints_absent": _codepoints_absent,
    "trust_asked": lambda look, wanted: differs(look.played.is_trust_asked, wanted),
    "effective_policy_not_weaker": _not_weaker,
    "session_file_mode": _mode_of("sessions/*/*.jsonl"),
    "session_dir_mode": _mode_of("sessions/*"),
    "log_file_mode": _mode_of("logs/*"),
    "settings_file_mode": _mode_of("trust.json"),
    "disk_text_absent": _disk_text_absent,
    "log_has_not": lambda look, wanted: found_of(
        wanted, _log(look).decode("utf-8", "replace"), "the log"
    ),
    "log_lines_not_starting_with": _log_lines,
    "log_bytes_absent": lambda look, wanted: [
        f"byte {number} is in the log"
        for number in wanted
        if bytes([int(number, 16)]) in _log(look)
    ],
    "starts": lambda look, wanted: differs(look.played.is_started, wanted),
    "no_traceback": _no_traceback,
    "listening_ports": lambda look, wanted: differs(look.played.listening, wanted),
}
"""Expectations about starts and private files."""
