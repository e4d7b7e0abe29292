"""Searches are whole, ordered, capped, and end in time."""

import dataclasses
import os
import signal
import threading
from collections.abc import Callable

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped
from caramelo_tui.tools.search.line_rows import LinesFound
from caramelo_tui.tools.search.line_search import Engines, LineQuery, find_lines
from caramelo_tui.tools.search.regex_process import PatternRefused, RegexProcesses
from caramelo_tui.tools.search.ripgrep import Ripgrep, find_ripgrep
from tests.doubles.tool_worlds import ToolWorld

ENDLESS = "(a+)+$"
INSTALLED = Ripgrep(find_ripgrep(os.environ["PATH"]))


def slow(processes: RegexProcesses) -> Engines:
    return Engines(processes=processes, ripgrep=Ripgrep(None))


def fast(processes: RegexProcesses) -> Engines:
    return Engines(processes=processes, ripgrep=INSTALLED)


def find(
    world: ToolWorld,
    pattern: str,
    *,
    max_rows: int = 100,
    is_case_sensitive: bool = False,
    start: str = ".",
    engines: Engines | None = None,
) -> LinesFound:
    query = LineQuery(
        pattern=pattern,
        is_case_sensitive=is_case_sensitive,
        start=world.context.sandbox.resolve(start),
        max_rows=max_rows,
    )
    return find_lines(world.context.files, query, engines or slow(world.processes), StopFlag())


def test_rows_over_several_batches_are_ordered_and_whole(tool_world: ToolWorld) -> None:
    for number in range(1_100):
        tool_world.write(f"d{number % 3}/f{number:04}.txt", f"no\nhit {number}\n")

    found = find(tool_world, "hit", max_rows=1_100)

    assert len(found.rows) == 1_100
    assert not found.has_more
    assert found.files_searched == 1_100
    places = [(row.path, row.line) for row in found.rows]
    assert places == sorted(places)
    assert found.rows[0].text == "hit 0"


def test_cap_keeps_the_first_rows_and_says_that_there_are_more(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "go\n" * 3)
    tool_world.write("b.txt", "go\n")

    assert [find(tool_world, "go", max_rows=most).has_more for most in (3, 4)] == [True, False]
    assert len(find(tool_world, "go", max_rows=3).rows) == 3


def test_case_counts_only_when_asked(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "Token\n\u00c9COLE\n")

    assert len(find(tool_world, "token").rows) == 1
    assert len(find(tool_world, "\u00e9cole").rows) == 1
    assert find(tool_world, "token", is_case_sensitive=True).rows == ()


def test_invalid_pattern_is_refused_even_in_an_empty_workspace(tool_world: ToolWorld) -> None:
    with pytest.raises(PatternRefused, match="Invalid group modifier"):
        find(tool_world, "(?i)token")


def test_time_limit_gives_what_was_found_until_then(tool_world: ToolWorld) -> None:
    for number in range(1_024):
        tool_world.write(f"a{number:04}", "a\n" if number == 0 else "none\n")
    tool_world.write("z.txt", "a" * 60 + "!\n")
    processes = RegexProcesses(time_limit_s=1)

    found = find(tool_world, ENDLESS, engines=slow(processes))

    assert found.is_timed_out
    assert [row.path for row in found.rows] == ["a0000"]
    assert found.files_searched == 1_024
    assert processes.pids == ()
    processes.close()


def test_stop_flag_kills_the_worker(tool_world: ToolWorld) -> None:
    tool_world.write("z.txt", "a" * 60 + "!\n")
    stop = StopFlag()
    query = LineQuery(
        pattern=ENDLESS,
        is_case_sensitive=False,
        start=tool_world.context.sandbox.resolve("."),
        max_rows=1,
    )
    threading.Timer(0.2, stop.set).start()

    with pytest.raises(Stopped):
        find_lines(tool_world.context.files, query, slow(tool_world.processes), stop)
    assert tool_world.processes.pids == ()


def test_worker_that_dies_is_an_error_and_the_next_search_works(tool_world: ToolWorld) -> None:
    tool_world.write("z.txt", "a" * 60 + "!\n")
    processes = tool_world.processes

    def kill_when_busy() -> None:
        while not processes.pids:
            pass
        os.kill(processes.pids[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_when_busy)
    killer.start()
    with pytest.raises(ToolFailure, match="ended before the search did"):
        find(tool_world, ENDLESS)
    killer.join()

    assert find(tool_world, "!").rows[0].line == 1


def test_missing_start_costs_no_worker(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "x\n")
    find(tool_world, "x")
    pids = tool_world.processes.pids

    with pytest.raises(ToolFailure, match="nowhere"):
        find(tool_world, "x", start="nowhere")

    assert tool_world.processes.pids == pids


def test_tree_of_skipped_files_alone_still_ends_in_time(tool_world: ToolWorld) -> None:
    tool_world.write("a.bin", b"\0")
    processes = RegexProcesses(time_limit_s=0)

    assert find(tool_world, "x", engines=slow(processes)).is_timed_out


def test_found_values_are_plain(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "x\n")

    assert dataclasses.asdict(find(tool_world, "x").rows[0]) == {
        "path": "a.txt",
        "line": 1,
        "text": "x",
    }


def test_both_engines_give_the_same_rows(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "\ufeffStra\u00dfe\r\nstrasse\r\n")
    tool_world.write("b/c.txt", "\U0001f600 \u00c9cole 12-12\n\u00e9cole 12-13")
    tool_world.write("b/d.txt", b"caf\xe9 12-12\r")
    tool_world.write("e.txt", "")
    tool_world.write("z.txt", "12-12\n" * 3)

    for pattern in ("^stra", "^.. \u00e9cole", "(\\d+)-\\1$", "", "^.{5}$", "(?<=-)12"):
        by_worker = find(tool_world, pattern, max_rows=4)
        found = find(tool_world, pattern, max_rows=4, engines=fast(tool_world.processes))

        assert found == by_worker
        assert found.rows


@pytest.mark.parametrize("engines", [slow, fast])
def test_letters_fold_as_javascript_says(
    tool_world: ToolWorld, engines: Callable[[RegexProcesses], Engines]
) -> None:
    both = engines(tool_world.processes)
    tool_world.write("a.txt", "\u017f\n\u212a\n\u03c2\n")

    assert find(tool_world, "s|k", engines=both).rows == ()
    assert [row.line for row in find(tool_world, "\u03c3", engines=both).rows] == [3]
    assert len(find(tool_world, "^\\W$", engines=both).rows) == 3


def test_pattern_that_hangs_the_worker_is_fast(tool_world: ToolWorld) -> None:
    tool_world.write("b.txt", "foo " * 20_000 + "\nfoo bar\n")

    found = find(tool_world, ".*foo.*bar.*", engines=fast(tool_world.processes))

    assert [row.path for row in found.rows] == ["b.txt"]
    assert not found.is_timed_out


def test_line_that_ripgrep_gives_up_on_ends_at_the_time_limit(tool_world: ToolWorld) -> None:
    for number in range(9):
        tool_world.write(f"a{number}.txt", "aab\n")
    tool_world.write("z.txt", "a" * 60 + "!\n")
    processes = RegexProcesses(time_limit_s=1)

    found = find(tool_world, "(a+)+$|b", engines=fast(processes))

    assert found.is_timed_out
    processes.close()


def test_invalid_pattern_is_judged_by_the_engine_also_with_ripgrep(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "x\n")

    with pytest.raises(PatternRefused, match="Invalid group modifier"):
        find(tool_world, "(?i)token", engines=fast(tool_world.processes))
