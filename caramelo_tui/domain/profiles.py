"""Name the tool profiles, and the limits that one of them has by itself.

Owns the two words that settings, tools and policy share; which tools a profile offers is
``tools/profiles``' business. Proven by tests/unit/tools/test_profiles.py and
tests/unit/policy/test_ledger.py.
"""

CARAMELO = "caramelo"
CORE = "core"
PROFILES = (CARAMELO, CORE)
"""The tool vocabularies; the first is the default."""

CORE_MAX_DIFF_LINES = 500
CORE_REQUIRE_APPROVAL_ABOVE = 200
"""Limits of changed lines in ``core`` when nobody sets any, as its tool reference says;
``caramelo`` reviews every write anyway."""
