"""Read the words about stored sessions.

Owns ``-c`` and ``-r``, which several commands share, and the commands of ``caramelo sessions``.
Proven by tests/unit/test_session_flags.py.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from caramelo_tui.command_line import flags
from caramelo_tui.command_line.flags import add_common, common_of, new_parser
from caramelo_tui.command_line.options import (
    LAST_SESSION,
    AppOptions,
    ExportFlag,
    SessionAction,
    SessionsOptions,
)

_NONE = object()
"""What ``-r`` is when it is not given; given without an ID it is an empty text."""


def add_resume(parser: argparse.ArgumentParser, *, needs_id: bool = False) -> None:
    """Add the flags that go on with a stored session."""
    parser.add_argument(
        "-c",
        "--continue",
        dest="goes_on",
        action="store_true",
        help="go on with the folder's last session",
    )
    words = "go on with this session"
    if needs_id:
        parser.add_argument("-r", "--resume", default=_NONE, metavar="ID", help=words)
        return
    parser.add_argument(
        "-r",
        "--resume",
        nargs="?",
        const="",
        default=_NONE,
        metavar="ID",
        help=f"{words}; without ID: pick one",
    )


def session_of(parser: argparse.ArgumentParser, found: argparse.Namespace) -> str | None:
    """Return which session is gone on with; ``None``: a new one, empty: it is to be picked."""
    resume = None if found.resume is _NONE else str(found.resume)
    if found.goes_on and resume is not None:
        parser.error("give either --continue or --resume")
    return LAST_SESSION if found.goes_on else resume


def parse_sessions(
    arguments: list[str], parse_app: Callable[[list[str]], AppOptions]
) -> SessionsOptions | AppOptions:
    """Return what ``caramelo sessions`` asks for; ``resume`` opens the app."""
    if arguments[:1] == ["resume"]:
        return _parse_resume(arguments[1:], parse_app)
    parser = _sessions_parser()
    found = parser.parse_args(arguments)
    is_list = found.action is SessionAction.LIST
    if is_list and found.session:
        parser.error("list takes no ID; --search WORDS looks for words")
    if not is_list and not found.session:
        parser.error(f"{found.action} needs an ID; `caramelo sessions list` shows them")
    return SessionsOptions(
        common=common_of(found),
        action=found.action,
        session=found.session,
        workspace=found.workspace,
        words=found.search,
        is_json=found.json,
        form=found.format,
        output=found.output,
    )


def _sessions_parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "caramelo sessions",
        "list: the folder's stored sessions, the last one first.\n"
        "show: one session as text.  export: one session as Markdown, JSON or HTML.\n"
        "resume: open the app with one session; takes the app's flags.",
        epilog="ID is the begin of a session's id, or `last`.\n"
        "exit codes: 0 done, 1 error, 2 usage or no such session",
    )
    parser.add_argument(
        "action", type=flags.word_of(SessionAction), metavar="list|show|export|resume"
    )
    parser.add_argument("session", nargs="?", default="", metavar="ID")
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="folder whose sessions are meant (default: the current one)",
    )
    parser.add_argument(
        "--search", default="", metavar="WORDS", help="list: where all words were said"
    )
    parser.add_argument("--json", action="store_true", help="list: one object a line")
    parser.add_argument(
        "--format",
        type=flags.word_of(ExportFlag),
        default=ExportFlag.MARKDOWN,
        metavar="md|json|html",
        help="export: as what (default: md)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="export: a new file instead of stdout"
    )
    add_common(parser)
    return parser


def _parse_resume(arguments: list[str], parse_app: Callable[[list[str]], AppOptions]) -> AppOptions:
    if not arguments or arguments[0].startswith("-"):
        parser = new_parser("caramelo sessions resume", "Open the app with one session.")
        parser.add_argument("session", metavar="ID")
        parser.parse_args(arguments)
    app = parse_app(arguments[1:])
    if app.session is not None:
        new_parser("caramelo sessions resume", "").error("the ID says which session")
    return replace(app, session=arguments[0])
