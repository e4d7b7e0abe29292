"""Note what a git command pushes, throws away, or lets run.

Owns what is known of git's verbs and options. Pure. Proven by tests/unit/policy/test_git_risks.py.
"""

from collections.abc import Callable, Iterator, Mapping

from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.git_commands import GitCommand, taken_apart
from caramelo_tui.policy.shell_parts import SimpleCommand

_TALKING = frozenset({"fetch", "pull", "clone", "ls-remote", "push", "submodule"})
_PUSHING = frozenset({
    ("push", ""), ("send-pack", ""), ("subtree", "push"), ("lfs", "push"), ("svn", "dcommit"),
})  # fmt: skip
_RUNNING = frozenset({
    ("bisect", "run"), ("submodule", "foreach"), ("filter-branch", ""), ("difftool", ""),
    ("mergetool", ""), ("hook", "run"),
})  # fmt: skip
_FORGETTING = frozenset({
    ("stash", "drop"), ("stash", "clear"), ("reflog", "expire"), ("reflog", "delete"),
    ("filter-branch", ""), ("filter-repo", ""), ("worktree", "remove"),
})  # fmt: skip
_REACHING = frozenset({
    ("credential", ""), ("credential-store", ""), ("credential-cache", ""), ("send-email", ""),
    ("imap-send", ""), ("p4", ""), ("daemon", ""), ("instaweb", ""), ("cvsserver", ""),
    ("maintenance", "start"), ("maintenance", "register"),
})  # fmt: skip
_RUNNING_OPTIONS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "grep": ("O", ("open-files-in-pager",)),
    "clone": ("uc", ("upload-pack", "config", "template")),
    "init": ("", ("template",)),
}
"""Verbs with the letters and long names of their options that run, or bring in, a program."""
_PATCHING = frozenset({"apply", "am"})
_READING_CONFIG = frozenset({"get", "list", "show"})
_CONFIG_WRITERS = ("--unset", "--remove", "--rename", "--add", "--replace")


def git_risks(part: SimpleCommand) -> Iterator[Finding]:
    """Return what is worth knowing about a git command; nothing for other programs."""
    if part.name != "git":
        return
    git = taken_apart(part.args)
    yield from _settings(git)
    if git.is_one_of(_PUSHING):
        forced = git.has("f", "force") or any(
            arg.text.startswith(("+", "--force", "--mirror", "--delete")) for arg in git.args
        )
        note = "overwrites a remote branch" if forced else "pushes to a remote"
        yield Finding(code="remote_write", note=note)
    if _discards(git) or git.is_one_of(_FORGETTING):
        yield Finding(code="discards_changes", note="throws away local changes")
    if git.verb == "rm" and git.has("r"):
        yield Finding(code="recursive_remove", note="removes files recursively")
    if git.is_one_of(_RUNNING) or (git.verb == "rebase" and git.has("x", "exec")):
        yield Finding(code="writing_option", note="runs a program that is given to git")
    yield from _reaching(git)
    if git.verb in _PATCHING:
        yield Finding(code="writer_target", note="changes the files that a patch names")
    if git.verb in _TALKING:
        yield Finding(code="network", note="talks to the network", level=Level.NOTE)


def _reaching(git: GitCommand) -> Iterator[Finding]:
    letters, names = _RUNNING_OPTIONS.get(git.verb, ("", ()))
    if git.has(short=letters) or any(git.has(long=name) for name in names):
        yield Finding(code="writing_option", note="runs a program that an option names")
    if _makes_files(git):
        yield Finding(code="writing_option", note="writes a file that git is given")
    if git.is_one_of(_REACHING):
        yield Finding(code="remote_write", note="reaches beyond the repository")


def _settings(git: GitCommand) -> Iterator[Finding]:
    names = {arg.text.partition("=")[0] for arg in git.before}
    if names & {"-c", "--config-env", "--exec-path"}:
        note = "sets a git option for this call, which may run a program"
        yield Finding(code="environment", note=note)
    if "--git-dir" in names:
        note = "uses the settings of another repository, which may run a program"
        yield Finding(code="environment", note=note)
    if git.verb == "config" and _writes_config(git):
        note = "changes git's settings, which may run a program later"
        yield Finding(code="environment", note=note)


def _writes_config(git: GitCommand) -> bool:
    words = [word.text for word in git.words]
    options = [arg.text for arg in git.args if arg.text.startswith("-")]
    if git.has("l") or any(option.startswith(("--get", "--list")) for option in options):
        return False
    if git.has("e", "edit") or any(option.startswith(_CONFIG_WRITERS) for option in options):
        return True
    return len(words) > 1 and words[0] not in _READING_CONFIG


def _makes_files(git: GitCommand) -> bool:
    if git.verb == "format-patch":
        return "--stdout" not in git.texts
    is_bundle = git.verb == "bundle" and "create" in git.texts
    return is_bundle or (git.verb == "archive" and git.has("o", "output"))


def _discards(git: GitCommand) -> bool:
    looks_at = _DISCARDING.get(git.verb)
    return looks_at is not None and looks_at(git)


def _checks_out_files(git: GitCommand) -> bool:
    if git.has("fB", "force") or "--" in git.texts or "." in git.texts:
        return True
    # With a new branch the second word is where it starts; else it is a file.
    makes_branch = git.has("b", "orphan") or git.has("t", "track")
    return len(git.words) > 1 and not makes_branch


_DISCARDING: Mapping[str, Callable[[GitCommand], bool]] = {
    "reset": lambda git: git.has(long="hard") or git.has(long="merge"),
    "clean": lambda git: git.has("f", "force"),
    "checkout": _checks_out_files,
    "restore": lambda git: not git.has("S", "staged") or git.has("W", "worktree"),
    "switch": lambda git: git.has("fC", "force") or git.has(long="discard-changes"),
    "branch": lambda git: git.has("DMf", "force"),
    "update-ref": lambda git: git.has("d", "delete"),
    "tag": lambda git: git.has("df", "delete") or git.has(long="force"),
    "read-tree": lambda git: git.has("u", "reset"),
    "checkout-index": lambda git: git.has("f", "force"),
}
"""What makes each verb throw something away."""
