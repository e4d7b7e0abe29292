"""What common programs do, as tables.

Owns names and options only; what follows from them is in ``risk`` and its neighbours. Proven by
tests/unit/policy/test_risk.py and test_install_risks.py.
"""

from collections.abc import Mapping

from caramelo_tui.policy.command_recorder import DOWNLOADERS

ANY_WORD = "*"
"""In a table of verbs: every word counts."""

INSTALLERS: Mapping[str, frozenset[str]] = {
    "npm": frozenset({
        "install", "i", "in", "ins", "inst", "insta", "instal", "isnt", "isnta", "isntal",
        "isntall", "add", "ci", "clean-install", "ic", "install-clean", "update", "up", "upgrade",
        "udpate", "install-test", "it", "install-ci-test", "cit", "link", "ln", "exec", "x",
        "init", "create", "uninstall", "un", "remove", "rm", "r", "unlink", "rebuild", "dedupe",
    }),
    "pnpm": frozenset({
        "install", "i", "add", "update", "up", "upgrade", "dlx", "create", "remove", "rm", "link",
        "import", "rebuild", "fetch",
    }),
    "yarn": frozenset({
        "install", "add", "up", "upgrade", "dlx", "global", "create", "remove", "link", "",
    }),
    "bun": frozenset({"install", "i", "add", "update", "x", "create", "remove", "rm", "link"}),
    "npx": frozenset({ANY_WORD}),
    "bunx": frozenset({ANY_WORD}),
    "pnpx": frozenset({ANY_WORD}),
    "pip": frozenset({"install", "download", "uninstall", "wheel", "sync"}),
    "easy_install": frozenset({ANY_WORD}),
    "ensurepip": frozenset({ANY_WORD, ""}),
    "setup.py": frozenset({"setup.py install", "setup.py develop"}),
    "pipx": frozenset({
        "install", "install-all", "inject", "upgrade", "upgrade-all", "run", "uninstall",
        "reinstall",
    }),
    "uv": frozenset({"add", "remove", "sync", "install", "tool", "lock", "python install"}),
    "uvx": frozenset({ANY_WORD}),
    "poetry": frozenset({"add", "install", "update", "remove", "sync", "self", "lock"}),
    "pdm": frozenset({"add", "install", "update", "sync", "remove"}),
    "pipenv": frozenset({"install", "update", "sync", "uninstall"}),
    "conda": frozenset({"install", "create", "update", "remove", "env create", "env update"}),
    "mamba": frozenset({"install", "create", "update", "remove"}),
    "cargo": frozenset({"install", "add", "update", "binstall", "uninstall", "remove"}),
    "rustup": frozenset({"install", "update", "toolchain install", "component add", "target add"}),
    "gem": frozenset({"install", "i", "update", "uninstall"}),
    "bundle": frozenset({"install", "update", "add", ""}),
    "go": frozenset({"get", "install", "mod download", "mod tidy"}),
    "composer": frozenset({"install", "require", "update", "global", "create-project"}),
    "dotnet": frozenset({"add", "restore", "tool install", "workload install"}),
    "apt": frozenset({"install", "upgrade", "full-upgrade", "remove", "purge", "autoremove"}),
    "apt-get": frozenset({
        "install", "upgrade", "dist-upgrade", "remove", "purge", "autoremove", "build-dep",
    }),
    "aptitude": frozenset({"install", "upgrade", "remove", "purge"}),
    "dpkg": frozenset({"-i", "--install", "-r", "--remove", "-P", "--purge"}),
    "rpm": frozenset({"-i", "-U", "-F", "-e", "--install", "--upgrade", "--erase"}),
    "dnf": frozenset({"install", "upgrade", "update", "remove"}),
    "yum": frozenset({"install", "update", "upgrade", "remove"}),
    "zypper": frozenset({"install", "in", "update", "up", "remove", "rm"}),
    "apk": frozenset({"add", "upgrade", "del"}),
    "pacman": frozenset({"-S", "-U", "-R"}),
    "brew": frozenset({
        "install", "upgrade", "reinstall", "uninstall", "remove", "rm", "tap", "bundle", "cask",
    }),
    "port": frozenset({"install", "upgrade", "uninstall"}),
    "snap": frozenset({"install", "refresh", "remove"}),
    "flatpak": frozenset({"install", "update", "uninstall"}),
    "nix-env": frozenset({"-i", "-e", "-u", "--install"}),
    "nix": frozenset({"profile install", "profile add"}),
    "asdf": frozenset({"install", "plugin add"}),
    "mise": frozenset({"install", "use", "upgrade"}),
    "nvm": frozenset({"install"}),
}  # fmt: skip
"""Verbs of each package manager that change what is installed, or run what they fetch; an empty
one: no word at all; two words: both in this order."""

