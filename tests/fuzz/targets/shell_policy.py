"""Any text of a command is decided, in bounded work, and never more loosely than a plain reading.

The plain reading knows words, quotes and separators and nothing else, and is asked only about
texts that have nothing else.
"""

import re

from caramelo_tui.domain.decisions import Verdict
from tests.doubles.policy_calls import configured, decide, engine
from tests.fuzz.feed import Feed, counted_steps, text_of
from tests.unit.policy import commands, decided_commands

BLOCKED = configured(blocked=["mark"])
_KNOWN = (*decided_commands.ALLOWED, *decided_commands.ASKED, *commands.HARMLESS)
_EVERY = 12
"""Many say the same to a fuzzer, and the tests of the policy ask all of them."""
SEEDS = (
    *(text.encode() for text in _KNOWN[::_EVERY]),
    b"true; m'ar'k a",
    b"x=1 mark && sh -c 'mark'",
    b"cat <<E\n$(mark)\nE\n",
    b"case a in (a) mark;; esac",
)
_PLAIN = re.compile(r"[A-Za-z0-9 _./'\"\\;&|\n-]*")
_STRUCTURE = re.compile(r"\b(case|for|select|function|coproc)\b")
_WORD = re.compile(r"(?:'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.|[^\s;&|'\"\\])+", re.DOTALL)
_QUOTING = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)|([^'\"\\])", re.DOTALL)
_FREE_CALLS = 20_000
_CALLS_OF_A_CHARACTER = 3_000
"""Of functions; nested shells are read once for each level, of which there is a bound."""


def fuzz_one(data: bytes) -> None:
    """Decide and explain a text.

    Raises:
        AssertionError: If something is allowed that must not be, or the work has no bound.
    """
    text = text_of(Feed(data).rest())
    with counted_steps() as count:
        verdict = decide(text, tool="run_command", settings=BLOCKED).verdict
        engine().explain(text)
    assert count.calls <= _FREE_CALLS + _CALLS_OF_A_CHARACTER * len(text), count.calls
    assert decide(text, settings=BLOCKED).verdict is not Verdict.ALLOW
    if verdict is not Verdict.ALLOW:
        return
    assert decide(text, tool="run_command").verdict is Verdict.ALLOW
    assert "mark" not in programs_of(text)
    # An unfinished here-document would take the next line in, and a last backslash joins it.
    if "<<" not in text and not text.endswith("\\"):
        more = decide(f"{text}\nmark", tool="run_command", settings=BLOCKED)
        assert more.verdict is Verdict.DENY


def programs_of(text: str) -> list[str]:
    """Return the first word of each command, if the text is plain; else nothing."""
    if not _PLAIN.fullmatch(text) or _STRUCTURE.search(text):
        return []
    rows: list[list[str]] = [[]]
    at = 0
    text = text.replace("\\\n", "")
    while at < len(text):
        word = _WORD.match(text, at)
        if word is None:
            if text[at] in ";&|\n":
                rows.append([])
            at += 1
            continue
        rows[-1].append(_QUOTING.sub(lambda part: next(filter(None, part.groups()), ""), word[0]))
        at = word.end()
    return [row[0].rpartition("/")[2] for row in rows if row]
