"""Note what a person should know before a command runs.

Owns the approval family and the plain words for it; its larger kinds have modules of their own.
What is refused outright is in ``dangers``. Pure. Proven by tests/unit/policy/test_risk.py.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from caramelo_tui.domain.screen_text import has_hidden, has_look_alikes
from caramelo_tui.policy.dangers import REMOVERS
from caramelo_tui.policy.downloads import saved_files
from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.git_risks import git_risks
from caramelo_tui.policy.install_risks import install_risks, outside_risks
from caramelo_tui.policy.known_programs import (
    ENVIRONMENT_NAMES,
    ENVIRONMENT_PREFIXES,
    EXACT_OPTIONS,
    NETWORK_PROGRAMS,
    OTHER_USERS,
    WRITING_OPTIONS,
)
from caramelo_tui.policy.options import given_options, has_option, operands
from caramelo_tui.policy.program_text import program_text_risks
from caramelo_tui.policy.rules import PolicyRules
from caramelo_tui.policy.shell_parts import ParsedCommand, SimpleCommand, Surroundings
from caramelo_tui.policy.wrapper_options import SHELLS, is_interpreter
from caramelo_tui.policy.write_risks import write_risks
from caramelo_tui.policy.write_targets import downloaded_files

_EVALUATED = re.compile(r"(?<=\w)\[[^\[\]\n]{0,256}(?:\$\(|`)")
_TESTS = frozenset({"[", "[["})
"""Commands whose name only looks like a pattern."""
_FURTHER_REMOVERS = frozenset({"rimraf", "trash", "del-cli", "gio"})
_ASSIGNERS = frozenset({"env", "sudo", "doas", "export", "declare", "typeset", "local", "readonly"})


def risks_of_text(text: str, parsed: ParsedCommand) -> list[Finding]:
    """Return what is worth knowing about a command line as a whole."""
    found: list[Finding] = []
    if has_hidden(text) or has_look_alikes(text):
        note = "holds hidden, reordering or look-alike characters"
        found.append(Finding(code="hidden_characters", note=note))
    if _EVALUATED.search(text):
        note = "holds a command in a subscript, which bash runs when it evaluates the text"
        found.append(Finding(code="inline_code", note=note))
    if parsed.has_error:
        note = "could not be read in full: its shell grammar has an error"
        found.append(Finding(code="unparseable", note=note))
    if parsed.is_cut:
        note = "is too long or too deep to be read in full"
        found.append(Finding(code="unparseable", note=note))
    found.extend(
        Finding(code="function", note=f"defines the function {name}") for name in parsed.functions
    )
    return found


def risks_of_part(
    part: SimpleCommand, surroundings: Surroundings, rules: PolicyRules
) -> list[Finding]:
    """Return what is worth knowing about one simple command, the heaviest first."""
    found = [
        *_unknown_command(part),
        *write_risks(part, surroundings, rules),
        *_environment(part),
        *(finding for look in _LOOKS for finding in look(part)),
    ]
    if part.is_background:
        found.append(Finding(code="background", note="goes on after the call", level=Level.NOTE))
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda finding: -finding.level)


def risks_of_downloads(parts: Sequence[SimpleCommand]) -> dict[int, Finding]:
    """Return, by the number of the part, what runs a file that an earlier part downloaded."""
    saved: set[str] = set()
    found: dict[int, Finding] = {}
    for number, part in enumerate(parts):
        run = {word.text.rsplit("/", maxsplit=1)[-1] for word in part.words[:1]}
        if part.name in SHELLS or is_interpreter(part.name) or part.name in {"source", "."}:
            run |= {arg.text.rsplit("/", maxsplit=1)[-1] for arg in operands(part.args)[:1]}
        if run & saved:
            found[number] = Finding(code="downloaded_script", note="runs a downloaded script")
        saved.update(downloaded_files(part))
    return found


def _unknown_command(part: SimpleCommand) -> Iterator[Finding]:
    if not part.words or part.words[0].text in _TESTS:
        return
    if not part.words[0].is_certain:
        note = "runs a command whose name only the shell knows"
        yield Finding(code="expansion", note=note)
    elif part.words[0].is_expanded:
        yield Finding(code="expansion", note="runs a command whose name the shell puts together")


def _environment(part: SimpleCommand) -> Iterator[Finding]:
    names = [name for name, _ in part.assignments]
    names.extend(
        word.text.partition("=")[0] for word in takewhile(lambda word: "=" in word.text, part.words)
    )
    if part.name in _ASSIGNERS:
        names.extend(arg.text.partition("=")[0] for arg in part.args if "=" in arg.text)
    if part.name == "printf" and part.args[:1] and part.args[0].text == "-v":
        names.extend(arg.text for arg in part.args[1:2])
    for name, value in part.assignments:
        if "[" in value.text and ("$(" in value.text or "`" in value.text):
            note = f"sets {name} to text that bash may run when it evaluates it"
            yield Finding(code="inline_code", note=note)
    for name in (bare.rstrip("+") for bare in names):
        if name in ENVIRONMENT_NAMES or name.upper().startswith(ENVIRONMENT_PREFIXES):
            yield Finding(code="environment", note=f"sets {name}, which changes what runs")


def _removing(part: SimpleCommand) -> Iterator[Finding]:
    if part.name in REMOVERS and has_option(part.args, short="rR", long="recursive"):
        yield Finding(code="recursive_remove", note="removes files recursively")
    if part.name in _FURTHER_REMOVERS:
        yield Finding(code="recursive_remove", note="removes files and folders")
    if part.name == "rsync" and any(arg.text.startswith("--del") for arg in part.args):
        yield Finding(code="recursive_remove", note="removes files that the source lacks")


def _other_user(part: SimpleCommand) -> Iterator[Finding]:
    if part.name in OTHER_USERS:
        yield Finding(code="elevated", note="runs with another user's rights")


def _options(part: SimpleCommand) -> Iterator[Finding]:
    for option, note in WRITING_OPTIONS.get(part.name, ()):
        if any(_is_option(arg.text, option, part.name) for arg in part.args):
            yield Finding(code="writing_option", note=f"{note} ({option})")
    if saved_files(part):
        yield Finding(code="writing_option", note="writes a file (what it downloads)")
    if part.name == "env" and _changes_folder(part):
        yield Finding(code="writing_option", note="runs a program in another folder (-C)")
    if part.name == "uniq" and len(operands(part.args)) > 1:
        yield Finding(code="writing_option", note="writes a file (its second name)")


def _changes_folder(part: SimpleCommand) -> bool:
    own = takewhile(lambda arg: arg.text.startswith("-") or "=" in arg.text, part.args)
    return any(
        name == "-C" or (len(name) > len("--") and "--chdir".startswith(name))
        for name, _ in given_options(tuple(own), valued="uCS")
    )


def _is_option(text: str, option: str, program: str) -> bool:
    name = text.partition("=")[0]
    if option.startswith("--"):
        return len(name) > len("--") and name.startswith("--") and option.startswith(name)
    if len(option) > len("-o") or program in EXACT_OPTIONS:
        return name == option or (len(option) == len("-o") and text.startswith(option))
    return text.startswith("-") and not text.startswith("--") and option[1] in text[1:]


def _network(part: SimpleCommand) -> Iterator[Finding]:
    if part.name in NETWORK_PROGRAMS:
        yield Finding(code="network", note="talks to the network", level=Level.NOTE)


_LOOKS: tuple[Callable[[SimpleCommand], Iterator[Finding]], ...] = (
    _removing,
    git_risks,
    install_risks,
    _other_user,
    program_text_risks,
    _options,
    outside_risks,
    _network,
)
