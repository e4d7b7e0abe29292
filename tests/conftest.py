"""Keep every test apart from the machine it runs on."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("CARAMELO_HYPOTHESIS", "fixed"))

VENDOR_PREFIXES = (
    *(
        "ANTHROPIC_",
        "OPENAI_",
        "GEMINI_",
        "GOOGLE_",
        "GROQ_",
        "OPENROUTER_",
        "MISTRAL_",
        "DEEPSEEK_",
    ),
    *("GITHUB_COPILOT_", "COPILOT_", "CARAMELO_", "XDG_", "GIT_", "TEXTUAL"),
)
"""Variables that would make a test depend on who runs it."""
KEPT = frozenset({"CARAMELO_CASES", "CARAMELO_UPDATE_SNAPSHOTS", "CARAMELO_HYPOTHESIS"})
"""Switches of the tests themselves."""


@pytest.fixture(autouse=True)
def clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Give each test a home of its own, a fixed locale and time zone, and no keys."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(VENDOR_PREFIXES) and name not in KEPT:
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "EDITOR", "VISUAL", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return home
