"""Read the words of the command line.

Owns every command and its own flags (docs/command-line.md), with their help; decides nothing.
Wrong usage exits with 2 and says what is allowed. Proven by tests/unit/test_command_line.py.
"""

import argparse
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

from caramelo_tui.command_line import flags
from caramelo_tui.command_line.flags import add_common, common_of, new_parser
from caramelo_tui.command_line.options import (
    AppOptions,
    ApproveFlag,
    ConfigOptions,
    ConfigReport,
    DoctorOptions,
    Options,
    PolicyOptions,
    RunOptions,
    ServeOptions,
    ShapeFlag,
    ToolOptions,
    ToolsOptions,
)
from caramelo_tui.command_line.session_flags import add_resume, parse_sessions, session_of

SUBCOMMANDS = ("run", "demo", "serve", "tool", "tools", "policy", "config", "sessions", "doctor")
"""First words that are not a path; ``caramelo ./demo`` opens a folder of that name."""
EPILOG = """\
commands:
  caramelo [PATH]                 open the app on PATH (default: the current folder)
  caramelo run [PROMPT]           one prompt without a screen; see `caramelo run --help`
  caramelo demo                   try everything without a key
  caramelo serve [PATH]           show the app in a browser; needs an extra
  caramelo tool NAME JSON         run one tool by hand, or many by `--stdin`
  caramelo tools [--json]         print the offered tools
  caramelo policy test COMMAND    say how the policy decides on a command
  caramelo config show|path       print the configuration and where it came from
  caramelo sessions list          the folder's stored sessions; show, export, resume
  caramelo doctor                 check whether everything is in place
"""
_AUTO_NAMES = ("auto", "auto-all")


def parse(arguments: list[str]) -> Options:
    """Return the options; exits with 2 on wrong usage, with 0 after ``--help``."""
    word = arguments[0] if arguments and arguments[0] in SUBCOMMANDS else ""
    rest = arguments[1:] if word else arguments
    if arguments and not word:
        _refuse_misspelt(arguments[0])
    if word in _PARSERS:
        return _PARSERS[word](rest)
    return _parse_app(rest, is_demo=word == "demo")


def _refuse_misspelt(word: str) -> None:
    """Refuse a word that is no folder, and nearly a command."""
    if not word.isalpha():
        return
    near = get_close_matches(word, SUBCOMMANDS, n=1)
    if near and not Path(word).exists():
        parser = new_parser("caramelo", "")
        parser.error(f"{word!r} is no command and no folder; did you mean: caramelo {near[0]}")


def _parse_app(arguments: list[str], *, is_demo: bool) -> AppOptions:
    description = "A coding agent for the terminal that shows every change before it happens."
    if is_demo:
        description = "Try the app on a sample workspace with a scripted model: no key, no network."
    parser = new_parser(
        "caramelo demo" if is_demo else "caramelo", description, epilog="" if is_demo else EPILOG
    )
    if not is_demo:
        parser.add_argument(
            "path",
            nargs="?",
            type=Path,
            default=Path(),
            metavar="PATH",
            help="folder to work in (default: the current one)",
        )
        parser.add_argument("-p", "--prompt", metavar="PROMPT", help="send this prompt at once")
        add_resume(parser)
    parser.add_argument("--theme", metavar="NAME", help="colour theme")
    parser.add_argument(
        "--linear",
        action="store_true",
        help="line by line, for screen readers and simple terminals",
    )
    add_common(parser)
    found = parser.parse_args(arguments)
    if is_demo and (found.provider not in {None, "demo"} or found.model or found.base_url):
        parser.error("the demo's model is a script: leave out --provider, --model and --base-url")
    return AppOptions(
        common=common_of(found, theme=found.theme),
        path=Path() if is_demo else found.path,
        prompt=None if is_demo else found.prompt,
        is_demo=is_demo,
        is_linear=found.linear,
        session=None if is_demo else session_of(parser, found),
    )


