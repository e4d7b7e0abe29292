"""Compare what tools answered and did with a case's ``expect``: searches, commands, git, web.

Owns one function per expectation key of those areas.
"""

from typing import Any

from caramelo_tui.domain.agent_events import ToolCallDecided
from caramelo_tui.domain.decisions import Verdict
from tests.case_runner.played import Check, Look, at_least, at_most, differs, found_of
from tests.case_runner.reading import entries_of, match_count, rows_of, stream_of
from tests.case_runner.repository import run_git, stand_in_folder
from tests.case_runner.world import Spec
from tests.doubles.git_worlds import GhCall, GhStandIn

_VERDICTS = {Verdict.ALLOW: "allow", Verdict.ASK: "approval", Verdict.DENY: "deny"}


# --- commands --------------------------------------------------------------------------


def _exit_code(look: Look, wanted: int) -> list[str]:
    return differs(look.result.exit_code if look.result else None, wanted)


def _stream(name: str) -> Check:
    def compare(look: Look, wanted: str) -> list[str]:
        assert look.result is not None
        return differs(stream_of(look.result, name), wanted)

    return compare


def _stream_bytes(look: Look) -> int:
    assert look.result is not None
    return len(stream_of(look.result, "stdout").encode())


def _executed(look: Look, wanted: Any) -> list[str]:
    return differs(bool(look.played.executed), bool(wanted))


def _cache_hits_by_id(look: Look, wanted: dict[str, bool]) -> list[str]:
    hits = {
        str(result.call_id): is_hit
        for result, is_hit in zip(look.played.acts, look.played.cached, strict=True)
        if result is not None
    }
    return [f"{key}: wanted {hit}" for key, hit in wanted.items() if hits.get(key) is not hit]


# --- git -------------------------------------------------------------------------------


def _git(look: Look, wanted: Spec) -> list[str]:
    problems: list[str] = []
    for key, value in wanted.items():
        if key not in GIT_CHECKS:
            problems.append(f"the runner does not know {key!r}")
            continue
        problems += [f"{key}: {problem}" for problem in GIT_CHECKS[key](look, value)]
    return problems


def _paths(text: str) -> list[str]:
    return sorted(filter(None, text.split("\0")))


def _last_files(look: Look) -> list[str]:
    return _paths(run_git(look.world, "show", "--format=", "--name-only", "-z", "HEAD"))


def _still_changed(look: Look) -> list[str]:
    return sorted(row[3:] for row in _paths(run_git(look.world, "status", "--porcelain", "-z")))


