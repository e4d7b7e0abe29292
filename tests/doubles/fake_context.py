"""A context that answers what a test says."""

from dataclasses import dataclass, field

from caramelo_tui.agent.context_port import CompactionPreview, LedgerEntry


@dataclass
class FakeContext:
    """Remembers what it was asked."""

    previews: list[CompactionPreview] = field(
        default_factory=lambda: [
            CompactionPreview(
                rows=(), tokens_before=0, tokens_after=0, context_window=None, problem="empty"
            )
        ]
    )
    """Given one after the other; the last one again and again."""
    problem: str = ""
    """What ``compact`` answers."""
    ledger: tuple[LedgerEntry, ...] = ()
    pins: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    compactions: int = 0

    def preview(self) -> CompactionPreview:
        return self.previews.pop(0) if len(self.previews) > 1 else self.previews[0]

    def pin(self, place: int, *, is_pinned: bool) -> None:
        self.pins.append((place, is_pinned))

    async def compact(self) -> str:
        self.compactions += 1
        return self.problem