PUBLISHERS: Mapping[str, frozenset[str]] = {
    "npm": frozenset({"publish", "unpublish", "deprecate", "owner", "dist-tag", "access"}),
    "pnpm": frozenset({"publish"}),
    "yarn": frozenset({"publish", "npm publish"}),
    "bun": frozenset({"publish"}),
    "cargo": frozenset({"publish", "yank", "owner"}),
    "gem": frozenset({"push", "yank"}),
    "poetry": frozenset({"publish"}),
    "uv": frozenset({"publish"}),
    "pdm": frozenset({"publish"}),
    "twine": frozenset({"upload"}),
}
"""Verbs that put something where others get it."""

CONTAINER_PROGRAMS = frozenset({
    "docker", "podman", "nerdctl", "kubectl", "helm", "terraform", "tofu", "aws", "gcloud", "az",
    "flyctl", "fly", "heroku", "vercel", "netlify", "ansible", "ansible-playbook",
})  # fmt: skip
"""Programs that control containers or whole machines, mostly beyond this one."""
VERB_GROUPS = frozenset({
    "pr", "issue", "repo", "release", "run", "workflow", "gist", "label", "cache", "auth",
    "project", "mr", "ci", "container", "image", "volume", "network", "compose", "config", "state",
})  # fmt: skip
"""First words after which the verb comes."""
READING_VERBS = frozenset({
    "view", "list", "ls", "status", "diff", "checks", "search", "get", "describe", "logs", "ps",
    "images", "inspect", "version", "info", "show", "top", "explain", "validate", "help", "stats",
    "history",
})  # fmt: skip
"""Verbs that only look."""
SYSTEM_PROGRAMS = frozenset({
    "shutdown", "reboot", "halt", "poweroff", "init", "telinit", "systemctl", "service",
    "launchctl", "crontab", "at", "batch", "mount", "umount", "iptables", "nft", "ufw", "useradd",
    "userdel", "usermod", "groupadd", "passwd", "chpasswd", "visudo", "insmod", "rmmod",
    "modprobe", "kexec", "swapoff", "swapon", "pkill", "killall", "systemd-run", "setcap",
    "update-alternatives", "defaults", "networksetup", "diskutil", "csrutil",
})  # fmt: skip
"""Programs that change the machine, or end what others run."""

NETWORK_PROGRAMS = DOWNLOADERS | {
    "ssh", "scp", "sftp", "rsync", "telnet", "ping", "dig", "nslookup", "host", "whois", "gh",
    "glab", "docker", "podman", "kubectl", "aws", "gcloud", "az", "socat", "mail", "sendmail",
}  # fmt: skip
"""Programs that mostly talk to other machines."""

OTHER_USERS = frozenset({"sudo", "doas", "su", "runuser", "pkexec", "sg", "newgrp"})
"""Programs that run others with the rights of another user or group."""

ENVIRONMENT_NAMES = frozenset({
    "PATH", "IFS", "ENV", "CDPATH", "FPATH", "ZDOTDIR", "BASH_ENV", "SHELLOPTS", "BASHOPTS",
    "PROMPT_COMMAND", "PS4", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "SHELL", "HOME",
    "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "NODE_OPTIONS", "NODE_PATH", "PYTHONPATH",
    "PYTHONSTARTUP", "PYTHONHOME", "PYTHONBREAKPOINT", "PYTHONWARNINGS", "PYTHONINSPECT",
    "PERL5LIB", "PERL5OPT", "PERL5DB", "PERLLIB", "RUBYOPT", "RUBYLIB", "GEM_HOME", "GEM_PATH",
    "BUNDLE_GEMFILE", "LUA_PATH", "LUA_CPATH", "LUA_INIT", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS", "JAVA_HOME", "MAVEN_OPTS", "GRADLE_OPTS", "CLASSPATH", "MAKEFLAGS",
    "MAKEFILES", "GOFLAGS", "GOTOOLCHAIN", "RUSTC", "RUSTC_WRAPPER", "RUSTDOC", "CC", "CXX", "LD",
    "AR", "TAR_OPTIONS", "LESSOPEN", "LESSCLOSE", "LESS", "RIPGREP_CONFIG_PATH", "CURL_HOME",
    "WGETRC", "INPUTRC", "TERMINFO", "GCONV_PATH", "LOCPATH", "SSH_ASKPASS", "SUDO_ASKPASS",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "DOCKER_HOST", "KUBECONFIG",
})  # fmt: skip
"""Variables that make other programs run, or reach other places, than those that are named."""
ENVIRONMENT_PREFIXES = (
    "LD_", "DYLD_", "GIT_", "BASH_FUNC_", "NPM_CONFIG_", "PIP_", "UV_", "CARGO_", "YARN_",
    "RSYNC_", "OPENSSL_", "GCC_",
)  # fmt: skip
"""Beginnings of such variables; letter case does not count."""

