"""An undo that answers what a test says."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from caramelo_tui.agent.undo_port import RewindPoint, UndoPlan, UndoWish
from caramelo_tui.domain.undo import ConflictChoice, UndoScope


@dataclass
class FakeUndo:
    """Remembers what it was asked."""

    next_plan: UndoPlan = field(
        default_factory=lambda: UndoPlan(id="", scope=UndoScope.TURN, problem="nothing to undo")
    )
    problem: str = ""
    """What ``carry_out`` answers."""
    points: tuple[RewindPoint, ...] = ()
    wishes: list[UndoWish] = field(default_factory=list[UndoWish])
    carried_out: list[tuple[str, dict[str, ConflictChoice]]] = field(
        default_factory=list[tuple[str, dict[str, ConflictChoice]]]
    )

    async def plan(self, wish: UndoWish) -> UndoPlan:
        self.wishes.append(wish)
        return self.next_plan

    async def carry_out(self, plan_id: str, choices: Mapping[str, ConflictChoice]) -> str:
        self.carried_out.append((plan_id, dict(choices)))
        return self.problem

    async def rewind_points(self) -> tuple[RewindPoint, ...]:
        return self.points
