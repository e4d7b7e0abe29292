"""Take a command line apart into every simple command that it would run.

Owns the walk over the grammar's tree: lists, pipes, groups, substitutions, here-documents,
functions, loops, shell text in arguments, and wrappers. Judges nothing. Where the grammar
finds an error, the pieces between operators are read one by one as well. The walk is bounded by
count, so that a command is always read the same way. Never raises. Proven by
tests/unit/policy/test_shell_commands.py.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from caramelo_tui.policy.command_recorder import DEPTH_LIMIT, Agenda, Recorder
from caramelo_tui.policy.here_documents import (
    HereDocument,
    Lifted,
    document_number,
    lift_here_documents,
)
from caramelo_tui.policy.shell_context import (
    CLOSING,
    REDIRECTS,
    Context,
    Pipe,
    Stage,
    Words,
    stages_of,
)
from caramelo_tui.policy.shell_grammar import ShellGrammar
from caramelo_tui.policy.shell_parts import ParsedCommand, Redirect, Surroundings
from caramelo_tui.policy.shell_quotes import UNKNOWN, substitutions_in
from caramelo_tui.policy.shell_state import ShellState
from caramelo_tui.policy.shell_words import Field, Origin, Variable, read_word

if TYPE_CHECKING:
    from tree_sitter import Node

CHARACTERS_PER_STEP = 8
"""So many characters count as one step of work."""
SCRIPT_STEPS = 10
"""Steps that a shell text costs however short it is."""
NESTING_LIMIT = 40
"""Substitutions within substitutions."""
LOOP_VALUES = 8
"""Values of a ``for`` loop that are tried one by one."""
_RESERVED = re.compile(r"^(?:(?:then|do|else|elif|if|while|until|time|!|\{)\s+)+")
_TWO_SUBSHELLS = re.compile(r"(?<![$(])(\bfor\s*)?(\({2,})")
"""Not the loop ``for ((…))``, which a plain shell does not have."""
_ROOT = Surroundings(root="/workspace", home="/home/user")
_SCOPES = frozenset({"subshell", "command_substitution", "process_substitution"})
_WORDS = frozenset({"word", "concatenation"})
_DECLARATIONS = frozenset({"declaration_command", "unset_command"})


def parse_command(
    text: str, *, surroundings: Surroundings = _ROOT, cwd: str | None = None
) -> ParsedCommand:
    """Return every simple command that ``text`` would run.

    Args:
        text: A command line for ``sh -c``.
        surroundings: Where ``~`` and ``$PWD`` point.
        cwd: Absolute start folder; the root by default.
    """
    start = cwd or surroundings.root
    agenda, grammar = Agenda(), ShellGrammar()
    parsed = _Walk(surroundings, start, agenda, grammar).run(text)
    plain = _as_a_plain_shell_reads(text)
    if parsed.has_error:
        # ``$((a) >b)`` is no arithmetic after all, but a subshell in a substitution.
        plain = plain.replace("$((", "$( (")
    if plain == text:
        return parsed
    other = _Walk(surroundings, start, agenda, grammar).run(plain)
    if parsed.has_error and not other.has_error and "$'" not in text:
        # ``((a); b)`` is no arithmetic after all, and bash too reads it as two subshells.
        return other
    return replace(
        parsed,
        parts=tuple(dict.fromkeys((*parsed.parts, *other.parts))),
        is_cut=parsed.is_cut or other.is_cut,
        fork_bombs=tuple(dict.fromkeys((*parsed.fork_bombs, *other.fork_bombs))),
    )


def _as_a_plain_shell_reads(text: str) -> str:
    """Return ``text`` so that the grammar of bash takes it as a plain ``sh`` would.

    ``$'…'`` is no quote there, and ``((`` opens two subshells: what bash takes for text or
    arithmetic runs. Nobody knows which shell ``/bin/sh`` is, so both readings count.
    """
    return _TWO_SUBSHELLS.sub(_parted, text.replace("$'", "\\$'"))


def _parted(match: re.Match[str]) -> str:
    return match.group() if match.group(1) else " ".join(match.group(2))


class _Walk:
    """One command line; a stack of things to do in the order of the text."""

    def __init__(
        self, surroundings: Surroundings, cwd: str, agenda: Agenda, grammar: ShellGrammar
    ) -> None:
        self._agenda = agenda
        self._state = ShellState(surroundings, cwd)
        self._recorder = Recorder(self._agenda, self._state, self)
        self._grammar = grammar
        self._has_error = False
        self._later: list[Callable[[], None]] = []
        """Substitutions in the words of the node being read, in the order of the text."""

    def run(self, text: str) -> ParsedCommand:
        """Return all parts of a command line."""
        self.read_script(text, Context(b"", ()))
        self._agenda.finish()
        return ParsedCommand(
            parts=self._recorder.parts,
            has_error=self._has_error,
            is_cut=self._agenda.is_cut,
            functions=tuple(self._recorder.functions),
            fork_bombs=tuple(dict.fromkeys(self._recorder.fork_bombs)),
        )

    # -- texts and nodes

    def read_script(self, text: str, context: Context) -> None:
        """Read shell text that stands where ``context`` says."""
        if context.depth > DEPTH_LIMIT:
            self._agenda.is_cut = True
            return
        self._agenda.work += SCRIPT_STEPS + len(text) // CHARACTERS_PER_STEP
        lifted = lift_here_documents(text)
        source = lifted.text.encode("utf-8", "replace")
        root = self._grammar.parse(source, signs=lifted.signs)
        inner = replace(context, source=source, documents=lifted.documents)
        if root is None or root.has_error:
            self._has_error = self._has_error or root is not None
            self._agenda.is_cut = self._agenda.is_cut or root is None
            self._read_segments(lifted, inner)
        if root is not None:
            self._agenda.add(partial(self.visit, root, inner))

    def _read_segments(self, lifted: Lifted, context: Context) -> None:
        """Read each piece by itself, so that an error hides nothing that stands elsewhere."""
        if len(lifted.segments) <= 1:
            return
        self._recorder.in_own_scope()
        steps: list[Callable[[], None]] = []
        pipe, stage = Pipe(), 0
        for segment in lifted.segments:
            pipe, stage = (pipe, stage + 1) if segment.is_piped else (Pipe(), 0)
            steps.append(partial(self._read_segment, segment.text, context, pipe, stage))
        for step in reversed(steps):
            self._agenda.add(step)

    def _read_segment(self, segment: str, context: Context, pipe: Pipe, stage: int) -> None:
        self._agenda.work += 3
        source = _RESERVED.sub("", segment).encode("utf-8", "replace")
        root = self._grammar.parse(source, signs=len(source) - sum(map(str.isalnum, segment)))
        if root is not None:
            self.visit(root, replace(_in_stage(context, pipe, stage), source=source))

    def visit(self, node: "Node", context: Context) -> None:
        """Read a node of the tree."""
        self._agenda.work += 1
        kind = node.type
        if kind == "command" or kind in _DECLARATIONS:
            self._visit_command(node, context)
        elif kind == "variable_assignment":
            self._visit_assignment(node, context)
        elif kind == "redirected_statement":
            self._visit_redirected(node, context)
        elif kind == "pipeline":
            self._visit_stages(stages_of(node), context)
        elif kind == "function_definition":
            self._visit_function(node, context)
        elif kind == "for_statement":
            self._visit_for(node, context)
        elif kind in _SCOPES:
            self._visit_scope(node, context)
        elif kind != "comment":
            self._visit_children(node, context)
        self._add_later()

    def _add_later(self) -> None:
        for step in reversed(self._later):
            self._agenda.add(step)
        self._later.clear()

    def _visit_children(self, node: "Node", context: Context) -> None:
        children = node.children
        for i in range(len(children) - 1, -1, -1):
            child = children[i]
            if not child.is_named:
                continue
            follows = children[i + 1].type if i + 1 < len(children) else ""
            inner = replace(context, is_background=True) if follows == "&" else context
            self._agenda.add(partial(self.visit, child, inner))

    def _visit_scope(self, node: "Node", context: Context) -> None:
        if context.nesting >= NESTING_LIMIT:
            self._agenda.is_cut = True
            return
        self._recorder.in_own_scope()
        self._visit_children(node, replace(context, nesting=context.nesting + 1))

    def _visit_stages(self, stages: Sequence["Stage"], context: Context) -> None:
        pipe = Pipe()
        for number in range(len(stages) - 1, -1, -1):
            inner = _in_stage(context, pipe, number)
            stage = stages[number]
            self._agenda.add(partial(self._visit_with, stage.node, stage.redirects, inner))

    def _visit_with(self, node: "Node", redirects: Sequence["Node"], context: Context) -> None:
        """Visit a statement that its redirects stand beside."""
        inner = context
        for redirect in redirects:
            inner = self._with_redirect(redirect, inner)
        if node.type in {"command", "redirected_statement"} or not redirects:
            self._agenda.add(partial(self.visit, node, inner))
        else:
            # The redirects belong to a group as a whole, and so does its input.
            self._record_redirects(node, inner)
            self._agenda.add(
                partial(self.visit, node, replace(inner, redirects=(), extra_words=()))
            )
        self._add_later()

    def _visit_function(self, node: "Node", context: Context) -> None:
        name = context.field_text(node, "name")
        inner = replace(context, functions=(*context.functions, name))
        for body in node.children_by_field_name("body"):
            self._recorder.functions[name] = (body, context)
            self._recorder.in_own_scope()
            self._agenda.add(partial(self.visit, body, inner))

    def _visit_for(self, node: "Node", context: Context) -> None:
        name = context.field_text(node, "variable")
        for body in node.children_by_field_name("body"):
            self._visit_loop(node, name, body, context)

    def _visit_loop(self, node: "Node", name: str, body: "Node", context: Context) -> None:
        values = [
            pair
            for child in node.children_by_field_name("value")
            for pair in self._read_words(child, context)
        ]
        for value, origins in reversed(values[:LOOP_VALUES]):
            known = value.text if value.is_certain else None
            self._agenda.add(partial(self.visit, body, context))
            self._agenda.add(partial(self._state.assign, name, Variable(known, origins)))
        if not values or len(values) > LOOP_VALUES:
            self._agenda.add(partial(self.visit, body, context))
            self._agenda.add(partial(self._state.assign, name, Variable(None)))

    def _visit_redirected(self, node: "Node", context: Context) -> None:
        redirects = [child for child in node.children if child.type in REDIRECTS]
        body = node.child_by_field_name("body")
        if body is None:
            inner = context
            for redirect in redirects:
                inner = self._with_redirect(redirect, inner)
            self._record_redirects(node, inner)
        elif body.type == "pipeline":
            self._visit_stages(stages_of(node), context)
        else:
            self._visit_with(body, redirects, context)

    def _record_redirects(self, node: "Node", context: Context) -> None:
        """Record redirects that stand beside no command, or so it seems to the grammar.

        It counts the words of ``>a 2>&1 >b rm x`` and of ``A=1 >a rm x`` to a redirect.
        """
        words = self._read_all(context.extra_words, context)
        inner = replace(context, extra_words=())
        self._recorder.record(words, inner, source=context.text(node))

    # -- commands

    def _visit_command(self, node: "Node", context: Context) -> None:
        words: list[tuple[Field, tuple[Origin, ...]]] = []
        assignments: list[tuple[str, Field]] = []
        inner = context
        if node.type in _DECLARATIONS and node.children:
            words.append((Field(context.text(node.children[0])), ()))
        for child in node.children:
            if child.type == "variable_assignment":
                name, variable = self._read_assignment(child, context)
                if node.type in _DECLARATIONS:
                    self._state.assign(name, variable)
                assignments.append((name, _shown_value(variable)))
            elif child.type in REDIRECTS:
                inner = self._with_redirect(child, inner)
            elif child.is_named:
                words.extend(self._read_words(child, context))
        # Words that the grammar counted to a redirect come last.
        words.extend(self._read_all(inner.extra_words, context))
        inner = replace(inner, extra_words=()) if inner.extra_words else inner
        self._recorder.record(words, inner, assignments, source=context.text(node))

    def _visit_assignment(self, node: "Node", context: Context) -> None:
        name, variable = self._read_assignment(node, context)
        self._state.assign(name, variable)
        assigned = [(name, _shown_value(variable))]
        self._recorder.record((), context, assigned, source=context.text(node))

    def _read_all(self, nodes: Sequence["Node"], context: Context) -> Words:
        return [pair for node in nodes for pair in self._read_words(node, context)]

    def _read_words(self, node: "Node", context: Context) -> Words:
        """Return the words of one node; its substitutions are walked later."""
        text = context.text(node)
        self._agenda.work += 1 + len(text) // CHARACTERS_PER_STEP
        # A line that repeats a long variable becomes thousands of times as long as it is.
        self._agenda.is_cut = self._agenda.is_cut or self._agenda.is_spent
        reading = read_word(text, {} if self._agenda.is_spent else self._state.variables)
        self._agenda.work += sum(len(word.text) for word in reading.fields) // CHARACTERS_PER_STEP
        # ``<<<[ {a,b}`` is two words, which the grammar takes for one.
        self._has_error = self._has_error or (reading.has_blank and node.type in _WORDS)
        origin = Origin()
        if "$" in text or "`" in text or "(" in text:
            inner = replace(
                context,
                origins=(*context.origins, origin),
                is_background=False,
                redirects=(),
                extra_words=(),
            )
            self._later.append(partial(self.visit, node, inner))
        origins = (origin, *dict.fromkeys(reading.origins))
        return [(word, origins) for word in reading.fields]

    def _read_assignment(self, node: "Node", context: Context) -> tuple[str, Variable]:
        shown = context.field_text(node, "name").rstrip("+")
        value = node.child_by_field_name("value")
        if value is None:
            return shown, Variable("")
        words = self._read_words(value, context)
        is_known = value.type != "array" and all(word.is_certain for word, _ in words)
        text = " ".join(word.text for word, _ in words) if is_known else None
        return shown, Variable(text, words[0][1] if words else ())

    def _with_redirect(self, node: "Node", context: Context) -> Context:
        if node.type == "heredoc_redirect":  # Lifted before; one that is left is no valid one.
            self._has_error = True
            return context
        targets = [c for c in node.children if c.is_named and c.type != "file_descriptor"]
        operator = next((context.text(c) for c in node.children if not c.is_named), "<")
        # Words that the grammar counts to a redirect belong to the command: all but its target.
        own = 0 if operator in CLOSING else 1
        context = replace(context, extra_words=(*context.extra_words, *targets[own:]))
        targets = targets[:own]
        words: Words = self._read_words(targets[0], context) if targets else ()
        target = words[0][0] if len(words) == 1 else None
        if node.type == "herestring_redirect":
            text = target.text if target is not None and target.is_certain else None
            origins = words[0][1] if words else ()
            return replace(context, stdin_text=text, has_stdin=True, stdin_origins=origins)
        number = document_number(target.text) if target is not None else None
        if number is not None and number < len(context.documents):
            return self._with_document(context.documents[number], context)
        return replace(
            context,
            redirects=(*context.redirects, Redirect(operator=operator, target=target)),
        )

    def _with_document(self, document: HereDocument, context: Context) -> Context:
        origin = Origin()
        if not document.is_literal and ("$(" in document.body or "`" in document.body):
            inner = replace(
                context,
                depth=context.depth + 1,
                origins=(*context.origins, origin),
                redirects=(),
                extra_words=(),
            )
            for script in reversed(substitutions_in(document.body)):
                self._recorder.in_own_scope()
                self.read_script(script, inner)
        return replace(context, stdin_text=document.body, has_stdin=True, stdin_origins=(origin,))


def _in_stage(context: Context, pipe: Pipe, number: int) -> Context:
    inner = replace(context, pipes=(*context.pipes, (pipe, number)))
    if number == 0:
        return inner
    return replace(inner, stdin_text=None, has_stdin=True, stdin_origins=())


def _shown_value(variable: Variable) -> Field:
    if variable.text is None:
        return Field(UNKNOWN, is_certain=False)
    return Field(variable.text)
