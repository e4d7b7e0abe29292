"""Failed requests that a test offers by hand."""

from dataclasses import dataclass


@dataclass(slots=True)
class FakeRetries:
    """Counts what it is asked and answers from fields that a test sets."""

    is_offered: bool = False
    is_waiting: bool = False
    """Whether a request waits to be sent again."""
    sent_again: int = 0
    sent_now: int = 0

    def send_again(self) -> bool:
        if not self.is_offered:
            return False
        self.is_offered = False
        self.sent_again += 1
        return True

    def send_now(self) -> bool:
        if not self.is_waiting:
            return False
        self.is_waiting = False
        self.sent_now += 1
        return True