def _run_parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "caramelo run",
        "Run one prompt in the current folder without a screen.",
        epilog="exit codes: 0 completed, 1 error, 2 usage, 3 incomplete or out of turns,\n"
        "4 completed but a call was refused, 130 cancelled, 143 terminated",
    )
    parser.add_argument("prompt", nargs="?", metavar="PROMPT", help="else read from stdin")
    parser.add_argument("--json", action="store_true", help="one event a line on stdout")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument(
        "--auto-approve",
        action="store_true",
        help="mode auto, and yes to all but bash, create_pull_request and tools of skills",
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
        "--approver",
        metavar="PROGRAM",
        help="ask this program what the two flags above do not answer: JSON in, JSON out",
    )
    parser.add_argument(
        "--allow-refusals", action="store_true", help="exit 0 although a call was refused"
    )
    parser.add_argument(
        "--max-turns", type=flags.turns, metavar="N", help="turns of the run, 3 to 50"
    )
    parser.add_argument(
        "--image", action="append", default=[], metavar="FILE", help="goes with the prompt"
    )
    parser.add_argument("--timeout", type=flags.seconds, metavar="S", help="seconds for all")
    parser.add_argument("--no-session", action="store_true", help="keep no session file")
    add_resume(parser, needs_id=True)
    add_common(parser)
    return parser


def _parse_run(arguments: list[str]) -> RunOptions:
    parser = _run_parser()
    found, rest = parser.parse_known_args(arguments)
    if rest and not any(word.startswith("-") for word in rest):
        parser.error(
            f"give the whole prompt as one word, in quotes: left over is {' '.join(rest)!r}"
        )
    if rest:
        parser.error(f"{flags.UNKNOWN}{' '.join(rest)}")
    if found.auto_approve and found.mode not in {None, *_AUTO_NAMES}:
        parser.error(f"--auto-approve works in mode auto: leave out --mode {found.mode}")
    session = session_of(parser, found)
    if session is not None and found.no_session:
        parser.error("a session that goes on is kept: leave out --no-session")
    return RunOptions(
        common=common_of(found),
        prompt=found.prompt,
        is_json=found.json,
        is_quiet=found.quiet,
        approves_all=found.auto_approve,
        allowed_commands=tuple(found.allow_command),
        approver=found.approver,
        allows_refusals=found.allow_refusals,
        max_turns=found.max_turns,
        timeout_s=found.timeout,
        images=tuple(found.image),
        keeps_session=not found.no_session,
        session=session,
    )


def _parse_serve(arguments: list[str]) -> ServeOptions:
    parser = new_parser(
        "caramelo serve",
        "Show the app in a browser. Every other flag and PATH are those of the app; each\n"
        "connection has a session of its own.",
        epilog="The address has a token: whoever has it can do all that you can.",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address of this machine to listen at (default: 127.0.0.1, reached from here only)",
    )
    parser.add_argument(
        "--port", type=flags.port, default=0, metavar="N", help="port (default: a free one)"
    )
    found, rest = parser.parse_known_args(arguments)
    return ServeOptions(
        app=_parse_app(rest, is_demo=False),
        app_arguments=tuple(rest),
        host=found.host,
        port=found.port,
    )


def _parse_tool(arguments: list[str]) -> ToolOptions:
    parser = new_parser(
        "caramelo tool",
        "Run one tool by hand, through the same path as a model's call. The name chooses the\n"
        "profile, unless --profile does.",
        epilog='with --stdin: one {"id", "name", "arguments"} a line in, one\n'
        '{"id", "content", "is_error", "cached", "duration_ms"} a line out',
    )
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the tool; `caramelo tools` lists them"
    )
    parser.add_argument(
        "arguments",
        nargs="?",
        default="{}",
        metavar="JSON",
        help="its arguments, one JSON object (default: {})",
    )
    parser.add_argument("--stdin", action="store_true", help="read calls from standard input")
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="folder to work in (default: the current one)",
    )
    parser.add_argument(
        "--approve",
        type=flags.word_of(ApproveFlag),
        default=ApproveFlag.NONE,
        metavar="none|writes|all",
        help="what is approved without a question (default: none)",
    )
    add_common(parser)
    found = parser.parse_args(arguments)
    if (found.name is None) is not found.stdin:
        parser.error("give either a tool's NAME or --stdin")
    return ToolOptions(
        common=common_of(found),
        name=found.name,
        arguments_json=found.arguments,
        workspace=found.workspace,
        approve=found.approve,
    )


