"""Repositories whose settings name programs, one kind each.

Every program is a script outside the workspace that leaves a mark. Where an ordinary git command
runs it, ``control`` is that command: a test runs it to show that the trap is a live one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.doubles.git_worlds import GitWorld, git

HOOKS = (
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "reference-transaction",
    "sendemail-validate",
)
ENDER = "ender.sh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """One way in which a repository names a program."""

    name: str
    lay: Callable[[GitWorld, str], None]
    """Set it up; gets the world and the script's path."""
    control: tuple[str, ...] = ()
    """A git command that runs the script; empty where none does without a terminal or server."""
    is_filter: bool = False
    """A trusted workspace's reads run it, as they must."""
    is_refused: bool = False
    """An untrusted workspace's repository is not read at all."""


def mark_script(world: GitWorld) -> Path:
    """Put the script that leaves a mark beside the workspace."""
    script = world.outside / "trap.sh"
    marker = world.outside / "marker"
    # Passes on what comes, so that a filter or text converter is one that works.
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> "{marker}"\ncat "$1" 2>/dev/null || cat\n')
    script.chmod(0o755)
    # Of a protocol's program git waits for an answer: one that only leaves its mark and ends.
    ender = world.outside / ENDER
    ender.write_text(f'#!/bin/sh\necho "$0 $*" >> "{marker}"\nexit 1\n')
    ender.chmod(0o755)
    return script


def marks(world: GitWorld) -> str:
    """Return what was run since the last ``wipe``."""
    marker = world.outside / "marker"
    return marker.read_text() if marker.exists() else ""


def wipe(world: GitWorld) -> None:
    """Forget the marks."""
    (world.outside / "marker").unlink(missing_ok=True)


def settings(*pairs: tuple[str, str]) -> Callable[[GitWorld, str], None]:
    """Return a trap of plain settings; ``{script}`` in them is the script."""

    def lay(world: GitWorld, script: str) -> None:
        for key, value in pairs:
            world.git(
                "config",
                "--add",
                key.replace("{script}", script),
                value.replace("{script}", script),
            )

    return lay


def with_attribute(
    attribute: str, *pairs: tuple[str, str], where: str = ".gitattributes"
) -> Callable[[GitWorld, str], None]:
    """Return a trap of settings that an attribute of all text files brings in."""

    def lay(world: GitWorld, script: str) -> None:
        world.write(where, f"*.txt {attribute}\n")
        settings(*pairs)(world, script)

    return lay


def hooks(folder: str) -> Callable[[GitWorld, str], None]:
    """Return a trap of every hook there is, in a folder of the workspace."""

    def lay(world: GitWorld, script: str) -> None:
        for hook in HOOKS:
            world.script(f"{folder}/{hook}", f'exec "{script}" </dev/null')
        if not folder.startswith(".git/"):
            world.git("config", "core.hooksPath", folder)

    return lay


def _included(world: GitWorld, script: str) -> None:
    world.write(".gitattributes", "*.txt filter=deep\n")
    world.write("extra.cfg", f'[filter "deep"]\n\tclean = {script}\n\trequired = true\n')
    world.git("config", "include.path", "../extra.cfg")


def _included_for_branch(world: GitWorld, script: str) -> None:
    world.write(".gitattributes", "*.txt filter=deep\n")
    world.write("extra.cfg", f'[filter "deep"]\n\tprocess = {script}\n\tclean = {script}\n')
    world.git("config", "includeIf.onbranch:main.path", "../extra.cfg")


def _of_worktree(world: GitWorld, script: str) -> None:
    world.write(".gitattributes", "*.txt filter=deep\n")
    world.git("config", "extensions.worktreeConfig", "true")
    world.git("config", "--worktree", "filter.deep.clean", script)
    world.git("config", "--worktree", "core.fsmonitor", script)


def _signed(world: GitWorld, script: str) -> None:
    """Give the newest commit a signature that must be asked about."""
    tree = world.git("rev-parse", "HEAD^{tree}").strip()
    parent = world.git("rev-parse", "HEAD").strip()
    who = "Ada <ada@example.test> 1700000000 +0000"
    text = (
        f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n"
        "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n"
        "\nsigned\n"
    )
    raw = world.write("raw-commit", text)
    commit = world.git("hash-object", "-t", "commit", "-w", "--literally", str(raw)).strip()
    raw.unlink()
    world.git("update-ref", "refs/heads/main", commit)
    for key in ("gpg.program", "gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program"):
        world.git("config", key, script)
    world.git("config", "log.showSignature", "true")


