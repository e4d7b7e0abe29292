"""Keep each part of a command line and go into what it wraps.

Owns the list of parts, what they do to pipes and functions, and the way into wrappers,
functions and shell texts. Proven by tests/unit/policy/test_shell_commands.py.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import dropwhile
from typing import TYPE_CHECKING, Protocol

from caramelo_tui.policy.inner_commands import InnerScript, InnerWords
from caramelo_tui.policy.places import is_standard_input
from caramelo_tui.policy.shell_context import Context, Draft, Words, printed_by
from caramelo_tui.policy.shell_parts import SimpleCommand, Stdin
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_state import ShellState
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.wrapper_options import SHELLS
from caramelo_tui.policy.wrappers import commands_inside, shell_script_operand

if TYPE_CHECKING:
    from tree_sitter import Node

WORK_LIMIT = 12_000
"""Steps of work; a command of 16 KB that a person wrote stays far below."""
VALUES_PER_STEP = 8
"""So many arguments handed to a shell text count as one step of work."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_DESCRIPTOR_NAME = re.compile(r"\{?[A-Za-z_]\w*\}|\{")
DEPTH_LIMIT = 12
"""Shell texts within shell texts, and wrappers within wrappers."""
DOWNLOADERS = frozenset({
    "curl", "wget", "fetch", "aria2c", "axel", "http", "https", "httpie", "xh", "lynx", "w3m",
    "nc", "ncat", "netcat", "lwp-download", "lwp-request", "ftp", "tftp",
})  # fmt: skip
"""Programs that print what they got from the network."""


class Agenda:
    """Things to do in the order of the text, and how much was done."""

    def __init__(self) -> None:
        self._todo: list[Callable[[], None]] = []
        self.work = 0
        """Steps so far."""
        self.is_cut = False
        """Whether something was left out."""

    @property
    def is_spent(self) -> bool:
        """Whether the limit of work is passed."""
        return self.work > WORK_LIMIT

    def add(self, step: Callable[[], None]) -> None:
        """Put a step on top: the last one added is done first."""
        self._todo.append(step)

    def finish(self) -> None:
        """Do all steps, those added meanwhile too, up to the limit."""
        while self._todo:
            if self.is_spent:
                self.is_cut = True
                self._todo.clear()
                return
            self._todo.pop()()


class Reader(Protocol):
    """Who reads what stands inside a part."""

    def read_script(self, text: str, context: Context) -> None:
        """Read shell text."""
        ...

    def visit(self, node: "Node", context: Context) -> None:
        """Read a node of the tree."""
        ...


class Recorder:
    """The parts found so far."""

    def __init__(self, agenda: Agenda, state: ShellState, reader: Reader) -> None:
        self._agenda = agenda
        self._state = state
        self._reader = reader
        self._drafts: list[Draft] = []
        self.functions: dict[str, tuple[Node, Context]] = {}
        """Body of each function and where it stands."""
        self.fork_bombs: list[str] = []
        """Functions that start themselves several times at once."""

    @property
    def parts(self) -> tuple[SimpleCommand, ...]:
        """The parts, each once, with all that was found out about them."""
        return tuple(dict.fromkeys(draft.finished() for draft in self._drafts))

    def in_own_scope(self) -> None:
        """Undo changes of folder and variables after what is added to the agenda next."""
        self._agenda.add(partial(self._state.restore, *self._state.saved()))

    def record(
        self,
        words: Words,
        context: Context,
        assignments: Sequence[tuple[str, Field]] = (),
        *,
        source: str,
        is_inner: bool = False,
    ) -> None:
        """Keep a part and put what stands inside it on the stack."""
        self._agenda.work += len(words) + 1
        stdin_text = self._stdin_text(context)
        part = SimpleCommand(
            words=tuple(word for word, _ in words),
            assignments=tuple(assignments),
            redirects=context.redirects,
            stdin=Stdin(text=stdin_text, is_piped=context.has_stdin),
            cwd=self._state.cwd,
            is_background=context.is_background,
            source=source,
            is_inner=is_inner,
        )
        self._drafts.append(
            Draft(
                part=part,
                word_origins=tuple(origins for _, origins in words),
                stdin_origins=context.stdin_origins,
                pipes=context.pipes,
            )
        )
        self._note_pipes(part, context, is_inner=is_inner)
        self._note_effects(part, context)
        self._go_inside(part, words, context)

    def _stdin_text(self, context: Context) -> str | None:
        if context.stdin_text is not None or not context.pipes:
            return context.stdin_text
        pipe, stage = context.pipes[-1]
        return pipe.texts.get(stage - 1) if pipe.counts.get(stage - 1) == 1 else None

    def _note_pipes(self, part: SimpleCommand, context: Context, *, is_inner: bool) -> None:
        is_download = part.name in DOWNLOADERS
        if is_download:
            for origin in context.origins:
                origin.is_downloaded = True
        for pipe, stage in context.pipes:
            if not is_inner:
                pipe.counts[stage] = pipe.counts.get(stage, 0) + 1
            pipe.texts[stage] = printed_by(part)
            if is_download and pipe.download_stage is None:
                pipe.download_stage = stage

    def _note_effects(self, part: SimpleCommand, context: Context) -> None:
        name = part.name
        if name in context.functions and self._multiplies(name, context):
            self.fork_bombs.append(name)
        self._state.note(part)

    def _multiplies(self, name: str, context: Context) -> bool:
        """Whether a function that calls itself here does so several times at once."""
        if context.is_background:
            return True
        if not context.pipes:
            return False
        pipe, stage = context.pipes[-1]
        return pipe.self_calls.setdefault(name, stage) != stage

    def _go_inside(self, part: SimpleCommand, words: Words, context: Context) -> None:
        name = part.name
        if words and _is_before_command(words[0]):
            # ``{fd}>file`` names a descriptor in bash, and is a word elsewhere: both count. A
            # ``{`` behind a redirect opens no group, or so most shells say; behind ``time`` an
            # assignment is one.
            rest = list(dropwhile(_is_before_command, words))
            self._agenda.add(partial(self.record, rest, context, source=part.source, is_inner=True))
        is_own_function = name in self.functions and name not in context.functions
        script = part.stdin.text if _reads_script(part) else None
        found = commands_inside(name, part.args, stdin_text=part.stdin.text)
        if not (is_own_function or found or script is not None):
            return
        if context.depth >= DEPTH_LIMIT:
            self._agenda.is_cut = True
            return
        inner = replace(
            context, depth=context.depth + 1, redirects=(), extra_words=(), is_background=False
        )
        if is_own_function:
            self._call_function(name, part, inner)
            return
        by_word = {id(word): origins for word, origins in words}
        everything = tuple(origin for _, origins in words for origin in origins)
        for wrapped in found:
            if isinstance(wrapped, InnerWords):
                pairs = [(word, by_word.get(id(word), everything)) for word in wrapped.words]
                self._agenda.add(
                    partial(self.record, pairs, inner, source=part.source, is_inner=True)
                )
            else:
                self._read_inner_script(wrapped, inner)
        if script is not None:
            self.in_own_scope()
            self._reader.read_script(script, replace(inner, stdin_text=None))

    def _call_function(self, name: str, part: SimpleCommand, context: Context) -> None:
        body, home = self.functions[name]
        self.in_own_scope()
        called = replace(
            context,
            source=home.source,
            documents=home.documents,
            functions=(*context.functions, name),
        )
        self._agenda.add(partial(self._reader.visit, body, called))
        self._agenda.add(partial(self._state.set_positional, list(part.args)))

    def _read_inner_script(self, script: InnerScript, context: Context) -> None:
        if UNKNOWN in script.text.text:
            # What can be told of it is still worth reading; the unknown rest stays unknown.
            text = script.text.text.replace(UNKNOWN, "$CARAMELO_UNKNOWN")
        else:
            text = script.text.text
        self.in_own_scope()
        self._reader.read_script(text, context)
        if script.positional:
            values = list(script.positional)
            self._agenda.work += len(values) // VALUES_PER_STEP
            self._agenda.add(partial(self._state.set_positional, values, first=0))


def _is_before_command(word: tuple[Field, object]) -> bool:
    text = word[0].text
    return bool(_DESCRIPTOR_NAME.fullmatch(text) or _ASSIGNMENT.match(text))


def _reads_script(part: SimpleCommand) -> bool:
    if part.name in {"source", "."}:
        return bool(part.args) and is_standard_input(part.args[0].text)
    if part.name not in SHELLS:
        return False
    script = shell_script_operand(part.args)
    return script is None or is_standard_input(script.text)