def _parse_tools(arguments: list[str]) -> ToolsOptions:
    parser = new_parser("caramelo tools", "Print the tools that are offered to the model.")
    parser.add_argument("--json", action="store_true", help="with their schemas, as JSON")
    parser.add_argument(
        "--shape",
        type=flags.word_of(ShapeFlag),
        metavar="neutral|anthropic|openai|copilot",
        help="the JSON as this vendor takes it (default: neutral); implies --json",
    )
    add_common(parser)
    found = parser.parse_args(arguments)
    shape = found.shape or (ShapeFlag.NEUTRAL if found.json else None)
    return ToolsOptions(common=common_of(found), shape=shape)


def _parse_policy(arguments: list[str]) -> PolicyOptions:
    parser = new_parser(
        "caramelo policy",
        "Say how the policy decides on a shell command in the current folder, part by part. The\n"
        "command is not run.",
    )
    parser.add_argument("action", type=flags.only("test"), metavar="test")
    parser.add_argument("command", metavar="COMMAND", help="the whole command line, in quotes")
    add_common(parser)
    found, rest = parser.parse_known_args(arguments)
    if rest:
        parser.error(
            f"give the whole command as one word, in quotes: left over is {' '.join(rest)!r}"
        )
    return PolicyOptions(common=common_of(found), command=found.command)


def _parse_config(arguments: list[str]) -> ConfigOptions:
    parser = new_parser(
        "caramelo config",
        "show: every setting with its value and where it came from.\n"
        "path: the files that were looked at, in order.",
    )
    parser.add_argument("report", type=flags.word_of(ConfigReport), metavar="show|path")
    add_common(parser)
    found = parser.parse_args(arguments)
    return ConfigOptions(common=common_of(found), report=found.report)


def _parse_doctor(arguments: list[str]) -> DoctorOptions:
    parser = new_parser(
        "caramelo doctor",
        "Check whether everything is in place for the current folder. Changes nothing, starts no\n"
        "program, sends nothing, unless --online is given.",
        epilog="exit codes: 0 no problem, 1 a problem, 2 usage",
    )
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument(
        "--online",
        action="store_true",
        help="look for the key everywhere, and ask the provider with it whether it answers",
    )
    parser.add_argument(
        "--bundle",
        nargs="?",
        const="",
        metavar="FILE",
        help="show what a bug report would hold, then write it as a zip file",
    )
    parser.add_argument("--yes", action="store_true", help="write the bundle without a question")
    add_common(parser)
    found = parser.parse_args(arguments)
    if found.yes and found.bundle is None:
        parser.error("--yes belongs to --bundle")
    if found.json and found.bundle is not None:
        parser.error("--json and --bundle exclude each other")
    return DoctorOptions(
        common=common_of(found),
        is_json=found.json,
        is_online=found.online,
        is_bundled=found.bundle is not None,
        bundle=Path(found.bundle) if found.bundle else None,
        is_agreed=found.yes,
    )


def _parse_sessions(arguments: list[str]) -> Options:
    return parse_sessions(arguments, lambda rest: _parse_app(rest, is_demo=False))


_PARSERS: dict[str, Callable[[list[str]], Options]] = {
    "run": _parse_run,
    "serve": _parse_serve,
    "tool": _parse_tool,
    "tools": _parse_tools,
    "policy": _parse_policy,
    "config": _parse_config,
    "doctor": _parse_doctor,
    "sessions": _parse_sessions,
}
"""By the first word; the app has the rest."""
