"""Match commands against the block list.

Owns the meaning of an entry such as ``sudo``, ``git push --force`` or ``curl | sh``: program
names are compared without folder and letter case, operands in order from the first, options
anywhere, shortened long options too; ``*`` in an operand stands for any text. Pure. Proven by
tests/unit/policy/test_blocked_commands.py.
"""

import shlex
from collections.abc import Sequence
from fnmatch import fnmatchcase

from caramelo_tui.domain.policy_settings import Rule
from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.options import GIT_VALUE_OPTIONS, operands
from caramelo_tui.policy.shell_parts import SimpleCommand, program_name


def blocked_parts(parts: Sequence[SimpleCommand], blocked: Sequence[Rule]) -> dict[int, Finding]:
    """Return, by the number of the part, which rule of the block list it meets."""
    found: dict[int, Finding] = {}
    for rule in blocked:
        stages = _stages(rule.text)
        if not all(stages):
            continue
        for number in _matching(parts, stages):
            found.setdefault(
                number,
                Finding(
                    code="blocked_command",
                    note=f"is on the block list ({rule.text})",
                    level=Level.DENY,
                    rule=f"blocked command {rule.text}",
                    origin=rule.origin,
                ),
            )
    return found


def is_entry(entry: str) -> bool:
    """Whether an entry names a command, or a pipe of commands."""
    return all(_stages(entry))


def described_entry(entry: str) -> str:
    """Return in plain words what an entry matches; it must be one."""
    stages = _stages(entry)
    if len(stages) > 1:
        return f"every command that pipes {_described(stages[0])} into {_described(stages[-1])}"
    rest = "" if len(stages[0]) > 1 else ", whatever its arguments"
    return f"every command that runs {_described(stages[0])}{rest}"


def _stages(entry: str) -> list[list[str]]:
    return [_words(stage) for stage in entry.split("|")]


def _described(wanted: Sequence[str]) -> str:
    names = [word for word in wanted[1:] if not word.startswith("-")]
    options = [word for word in wanted[1:] if word.startswith("-")]
    given = [
        *([f"{' '.join(names)} as its first word" + "s" * (len(names) > 1)] if names else []),
        *([" ".join(options)] if options else []),
    ]
    return f"{wanted[0]} with {' and '.join(given)}" if given else wanted[0]


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
    if part.name != program_name(wanted[0]):
        return False
    options = [word for word in wanted[1:] if word.startswith("-")]
    names = [word for word in wanted[1:] if not word.startswith("-")]
    value_options = GIT_VALUE_OPTIONS if part.name == "git" else ()
    given = [word.text for word in operands(part.args, value_options=value_options)]
    texts = [arg.text for arg in part.args]
    return (
        len(given) >= len(names)
        and all(
            word == name or fnmatchcase(word, name)
            for word, name in zip(given, names, strict=False)
        )
        and all(_gives(option, texts) for option in options)
    )


def _gives(option: str, texts: Sequence[str]) -> bool:
    if option.startswith("--"):
        named = {text.partition("=")[0] for text in texts if text.startswith("--")}
        return any(len(name) > len("--") and option.startswith(name) for name in named)
    clusters = [text for text in texts if text.startswith("-") and not text.startswith("--")]
    return all(any(letter in cluster for cluster in clusters) for letter in option[1:])
