"""Compare what happened with a case's ``expect``.

Owns one function per expectation key; an unknown key fails the case, so that nothing is
passed over. Every problem is a line; no problem means that the case holds.
"""

import json
import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from caramelo_tui.domain.screen_text import has_hidden, visible
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from tests.case_runner.reading import entries_of, header_and_body, rows_of, stream_of
from tests.case_runner.world import Spec, World, content_of


@dataclass(kw_only=True)
class Played:
    """What happened when a case was played."""

    acts: list[ToolResult | None] = field(default_factory=list)
    """One per entry of ``calls``, in order; ``None`` for an outside act."""
    cached: list[bool] = field(default_factory=list)
    """Whether each of ``acts`` came from the cache."""
    seconds: float = 0.0
    """Wall time of all calls."""
    worst_lag_s: float = 0.0
    """Longest stall of the event loop."""
    rss_growth_mb: float = 0.0
    """Growth of the process's peak memory."""
    commands_asked: int = 0
    """Approvals asked."""
    executed: list[str] = field(default_factory=list)
    """Ids of calls whose tool ran."""

    @property
    def results(self) -> list[ToolResult]:
        """The results of the calls, in order."""
        return [result for result in self.acts if result is not None]


@dataclass(kw_only=True)
class Look:
    """What one check looks at."""

    world: World
    played: Played
    result: ToolResult | None
    """The result under test; ``None`` when a case has several or none."""

    @property
    def text(self) -> str:
        """Text of the result, or of all results."""
        if self.result is not None:
            return self.result.text
        return "\n".join(result.text for result in self.played.results)


Check = Callable[[Look, Any], list[str]]
"""Returns the problems of one expectation."""


def check(expect: Spec, look: Look) -> list[str]:
    """Return every problem of ``expect``, one line each."""
    problems: list[str] = []
    for key, wanted in expect.items():
        if key not in CHECKS:
            problems.append(f"the runner does not know the expectation {key!r}")
            continue
        problems += [f"{key}: {problem}" for problem in CHECKS[key](look, wanted)]
    return problems


def _differs(what: object, wanted: object) -> list[str]:
    return [] if what == wanted else [f"wanted {wanted!r}, got {what!r}"[:1500]]


def _is_error(look: Look, wanted: bool | None) -> list[str]:
    if wanted is None or look.result is None:
        return []
    return [] if look.result.is_error is wanted else [f"wanted {wanted}: {look.text[:600]!r}"]


def _contains(look: Look, wanted: list[str]) -> list[str]:
    return [
        f"{part!r} is missing in {look.text[:600]!r}" for part in wanted if part not in look.text
    ]


def _not_contains(look: Look, wanted: list[str]) -> list[str]:
    return [f"{part!r} is in {look.text[:600]!r}" for part in wanted if part in look.text]


def _contains_any(look: Look, wanted: list[list[str]]) -> list[str]:
    text = look.text.casefold()
    return [
        f"none of {group!r} is in {look.text[:600]!r}"
        for group in wanted
        if not any(part.casefold() in text for part in group)
    ]


def _matches(look: Look, wanted: list[str]) -> list[str]:
    return [
        f"{rx!r} is not found in {look.text[:600]!r}"
        for rx in wanted
        if not re.search(rx, look.text)
    ]


def _rx_not(look: Look, wanted: list[str]) -> list[str]:
    return [f"{rx!r} is found" for rx in wanted if re.search(rx, look.text)]


def _results(look: Look, wanted: list[Spec]) -> list[str]:
    problems: list[str] = []
    by_id = {str(result.call_id): result for result in look.played.results}
    for index, spec in enumerate(wanted):
        inner = {key: value for key, value in spec.items() if key != "id"}
        result = by_id.get(spec["id"]) if "id" in spec else look.played.acts[index]
        sub = Look(world=look.world, played=look.played, result=result)
        problems += [f"[{index}] {problem}" for problem in check(inner, sub)]
    return problems


