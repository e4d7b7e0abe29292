"""The automaton agrees with a plain, slow reading of the glob language."""

import re
from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.search.glob_pattern import GlobPattern

Tokens = tuple[str, ...]

patterns = st.lists(
    st.sampled_from(["a", "b", "/", "*", "**", "?", "{", "}", ",", ".", "[", "**/", "{a,b}"]),
    max_size=12,
).map("".join)
paths = st.lists(st.text(alphabet="ab.,{}[*", min_size=1, max_size=3), min_size=1, max_size=4).map(
    "/".join
)


def pairs_of(pattern: str) -> dict[int, int]:
    """Return the braces that belong together; an empty pair means nothing."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for position, character in enumerate(pattern):
        if character == "{":
            opened.append(position)
        if character == "}" and opened:
            start = opened.pop()
            if position - start > 1:
                pairs[start] = position
    return pairs


def alternatives_of(
    pattern: str, pairs: dict[int, int], start: int, close: int
) -> Iterator[tuple[int, int]]:
    """Yield the ranges between the commas of one pair."""
    position = begin = start + 1
    while position < close:
        if pattern[position] == ",":
            yield begin, position
            begin = position + 1
        position = pairs.get(position, position) + 1
    yield begin, close


def expanded(pattern: str, pairs: dict[int, int], start: int, end: int) -> list[Tokens]:
    """Return what a range means without braces; stars keep the runs they stood in."""
    if start >= end:
        return [()]
    if start in pairs:
        close = pairs[start]
        heads = [
            head
            for left, right in alternatives_of(pattern, pairs, start, close)
            for head in expanded(pattern, pairs, left, right)
        ]
        tails = expanded(pattern, pairs, close + 1, end)
        return [head + tail for head in heads for tail in tails]
    after = start + 1
    while pattern[start] == "*" and after < end and pattern[after] == "*":
        after += 1
    token = pattern[start:after][:2]
    return [(token, *tail) for tail in expanded(pattern, pairs, after, end)]


def segments_of(tokens: Tokens) -> list[Tokens]:
    segments: list[list[str]] = [[]]
    for token in tokens:
        if token == "/":
            segments.append([])
        else:
            segments[-1].append(token)
    return [tuple(segment) for segment in segments]


def fits(segments: Sequence[Tokens], parts: Sequence[str]) -> bool:
    if not segments:
        return not parts
    if segments[0] == ("**",):
        if len(segments) == 1:
            return bool(parts)
        return any(fits(segments[1:], parts[skip:]) for skip in range(len(parts) + 1))
    if not parts:
        return False
    wild = {"*": "[^/]*", "**": "[^/]*", "?": "[^/]"}
    source = "".join(wild.get(token, re.escape(token)) for token in segments[0])
    return bool(re.fullmatch(source, parts[0])) and fits(segments[1:], parts[1:])


@given(patterns, paths)
def test_automaton_agrees_with_the_plain_reading(pattern: str, path: str) -> None:
    plain = pattern
    while plain.startswith("./"):
        plain = plain[2:]
    meanings = expanded(plain, pairs_of(plain), 0, len(plain))
    wanted = any(fits(segments_of(tokens), path.split("/")) for tokens in meanings)

    assert GlobPattern(pattern).matches(path) is wanted


@given(paths)
def test_path_without_wildcards_matches_itself(path: str) -> None:
    literal = path.replace("*", "x").replace("{", "(").removeprefix("./")

    assert GlobPattern(literal).matches(literal) or literal.startswith("./")
    assert GlobPattern("**").matches(path)


@given(patterns, st.lists(paths, max_size=8))
def test_answers_do_not_depend_on_what_was_asked_before(pattern: str, asked: list[str]) -> None:
    one = GlobPattern(pattern)

    assert [one.matches(path) for path in asked] == [
        GlobPattern(pattern).matches(path) for path in asked
    ]
