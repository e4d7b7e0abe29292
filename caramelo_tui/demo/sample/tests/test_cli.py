"""What the command line promises."""

import contextlib
import io
import json
import unittest
from pathlib import Path

from tally.cli import main

EXPENSES = Path(__file__).parent.parent / "expenses.txt"


def run(*arguments: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        main([*arguments])
    return out.getvalue()


class ReportTest(unittest.TestCase):
    def test_text_lists_the_largest_sum_first(self) -> None:
        self.assertEqual(run("report", str(EXPENSES)).split()[0], "tools")

    def test_json_holds_every_category(self) -> None:
        sums = json.loads(run("report", "--json", str(EXPENSES)))
        self.assertEqual(sums, {"tools": 42.0, "travel": 21.5, "food": 18.15})
