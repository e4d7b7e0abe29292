"""Compare what happened with a case's ``expect``.

Owns one function per expectation key; an unknown key fails the case, so that nothing is
passed over. Every problem is a line; no problem means that the case holds.
"""

import json
import re
import stat
from pathlib import Path

from caramelo_tui.domain.screen_text import has_hidden, visible
from tests.case_runner.played import Check, Look, at_least, at_most, differs
from tests.case_runner.reading import header_and_body
from tests.case_runner.run_checks import RUN_CHECKS
from tests.case_runner.start_checks import START_CHECKS
from tests.case_runner.tool_checks import TOOL_CHECKS
from tests.case_runner.world import Spec, World, content_of


def check(expect: Spec, look: Look) -> list[str]:
    """Return every problem of ``expect``, one line each."""
    problems: list[str] = []
    for key, wanted in expect.items():
        if key not in CHECKS:
            problems.append(f"the runner does not know the expectation {key!r}")
            continue
        problems += [f"{key}: {problem}" for problem in CHECKS[key](look, wanted)]
    return problems


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
        return [f"{path} exists"] if path.is_symlink() or path.exists() else []
    if "symlink_to" in spec:
        return differs(str(path.readlink()) if path.is_symlink() else "no link", spec["symlink_to"])
    if not path.exists():
        return [f"{path} does not exist"]
    problems: list[str] = []
    if spec.get("unchanged"):
        problems += differs(path.read_bytes()[:300], world.unchanged[path.resolve()][0][:300])
    else:
        problems += (
            []
            if path.read_bytes() == content_of(spec)
            else [f"{path}: wanted {content_of(spec)[:300]!r}, got {path.read_bytes()[:300]!r}"]
        )
    if "mode" in spec:
        problems += differs(oct(stat.S_IMODE(path.stat().st_mode)), oct(int(spec["mode"], 8)))
    if spec.get("mtime_unchanged"):
        problems += differs(path.stat().st_mtime_ns, world.unchanged[path.resolve()][1])
    return problems


def _files_any_of(look: Look, wanted: list[list[Spec]]) -> list[str]:
    tries = [_files(look, specs) for specs in wanted]
    return [] if any(not problems for problems in tries) else [f"none holds: {tries}"]


def _listing(look: Look, wanted: list[Spec]) -> list[str]:
    return [
        problem
        for spec in wanted
        for problem in differs(
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
    return differs(body.removesuffix("\n")[:2000], wanted.removesuffix("\n")[:2000])


def _body_parts(look: Look, wanted: list[Spec]) -> list[str]:
    return _body(look, "".join(part["text"] * part["times"] for part in wanted))


def _body_bytes(look: Look) -> int:
    return len(header_and_body(look.text)[1].encode())


def _json_encodable(look: Look, _: bool) -> list[str]:
    try:
        json.dumps(look.text, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        return [str(error)]
    return []


def _screen_has_no_escape(look: Look, _: bool) -> list[str]:
    shown = visible(look.text)
    return ["a control character is left"] if has_hidden(shown) else []


def _results_multiset(look: Look, wanted: list[Spec]) -> list[str]:
    left = list(look.played.results)
    problems: list[str] = []
    for index, spec in enumerate(wanted):
        looks = [Look(world=look.world, played=look.played, result=result) for result in left]
        fit = next((each for each in looks if not check(spec, each)), None)
        if fit is None:
            problems.append(f"[{index}] no result fits")
        else:
            left = [result for result in left if result is not fit.result]
    return problems


def _home_untouched(look: Look, _: bool) -> list[str]:
    left = list(Path(look.world.environment["HOME"]).iterdir())
    return [f"the home folder has {left}"] if left else []


UI_STALL_S = 0.25
"""The loop may never stall longer (R27)."""

CHECKS: dict[str, Check] = {
    **TOOL_CHECKS,
    **RUN_CHECKS,
    **START_CHECKS,
    "is_error": _is_error,
    "contains": _contains,
    "not_contains": _not_contains,
    "contains_any": _contains_any,
    "matches": _matches,
    "rx_not": _rx_not,
    "results": _results,
    "results_multiset": _results_multiset,
    "outcome_any_of": _outcome_any_of,
    "files": _files,
    "files_any_of": _files_any_of,
    "listing": _listing,
    "no_temp_files": lambda look, _: [str(path) for path in look.world.root.rglob("*.caramelo-*")],
    "home_untouched": _home_untouched,
    "header": _header,
    "body": _body,
    "body_parts": _body_parts,
    "min_body_bytes": at_least(_body_bytes),
    "max_body_bytes": at_most(_body_bytes),
    "json_encodable": _json_encodable,
    "screen_has_no_escape": _screen_has_no_escape,
    "truncated_flag": lambda look, wanted: differs(
        look.result.is_truncated if look.result else None, wanted
    ),
    "max_seconds": at_most(lambda look: look.played.seconds),
    "opens_within_seconds": at_most(lambda look: look.played.seconds),
    "max_result_bytes": at_most(lambda look: len(look.text.encode("utf-8", "replace"))),
    "min_result_bytes": at_least(lambda look: len(look.text.encode("utf-8", "replace"))),
    "max_result_chars": at_most(lambda look: len(look.text)),
    "min_result_chars": at_least(lambda look: len(look.text)),
    "max_rss_growth_mb": at_most(lambda look: look.played.rss_growth_mb),
    "ui_responsive": lambda look, wanted: differs(look.played.worst_lag_s <= UI_STALL_S, wanted),
}
"""Every expectation that the runner can look at; those of a dialog are looked at on the screen,
in tests/pilot/."""
