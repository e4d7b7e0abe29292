"""Write a case's settings in the product's own form and load them as a start does.

Owns the translation of ``policy``, ``user_policy``, ``web``, ``roles``, ``provider`` and
``profile`` to the user's ``config.toml``; the workspace's file is a file of the case.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from caramelo_tui.config.loader import (
    LoadedSettings,
    SettingsSources,
    WorkspaceSource,
    load_settings,
)
from caramelo_tui.domain.profiles import CARAMELO, CORE
from caramelo_tui.tools.profiles import CARAMELO_TOOLS
from tests.case_runner.world import Case, Spec, World

DEFAULT_MODE = "auto-all"
"""The mode of a case that names none."""
RUN_KINDS = ("agent_loop", "startup", "provider:openai", "provider:anthropic")
"""In place of a tool: a run of a whole agent."""


def profile_of(case: Case) -> str:
    """Return the profile that has the tools of a case; ``core`` when both have them."""
    setup: Spec = case.get("setup") or {}
    if "profile" in setup:
        return str(setup["profile"])
    tools = set(tools_of(case))
    if case["tool"] == "startup" or case["tool"].startswith("provider:"):
        return CARAMELO
    return CARAMELO if tools & {*CARAMELO_TOOLS, "file_reed"} else CORE


def tools_of(case: Case) -> Iterator[str]:
    """Yield the names of the tools that a case calls, the model's calls included."""
    setup: Spec = case.get("setup") or {}
    for call in (case, *case.get("calls", []), *setup.get("prior_calls", [])):
        if "tool" in call and call["tool"] not in {*RUN_KINDS, "sequence"}:
            yield call["tool"]
    for turn in setup.get("model_turns", []):
        yield from (call["name"] for call in turn.get("tool_calls", []))


def is_trusted(setup: Spec) -> bool:
    """Return whether the user trusts the workspace of a case."""
    git: Spec = setup.get("git") or {}
    is_copy = bool(setup.get("copy_of_trusted"))
    return bool(setup.get("trusted", not is_copy)) and bool(git.get("trusted", True))


def write_user_file(case: Case, setup: Spec, world: World) -> Path:
    """Write the user's ``config.toml`` and return it."""
    policy = {**(setup.get("policy") or {}), **(setup.get("user_policy") or {})}
    mode = policy.pop("mode", DEFAULT_MODE)
    denied = policy.pop("deny_tools", [])
    tables: dict[str, Mapping[str, Any]] = {
        "tools": {"profile": profile_of(case), **({"disable": denied} if denied else {})},
        "approval": {"mode": mode},
        "policy": policy,
        "web": setup.get("web") or {},
        "provider": setup.get("provider") or {},
    }
    for name, role in (setup.get("roles") or {}).items():
        tables[f"roles.{name}"] = role if isinstance(role, dict) else {"model": role}
    file = world.home / "config.toml"
    file.write_text("".join(_lines(tables)), encoding="utf-8")
    return file


def _lines(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, values in tables.items():
        yield f"[{name}]\n"
        for key, value in values.items():
            # JSON's texts, numbers and lists of texts are TOML's.
            yield f"{key} = {json.dumps(value, ensure_ascii=False)}\n"


def load_for(case: Case, setup: Spec, world: World) -> LoadedSettings:
    """Return the settings of a case: the user's file, and the workspace's when it is trusted."""
    sources = SettingsSources(
        user_file=write_user_file(case, setup, world),
        is_file_required=True,
        environment={},
        flags={},
    )
    workspace = WorkspaceSource(root=world.root.resolve(), is_trusted=is_trusted(setup))
    return load_settings(sources, workspace)
