"""Note where a simple command writes.

Owns redirects and the targets of known writers: out of the workspace, onto protected paths, into
git's own folder. Pure. Proven by tests/unit/policy/test_write_risks.py and test_risk.py.
"""

from collections.abc import Iterator

from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.options import has_option
from caramelo_tui.policy.places import absolute, is_free_to_write, workspace_path
from caramelo_tui.policy.rules import PolicyRules, is_in_git_folder
from caramelo_tui.policy.shell_context import CLOSING
from caramelo_tui.policy.shell_parts import SimpleCommand, Surroundings
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.write_targets import linked_files, touched_files, written_files

_COPIES_OF_DESCRIPTORS = frozenset({">&", "<&"})


def write_risks(
    part: SimpleCommand, surroundings: Surroundings, rules: PolicyRules
) -> Iterator[Finding]:
    """Return what is worth knowing about the files that a part writes, removes or touches."""
    writes = _Writes(part, surroundings, rules)
    for redirect in part.redirects:
        if ">" in redirect.operator:
            yield from writes.redirected(redirect.operator, redirect.target)
    for target in dict.fromkeys((*written_files(part), *touched_files(part))):
        yield from writes.to(target)
    for source in dict.fromkeys(linked_files(part)):
        yield from writes.linked_to(source)


class _Writes:
    def __init__(self, part: SimpleCommand, surroundings: Surroundings, rules: PolicyRules) -> None:
        self._part = part
        self._surroundings = surroundings
        self._rules = rules

    def redirected(self, operator: str, target: Field | None) -> Iterator[Finding]:
        if operator in CLOSING:
            return
        if target is None:
            note = "writes its output where only the shell knows"
            yield Finding(code="redirection", note=note)
            return
        if operator in _COPIES_OF_DESCRIPTORS and _is_descriptor(target.text):
            return
        path = absolute(target, self._part.cwd)
        if path is not None and path.startswith(("/dev/tcp/", "/dev/udp/")):
            yield Finding(code="network", note="talks to the network")
            return
        if path is not None and self._is_free(target, path):
            return
        yield from self.to(target)
        yield Finding(code="redirection", note=f"writes its output to {_shown(target)}")

    def to(self, target: Field) -> Iterator[Finding]:
        path = absolute(target, self._part.cwd)
        if path is None:
            if target.text:
                note = f"writes to {_shown(target)}, in a place that only the shell knows"
                yield Finding(code="writer_target", note=note)
            return
        inside = workspace_path(path, self._surroundings)
        if inside is None:
            if not self._is_free(target, path):
                note = f"writes outside the workspace: {path}"
                yield Finding(code="writer_target", note=note)
            return
        yield from self._inside(inside, has_glob=target.has_glob)

    def _is_free(self, target: Field, path: str) -> bool:
        # Who climbs means a neighbour of the folder, not a scratch file, wherever both lie.
        climbs = ".." in target.text.split("/")
        return not climbs and is_free_to_write(path, self._surroundings)

    def linked_to(self, source: Field) -> Iterator[Finding]:
        """A link is a second way to write what it leads to."""
        path = absolute(source, self._part.cwd)
        inside = workspace_path(path, self._surroundings) if path is not None else None
        if inside is None:
            yield Finding(code="writer_target", note="makes a link that leads out of sight")
        elif is_in_git_folder(inside) or self._rules.protecting(inside):
            yield Finding(code="writer_target", note=f"makes a link to the protected path {inside}")

    def _inside(self, path: str, *, has_glob: bool) -> Iterator[Finding]:
        if has_glob and (rule := self._rules.may_protect(path)):
            note = f"may write to a protected path: {path} matches {rule.text}"
            yield Finding(
                code="protected_path", note=note, rule=self._rules.said_of(rule), origin=rule.origin
            )
        if is_in_git_folder(path):
            yield Finding(
                code="git_dir",
                note=f"writes into git's own folder: {path}",
                level=Level.ASK if self._removes_a_lock(path) else Level.DENY,
                rule="protected path .git/**",
            )
        elif rule := self._rules.protecting(path):
            yield Finding(
                code="protected_path",
                note=f"writes to the protected path {path} ({rule.text})",
                level=Level.DENY if self._rules.denies_protected else Level.ASK,
                rule=self._rules.said_of(rule),
                origin=rule.origin,
            )

    def _removes_a_lock(self, path: str) -> bool:
        """Whether it is the known remedy for a git that was killed."""
        part = self._part
        is_plain = part.name in {"rm", "unlink"} and not has_option(
            part.args, short="rR", long="recursive"
        )
        return is_plain and path.endswith(".lock")


def _is_descriptor(text: str) -> bool:
    """Whether ``>&`` copies, moves (``3-``) or closes (``-``) a descriptor."""
    return text == "-" or text.removesuffix("-").isdigit()


def _shown(field: Field) -> str:
    return field.text.replace(UNKNOWN, "…") or "an empty name"
