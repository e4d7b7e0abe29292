"""Write the table of peers into docs/performance.md: ``python -m benchmarks.peer_table FOLDER``.

The folder holds one JSON file for each program, as a bench that drives them all in alternating
rounds has written it. Only what stands between the two markers of the page is replaced. Proven by
tests/unit/benchmarks/test_peer_table.py.
"""

import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from benchmarks.figures import MOST
from benchmarks.report import share_of

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- peers: written by benchmarks/peer_table.py -->", "<!-- end of peers -->"
FIRST = ("caramelo", "codex", "claude_code", "mistral_vibe")
"""Order of the columns; others follow by name."""
_MB = 1 << 20
_EDGE = 30
"""Turns at both ends of a long session that are compared."""
_WARM_TURNS = 5

Entry: TypeAlias = Mapping[str, object]
"""One measurement of one program, as it stands in the file."""
Program: TypeAlias = Mapping[str, object]
"""Everything that was measured of one program."""


def entries(program: Program, kind: str) -> list[Entry]:
    """Return the measurements of one kind that came to their end."""
    found = program.get(kind)
    listed: list[Entry] = found if isinstance(found, list) else []
    return [one for one in listed if _is_whole(one)]


def _is_whole(entry: Entry) -> bool:
    if entry.get("timed_out") or entry.get("status", 0) != 0 or "failed" in entry:
        return False
    asked, wanted = entry.get("main", 1), entry.get("turns", 1)
    return not (isinstance(asked, int) and isinstance(wanted, int)) or asked >= wanted


def numbers(measured: Sequence[Entry], key: str, scale: float = 1.0) -> list[float]:
    """Return the values of one field, also where a field holds a list of them."""
    found: list[float] = []
    for one in measured:
        value = one.get(key)
        values: list[object] = value if isinstance(value, list) else [value]
        found += [
            each * scale
            for each in values
            if isinstance(each, int | float) and not isinstance(each, bool)
        ]
    return found


def _spread(values: Sequence[float], digits: int = 0) -> str:
    if not values:
        return "-"
    middle = f"{statistics.median(values):.{digits}f}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def _halves(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.0f} / {share_of(values, MOST):.0f}" if values else "-"


def _plain(kind: str, key: str, scale: float = 1.0, digits: int = 0) -> Callable[[Program], str]:
    return lambda program: _spread(numbers(entries(program, kind), key, scale), digits)


def _shares(kind: str, key: str) -> Callable[[Program], str]:
    return lambda program: _halves(numbers(entries(program, kind), key))


def _memory_growth(program: Program) -> str:
    measured = entries(program, "flood1000000")
    after, before = numbers(measured, "rss_after"), numbers(measured, "rss_before")
    pairs = zip(after, before, strict=False)
    return _spread([(last - first) / _MB for last, first in pairs])


def _turn_growth(program: Program) -> str:
    gaps = numbers(entries(program, "long")[-1:], "gaps_ms")
    if len(gaps) < 2 * _EDGE:
        return "-"
    first = statistics.median(gaps[_WARM_TURNS : _WARM_TURNS + _EDGE])
    return f"{first:.0f} → {statistics.median(gaps[-_EDGE:]):.0f}"


LINES: Mapping[str, Callable[[Program], str]] = {
    "`--version`, ms": _plain("version_run", "ms"),
    "first output in the terminal, warm, ms": _plain("tui_warm", "first_output_ms"),
    "prompt on the screen, warm, ms": _plain("tui_warm", "prompt_ms"),
    "first key echoed, warm, ms": _plain("tui_warm", "usable_ms"),
    "launch to first model request, ms": _plain("tui_warm", "first_request_ms"),
    "idle memory (PSS), MB": _plain("tui_session", "idle_pss", 1 / _MB),
    "idle CPU, %": _plain("tui_session", "idle_cpu_pct", digits=1),
    "idle, to the terminal in 10 s, bytes": _plain("tui_session", "idle_bytes"),
    "key echo idle, p50 / p95, ms": _shares("tui_session", "echo_idle_ms"),
    "key echo at 2 KB/s, p50 / p95, ms": _shares("tui_session", "echo_stream_ms"),
    "keys lost while streaming, of 40": _plain("tui_session", "echo_stream_lost"),
    "CPU at 2 KB/s, %": _plain("tui_session", "stream_cpu_pct"),
    "50 KB at once, painted, s": _plain("flood50000", "painted_ms", 1e-3, 1),
    "200 KB at once, painted, s": _plain("flood200000", "painted_ms", 1e-3, 1),
    "1 MB at once, painted, s": _plain("flood1000000", "painted_ms", 1e-3, 1),
    "1 MB at once, growth of memory (RSS), MB": _memory_growth,
    "headless hello, ms": _plain("hello", "wall_ms"),
    "20 calls headless, less the model, ms": _plain("tools", "net_ms"),
    "20 calls headless, per turn, p50 / p95, ms": _shares("tools", "gaps_ms"),
    "20 calls headless, peak memory, MB": _plain("tools", "peak_rss", 1 / _MB),
    "200 KB headless, ms": _plain("stream200000", "consumed_ms"),
    "1 MB headless, ms": _plain("stream1000000", "consumed_ms"),
    "300 turns, per turn, first → last 30, ms": _turn_growth,
}


def peer_table(programs: Mapping[str, Program]) -> str:
    """Return the Markdown table; lines that nobody has a figure for are left out."""
    names = [one for one in FIRST if one in programs]
    names += sorted(set(programs) - set(names))
    rows = [
        ["", *names],
        ["---", *["--:" for _ in names]],
        ["version", *[str(programs[name].get("version", "?")) for name in names]],
        ["date", *[str(programs[name].get("date", "?")) for name in names]],
    ]
    for what, cell in LINES.items():
        cells = [cell(programs[name]) for name in names]
        if set(cells) != {"-"}:
            rows.append([what, *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def with_table(page: str, table: str) -> str:
    """Return the page with the table between its markers.

    Raises:
        ValueError: If the page has no markers.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        msg = f"the page has no line {BEGIN} followed by {END}"
        raise ValueError(msg)
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def read_programs(folder: Path) -> dict[str, Program]:
    """Return what was measured, by program."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}


def main(arguments: list[str]) -> int:
    """Replace the table in the page."""
    if len(arguments) != 1:
        print("usage: python -m benchmarks.peer_table FOLDER", file=sys.stderr)
        return 2
    programs = read_programs(Path(arguments[0]))
    PAGE.write_text(with_table(PAGE.read_text("utf-8"), peer_table(programs)), "utf-8")
    print(f"{PAGE}: {', '.join(sorted(programs))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
