"""What is known of programs that run other programs, and of those that run text, as tables.

Owns names and options; ``wrappers`` reads commands by them. Proven by
tests/unit/policy/test_wrappers.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "yash", "fish", "rbash"})
"""Programs that run shell text."""
INTERPRETERS = frozenset({
    "python", "pypy", "perl", "ruby", "node", "nodejs", "deno",
    "bun", "php", "lua", "rscript", "osascript", "tclsh", "guile", "julia", "groovy", "pwsh",
})  # fmt: skip
"""Programs that run program text of another language."""


def is_interpreter(name: str) -> bool:
    """Whether a program runs program text of another language, whatever its version."""
    return name.rstrip("0123456789.") in INTERPRETERS or name in INTERPRETERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """How a program that runs its arguments reads them."""

    value_options: frozenset[str] = field(default_factory=frozenset[str])
    """Options that take the next word."""
    flags: str = ""
    """Letters of options without a value."""
    long_flags: frozenset[str] = field(default_factory=frozenset[str])
    operands: int = 0
    """Words before the command, such as the time of ``timeout``."""
    takes_assignments: bool = False
    script_options: frozenset[str] = field(default_factory=frozenset[str])
    """Options whose value is shell text."""


def wrapper(
    values: str = "",
    *,
    flags: str = "",
    long_flags: str = "",
    operands: int = 0,
    takes_assignments: bool = False,
    scripts: str = "",
) -> Wrapper:
    """Return how a program reads its words, from lists in one text each."""
    return Wrapper(
        value_options=frozenset(values.split()),
        flags=flags,
        long_flags=frozenset(long_flags.split()),
        operands=operands,
        takes_assignments=takes_assignments,
        script_options=frozenset(scripts.split()),
    )


WRAPPERS: Mapping[str, Wrapper] = {
    "env": wrapper(
        "-u --unset -C --chdir",
        flags="i0v",
        long_flags="--ignore-environment --null --debug",
        takes_assignments=True,
        scripts="-S --split-string",
    ),
    "sudo": wrapper(
        "-u -g -h -p -C -T -D -R -U -r -t --user --group --host --prompt --chdir --chroot",
        flags="nESkKHbisAPBV",
        long_flags="--non-interactive --preserve-env --stdin --login --shell --background",
        takes_assignments=True,
    ),
    "doas": wrapper("-u -C", flags="ns"),
    "nohup": wrapper(),
    "setsid": wrapper(flags="cfw", long_flags="--fork --wait --ctty"),
    "nice": wrapper("-n --adjustment", flags="0123456789"),
    "ionice": wrapper("-c -n -p", flags="t"),
    "chrt": wrapper("-T -P -D", flags="bfiro", operands=1),
    "taskset": wrapper(flags="ac", operands=1),
    "stdbuf": wrapper("-i -o -e"),
    "timeout": wrapper(
        "-s -k --signal --kill-after",
        flags="v",
        long_flags="--foreground --preserve-status --verbose",
        operands=1,
    ),
    "time": wrapper("-f -o --format --output", flags="pavV"),
    "command": wrapper(flags="p"),
    "builtin": wrapper(),
    "exec": wrapper("-a", flags="cl"),
    "coproc": wrapper(),
    "busybox": wrapper(),
    "toybox": wrapper(),
    "xargs": wrapper(
        "-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file --max-lines",
        flags="0rtpxio",
        long_flags="--null --no-run-if-empty --verbose --interactive --exit --replace",
    ),
    "flock": wrapper("-w -E --timeout", flags="sxneouF", operands=1, scripts="-c --command"),
    "chroot": wrapper("--userspec --groups", operands=1),
    "unshare": wrapper("-R -w --root --wd", flags="mnpufirUC"),
    "nsenter": wrapper("-t --target", flags="mnpuUaFrw"),
    "strace": wrapper("-o -e -p -s -u -E -a", flags="fFqtvxyTci"),
    "ltrace": wrapper("-o -e -p -s -u -n", flags="fSti"),
    "setarch": wrapper(flags="R", operands=1),
    "fakeroot": wrapper("-l -s -i"),
    "unbuffer": wrapper(flags="p"),
    "caffeinate": wrapper("-t -w", flags="disu"),
    "su": wrapper("-g -G -s --shell", flags="lmp", operands=1, scripts="-c --command"),
    "runuser": wrapper("-u -g -G -s", flags="lmp", scripts="-c --command"),
    "script": wrapper("-E -T -o", flags="aefq", operands=1, scripts="-c --command"),
    "sg": wrapper(operands=1, scripts="-c --command"),
    "pkexec": wrapper("--user", flags=""),
    "setpriv": wrapper("--reuid --regid --groups --inh-caps --bounding-set"),
    "systemd-run": wrapper("-p -u --property --unit --slice --uid --gid", flags="Ptd",
                           long_flags="--user --scope --pty --wait --pipe --collect"),
    "firejail": wrapper(), "bwrap": wrapper(), "proot": wrapper("-r -b -w -R"),
    "xvfb-run": wrapper("-n -s -e -f -p -w", flags="a"),
    "dbus-run-session": wrapper(), "dbus-launch": wrapper(), "ssh-agent": wrapper("-t -a -E"),
    "valgrind": wrapper(), "rlwrap": wrapper("-a -f -H -w"), "catchsegv": wrapper(),
    "torsocks": wrapper(), "proxychains": wrapper("-f", flags="q"), "tsocks": wrapper(),
    "faketime": wrapper("-f", operands=1), "cpulimit": wrapper("-l -p -e", flags="zif"),
    "prlimit": wrapper(), "eatmydata": wrapper(), "direnv": wrapper(operands=2),
    "entr": wrapper(flags="acdnprsxz"), "dotenv": wrapper("-f -e", flags="o"),
    "winpty": wrapper(), "arch": wrapper(flags="e"), "numactl": wrapper("-N -m -C"),
    "watchexec": wrapper("-w -e -i --watch --exts --ignore", flags="rcn"),
    "nodemon": wrapper("-w -e --watch --ext", flags="qVL", scripts="-x --exec"),
    "logsave": wrapper(flags="asv", operands=1),
    "ccache": wrapper(), "distcc": wrapper(), "sccache": wrapper(),
    "run-one": wrapper(), "chronic": wrapper(), "nsjail": wrapper(),
    "tini": wrapper("-p -e", flags="svgw"), "dumb-init": wrapper("-r", flags="cv"),
    "gosu": wrapper(operands=1), "su-exec": wrapper(operands=1), "noglob": wrapper(),
    "nocorrect": wrapper(), "perf": wrapper("-e -o", operands=1),
}  # fmt: skip
"""How each program that runs its arguments reads them."""
JOINER = wrapper("-n --interval -j -a --jobs", flags="bcdegtpxw0kuv")
RUNNER = wrapper(
    "--extra --group --package --project -p --python -n --name",
    flags="qv",
    long_flags="--frozen --locked --no-sync --offline --quiet --all-extras --no-dev --dev "
    "--isolated --all-groups --no-capture-output",
)
"""How the runners of the next table read their words."""
RUNNERS = {
    ("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run"),
    ("conda", "run"), ("rye", "run"), ("pixi", "run"), ("pyenv", "exec"), ("rbenv", "exec"),
    ("asdf", "exec"), ("honcho", "run"), ("foreman", "run"), ("doppler", "run"), ("op", "run"),
    ("bundle", "exec"), ("npm", "exec"), ("pnpm", "exec"), ("yarn", "exec"), ("mise", "exec"),
}  # fmt: skip
"""Two words in front of a command."""
