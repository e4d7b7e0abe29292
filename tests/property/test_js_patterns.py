"""Every spelling of a JavaScript pattern matches the lines that JavaScript matches.

The worker's engine, ripgrep and, where it is installed, Node.js are asked about the same lines.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence

import pytest
import regress
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from caramelo_tui.tools.leaf_threads import StopFlag
from caramelo_tui.tools.search.js_pattern import Spelling, flags_of, spell
from caramelo_tui.tools.search.js_text import lines_of
from caramelo_tui.tools.search.regex_process import Watch
from caramelo_tui.tools.search.regex_worker import LineSearch
from caramelo_tui.tools.search.ripgrep import Ripgrep, find_ripgrep

pytestmark = pytest.mark.timeout(600)
"""The nightly profile takes its time."""
NODE = shutil.which("node")
RIPGREP = Ripgrep(find_ripgrep(os.environ["PATH"]))
EXAMPLES = max(200, settings().max_examples)
"""More in the nightly profile."""
PATTERNS_OF_A_BATCH = 50

LETTERS = [
    "a",
    "b",
    "A",
    "k",
    "K",
    "s",
    "é",
    "É",
    "ß",
    "\u03c3",
    "\u03c2",
    "\u017f",
    "\u212a",
    "😀",
    "1",
]
SIGNS = [".", "^", "$", "|", "|", "-", "]", "}", "{", "{,2}", "a{1", "\\.", "\\/", "\\-", "\u2028"]
CLASSES = ["\\d", "\\w", "\\W", "\\s", "\\S", "\\D", "\\b", "\\B", "[^]", "[]", "[ab]", "[^a]"]
RANGES = ["[a-f]", "[A-z]", "[^\\w]", "[\\d-x]", "[😀]", "[\\u0080-\\uffff]", "[\\b]", "[\\c_]"]
ESCAPES = ["\\ud83d", "\\ude00", "\\u{2}", "\\x61", "\\x4", "\\cJ", "\\c", "\\0", "\\07", "\\k"]
GROUPS = ["(", "(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", ")", ")", ")", "\\1", "\\k<n>"]
COUNTS = ["*", "+", "?", "{2}", "{1,2}", "{0}", "*?", "+?", "??"]
PIECES = [*LETTERS, *SIGNS, *CLASSES, *RANGES, *ESCAPES, *GROUPS, *GROUPS, *COUNTS]

WHOLE = st.recursive(
    st.sampled_from([*LETTERS, *CLASSES, *RANGES, *ESCAPES, ".", "^", "$"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        st.tuples(st.sampled_from(["(", "(?:", "(?=", "(?!", "(?<=", "(?<!"]), inner).map(
            lambda parts: f"{parts[0]}{parts[1]})"
        ),
        st.tuples(inner, st.sampled_from(COUNTS)).map(lambda parts: f"(?:{parts[0]}){parts[1]}"),
        st.tuples(inner, st.sampled_from(["\\1", "\\1+", "x|\\1"])).map(
            lambda parts: f"({parts[0]}){parts[1]}"
        ),
    ),
    max_leaves=6,
)
"""Mostly valid, and well nested."""
PATTERNS = WHOLE | st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
LINES = st.text(
    alphabet="abABkKsSéÉß\u03c3\u03c2\u017f\u212a😀-]{},1x \r\u2028\u00a0_\x07\x1f", max_size=7
)
FILES = st.tuples(st.lists(LINES, max_size=12), st.sampled_from(["", "\n", "\r\n", "\r"])).map(
    lambda parts: ("\n".join(parts[0]) + parts[1]).encode()
)


def is_valid(pattern: str, flags: str) -> bool:
    try:
        regress.Regex(pattern, flags)
    except regress.RegressError:
        return False
    return True


def by_worker(spelling: Spelling, data: bytes) -> list[int]:
    search = LineSearch(regress, spelling.source, spelling.flags, asks_whole=spelling.asks_whole)
    return list(search.matching(spelling.view.of(data)))


def by_ripgrep(spelling: Spelling, data: bytes) -> list[int]:
    assert spelling.pcre2 is not None
    options = ("--text", "--encoding=none", "--line-number", "--max-columns=1", "--pcre2")
    watch = Watch(deadline=time.monotonic() + 20, stop=StopFlag())
    text = spelling.view.of(data)
    with RIPGREP.start([*options, "-e", spelling.pcre2, "--", "-"], text=text) as run:
        answer = run.answer(watch)
    assert not answer.has_failed, answer.stderr
    return [int(row.split(b":", 1)[0]) for row in answer.stdout.splitlines()]


@settings(max_examples=EXAMPLES)
@given(pattern=PATTERNS, data=FILES, is_case_sensitive=st.booleans())
@example(pattern="(?<=a|bb)\\b", data=b"ab\nbba\n", is_case_sensitive=True)
@example(pattern="^(?:(\\w)\\1)+$", data=b"aabb\naab\n", is_case_sensitive=False)
@example(pattern="^..$", data="😀\n".encode(), is_case_sensitive=True)
def test_ripgrep_and_worker_find_the_same_lines(
    *, pattern: str, data: bytes, is_case_sensitive: bool
) -> None:
    if not is_valid(pattern, flags_of(is_case_sensitive=is_case_sensitive)):
        return
    spelling = spell(pattern, is_case_sensitive=is_case_sensitive)
    if spelling.pcre2 is None:
        return

    assert by_ripgrep(spelling, data) == by_worker(spelling, data)


@settings(max_examples=EXAMPLES)
@given(pattern=PATTERNS, data=FILES, is_case_sensitive=st.booleans())
def test_first_question_to_the_whole_file_changes_no_answer(
    *, pattern: str, data: bytes, is_case_sensitive: bool
) -> None:
    if not is_valid(pattern, flags_of(is_case_sensitive=is_case_sensitive)):
        return
    spelling = spell(pattern, is_case_sensitive=is_case_sensitive)
    plain = LineSearch(regress, spelling.source, spelling.flags)

    assert by_worker(spelling, data) == list(plain.matching(spelling.view.of(data)))


def by_node(patterns: Sequence[str], lines: Sequence[str]) -> Iterator[list[int] | None]:
    """Yield the matching lines for each pattern, without and with ``i``; ``None``: refused."""
    script = """
      const [patterns, lines] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
      const numbers = (pattern, flags) => {
        let expression;
        try { expression = new RegExp(pattern, flags) } catch { return null }
        return lines.flatMap((line, at) => expression.test(line) ? [at + 1] : []);
      };
      console.log(JSON.stringify(patterns.flatMap(p => [numbers(p, ''), numbers(p, 'i')])))
    """
    assert NODE is not None
    request = json.dumps([patterns, lines])
    ran = subprocess.run(
        [NODE, "-e", script], input=request, capture_output=True, text=True, check=True
    )
    yield from json.loads(ran.stdout)


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
# Not shrunk, since each try starts a process: the message names the one pattern.
@settings(max_examples=max(4, EXAMPLES // 50), phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(PATTERNS, min_size=PATTERNS_OF_A_BATCH, max_size=PATTERNS_OF_A_BATCH),
    st.lists(LINES, min_size=60, max_size=60),
)
def test_node_finds_the_same_lines(patterns: list[str], lines: list[str]) -> None:
    data = "\n".join([*lines, "😀 aabb É_1", "kK s\u017f \u03c2\u03c3"]).encode()
    answers = by_node(patterns, lines_of(data))
    for pattern in patterns:
        for is_case_sensitive in (True, False):
            wanted = next(answers)
            # Newer JavaScript takes more than this Node may: what it refuses is not compared.
            if wanted is None or not is_valid(pattern, ""):
                continue
            spelling = spell(pattern, is_case_sensitive=is_case_sensitive)
            if not spelling.view.has_halves:
                continue
            assert by_worker(spelling, data) == wanted, pattern
            if spelling.pcre2 is not None:
                assert by_ripgrep(spelling, data) == wanted, pattern