def _outcome_any_of(look: Look, wanted: list[Spec]) -> list[str]:
    tries = [check(spec, look) for spec in wanted]
    return [] if any(not problems for problems in tries) else [f"none holds: {tries}"]


def _files(look: Look, wanted: list[Spec]) -> list[str]:
    return [problem for spec in wanted for problem in _file(look.world, spec)]


def _file(world: World, spec: Spec) -> list[str]:
    path = world.path_of(spec)
    if spec.get("absent"):
        return [f"{path} exists"] if os.path.lexists(path) else []
    if "symlink_to" in spec:
        return _differs(
            str(path.readlink()) if path.is_symlink() else "no link", spec["symlink_to"]
        )
    if not path.exists():
        return [f"{path} does not exist"]
    problems: list[str] = []
    if spec.get("unchanged"):
        problems += _differs(path.read_bytes()[:300], world.unchanged[path.resolve()][0][:300])
    else:
        problems += (
            []
            if path.read_bytes() == content_of(spec)
            else [f"{path}: wanted {content_of(spec)[:300]!r}, got {path.read_bytes()[:300]!r}"]
        )
    if "mode" in spec:
        problems += _differs(oct(stat.S_IMODE(path.stat().st_mode)), oct(int(spec["mode"], 8)))
    if spec.get("mtime_unchanged"):
        problems += _differs(path.stat().st_mtime_ns, world.unchanged[path.resolve()][1])
    return problems


def _files_any_of(look: Look, wanted: list[list[Spec]]) -> list[str]:
    tries = [_files(look, specs) for specs in wanted]
    return [] if any(not problems for problems in tries) else [f"none holds: {tries}"]


def _listing(look: Look, wanted: list[Spec]) -> list[str]:
    return [
        problem
        for spec in wanted
        for problem in _differs(
            sorted(entry.name for entry in look.world.path(spec["path"]).iterdir()),
            sorted(spec["names"]),
        )
    ]


def _header(look: Look, wanted: dict[str, str | None]) -> list[str]:
    header, _ = header_and_body(look.text)
    return [
        f"{key}: wanted {value!r}, got {header.get(key)!r}"
        for key, value in wanted.items()
        if header.get(key) != value
    ]


def _body(look: Look, wanted: str) -> list[str]:
    _, body = header_and_body(look.text)
    return _differs(body.removesuffix("\n")[:2000], wanted.removesuffix("\n")[:2000])


def _body_parts(look: Look, wanted: list[Spec]) -> list[str]:
    return _body(look, "".join(part["text"] * part["times"] for part in wanted))


def _body_bytes(look: Look) -> int:
    return len(header_and_body(look.text)[1].encode())


def _exit_code(look: Look, wanted: int) -> list[str]:
    return _differs(look.result.exit_code if look.result else None, wanted)


def _stream(name: str) -> Check:
    def compare(look: Look, wanted: str) -> list[str]:
        assert look.result is not None
        return _differs(stream_of(look.result, name), wanted)

    return compare


def _stream_bytes(look: Look) -> int:
    assert look.result is not None
    return len(stream_of(look.result, "stdout").encode())


def _processes_gone(look: Look, wanted: list[str]) -> list[str]:
    problems: list[str] = []
    for name in wanted:
        file = look.world.path(name)
        if not file.exists():
            problems.append(f"{name} was not written")
            continue
        pid = int(file.read_text())
        if Path(f"/proc/{pid}").exists() and "Z" not in _process_state(pid):
            problems.append(f"process {pid} is alive")
    return problems