def _signed_with_format(world: GitWorld, script: str) -> None:
    _signed(world, script)
    world.git("config", "log.showSignature", "false")
    world.git("config", "format.pretty", "evil")
    world.git("config", "pretty.evil", "%G? %h %s")
    for name in ("oneline", "medium"):
        world.git("config", f"pretty.{name}", "%G? %h")


def _promised(*pairs: tuple[str, str]) -> Callable[[GitWorld, str], None]:
    """Return a trap where a diff misses an object that a remote has promised."""

    def lay(world: GitWorld, script: str) -> None:
        lost = world.git("rev-parse", "HEAD:b.txt").strip()
        (world.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
        world.write("b.txt", "dos\n")
        settings(
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
            *pairs,
        )(world, str(Path(script).with_name(ENDER)))

    return lay


def _submodule(*pairs: tuple[str, str]) -> Callable[[GitWorld, str], None]:
    """Return a trap inside a submodule's own settings."""

    def lay(world: GitWorld, script: str) -> None:
        source = world.outside / "library"
        source.mkdir()
        git(source, "init", "--quiet", "--initial-branch=main")
        (source / "lib.txt").write_text("one\n")
        git(source, "add", "--all")
        git(source, "commit", "--quiet", "--message", "library")
        allow = ("-c", "protocol.file.allow=always")
        world.git(*allow, "submodule", "--quiet", "add", str(source), "sub")
        world.git("commit", "--quiet", "--message", "with library")
        world.write("sub/.gitattributes", "*.txt filter=sub diff=sub\n")
        world.write("sub/lib.txt", "uno\n")
        for key, value in pairs:
            git(world.root / "sub", "config", key, value.replace("{script}", script))
        world.git("config", "diff.submodule", "diff")
        world.git("config", "status.submoduleSummary", "true")
        world.git("config", "diff.ignoreSubmodules", "none")

    return lay


TRAPS = (
    Trap(
        name="core.fsmonitor",
        lay=settings(("core.fsmonitor", "{script}")),
        control=("status",),
    ),
    Trap(name="core.fsmonitor=true", lay=settings(("core.fsmonitor", "true"))),
    Trap(name="core.hooksPath", lay=hooks("hk"), control=("branch", "made")),
    Trap(name=".git/hooks", lay=hooks(".git/hooks"), control=("branch", "made")),
    Trap(name="diff.external", lay=settings(("diff.external", "{script}")), control=("diff",)),
    Trap(
        name="diff.NAME.command",
        lay=with_attribute("diff=evil", ("diff.evil.command", "{script}")),
        control=("diff",),
    ),
    Trap(
        name="diff.NAME.textconv",
        lay=with_attribute("diff=evil", ("diff.evil.textconv", "{script}")),
        control=("diff",),
    ),
    Trap(
        name="diff.NAME.textconv by info/attributes",
        lay=with_attribute(
            "diff=evil", ("diff.evil.textconv", "{script}"), where=".git/info/attributes"
        ),
        control=("diff",),
    ),
    Trap(
        name="core.attributesFile",
        lay=with_attribute(
            "diff=evil",
            ("core.attributesFile", ".git/mine"),
            ("diff.evil.command", "{script}"),
            where=".git/mine",
        ),
        control=("diff",),
    ),
    Trap(
        name="filter.NAME.clean",
        lay=with_attribute("filter=evil", ("filter.evil.clean", "{script}")),
        control=("diff",),
        is_filter=True,
    ),
    Trap(
        name="filter.NAME.process",
        lay=with_attribute(
            "filter=evil", ("filter.evil.process", "{script}"), ("filter.evil.required", "true")
        ),
        control=("-c", "filter.evil.required=false", "diff"),
        is_filter=True,
    ),
    Trap(
        name="filter.NAME.smudge",
        lay=with_attribute("filter=evil", ("filter.evil.smudge", "{script}")),
        control=("checkout", "--", "a.txt"),
        is_filter=True,
    ),
    Trap(
        name="filter with dots, blanks and quotes in its name",
        lay=with_attribute(
            'filter=A.b."c"', ('filter.A.b."c".clean', "{script}"), ("filter.a b.clean", "{script}")
        ),
        control=("diff",),
        is_filter=True,
    ),
    Trap(
        name="filter with = in its name",
        lay=with_attribute("filter=a=b", ("filter.a=b.clean", "{script}")),
        control=("diff",),
        is_filter=True,
        is_refused=True,
    ),
    Trap(name="include.path", lay=_included, control=("diff",), is_filter=True),
    Trap(name="includeIf", lay=_included_for_branch, control=("diff",), is_filter=True),
    Trap(name="config.worktree", lay=_of_worktree, control=("status",), is_filter=True),
    Trap(name="gpg.program, log.showSignature", lay=_signed, control=("log", "-1")),
    Trap(name="gpg.program, format.pretty", lay=_signed_with_format, control=("log", "-1")),
    Trap(
        name="core.pager, pager.*",
        lay=settings(
            ("core.pager", "{script}"),
            ("pager.log", "{script}"),
            ("pager.diff", "{script}"),
            ("pager.status", "{script}"),
            ("pager.branch", "{script}"),
            ("interactive.diffFilter", "{script}"),
        ),
    ),
    Trap(
        name="remote.NAME.uploadpack on a promised object",
        lay=_promised(("remote.origin.url", "/nowhere"), ("remote.origin.uploadpack", "{script}")),
        control=("diff",),
        is_refused=True,
    ),
    Trap(
        name="core.sshCommand on a promised object",
        lay=_promised(("remote.origin.url", "ssh://host.test/x"), ("core.sshCommand", "{script}")),
        control=("diff",),
        is_refused=True,
    ),
    Trap(
        name="core.gitProxy on a promised object",
        lay=_promised(("remote.origin.url", "git://host.test/x"), ("core.gitProxy", "{script}")),
        control=("diff",),
        is_refused=True,
    ),
    Trap(
        name="ext:: by url.*.insteadOf on a promised object",
        lay=_promised(
            ("remote.origin.url", "https://host.test/x"),
            ("url.ext::{script} .insteadOf", "https://host.test/"),
            ("protocol.ext.allow", "always"),
            ("protocol.allow", "always"),
        ),
        control=("diff",),
        is_refused=True,
    ),
    Trap(
        name="credential.helper, core.askPass, core.alternateRefsCommand",
        lay=settings(
            ("credential.helper", "{script}"),
            ("core.askPass", "{script}"),
            ("core.alternateRefsCommand", "{script}"),
        ),
    ),
    Trap(
        name="core.editor, sequence.editor, trailer, alias, merge driver, packObjectsHook",
        lay=settings(
            ("core.editor", "{script}"),
            ("sequence.editor", "{script}"),
            ("trailer.sign.command", "{script}"),
            ("trailer.sign.cmd", "{script}"),
            ("alias.status", "!{script}"),
            ("alias.diff", "!{script}"),
            ("alias.log", "!{script}"),
            ("alias.for-each-ref", "!{script}"),
            ("merge.evil.driver", "{script}"),
            ("uploadpack.packObjectsHook", "{script}"),
            ("remote.origin.vcs", "evil"),
            ("difftool.evil.cmd", "{script}"),
            ("mergetool.evil.cmd", "{script}"),
            ("gpg.ssh.defaultKeyCommand", "{script}"),
        ),
    ),
    Trap(
        name="commit.gpgSign",
        lay=settings(("commit.gpgSign", "true"), ("gpg.program", "{script}")),
    ),
    Trap(
        name="a submodule's fsmonitor",
        lay=_submodule(("core.fsmonitor", "{script}")),
        control=("status",),
    ),
    Trap(
        name="a submodule's filter",
        lay=_submodule(("filter.sub.clean", "{script}")),
        control=("status",),
        is_filter=True,
    ),
    Trap(
        name="a submodule's diff programs",
        lay=_submodule(("diff.sub.textconv", "{script}"), ("diff.external", "{script}")),
        control=("diff",),
    ),
)
"""Every kind that was thought of."""
