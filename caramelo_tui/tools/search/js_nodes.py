"""Represent a JavaScript regular expression as a tree.

Owns the nodes that the parser makes and the writers read. Everything is in code units, with
case already folded away: what a set holds is compared with the text as it is. Proven by
tests/unit/tools/search/test_js_parser.py.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from caramelo_tui.tools.search.code_units import UnitSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """One code unit out of a set."""

    units: UnitSet
    is_negated: bool = False
    """Whether it is any unit outside the set. Kept apart from the set: with case ignored, the
    complement of a set is taken after its members were made canonical."""

    def matches(self, unit: int) -> bool:
        """Whether one (canonical) unit is matched."""
        return (unit in self.units) is not self.is_negated


class Edge(Enum):
    """A condition on the place between two units."""

    START = auto()
    END = auto()
    WORD = auto()
    NOT_WORD = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group in parentheses."""

    body: "Node"
    number: int | None = None
    """Number of the capture, from 1; ``None`` when it captures nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A look ahead or behind."""

    body: "Node"
    is_behind: bool
    is_negative: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BackReference:
    """The text of a capture again."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """A quantified node."""

    body: "Node"
    least: int
    most: int | None
    """``None`` when without end."""
    is_lazy: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """Nodes one after another."""

    items: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives, the first preferred; two or more."""

    branches: "tuple[Node, ...]"


Node: TypeAlias = Units | Edge | Group | Look | BackReference | Repeat | Sequence | Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A whole pattern."""

    root: Node
    captures: int
    """How many groups capture."""


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below."""
    match node:
        case Sequence():
            return node.items
        case Choice():
            return node.branches
        case Group() | Look() | Repeat():
            return (node.body,)
        case Units() | Edge() | BackReference():
            return ()