_RUNS_PROGRAM = "runs a program"
_RUNS_FILE = "runs a program file"
_REMOVES = "removes what it finds"
_RUNS = "runs a program on what it finds"
_WRITES = "writes a file"
_SETS = "sets an option that may run a program"
_OUTPUT = (("-o", _WRITES), ("--output", _WRITES))

WRITING_OPTIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "find": (
        ("-delete", _REMOVES), ("-exec", _RUNS), ("-execdir", _RUNS), ("-ok", _RUNS),
        ("-okdir", _RUNS), ("-fprint", _WRITES), ("-fprint0", _WRITES), ("-fprintf", _WRITES),
        ("-fls", _WRITES),
    ),
    "fd": (("-x", _RUNS), ("-X", _RUNS), ("--exec", _RUNS), ("--exec-batch", _RUNS)),
    "sort": (*_OUTPUT, ("--compress-program", _RUNS_PROGRAM)),
    "shuf": _OUTPUT,
    "sdiff": _OUTPUT,
    "iconv": _OUTPUT,
    "yq": (("-i", _WRITES), ("--inplace", _WRITES)),
    "split": (("--filter", _RUNS_PROGRAM),),
    "tree": (("-o", _WRITES),),
    "git": (
        ("--output", _WRITES), ("--output-directory", _WRITES), ("--upload-pack", _RUNS_PROGRAM),
        ("--receive-pack", _RUNS_PROGRAM), ("--exec", _RUNS_PROGRAM),
        ("--open-files-in-pager", _RUNS_PROGRAM), ("--ext-diff", _RUNS_PROGRAM),
        ("--textconv", _RUNS_PROGRAM), ("--show-signature", _RUNS_PROGRAM),
    ),
    "tar": (
        ("--to-command", _RUNS_PROGRAM), ("--checkpoint-action", _RUNS_PROGRAM),
        ("--use-compress-program", _RUNS_PROGRAM), ("-I", _RUNS_PROGRAM),
        ("--info-script", _RUNS_PROGRAM), ("--new-volume-script", _RUNS_PROGRAM),
        ("--rsh-command", _RUNS_PROGRAM), ("--rmt-command", _RUNS_PROGRAM),
        ("--remove-files", "removes files"),
    ),
    "zip": (("-TT", _RUNS_PROGRAM), ("--unzip-command", _RUNS_PROGRAM), ("-m", "removes files")),
    "rsync": (("-e", _RUNS_PROGRAM), ("--rsh", _RUNS_PROGRAM), ("--rsync-path", _RUNS_PROGRAM)),
    "scp": (("-S", _RUNS_PROGRAM), ("-o", _SETS)),
    "rg": (("--pre", _RUNS_PROGRAM), ("--hostname-bin", _RUNS_PROGRAM)),
    "ag": (("--pager", _RUNS_PROGRAM),),
    "ack": (("--pager", _RUNS_PROGRAM),),
    "bat": (("--pager", _RUNS_PROGRAM),),
    "curl": (
        ("--config", "reads options from a file"), ("-K", "reads options from a file"),
    ),
    "wget": (
        ("-P", _WRITES), ("--directory-prefix", _WRITES), ("--execute", _SETS),
        ("--use-askpass", _RUNS_PROGRAM),
    ),
    "tcpdump": (("-w", _WRITES), ("-z", _RUNS_PROGRAM)),
    "ssh": (("-o", _SETS),),
    "man": (("-P", _RUNS_PROGRAM), ("--pager", _RUNS_PROGRAM), ("-H", _RUNS_PROGRAM)),
    "make": (("--eval", "runs text given inline"), ("-E", "runs text given inline")),
    "awk": (("-f", _RUNS_FILE), ("-i", _RUNS_FILE), ("-l", _RUNS_FILE), ("-E", _RUNS_FILE)),
    "sed": (("-f", _RUNS_FILE), ("--file", _RUNS_FILE)),
    "enable": (("-f", "loads a library"),),
    "hash": (("-p", "changes what a name runs"),),
    "date": (("-s", "sets the clock"), ("--set", "sets the clock")),
}  # fmt: skip
"""Options of otherwise harmless programs that write or run something. One with a single letter
counts in a cluster too (``-uo``), a long one when it is shortened."""
EXACT_OPTIONS = frozenset({"find", "zip", "tree", "awk", "date", "curl"})
"""Programs whose options of one dash are words, or stand by themselves."""
