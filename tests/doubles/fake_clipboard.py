"""A system's clipboard in memory."""

from dataclasses import dataclass, field


@dataclass
class FakeClipboard:
    """Keeps what was put there."""

    texts: list[str] = field(default_factory=list[str])
    is_there: bool = False
    """Whether a program takes texts."""

    async def put(self, text: str) -> bool:
        self.texts.append(text)
        return self.is_there
