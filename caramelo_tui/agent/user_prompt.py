"""Hold what the user sends: words, and the images that go with them.

Owns the value that waits in the queue and goes to a run. Proven by
tests/unit/agent/test_controller.py and tests/unit/agent/test_run_loop.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.messages import ImageAttachment


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt."""

    text: str
    images: tuple[ImageAttachment, ...] = ()


def newest_with(prompts: list[Prompt], text: str) -> int | None:
    """Return the index of the last prompt with a text, ``None`` when there is none."""
    for index in reversed(range(len(prompts))):
        if prompts[index].text == text:
            return index
    return None
