"""Compact the conversation and hear the spending in a session in lines.

Owns ``/compact``, ``/pin``, ``/unpin`` and ``/spending``, as sentences. Proven by
tests/unit/headless/test_linear_context.py.
"""

from caramelo_tui.agent.context_port import ContextRow, LedgerEntry, premium_words
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.usage import Usage
from caramelo_tui.headless.linear.dialogs import number_in, one_line
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.output import LinearOutput

NOW = "now"
"""Behind ``/compact``: do it."""
MOST_READ = 20
"""Requests that are read out at once, the latest."""


class LinearContext:
    """What is typed about the context and about spending."""

    def __init__(self, agent: AgentPort, out: LinearOutput) -> None:
        """Ask an agent and say what it answers."""
        self._agent = agent
        self._out = out

    def preview(self) -> None:
        """Say what a compaction would do, and how to have it done."""
        preview = self._agent.context.preview()
        for row in preview.rows:
            self._out.say(_sentence(row))
        if preview.problem:
            self._out.say(one_line(preview.problem))
            return
        window = preview.context_window
        of_window = "" if window is None else f", of {window:,} that the model holds"
        if preview.tokens_after >= preview.tokens_before:
            self._out.say("It would not get shorter.")
        self._out.say(
            f"About {preview.tokens_before:,} tokens would become {preview.tokens_after:,}"
            f"{of_window}. The session file keeps everything."
        )
        self._out.say("/compact now does it. /pin NUMBER keeps a prompt, /unpin NUMBER lets it go.")

    async def compact(self, text: str) -> None:
        """Compact when that is what was typed; say why not."""
        if text != NOW:
            self._out.say("/compact says what would happen, /compact now does it.")
        elif problem := await self._agent.context.compact():
            self._out.say(one_line(problem))
        await self._out.flush()

    def pin(self, text: str, *, is_pinned: bool) -> None:
        """Pin a prompt by its number, or take the pin off."""
        numbers = {row.place for row in self._agent.context.preview().rows}
        number = number_in(text)
        if number is None or number - 1 not in numbers:
            self._out.say(f"There is no prompt {one_line(text)}; /compact reads the numbers.")
            return
        self._agent.context.pin(number - 1, is_pinned=is_pinned)
        self._out.say(f"Prompt {number} is {'pinned' if is_pinned else 'not pinned any more'}.")

    def spending(self) -> None:
        """Say what the latest requests took, and all together."""
        entries = self._agent.context.ledger
        first = max(len(entries) - MOST_READ, 0)
        for number, entry in enumerate(entries[first:], first + 1):
            self._out.say(f"Request {number}, {_whose(entry)}: {_figures_of(entry)}")
        known = [entry.cost for entry in entries if entry.cost is not None]
        usage = sum((entry.usage for entry in entries), Usage())
        unknown = len(entries) - len(known)
        more = f" Of {counted(unknown, 'request')} the cost is unknown." if unknown else ""
        cost = sum(known) if known or not entries else None
        premium = sum(entry.premium_requests for entry in entries)
        also = f" {premium_words(premium)}." if premium else ""
        self._out.say(f"{counted(len(entries), 'request')}: {_figures(usage, cost)}{more}{also}")


def _sentence(row: ContextRow) -> str:
    number = "" if row.place is None else f"Prompt {row.place + 1}, "
    return f"{number}{one_line(row.label)}: {row.tokens:,} tokens, {row.fate.value}."


def _figures_of(entry: LedgerEntry) -> str:
    if entry.usage == Usage():
        return "tokens not counted, cost unknown."
    return _figures(entry.usage, entry.cost)


def _figures(usage: Usage, cost: float | None) -> str:
    read = usage.input_tokens + usage.cache_write_tokens
    money = "cost unknown" if cost is None else f"cost {cost:.4f} dollars"
    return (
        f"{read:,} tokens in, {usage.cache_read_tokens:,} cached, {usage.output_tokens:,} out, "
        f"{money}."
    )


def _whose(entry: LedgerEntry) -> str:
    what = ", a summary" if entry.is_summary else ""
    if entry.premium_requests:
        what += f", {premium_words(entry.premium_requests)}"
    agent = f", sub-agent {one_line(entry.agent)}" if entry.agent else ""
    return f"{one_line(entry.model)}{what}{agent}"
