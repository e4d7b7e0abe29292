"""Match commands against the user's block list.

Owns the meaning of an entry such as ``sudo``, ``git push --force`` or ``curl | sh``: program
names are compared without folder and letter case, operands in order from the first, options
anywhere. Pure. Proven by tests/unit/policy/test_blocked_commands.py.
"""

import shlex
from collections.abc import Sequence

from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.options import operands
from caramelo_tui.policy.shell_parts import SimpleCommand

_GIT_VALUE_OPTIONS = ("-C", "-c")


def blocked_parts(parts: Sequence[SimpleCommand], blocked: Sequence[str]) -> dict[int, Finding]:
    """Return, by the number of the part, which entry of the block list it meets."""
    found: dict[int, Finding] = {}
    for entry in blocked:
        stages = [_words(stage) for stage in entry.split("|")]
        if not all(stages):
            continue
        for number in _matching(parts, stages):
            found.setdefault(
                number,
                Finding(
                    code="blocked_command",
                    note=f"is on the block list ({entry})",
                    level=Level.DENY,
                ),
            )
    return found


def _matching(parts: Sequence[SimpleCommand], stages: Sequence[Sequence[str]]) -> list[int]:
    if len(stages) == 1:
        return [number for number, part in enumerate(parts) if _meets(part, stages[0])]
    # A pipe: its last stage reads from another command, and the others stand before it.
    first = next((n for n, part in enumerate(parts) if _meets(part, stages[0])), None)
    if first is None:
        return []
    return [
        number
        for number, part in enumerate(parts)
        if number > first and part.stdin.is_piped and _meets(part, stages[-1])
    ]


def _words(stage: str) -> list[str]:
    try:
        return shlex.split(stage)
    except ValueError:  # An odd quote in the user's entry: take it as it stands.
        return stage.split()


def _meets(part: SimpleCommand, wanted: Sequence[str]) -> bool:
    if part.name != wanted[0].casefold():
        return False
    options = [word for word in wanted[1:] if word.startswith("-")]
    names = [word for word in wanted[1:] if not word.startswith("-")]
    value_options = _GIT_VALUE_OPTIONS if part.name == "git" else ()
    given = [word.text for word in operands(part.args, value_options=value_options)]
    texts = [arg.text for arg in part.args]
    return given[: len(names)] == names and all(_gives(option, texts) for option in options)


def _gives(option: str, texts: Sequence[str]) -> bool:
    if option.startswith("--"):
        return any(text.partition("=")[0] == option for text in texts)
    clusters = [text for text in texts if text.startswith("-") and not text.startswith("--")]
    return all(any(letter in cluster for cluster in clusters) for letter in option[1:])
