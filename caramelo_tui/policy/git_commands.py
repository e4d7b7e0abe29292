"""Take a git command apart: options before its verb, the verb, what comes behind.

Owns how git reads its words, and the commands that it is given to run. Pure. Proven by
tests/unit/policy/test_git_risks.py and test_wrappers.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from caramelo_tui.policy.inner_commands import Inner, InnerScript, InnerWords, joined
from caramelo_tui.policy.options import GIT_VALUE_OPTIONS, has_option, operands, option_value
from caramelo_tui.policy.shell_words import Field


@dataclass(frozen=True, slots=True)
class GitCommand:
    """A git command taken apart."""

    before: tuple[Field, ...]
    """Options before the verb."""
    verb: str
    """Such as ``push``; empty without one."""
    args: tuple[Field, ...]
    """All that comes after the verb."""

    @property
    def words(self) -> list[Field]:
        """What is no option, behind the verb."""
        return operands(self.args)

    @property
    def texts(self) -> frozenset[str]:
        """All words behind the verb."""
        return frozenset(arg.text for arg in self.args)

    def is_one_of(self, verbs: frozenset[tuple[str, str]]) -> bool:
        """Whether the verb, alone or with the word behind it, is among these."""
        words = self.words
        second = words[0].text if words else ""
        return (self.verb, "") in verbs or (self.verb, second) in verbs

    def has(self, short: str = "", long: str = "") -> bool:
        """Whether the verb has an option; see ``has_option``."""
        return has_option(self.args, short=short, long=long)


def taken_apart(args: Sequence[Field]) -> GitCommand:
    """Split the arguments of git at its verb."""
    i = 0
    while i < len(args) and args[i].text.startswith("-"):
        i += 2 if args[i].text in GIT_VALUE_OPTIONS else 1
    verb = args[i].text.casefold() if i < len(args) else ""
    return GitCommand(tuple(args[:i]), verb, tuple(args[i + 1 :]))


def inside_git(args: Sequence[Field]) -> tuple[Inner, ...]:
    """Return what a git command would run besides itself."""
    git = taken_apart(args)
    words = git.words
    second = words[0].text if words else ""
    if git.verb == "bisect" and second == "run":
        start = next(i for i, arg in enumerate(git.args) if arg.text == "run")
        return (InnerWords(git.args[start + 1 :]),) if git.args[start + 1 :] else ()
    if git.verb == "submodule" and second == "foreach":
        start = next(i for i, arg in enumerate(git.args) if arg.text == "foreach")
        rest = git.args[start + 1 :]
        while rest and rest[0].text in {"--recursive", "--quiet", "-q"}:
            rest = rest[1:]
        return (InnerScript(joined(rest)),) if rest else ()
    if git.verb == "rebase":
        script = option_value(git.args, "-x", "--exec")
        return (InnerScript(script),) if script is not None else ()
    if git.verb == "filter-branch":
        return tuple(
            InnerScript(following)
            for arg, following in pairwise(git.args)
            if arg.text.endswith("-filter")
        )
    return ()
