"""Say what is known of a model, in a column or in a sentence.

Owns the words; what is unknown is said to be so, never left out or guessed. Pure. Proven by
tests/unit/ui/test_model_words.py.
"""

from caramelo_tui.agent.models_port import ModelRow
from caramelo_tui.domain.prices import Prices
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import tokens_text

UNKNOWN = "unknown"
_MARKS = (("tools", "T"), ("reasoning", "R"), ("images", "I"))
MARKS_INTRO = "* in use · ! no key · T tools · R reasoning · I images · ? unknown"
"""What signs and letters of ``figures_text`` mean."""


def name_text(row: ModelRow) -> str:
    """Return provider and model, as they are typed behind ``/model``."""
    return f"{row.provider}/{row.model}"


def figures_text(row: ModelRow) -> str:
    """Return in columns whether it is in use or lacks a key, window, prices and traits."""
    window = "?" if row.context_window is None else tokens_text(row.context_window)
    sign = "*" if row.is_current else "!" if row.missing else " "
    return f"{sign} {window:>5}  {_pair(row.prices):>13}  {marks_text(row)}"


def marks_text(row: ModelRow) -> str:
    """Return a letter for each trait: there, ``-`` for none, ``?`` for unknown."""
    values = (row.tools, row.reasoning, row.images)
    return "".join(
        "?" if value is None else letter if value else "-"
        for value, (_name, letter) in zip(values, _MARKS, strict=True)
    )


def model_sentence(row: ModelRow) -> str:
    """Return what is missing to use a model, and then all that is known of it, in words."""
    window = f"{row.context_window:,}" if row.context_window is not None else UNKNOWN
    traits = [
        f"{name}: {UNKNOWN}" if value is None else name if value else f"no {name}"
        for value, name in (
            (row.tools, "tools"),
            (row.reasoning, "reasoning"),
            (row.images, "images"),
        )
    ]
    parts = [
        visible(row.missing, keeps_newlines=False),
        f"context {window} tokens",
        prices_sentence(row.prices),
        ", ".join(traits),
    ]
    name = visible(name_text(row), keeps_newlines=False)
    return f"{name}: {' · '.join(filter(None, parts))}"


def prices_sentence(prices: Prices | None) -> str:
    """Return the prices of a million tokens, in words."""
    if prices is None:
        return f"prices {UNKNOWN}"
    text = (
        f"{dollars(prices.input)} in, {dollars(prices.output)} out per million tokens, cache "
        f"{dollars(prices.cache_read)} read, {dollars(prices.cache_write)} written"
    )
    if prices.long is not None:
        long = prices.long.prices
        text += (
            f"; requests above {tokens_text(prices.long.above)}: {dollars(long.input)} in, "
            f"{dollars(long.output)} out"
        )
    return text


def dollars(amount: float | None) -> str:
    """Return an amount such as ``$2.50``, with as many digits as it has; ``?`` for unknown."""
    if amount is None:
        return "?"
    text = f"{amount:.6f}".rstrip("0")
    whole, _point, cents = text.partition(".")
    return f"${whole}.{cents:0<2}" if cents else f"${whole}"


def _pair(prices: Prices | None) -> str:
    if prices is None:
        return "? / ?"
    return f"{dollars(prices.input)} / {dollars(prices.output)}"
