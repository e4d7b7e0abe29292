"""Turn arguments into options.

Owns every flag of docs/command-line.md and its help text; decides nothing. Wrong usage exits
with 2 and says what is allowed. Proven by tests/unit/test_command_line.py.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from caramelo_tui import __version__
from caramelo_tui.domain.turn_limits import MAX_TURNS, MIN_TURNS

SUBCOMMANDS = ("run", "demo", "tool", "tools")
"""First words that are not a path; ``caramelo ./demo`` opens a folder of that name."""
RESERVED_WORDS = ("policy", "sessions", "config", "doctor")
"""Subcommands of later versions: no folder is opened by such a bare word, so that a script
does not change its meaning with an update."""
MAX_TIMEOUT_S = 7 * 24 * 3600
"""A week: more is a mistake in the unit."""
EPILOG = """\
commands:
  caramelo [PATH]           open the app on PATH (default: the current folder)
  caramelo run [PROMPT]     one prompt without a screen; see `caramelo run --help`
  caramelo demo             try everything without a key
  caramelo tool NAME JSON   run one tool by hand, or many by `--stdin`
  caramelo tools --json     print the offered tools
"""


class ApproveFlag(StrEnum):
    """What ``caramelo tool`` approves by itself."""

    NONE = "none"
    WRITES = "writes"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOptions:
    """Flags that the app, ``run`` and ``tool`` share."""

    flags: dict[str, str | None]
    """Setting flags (``--model`` …) to their text; ``None``: not given."""
    config_file: Path | None
    reads_workspace_config: bool
    is_trusted: bool
    is_debug: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AppOptions:
    """Open the app."""

    common: CommonOptions
    path: Path
    prompt: str | None
    is_demo: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """One prompt without a screen."""

    common: CommonOptions
    prompt: str | None
    """``None``: read it from standard input."""
    is_json: bool
    is_quiet: bool
    approves_all: bool
    allowed_commands: tuple[str, ...]
    allows_refusals: bool
    max_turns: int | None
    timeout_s: float | None
    keeps_session: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """Run tools by hand."""

    common: CommonOptions
    name: str | None
    """``None``: read calls from standard input."""
    arguments_json: str
    workspace: Path
    approve: ApproveFlag


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsOptions:
    """Print the offered tools."""

    common: CommonOptions
    is_json: bool


Options = AppOptions | RunOptions | ToolOptions | ToolsOptions
"""What the user asked for."""


def parse(arguments: list[str]) -> Options:
    """Return the options; exits with 2 on wrong usage, with 0 after ``--help``."""
    word = arguments[0] if arguments and arguments[0] in SUBCOMMANDS else ""
    rest = arguments[1:] if word else arguments
    if arguments and arguments[0] in RESERVED_WORDS:
        _refuse_reserved(arguments[0])
    match word:
        case "run":
            return _parse_run(rest)
        case "tool":
            return _parse_tool(rest)
        case "tools":
            return _parse_tools(rest)
        case _:
            return _parse_app(rest, is_demo=word == "demo")


def _refuse_reserved(word: str) -> NoReturn:
    parser = _parser("caramelo", "")
    parser.usage = "caramelo [PATH], or one of: " + ", ".join(SUBCOMMANDS)
    parser.error(
        f"{word!r} is not offered by this version; commands: {', '.join(SUBCOMMANDS)} "
        f"(a folder of that name is opened by: caramelo ./{word})"
    )


class _Reserved(argparse.Action):
    """A flag of later versions: refused by name, not as an unknown one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Exit with 2 and say what to do instead."""
        del namespace, values
        parser.error(f"{option_string} is not offered by this version; {self.const}")


def _reserve(parser: argparse.ArgumentParser, *flags: str, instead: str) -> None:
    parser.add_argument(*flags, action=_Reserved, nargs="?", const=instead, help=argparse.SUPPRESS)


def _parser(name: str, description: str, *, epilog: str = "") -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=name,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="version", version=f"caramelo {__version__}")
    parser.add_argument("--provider", metavar="NAME", help="anthropic, openai or demo")
    parser.add_argument("--model", metavar="ID", help="model of the provider")
    parser.add_argument("--base-url", metavar="URL", help="endpoint instead of the vendor's")
    parser.add_argument("--profile", metavar="NAME", help="tool vocabulary: caramelo")
    parser.add_argument("--mode", metavar="MODE", help="approval mode: review, each or auto")
    parser.add_argument(
        "--trust", action="store_true", help="trust the folder for this start; stores nothing"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="instead of the user's config")
    parser.add_argument(
        "--no-workspace-config",
        action="store_true",
        help="read no configuration of the workspace (this version never does)",
    )
    parser.add_argument("--debug", action="store_true", help="write debug lines to the log")


def _common(found: argparse.Namespace, *, theme: str | None = None) -> CommonOptions:
    return CommonOptions(
        flags={
            "--provider": found.provider,
            "--model": found.model,
            "--base-url": found.base_url,
            "--profile": found.profile,
            "--mode": found.mode,
            "--theme": theme,
        },
        config_file=found.config,
        reads_workspace_config=not found.no_workspace_config,
        is_trusted=found.trust,
        is_debug=found.debug,
    )


def _parse_app(arguments: list[str], *, is_demo: bool) -> AppOptions:
    description = "A coding agent for the terminal that shows every change before it happens."
    if is_demo:
        description = "Try the app on a sample workspace with a scripted model: no key, no network."
    parser = _parser(
        "caramelo demo" if is_demo else "caramelo", description, epilog="" if is_demo else EPILOG
    )
    if not is_demo:
        parser.add_argument("path", nargs="?", type=Path, default=Path(), metavar="PATH")
        parser.add_argument("-p", "--prompt", metavar="PROMPT", help="send this prompt at once")
        _reserve(
            parser,
            *("-c", "--continue", "-r", "--resume"),
            instead="sessions are kept, and each start begins a new one",
        )
    parser.add_argument("--theme", metavar="NAME", help="colour theme")
    _reserve(parser, "--linear", instead="`caramelo run` works without a full screen")
    _add_common(parser)
    found = parser.parse_args(arguments)
    if is_demo and (found.provider not in {None, "demo"} or found.model or found.base_url):
        parser.error("the demo's model is a script: leave out --provider, --model and --base-url")
    return AppOptions(
        common=_common(found, theme=found.theme),
        path=Path() if is_demo else found.path,
        prompt=None if is_demo else found.prompt,
        is_demo=is_demo,
    )


def _parse_run(arguments: list[str]) -> RunOptions:
    parser = _parser(
        "caramelo run",
        "Run one prompt in the current folder without a screen.",
        epilog="exit codes: 0 completed, 1 error, 2 usage, 3 incomplete or out of turns,\n"
        "4 completed but a call was refused, 130 cancelled, 143 terminated",
    )
    parser.add_argument("prompt", nargs="?", metavar="PROMPT", help="else read from stdin")
    parser.add_argument("--json", action="store_true", help="one event a line on stdout")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument(
        "--auto-approve", action="store_true", help="mode auto, and yes to all but bash"
    )
    parser.add_argument(
        "--allow-command",
        action="append",
        default=[],
        metavar="TEXT",
        help="approve exactly this bash command once; TEXT=N: N times; repeatable. A command "
        "that itself ends in =NUMBER is given with its count: 'make J=4=1' runs make J=4 once",
    )
    parser.add_argument(
        "--allow-refusals", action="store_true", help="exit 0 although a call was refused"
    )
    parser.add_argument("--max-turns", type=_turns, metavar="N", help="turns of the run, 3 to 50")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="seconds for all")
    _reserve(
        parser,
        "--approver",
        instead="use --allow-command for single commands, --mode auto or --auto-approve for writes",
    )
    parser.add_argument("--no-session", action="store_true", help="keep no session file")
    _add_common(parser)
    found = parser.parse_args(arguments)
    return RunOptions(
        common=_common(found),
        prompt=found.prompt,
        is_json=found.json,
        is_quiet=found.quiet,
        approves_all=found.auto_approve,
        allowed_commands=tuple(found.allow_command),
        allows_refusals=found.allow_refusals,
        max_turns=found.max_turns,
        timeout_s=found.timeout,
        keeps_session=not found.no_session,
    )


def _parse_tool(arguments: list[str]) -> ToolOptions:
    parser = _parser(
        "caramelo tool",
        "Run one tool by hand, through the same path as a model's call.",
        epilog='with --stdin: one {"id", "name", "arguments"} a line in, one\n'
        '{"id", "content", "is_error", "cached", "duration_ms"} a line out',
    )
    parser.add_argument("name", nargs="?", metavar="NAME")
    parser.add_argument("arguments", nargs="?", default="{}", metavar="JSON")
    parser.add_argument("--stdin", action="store_true", help="read calls from standard input")
    parser.add_argument("--workspace", type=Path, default=Path(), metavar="DIR")
    parser.add_argument(
        "--approve",
        type=_approve,
        default=ApproveFlag.NONE,
        metavar="none|writes|all",
        help="what is approved without a question (default: none)",
    )
    _add_common(parser)
    found = parser.parse_args(arguments)
    if (found.name is None) is not found.stdin:
        parser.error("give either a tool's NAME or --stdin")
    return ToolOptions(
        common=_common(found),
        name=found.name,
        arguments_json=found.arguments,
        workspace=found.workspace,
        approve=found.approve,
    )


def _parse_tools(arguments: list[str]) -> ToolsOptions:
    parser = _parser("caramelo tools", "Print the tools that are offered to the model.")
    parser.add_argument("--json", action="store_true", help="with their schemas, as JSON")
    _reserve(parser, "--shape", instead="--json prints the neutral shape")
    _add_common(parser)
    found = parser.parse_args(arguments)
    return ToolsOptions(common=_common(found), is_json=found.json)


def _approve(text: str) -> ApproveFlag:
    if text not in {flag.value for flag in ApproveFlag}:
        raise argparse.ArgumentTypeError(_must_be(", ".join(ApproveFlag), text))
    return ApproveFlag(text)


def _turns(text: str) -> int:
    if text not in {str(turns) for turns in range(MIN_TURNS, MAX_TURNS + 1)}:
        wanted = f"a whole number from {MIN_TURNS} to {MAX_TURNS}"
        raise argparse.ArgumentTypeError(_must_be(wanted, text))
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_TIMEOUT_S:
        wanted = f"seconds, above 0 and at most {MAX_TIMEOUT_S}"
        raise argparse.ArgumentTypeError(_must_be(wanted, text))
    return seconds


def _must_be(wanted: str, text: str) -> str:
    return f"must be {wanted}, not {text!r}"
