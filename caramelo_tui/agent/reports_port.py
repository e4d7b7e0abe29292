"""What the user interface may ask to be told of a session's rules and settings.

Owns the protocol and the names of the reports; their words are made by the composition. Proven
by tests/unit/composition/test_reports.py and tests/pilot/test_reports.py.
"""

from enum import StrEnum
from typing import Protocol


class Report(StrEnum):
    """What can be told."""

    CONFIG = "config"
    """Every setting with its value, and where it was set."""
    POLICY = "policy"
    """The rules in force, each with who made it."""
    PROFILE = "profile"
    """Which tools are offered, and how to start with others."""
    CACHE = "cache"
    """What the cache holds and how it does."""


class ReportsPort(Protocol):
    """Who tells."""

    async def report(self, report: Report) -> str:
        """Return a text of several lines; outside text in it is unsafe as it is."""
        ...


class NoReports:
    """For a session of which nothing is told."""

    async def report(self, report: Report) -> str:
        """Return that there is nothing to tell."""
        return f"Nothing is told of the {report.value} of this session."
