"""Keep invisible instructions in skills from the model, and count what else hides.

Owns what is taken out of a skill's texts and what is only counted. Pure. Proven by
tests/unit/tools/skills/test_hidden_characters.py.
"""

from collections.abc import Iterator

from caramelo_tui.domain.screen_text import has_hidden
from caramelo_tui.domain.tag_characters import without_tag_characters
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.output_limits import counted
from caramelo_tui.tools.skills.skill import Finding

_SHOWN_MARKS = 5
"""Different characters that the report names."""


def without_tags(value: JsonValue) -> JsonValue:
    """Return a JSON value without the tag characters in any of its texts, keys included."""
    if isinstance(value, str):
        return without_tag_characters(value)
    if isinstance(value, list):
        return [without_tags(item) for item in value]
    if isinstance(value, dict):
        return {without_tag_characters(key): without_tags(item) for key, item in value.items()}
    return value


def hidden_findings(value: JsonValue) -> Iterator[Finding]:
    """Yield what is to be said about hidden characters in the texts of a JSON value."""
    text = "".join(_texts(value))
    rest = without_tag_characters(text)
    if tags := len(text) - len(rest):
        yield Finding(text=f"{counted(tags, 'invisible tag character')} removed", is_problem=False)
    # By the different characters, of which even a long text has few.
    hidden = sorted(filter(_is_hidden, set(rest)), key=text.index)
    if hidden:
        number = sum(map(text.count, hidden))
        marks = [f"U+{ord(character):04X}" for character in hidden]
        more = ", …" if len(marks) > _SHOWN_MARKS else ""
        yield Finding(
            text=f"holds {counted(number, 'character')} that cannot be seen or that "
            f"{'reorders' if number == 1 else 'reorder'} text "
            f"({', '.join(marks[:_SHOWN_MARKS])}{more}); kept as it is",
            is_problem=False,
        )


def _is_hidden(character: str) -> bool:
    # A carriage return ends a line on other systems; it hides nothing.
    return character != "\r" and not character.isascii() and has_hidden(character)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
