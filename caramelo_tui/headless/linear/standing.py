"""Say how the session stands.

Owns the counts that the events tell and the sentences of ``/status`` about them. Proven by
tests/unit/headless/test_linear_standing.py.
"""

from caramelo_tui.agent.context_port import premium_words
from caramelo_tui.domain.agent_events import (
    CacheCounted,
    ContextMeasured,
    DiffCounted,
    SpendingCounted,
    UsageReported,
)
from caramelo_tui.headless.linear.hunk_text import counted

Count = CacheCounted | ContextMeasured | DiffCounted | SpendingCounted | UsageReported
"""An event that is not said when it comes, only when it is asked for."""


class Standing:
    """The latest counts; a sub-agent's own context is not among them."""

    def __init__(self) -> None:
        self._usage: UsageReported | None = None
        self._context: ContextMeasured | None = None
        self._spending: SpendingCounted | None = None
        self._cache: CacheCounted | None = None
        self._lines: DiffCounted | None = None

    def note(self, event: Count) -> None:
        """Note a count."""
        match event:
            case UsageReported():
                self._usage = event
            case ContextMeasured():
                if not event.head.agent:
                    self._context = event
            case SpendingCounted():
                self._spending = event
            case CacheCounted():
                self._cache = event
            case DiffCounted():
                self._lines = event

    def sentences(self) -> tuple[str, ...]:
        """Return what was counted so far, a sentence each."""
        return (*self._tokens(), *self._money(), *self._limits())

    def _tokens(self) -> list[str]:
        said: list[str] = []
        if self._context is not None:
            window = self._context.context_window
            full = f"Context about {self._context.tokens:,} tokens"
            of_window = ""
            if window:
                share = self._context.tokens * 100 // window
                of_window = f", {share} percent of the {window:,} that the model holds"
            said.append(f"{full}{of_window}.")
        if self._usage is not None:
            said.append(
                f"{self._usage.session_usage.context_tokens:,} tokens in the session so far."
            )
        return said

    def _money(self) -> list[str]:
        spent = self._spending
        if spent is None:
            return []
        unknown = spent.session_unknown
        more = f", and {counted(unknown, 'request')} of unknown cost" if unknown else ""
        said = [f"Cost {spent.session_cost:.4f} dollars{more}."]
        if spent.session_premium_requests:
            said.append(f"{premium_words(spent.session_premium_requests)}.")
        return said

    def _limits(self) -> list[str]:
        said: list[str] = []
        if self._cache is not None:
            reads = self._cache.hits + self._cache.misses
            said.append(f"The cache answered {self._cache.hits:,} of {counted(reads, 'read')}.")
        if self._lines is not None and self._lines.changed_lines:
            most = self._lines.deny_above
            of_limit = "" if most is None else f", of {most:,} at most"
            said.append(f"{counted(self._lines.changed_lines, 'changed line')}{of_limit}.")
        return said
