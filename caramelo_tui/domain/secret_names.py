"""Tell names of variables that hold secrets.

Owns the rule, for everybody who passes variables on or writes something down. Proven by
tests/unit/tools/test_child_environment.py and tests/unit/config/test_crash_report.py.
"""

from fnmatch import fnmatchcase

SECRET_NAME_PATTERNS = ("*_KEY", "*_TOKEN", "*_SECRET", "*PASSWORD*", "*CREDENTIAL*")
"""Names that look like a secret; compared with the name in upper case."""


def looks_secret(name: str) -> bool:
    """Whether a variable's name says that its value is a secret, in any letter case."""
    upper = name.upper()
    return any(fnmatchcase(upper, pattern) for pattern in SECRET_NAME_PATTERNS)