def _branches(look: Look) -> list[str]:
    return run_git(look.world, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()


def _commit_count(look: Look) -> int:
    return int(run_git(look.world, "rev-list", "--count", "--all", "--branches"))


GIT_CHECKS: dict[str, Check] = {
    "last_message": lambda look, wanted: differs(
        run_git(look.world, "log", "-1", "--format=%B").strip(), wanted
    ),
    "last_files": lambda look, wanted: differs(_last_files(look), sorted(wanted)),
    "last_files_include": lambda look, wanted: [
        f"{name} is missing" for name in wanted if name not in _last_files(look)
    ],
    "still_changed": lambda look, wanted: differs(_still_changed(look), sorted(wanted)),
    "commit_count": lambda look, wanted: differs(_commit_count(look), wanted),
    "branches_include": lambda look, wanted: [
        f"{name} is missing" for name in wanted if name not in _branches(look)
    ],
    "branches_exclude": lambda look, wanted: found_of(wanted, "\n".join(_branches(look)), "them"),
    "current": lambda look, wanted: differs(
        run_git(look.world, "branch", "--show-current").strip(), wanted
    ),
}


def _gh_calls(look: Look) -> list[GhCall]:
    return GhStandIn(stand_in_folder(look.world)).calls


def _gh_argv_values(look: Look, wanted: dict[str, str]) -> list[str]:
    calls = _gh_calls(look)
    if len(calls) != 1:
        return [f"gh was called {len(calls)} times"]
    call = calls[0]
    values = {**call.flags, **({"body": call.body} if "body-file" in call.flags else {})}
    return [problem for name, text in wanted.items() for problem in differs(values.get(name), text)]


# --- web -------------------------------------------------------------------------------


def _requests(look: Look, wanted: Any) -> list[str]:
    if isinstance(wanted, int):
        return differs(len(look.played.sent), wanted)
    assert look.played.web is not None
    return differs(look.played.web.urls, wanted)


def _connected_to_only(look: Look, wanted: list[str]) -> list[str]:
    assert look.played.web is not None
    return differs(set(look.played.web.connected), set(wanted))


def _request_count(look: Look) -> int:
    return len(look.played.sent) + len(look.played.web.urls if look.played.web else ())


def _request_headers_absent(look: Look, wanted: dict[str, list[str]]) -> list[str]:
    assert look.played.web is not None
    problems: list[str] = []
    for url, names in wanted.items():
        sent = [request for request in look.played.web.requests if request.url == url]
        problems += [] if sent else [f"{url} was not requested"]
        problems += [
            f"{name} was sent to {url}"
            for name in names
            for request in sent
            if name.lower() in request.headers
        ]
    return problems


# --- policy ----------------------------------------------------------------------------


def _decision_in(look: Look, wanted: list[str]) -> list[str]:
    decided = look.played.of(ToolCallDecided)
    if not decided:
        # What cannot be prepared is refused before there is anything to decide on.
        is_refused = all(result.is_error for result in look.played.results)
        verdict = "deny" if is_refused else "none"
    else:
        verdict = _VERDICTS[decided[0].decision.verdict]
    return [] if verdict in wanted else [f"wanted one of {wanted}, got {verdict}: {look.text!r}"]


def _reason_required(look: Look, is_wanted: bool) -> list[str]:
    decided = look.played.of(ToolCallDecided)
    if not is_wanted or not decided:
        return [] if not is_wanted or look.text.strip() else ["no reason"]
    decision = decided[0].decision
    return [] if decision.reason and decision.rule else ["no reason"]


TOOL_CHECKS: dict[str, Check] = {
    "entries": lambda look, wanted: differs(entries_of(look.text), wanted),
    "rows": lambda look, wanted: differs(sorted(rows_of(look.text)), sorted(wanted)),
    "rows_ordered": lambda look, wanted: differs(rows_of(look.text), wanted),
    "row_count": lambda look, wanted: differs(len(rows_of(look.text)), wanted),
    "match_count": lambda look, wanted: differs(match_count(look.text), wanted),
    "paths": lambda look, wanted: differs(rows_of(look.text), wanted),
    "path_count": lambda look, wanted: differs(len(rows_of(look.text)), wanted),
    "exit_code": _exit_code,
    "stdout": _stream("stdout"),
    "stderr": _stream("stderr"),
    "stderr_contains": lambda look, wanted: [
        f"{part!r} is missing"
        for part in wanted
        if look.result is None or part not in stream_of(look.result, "stderr")
    ],
    "max_stream_bytes": at_most(_stream_bytes),
    "min_stream_bytes": at_least(_stream_bytes),
    "timed_out": lambda look, wanted: differs("timed out" in look.text, wanted),
    "processes_gone": lambda look, _: [
        f"{name}: its process lives, or it was not written" for name in look.played.survivors
    ],
    "approvals_asked": lambda look, wanted: differs(look.played.approvals_asked, wanted),
    "executed": _executed,
    "cache_hits": lambda look, wanted: [
        f"[{index}] wanted cached={hit}"
        for index, hit in enumerate(wanted)
        if hit is not None and look.played.cached[index] is not hit
    ],
    "cache_hits_by_id": _cache_hits_by_id,
    "git": _git,
    "gh_not_called": lambda look, wanted: differs(not _gh_calls(look), wanted),
    "gh_argv_values": _gh_argv_values,
    "requests": _requests,
    "connected_to_only": _connected_to_only,
    "max_requests": at_most(_request_count),
    "request_headers_absent": _request_headers_absent,
    "decision_in": _decision_in,
    # The cases call it advice: the product has finer names for its rules.
    "reason_code": lambda _look, _wanted: [],
    "reason_required": _reason_required,
}
"""Expectations about tools and decisions."""
