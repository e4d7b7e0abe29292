"""Read a skill from a ``SKILL.md`` (the open Agent Skills format).

Owns what of the format counts here: name, description and the text. It gives no tool and no
permission, whatever its head says. Source of the format: "Agent Skills Specification",
skills.menu/docs/specification, read 2026-11-30. Pure. Proven by
tests/unit/tools/skills/test_markdown_skill.py.
"""

from collections.abc import Callable, Mapping, Sequence

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.skills.field_readers import (
    Findings,
    note_unknown_keys,
    read_description,
    read_name,
    read_prompt,
)
from caramelo_tui.tools.skills.front_matter import (
    BadFrontMatter,
    head_text,
    split_front_matter,
)
from caramelo_tui.tools.skills.hidden_characters import hidden_findings, without_tags
from caramelo_tui.tools.skills.skill import SkillDraft

_IGNORED_KEYS = ("license", "compatibility", "metadata")
"""Of the format, without effect here by their nature."""
_PERMISSION_KEY = "allowed-tools"


def read_markdown_skill(text: str, found: Findings) -> SkillDraft | None:
    """Return the skill that a ``SKILL.md`` describes; it is activated by its name.

    Args:
        text: The whole file.
        found: Takes what is wrong, and what the user should know.

    Returns:
        The skill; ``None`` when it cannot be used.
    """
    found.take(hidden_findings(text))
    try:
        parts = split_front_matter(str(without_tags(text)))
    except BadFrontMatter as error:
        found.problem(str(error))
        return None
    keys: dict[str, JsonValue] = dict.fromkeys(parts.head)
    known = ("name", "description", _PERMISSION_KEY, *_IGNORED_KEYS)
    note_unknown_keys(keys, known, "", found)
    if _PERMISSION_KEY in keys:
        found.note(f"{_PERMISSION_KEY} is ignored: a skill gives no permission")
    name = _field(parts.head, "name", read_name, found)
    description = _field(parts.head, "description", read_description, found)
    prompt = read_prompt(parts.body, "the text", found)
    if name is None or description is None:
        return None
    return SkillDraft(name=name, description=description, triggers=(name,), prompt=prompt)


def _field(
    head: Mapping[str, Sequence[str]],
    key: str,
    read: Callable[[JsonValue, str, Findings], str | None],
    found: Findings,
) -> str | None:
    if key not in head:
        return read(None, key, found)
    try:
        text = head_text(head[key])
    except BadFrontMatter as error:
        found.problem(f"{key}: {error}")
        return None
    return read(text, key, found)
