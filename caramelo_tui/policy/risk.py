"""Note what a person should know before a command runs.

Owns the approval family and the plain words for it. What is refused outright is in
``dangers``. Pure. Proven by tests/unit/policy/test_risk.py.
"""

from collections.abc import Callable, Iterator, Sequence

from caramelo_tui.domain.screen_text import has_hidden, has_look_alikes
from caramelo_tui.policy.dangers import REMOVERS
from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.known_programs import (
    ENVIRONMENT_NAMES,
    ENVIRONMENT_PREFIXES,
    INLINE_OPTIONS,
    INSTALLERS,
    NETWORK_PROGRAMS,
    OTHER_USERS,
    WRITING_OPTIONS,
)
from caramelo_tui.policy.options import has_option, operands
from caramelo_tui.policy.places import (
    absolute,
    is_free_to_write,
    workspace_path,
)
from caramelo_tui.policy.rules import PolicyRules, ProtectedAction, is_in_git_folder
from caramelo_tui.policy.shell_parts import ParsedCommand, SimpleCommand, Surroundings
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.wrappers import (
    SHELLS,
    is_interpreter,
    shell_script_operand,
    shell_script_text,
)
from caramelo_tui.policy.write_targets import downloaded_files, touched_files, written_files

_GIT_VALUE_OPTIONS = ("-C", "-c", "--git-dir", "--work-tree", "--namespace")
_COPIES_OF_DESCRIPTORS = frozenset({">&", "<&"})


def risks_of_text(text: str, parsed: ParsedCommand) -> list[Finding]:
    """Return what is worth knowing about a command line as a whole."""
    found: list[Finding] = []
    if has_hidden(text) or has_look_alikes(text):
        note = "holds hidden, reordering or look-alike characters"
        found.append(Finding(code="hidden_characters", note=note))
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
        *_writes(part, surroundings, rules),
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
    if part.words and not part.words[0].is_certain:
        note = "runs a command whose name only the shell knows"
        yield Finding(code="expansion", note=note)


def _writes(
    part: SimpleCommand, surroundings: Surroundings, rules: PolicyRules
) -> Iterator[Finding]:
    for redirect in part.redirects:
        if ">" in redirect.operator:
            yield from _redirected(redirect.operator, redirect.target, part, surroundings, rules)
    for target in written_files(part):
        yield from _target(target, part, surroundings, rules)
    for target in touched_files(part):
        for finding in _target(target, part, surroundings, rules):
            # Removing ``.git/index.lock`` is a known remedy; it asks and is not refused.
            yield Finding(code=finding.code, note=finding.note)


def _redirected(
    operator: str,
    target: Field | None,
    part: SimpleCommand,
    surroundings: Surroundings,
    rules: PolicyRules,
) -> Iterator[Finding]:
    if target is None:
        yield Finding(code="redirection", note="writes its output where only the shell knows")
        return
    if operator in _COPIES_OF_DESCRIPTORS and target.text.rstrip("-").isdigit():
        return
    path = absolute(target, part.cwd)
    if path is not None and path.startswith(("/dev/tcp/", "/dev/udp/")):
        yield Finding(code="network", note="talks to the network")
        return
    if path is not None and is_free_to_write(path, surroundings):
        return
    yield from _target(target, part, surroundings, rules)
    yield Finding(code="redirection", note=f"writes its output to {_shown(target)}")


def _target(
    target: Field, part: SimpleCommand, surroundings: Surroundings, rules: PolicyRules
) -> Iterator[Finding]:
    path = absolute(target, part.cwd)
    if path is None:
        if target.text:
            note = f"writes to {_shown(target)}, in a place that only the shell knows"
            yield Finding(code="writer_target", note=note)
        return
    inside = workspace_path(path, surroundings)
    if inside is None:
        if not is_free_to_write(path, surroundings):
            note = f"writes outside the workspace: {path}"
            yield Finding(code="writer_target", note=note)
        return
    if is_in_git_folder(inside):
        note = f"writes into git's own folder: {inside}"
        yield Finding(code="git_dir", note=note, level=Level.DENY)
    elif pattern := rules.protecting(inside):
        is_denied = rules.protected_action is ProtectedAction.DENY
        yield Finding(
            code="protected_path",
            note=f"writes to the protected path {inside} ({pattern})",
            level=Level.DENY if is_denied else Level.ASK,
        )


def _shown(field: Field) -> str:
    return field.text.replace(UNKNOWN, "…") or "an empty name"


def _environment(part: SimpleCommand) -> Iterator[Finding]:
    names = [name for name, _ in part.assignments]
    if part.name in {"env", "sudo", "export"}:
        names.extend(arg.text.partition("=")[0] for arg in part.args if "=" in arg.text)
    for name in names:
        if name in ENVIRONMENT_NAMES or name.startswith(ENVIRONMENT_PREFIXES):
            yield Finding(code="environment", note=f"sets {name}, which changes what runs")


