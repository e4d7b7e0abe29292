"""Read the fields of a skill's file, and collect all that is wrong with them.

Owns the rules for names, texts, triggers and commands. A wrong field is a finding, never an
exception, so that one look at the report mends a file. Pure. Proven by
tests/unit/tools/skills/test_json_skill.py and tests/unit/tools/skills/test_markdown_skill.py.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches

from caramelo_tui.domain.screen_text import has_hidden
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.output_limits import limit_result
from caramelo_tui.tools.skills.skill import Finding
from caramelo_tui.tools.validation import describe_value

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Names of skills and of tools: what every vendor takes as the name of a tool."""
DESCRIPTION_CHARACTERS = 1_024
"""Longest description, as in the Agent Skills format ("Agent Skills Specification",
skills.menu/docs/specification, read 2026-11-30)."""
PROMPT_BYTES = 32_768
"""Longest text that a skill adds to what the model reads: some 8,000 tokens."""
MOST_TRIGGERS = 50
TRIGGER_CHARACTERS = 100
COMMAND_BYTES = 16_384
"""Longest argument list, as for a shell command: nobody can read more before approving."""


MOST_FINDINGS = 30
"""Findings of one file that are said; the rest is counted."""
FINDING_CHARACTERS = 400
"""Longest finding; a file may name anything in hundreds of kilobytes."""


class Findings:
    """What was found so far."""

    def __init__(self) -> None:
        self._found: dict[Finding, None] = {}

    def problem(self, text: str) -> None:
        """Note something that is not used."""
        self._keep(Finding(text=text))

    def note(self, text: str) -> None:
        """Note something that is only said."""
        self._keep(Finding(text=text, is_problem=False))

    def take(self, findings: Iterable[Finding]) -> None:
        """Note what somebody else found."""
        for finding in findings:
            self._keep(finding)

    @property
    def all(self) -> tuple[Finding, ...]:
        """What is said of it, in order, each once; the number of the rest at the end."""
        said, rest = tuple(self._found)[:MOST_FINDINGS], tuple(self._found)[MOST_FINDINGS:]
        if not rest:
            return said
        is_problem = any(finding.is_problem for finding in rest)
        return (*said, Finding(text=f"{len(rest)} more findings", is_problem=is_problem))

    def _keep(self, finding: Finding) -> None:
        if len(finding.text) > FINDING_CHARACTERS:
            finding = replace(finding, text=f"{finding.text[:FINDING_CHARACTERS]}…")
        self._found[finding] = None


def note_unknown_keys(
    fields: Mapping[str, JsonValue], known: Iterable[str], where: str, found: Findings
) -> None:
    """Name the keys that mean nothing here, with the nearest that does."""
    names = tuple(known)
    for key in fields:
        if key not in names:
            near = get_close_matches(key, names, n=1)
            hint = f"; did you mean {near[0]}" if near else ""
            found.note(f"{where}{key} is an unknown key without effect{hint}")


def read_name(value: JsonValue, where: str, found: Findings) -> str | None:
    """Return a name of a skill or tool; ``None`` when it is none, which is then noted."""
    if isinstance(value, str) and NAME.fullmatch(value):
        return value
    found.problem(f"{where}: expected 1 to 64 of A-Z a-z 0-9 _ -, got {_got(value)}")
    return None


def read_description(value: JsonValue, where: str, found: Findings) -> str | None:
    """Return a description as one line; ``None`` when it is none."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if text and len(text) <= DESCRIPTION_CHARACTERS:
        return text
    found.problem(
        f"{where}: expected a text of 1 to {DESCRIPTION_CHARACTERS:,} characters, got "
        f"{f'{len(text):,} characters' if text else _got(value)}"
    )
    return None


def read_triggers(value: JsonValue, found: Findings) -> tuple[str, ...]:
    """Return the triggers that can be used, each once; what cannot is noted."""
    if not isinstance(value, list):
        found.problem(f"triggers: expected a list of texts, got {_got(value)}")
        return ()
    triggers: dict[str, None] = {}
    for index, trigger in enumerate(value[:MOST_TRIGGERS]):
        if isinstance(trigger, str) and _is_trigger(trigger):
            triggers[" ".join(trigger.split())] = None
        else:
            found.problem(
                f"triggers[{index}]: expected a text of 1 to {TRIGGER_CHARACTERS} characters "
                f"with a letter or digit, got {_got(trigger)}"
            )
    if len(value) > MOST_TRIGGERS:
        found.problem(f"triggers: only the first {MOST_TRIGGERS} of {len(value)} are used")
    return tuple(triggers)


def read_prompt(value: JsonValue, where: str, found: Findings) -> str:
    """Return the text for the model, within its limit; empty when there is none."""
    if not isinstance(value, str):
        found.problem(f"{where}: expected a text, got {_got(value)}")
        return ""
    text, is_cut = limit_result(value.strip(), "the skill's text is too long", PROMPT_BYTES)
    if is_cut:
        found.problem(f"{where}: cut at {PROMPT_BYTES // 1024} KB")
    return text


def read_command(value: JsonValue, where: str, found: Findings) -> tuple[str, ...] | None:
    """Return program and arguments; ``None`` when they are no usable list."""
    if not isinstance(value, list) or not value:
        hint = ", never a shell's text" if isinstance(value, str) else ""
        found.problem(f"{where}: expected a list of program and arguments{hint}, got {_got(value)}")
        return None
    words = [word for word in value if isinstance(word, str)]
    problem = _command_problem(words, len(value))
    if problem:
        found.problem(f"{where}: {problem}")
        return None
    return tuple(words)


def _command_problem(words: list[str], wanted: int) -> str:
    if len(words) != wanted:
        return "expected texts only"
    if not words[0].strip():
        return "the program has no name"
    if words[0].startswith("~"):
        return "~ is not expanded; name the program by its absolute path"
    if any(has_hidden(word) for word in words):
        return "holds a character that cannot be seen"
    if sum(len(word.encode()) + 1 for word in words) > COMMAND_BYTES:
        return f"has more than {COMMAND_BYTES // 1024} KB"
    return ""


def _is_trigger(text: str) -> bool:
    has_word = any(unicodedata.category(character)[0] in "LN" for character in text)
    return has_word and len(text) <= TRIGGER_CHARACTERS


def _got(value: JsonValue) -> str:
    if value is None:
        return "nothing"
    return "an empty list" if value == [] else describe_value(value)