def _process_state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def _json_encodable(look: Look, _: bool) -> list[str]:
    try:
        json.dumps(look.text, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        return [str(error)]
    return []


def _screen_has_no_escape(look: Look, _: bool) -> list[str]:
    shown = visible(look.text)
    return ["a control character is left"] if has_hidden(shown) else []


def _timed_out(look: Look, wanted: bool) -> list[str]:
    return _differs("timed out" in look.text, wanted)


def _executed(look: Look, wanted: Any) -> list[str]:
    return _differs(bool(look.played.executed), bool(wanted))


def _at_most(measure: Callable[[Look], float]) -> Check:
    def compare(look: Look, wanted: float) -> list[str]:
        value = measure(look)
        return [] if value <= wanted else [f"wanted at most {wanted}, got {value:.1f}"]

    return compare


def _at_least(measure: Callable[[Look], float]) -> Check:
    def compare(look: Look, wanted: float) -> list[str]:
        value = measure(look)
        return [] if value >= wanted else [f"wanted at least {wanted}, got {value:.1f}"]

    return compare


UI_STALL_S = 0.25
"""The loop may never stall longer (R27)."""

CHECKS: dict[str, Check] = {
    "is_error": _is_error,
    "contains": _contains,
    "not_contains": _not_contains,
    "contains_any": _contains_any,
    "matches": _matches,
    "rx_not": _rx_not,
    "results": _results,
    "outcome_any_of": _outcome_any_of,
    "files": _files,
    "files_any_of": _files_any_of,
    "listing": _listing,
    "header": _header,
    "body": _body,
    "body_parts": _body_parts,
    "min_body_bytes": _at_least(_body_bytes),
    "max_body_bytes": _at_most(_body_bytes),
    "entries": lambda look, wanted: _differs(entries_of(look.text), wanted),
    "rows": lambda look, wanted: _differs(sorted(rows_of(look.text)), sorted(wanted)),
    "rows_ordered": lambda look, wanted: _differs(rows_of(look.text), wanted),
    "row_count": lambda look, wanted: _differs(len(rows_of(look.text)), wanted),
    "paths": lambda look, wanted: _differs(rows_of(look.text), wanted),
    "path_count": lambda look, wanted: _differs(len(rows_of(look.text)), wanted),
    "exit_code": _exit_code,
    "stdout": _stream("stdout"),
    "stderr": _stream("stderr"),
    "stderr_contains": lambda look, wanted: [
        f"{part!r} is missing"
        for part in wanted
        if look.result is None or part not in stream_of(look.result, "stderr")
    ],
    "timed_out": _timed_out,
    "processes_gone": _processes_gone,
    "approvals_asked": lambda look, wanted: _differs(look.played.commands_asked, wanted),
    "executed": _executed,
    "truncated_flag": lambda look, wanted: _differs(
        look.result.is_truncated if look.result else None, wanted
    ),
    "json_encodable": _json_encodable,
    "screen_has_no_escape": _screen_has_no_escape,
    "max_seconds": _at_most(lambda look: look.played.seconds),
    "max_result_bytes": _at_most(lambda look: len(look.text.encode("utf-8", "replace"))),
    "min_result_bytes": _at_least(lambda look: len(look.text.encode("utf-8", "replace"))),
    "max_result_chars": _at_most(lambda look: len(look.text)),
    "min_result_chars": _at_least(lambda look: len(look.text)),
    "max_stream_bytes": _at_most(_stream_bytes),
    "min_stream_bytes": _at_least(_stream_bytes),
    "max_rss_growth_mb": _at_most(lambda look: look.played.rss_growth_mb),
    "ui_responsive": lambda look, wanted: _differs(look.played.worst_lag_s <= UI_STALL_S, wanted),
    "cache_hits": lambda look, wanted: [
        f"[{index}] wanted cached={hit}"
        for index, hit in enumerate(wanted)
        if hit is not None and look.played.cached[index] is not hit
    ],
    "no_temp_files": lambda look, _: [str(path) for path in look.world.root.rglob("*.caramelo-*")],
}
"""Every expectation that the runner can look at."""

FINISHED_BY_REFUSAL = frozenset({CallState.DENIED, CallState.CANCELLED, CallState.NOT_RUN})
"""States in which the tool did not run."""