def _removing(part: SimpleCommand) -> Iterator[Finding]:
    if part.name in REMOVERS and has_option(part.args, short="rR", long="recursive"):
        yield Finding(code="recursive_remove", note="removes files recursively")
    if part.name == "rsync" and has_option(part.args, long="delete"):
        yield Finding(code="recursive_remove", note="removes files that the source lacks")


def _git(part: SimpleCommand) -> Iterator[Finding]:
    if part.name != "git":
        return
    if any(arg.text == "-c" for arg in part.args):
        note = "sets a git option for this call, which may run a program"
        yield Finding(code="environment", note=note)
    words = operands(part.args, value_options=_GIT_VALUE_OPTIONS)
    command, rest = (words[0].text, words[1:]) if words else ("", [])
    if command == "push":
        forced = has_option(part.args, short="f", long="force") or any(
            arg.text.startswith(("+", "--force")) for arg in part.args
        )
        note = "overwrites a remote branch" if forced else "pushes to a remote"
        yield Finding(code="remote_write", note=note)
    if _discards(command, part.args, rest):
        yield Finding(code="discards_changes", note="throws away local changes")
    if command in {"fetch", "pull", "clone", "ls-remote", "push"}:
        yield Finding(code="network", note="talks to the network", level=Level.NOTE)


def _discards(command: str, args: Sequence[Field], rest: Sequence[Field]) -> bool:
    texts = {arg.text for arg in args}
    is_forced = has_option(args, short="f", long="force")
    discarding = {
        "reset": "--hard" in texts,
        "clean": is_forced,
        "checkout": "--" in texts or "." in texts or is_forced,
        "restore": "--staged" not in texts or "--worktree" in texts,
        "branch": has_option(args, short="D"),
        "stash": bool(rest) and rest[0].text in {"drop", "clear"},
    }
    return discarding.get(command, False)


def _installing(part: SimpleCommand) -> Iterator[Finding]:
    name, words = part.name, [word.text for word in operands(part.args)]
    if is_interpreter(name) and [arg.text for arg in part.args[:2]] == ["-m", "pip"]:
        name, words = "pip", [arg.text for arg in part.args[2:]]
    if name == "uv" and words[:1] == ["pip"]:
        words = words[1:]
    verbs = INSTALLERS.get(name.rstrip("0123456789.") if name.startswith("pip") else name)
    if verbs is None:
        return
    # An option before the verb may have taken a word for its value.
    is_install = any(word in verbs for word in words[:2]) or (not words and "" in verbs)
    is_install = is_install or any(arg.text in verbs for arg in part.args[:1])
    if is_install:
        yield Finding(code="package_install", note="installs packages")
        yield Finding(code="network", note="talks to the network", level=Level.NOTE)


def _other_user(part: SimpleCommand) -> Iterator[Finding]:
    if part.name in OTHER_USERS:
        yield Finding(code="elevated", note="runs with another user's rights")


def _program_text(part: SimpleCommand) -> Iterator[Finding]:
    if is_interpreter(part.name):
        options = {arg.text for arg in part.args}
        if options & INLINE_OPTIONS or any(
            arg.text.startswith(("-c", "-e"))
            and len(arg.text) > len("-c")
            and not arg.text.startswith("--")
            for arg in part.args
        ):
            yield Finding(code="inline_code", note="runs program text given inline")
        elif part.stdin.is_piped and not operands(part.args) and "-m" not in options:
            yield Finding(code="inline_code", note="runs what it reads as a program")
    elif part.name in SHELLS:
        text = shell_script_text(part.args)
        if text is not None and not text.is_certain:
            yield Finding(code="shell_text", note="runs shell text that only the shell knows")
        elif text is None and part.stdin.is_piped and shell_script_operand(part.args) is None:
            yield Finding(code="shell_text", note="runs what it reads as a shell script")
    elif part.name == "eval" and not all(arg.is_certain for arg in part.args):
        yield Finding(code="shell_text", note="runs shell text that only the shell knows")


def _options(part: SimpleCommand) -> Iterator[Finding]:
    for option, note in WRITING_OPTIONS.get(part.name, ()):
        for arg in part.args:
            is_short = not option.startswith("--") and len(option) == len("-o")
            if arg.text.partition("=")[0] == option or (is_short and arg.text.startswith(option)):
                yield Finding(code="writing_option", note=f"{note} ({option})")
                break


def _network(part: SimpleCommand) -> Iterator[Finding]:
    if part.name in NETWORK_PROGRAMS:
        yield Finding(code="network", note="talks to the network", level=Level.NOTE)


_LOOKS: tuple[Callable[[SimpleCommand], Iterator[Finding]], ...] = (
    _removing,
    _git,
    _installing,
    _other_user,
    _program_text,
    _options,
    _network,
)
