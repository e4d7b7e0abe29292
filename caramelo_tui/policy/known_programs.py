"""What common programs do, as tables.

Owns names and options only; what follows from them is in ``risk``. Proven by
tests/unit/policy/test_risk.py.
"""

from collections.abc import Mapping

from caramelo_tui.policy.command_recorder import DOWNLOADERS

INSTALLERS: Mapping[str, frozenset[str]] = {
    "npm": frozenset(
        {"install", "i", "add", "ci", "in", "isntall", "update", "up", "install-test"}
    ),
    "pnpm": frozenset({"install", "i", "add", "update", "up", "dlx"}),
    "yarn": frozenset({"install", "add", "up", "upgrade", "dlx", "global", ""}),
    "bun": frozenset({"install", "i", "add", "update"}),
    "npx": frozenset({"--yes", "-y"}),
    "pip": frozenset({"install", "download"}),
    "pipx": frozenset({"install", "inject", "upgrade", "run"}),
    "uv": frozenset({"add", "sync", "install", "tool"}),
    "uvx": frozenset({"--from"}),
    "poetry": frozenset({"add", "install", "update"}),
    "pdm": frozenset({"add", "install", "update", "sync"}),
    "conda": frozenset({"install", "create", "update"}),
    "mamba": frozenset({"install", "create", "update"}),
    "cargo": frozenset({"install", "add"}),
    "gem": frozenset({"install", "update"}),
    "bundle": frozenset({"install", "update", "add"}),
    "go": frozenset({"get", "install"}),
    "composer": frozenset({"install", "require", "update"}),
    "apt": frozenset({"install", "upgrade", "full-upgrade", "remove", "purge"}),
    "apt-get": frozenset({"install", "upgrade", "dist-upgrade", "remove", "purge"}),
    "aptitude": frozenset({"install", "upgrade", "remove"}),
    "dnf": frozenset({"install", "upgrade", "remove"}),
    "yum": frozenset({"install", "update", "remove"}),
    "zypper": frozenset({"install", "in", "update"}),
    "apk": frozenset({"add", "upgrade", "del"}),
    "pacman": frozenset({"-S", "-Sy", "-Syu", "-U", "-R"}),
    "brew": frozenset({"install", "upgrade", "reinstall", "uninstall", "tap"}),
    "port": frozenset({"install", "upgrade"}),
    "snap": frozenset({"install", "refresh", "remove"}),
}
"""Words of each package manager that change what is installed; an empty one: no word at all."""

NETWORK_PROGRAMS = DOWNLOADERS | {
    "ssh", "scp", "sftp", "rsync", "telnet", "ping", "dig", "nslookup", "host", "whois", "gh",
    "glab", "docker", "podman", "kubectl", "aws", "gcloud", "az", "socat", "mail", "sendmail",
}  # fmt: skip
"""Programs that mostly talk to other machines."""

OTHER_USERS = frozenset({"sudo", "doas", "su", "runuser", "pkexec"})
"""Programs that run others with the rights of another user."""

ENVIRONMENT_NAMES = frozenset({
    "PATH", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS4", "PAGER",
    "EDITOR", "VISUAL", "SHELL", "NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP",
    "PYTHONHOME", "PERL5LIB", "PERL5OPT", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "CLASSPATH",
    "MAKEFLAGS", "HOME", "TAR_OPTIONS", "LESSOPEN",
})  # fmt: skip
"""Variables that make other programs run than those that are named."""
ENVIRONMENT_PREFIXES = ("LD_", "DYLD_", "GIT_", "BASH_FUNC_", "npm_config_")
"""Beginnings of such variables."""

INLINE_OPTIONS = frozenset({
    "-c", "-e", "-E", "-r", "-R", "-p", "--eval", "--print", "-pe", "-ne", "-lne", "-lane", "-pi",
    "eval", "--command",
})  # fmt: skip
"""Options of interpreters that take program text."""

_REMOVES = "removes what it finds"
_RUNS = "runs a program on what it finds"
_WRITES = "writes a file"

WRITING_OPTIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "find": (
        ("-delete", _REMOVES),
        ("-exec", _RUNS),
        ("-execdir", _RUNS),
        ("-ok", _RUNS),
        ("-okdir", _RUNS),
        ("-fprint", _WRITES),
        ("-fprint0", _WRITES),
        ("-fprintf", _WRITES),
        ("-fls", _WRITES),
    ),
    "fd": (("-x", _RUNS), ("-X", _RUNS), ("--exec", _RUNS), ("--exec-batch", _RUNS)),
    "sort": (("-o", _WRITES), ("--output", _WRITES), ("--compress-program", "runs a program")),
    "tree": (("-o", _WRITES),),
    "git": (
        ("--output", _WRITES),
        ("--upload-pack", "runs a program"),
        ("--receive-pack", "runs a program"),
        ("--exec", "runs a program"),
        ("--open-files-in-pager", "runs a program"),
        ("--ext-diff", "runs a program"),
    ),
    "tar": (
        ("--to-command", "runs a program"),
        ("--checkpoint-action", "runs a program"),
        ("--use-compress-program", "runs a program"),
        ("--remove-files", "removes files"),
    ),
    "rg": (("--pre", "runs a program"), ("--hostname-bin", "runs a program")),
    "curl": (("-o", _WRITES), ("-O", _WRITES), ("--output", _WRITES), ("--remote-name", _WRITES)),
    "wget": (("--use-askpass", "runs a program"),),
    "ssh": (("-o", "sets an option that may run a program"),),
    "man": (("-P", "runs a program"), ("--pager", "runs a program")),
    "awk": (("-f", "runs a program file"),),
}
"""Options of otherwise harmless programs that write or run something."""
