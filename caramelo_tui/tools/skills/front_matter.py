"""Read the head of a ``SKILL.md``.

Owns the small part of YAML that such heads are written in: keys at the margin with a text that
is plain, quoted, folded or literal. What stands below any other key is not looked at. Loads no
YAML library: objects, references and tags are no texts. Pure. Proven by
tests/unit/tools/skills/test_front_matter.py.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

FENCE = "---"
_KEY = re.compile(r"([A-Za-z0-9_-]+):(?:\s+(.*))?$")
_BLOCK = re.compile(r"([|>])[+-]?\d?[+-]?$")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_NO_TEXT = re.compile(r"[\[{&*!%@`]")
"""What begins a list, an object, a reference, a tag, or may not begin a plain text."""


class BadFrontMatter(ValueError):
    """The head cannot be read; the text says where and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownParts:
    """A Markdown file with a head."""

    head: dict[str, tuple[str, ...]]
    """For each key the lines that belong to it: the rest of its own line, then those below."""
    body: str
    """All behind the head."""


def split_front_matter(text: str) -> MarkdownParts:
    """Return head and body of a Markdown file.

    Args:
        text: The whole file; any line ends.

    Raises:
        BadFrontMatter: If there is no head, it has no end, or a line of it cannot be read.
    """
    lines = re.split(r"\r\n|\r|\n", text)
    if lines[0].rstrip() != FENCE:
        msg = f"line 1: expected {FENCE}, then name and description"
        raise BadFrontMatter(msg)
    end = next((i for i, line in enumerate(lines) if i and line.rstrip() == FENCE), None)
    if end is None:
        msg = f"the head has no closing {FENCE}"
        raise BadFrontMatter(msg)
    return MarkdownParts(head=_keys(lines[1:end]), body="\n".join(lines[end + 1 :]))


def head_text(lines: Sequence[str]) -> str:
    """Return the text that stands at a key.

    Args:
        lines: As in ``MarkdownParts.head``.

    Raises:
        BadFrontMatter: If it is no text.
    """
    first, *rest = lines
    if block := _BLOCK.match(_COMMENT.sub("", first).strip()):
        return _block_text(rest, is_folded=block[1] == ">")
    joined = " ".join(part for line in lines if (part := line.strip()))
    if joined.startswith(('"', "'")):
        return _unquoted(joined)
    plain = " ".join(part for line in lines if (part := _COMMENT.sub("", line).strip()))
    if _NO_TEXT.match(plain) or plain.startswith(("- ", "? ")):
        msg = "expected a text"
        raise BadFrontMatter(msg)
    return plain


def _keys(lines: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for number, line in enumerate(lines, start=2):
        is_indented = line.startswith((" ", "\t", "- "))
        if not line.strip() or is_indented:
            if current is not None:
                current.append(line)
            continue
        if line.startswith("#"):
            continue
        match = _KEY.match(line.rstrip())
        if match is None:
            msg = f"line {number}: expected a key and a colon"
            raise BadFrontMatter(msg)
        if match[1] in found:
            msg = f"line {number}: the key {match[1]} stands more than once"
            raise BadFrontMatter(msg)
        current = found[match[1]] = [match[2] or ""]
    return {key: tuple(own) for key, own in found.items()}


def _block_text(lines: Sequence[str], *, is_folded: bool) -> str:
    filled = [line for line in lines if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    own = [line[indent:].rstrip() for line in lines]
    if not is_folded:
        return "\n".join(own).strip("\n")
    paragraphs = re.split(r"\n{2,}", "\n".join(own).strip("\n"))
    return "\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)


def _unquoted(text: str) -> str:
    quote = text[0]
    pattern = r"'((?:[^']|'')*)'" if quote == "'" else r'("(?:[^"\\]|\\.)*")'
    match = re.match(pattern + r"\s*(?:#.*)?$", text)
    if match is None:
        msg = "the quotes do not close at the end"
        raise BadFrontMatter(msg)
    if quote == "'":
        return match[1].replace("''", "'")
    try:
        # YAML's escapes are those of JSON and some more, which nobody needs in a name.
        return str(json.loads(match[1]))
    except (ValueError, RecursionError) as error:
        msg = f"an escape in the quoted text cannot be read ({error})"
        raise BadFrontMatter(msg) from error
