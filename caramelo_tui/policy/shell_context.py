"""Values that travel with the walk over a command line.

Owns where in the command line a node stands, and what is found out about pipes only later.
Proven by tests/unit/policy/test_shell_commands.py.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from caramelo_tui.policy.here_documents import HereDocument
from caramelo_tui.policy.options import has_option
from caramelo_tui.policy.shell_parts import Redirect, SimpleCommand
from caramelo_tui.policy.shell_words import Field, Origin, printed_text

if TYPE_CHECKING:
    from tree_sitter import Node

REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
"""Nodes of the grammar that redirect."""
CLOSING = frozenset({">&-", "<&-"})
"""Redirects that close a descriptor."""
_PASSING_ON = frozenset({"cat", "tac", "head", "tail", "tee", "sort", "tr"})
"""Programs that print what they read; good enough to follow a text through a pipe."""

Words: TypeAlias = Sequence[tuple[Field, tuple[Origin, ...]]]
"""Words with the origins that each of them has."""


@dataclass(slots=True)
class Pipe:
    """One pipeline while it is walked."""

    download_stage: int | None = None
    """First stage that downloads."""
    counts: dict[int, int] = field(default_factory=dict[int, int])
    """Commands seen in each stage; one inside a wrapper is not counted."""
    self_calls: dict[str, int] = field(default_factory=dict[str, int])
    """First stage in which a function calls itself."""
    texts: dict[int, str | None] = field(default_factory=dict[int, str | None])
    """What each stage prints, where that is known."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where in the command line a node stands."""

    source: bytes
    documents: tuple[HereDocument, ...]
    depth: int = 0
    nesting: int = 0
    origins: tuple[Origin, ...] = ()
    """Of the words whose substitutions we are in."""
    pipes: tuple[tuple[Pipe, int], ...] = ()
    functions: tuple[str, ...] = ()
    is_background: bool = False
    redirects: tuple[Redirect, ...] = ()
    stdin_text: str | None = None
    """Of a here-document or here-string around us."""
    has_stdin: bool = False
    stdin_origins: tuple[Origin, ...] = ()
    extra_words: tuple["Node", ...] = ()
    """Arguments that the grammar counts to a redirect before them."""

    def field_text(self, node: "Node", name: str) -> str:
        """Return the text of a child by its name in the grammar; empty without it."""
        return "".join(self.text(child) for child in node.children_by_field_name(name)[:1])

    def text(self, node: "Node") -> str:
        """Return a node's text."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


@dataclass(slots=True, kw_only=True)
class Draft:
    """A part whose origins are not all known yet."""

    part: SimpleCommand
    word_origins: tuple[tuple[Origin, ...], ...]
    stdin_origins: tuple[Origin, ...]
    pipes: tuple[tuple[Pipe, int], ...]

    def finished(self) -> SimpleCommand:
        """Return the part with all that was found out after it was met."""
        words = tuple(
            replace(word, is_downloaded=True) if any(o.is_downloaded for o in origins) else word
            for word, origins in zip(self.part.words, self.word_origins, strict=True)
        )
        is_downloaded = any(o.is_downloaded for o in self.stdin_origins) or any(
            pipe.download_stage is not None and pipe.download_stage < stage
            for pipe, stage in self.pipes
        )
        if words == self.part.words and not is_downloaded:
            return self.part
        stdin = replace(self.part.stdin, is_downloaded=is_downloaded)
        return replace(self.part, words=words, stdin=stdin)


@dataclass(frozen=True, slots=True)
class Stage:
    """One side of a pipe."""

    node: "Node"
    redirects: tuple["Node", ...] = ()


def stages_of(node: "Node") -> list[Stage]:
    """Return the stages of a pipeline, flat: the grammar nests one that has a redirect inside."""
    stages: list[Stage] = []
    todo: list[tuple[Node, tuple[Node, ...]]] = [(node, ())]
    while todo:
        part, redirects = todo.pop()
        body = part.child_by_field_name("body") if part.type == "redirected_statement" else None
        if part.type == "pipeline":
            children = [child for child in part.children if child.is_named]
            # A redirect behind a pipeline is one of its last stage.
            todo.extend(
                (child, redirects if child is children[-1] else ()) for child in children[::-1]
            )
        elif body is not None and body.type in {"pipeline", "redirected_statement"}:
            own = tuple(child for child in part.children if child.type in REDIRECTS)
            todo.append((body, (*own, *redirects)))
        else:
            stages.append(Stage(part, redirects))
    return stages


def printed_by(part: SimpleCommand) -> str | None:
    """Return what a part prints, where the command line itself says it."""
    if not all(word.is_certain for word in part.words):
        return None
    if part.stdin.text is not None:
        if part.name in _PASSING_ON:
            return part.stdin.text
        if part.name == "base64" and has_option(part.args, short="dD", long="decode"):
            return _decoded(part.stdin.text)
    return printed_text([word.text for word in part.words])


def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode()
    except ValueError:  # Not base64, or not text: then the shell gets no script either.
        return None
