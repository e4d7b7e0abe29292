"""Whatever a workspace's file says, it loosens nothing that holds without it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.config.keys import KEYS
from caramelo_tui.config.loader import (
    WORKSPACE_FILE,
    SettingsSources,
    WorkspaceSource,
    load_settings,
)
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.tightening import MODES_BY_STRICTNESS
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, ProtectedAction
from caramelo_tui.policy.ledger import DiffLedger

PATTERNS = st.lists(st.sampled_from(["a", "b", "c", "touch", ".env*"]), max_size=3)
TOOLS = st.lists(st.sampled_from(["bash", "grep", "run_command", "glob"]), max_size=3)
VALUES: dict[str, st.SearchStrategy[object]] = {
    "approval.mode": st.sampled_from(["plan", "each", "review", "auto", "per-call"]),
    "tools.disable": TOOLS,
    "policy.protected_paths": PATTERNS,
    "policy.blocked_commands": PATTERNS,
    "policy.max_diff_lines": st.integers(0, 1000),
    "policy.require_approval_above": st.integers(0, 1000),
    "policy.protected_path_action": st.sampled_from(["ask", "deny"]),
    "limits.turns": st.integers(3, 50),
    "limits.stall_s": st.integers(1, 3600),
    "limits.context_compact_at": st.sampled_from([0.2, 0.5, 0.75, 0.95]),
}
FOREIGN: dict[str, st.SearchStrategy[object]] = {
    "tools.profile": st.sampled_from(["caramelo", "core"]),
    "tools.enable": TOOLS,
    "provider.name": st.sampled_from(["openai", "anthropic"]),
    "provider.base_url": st.just("http://collect.example.test"),
    "provider.key_env": st.just("HOME"),
    "provider.key_command": st.just(["touch", "x"]),
    "roles.coder.model": st.just("m"),
    "skills.trust": PATTERNS,
    "commands.env_allow": st.just(["A_TOKEN"]),
    "web.allow_hosts": st.just(["localhost"]),
    "web.ask_new_hosts": st.booleans(),
    "ui.theme": st.just("mono"),
    "trusted": st.booleans(),
}
WRONG: st.SearchStrategy[object] = st.one_of(
    st.none(), st.just("x"), st.just(-1), st.just([""]), st.just({})
)
USER = st.fixed_dictionaries({}, optional=VALUES)
WORKSPACE = st.fixed_dictionaries(
    {}, optional={name: st.one_of(value, WRONG) for name, value in {**VALUES, **FOREIGN}.items()}
)


def as_toml(values: dict[str, object]) -> str:
    # JSON's scalars, lists and empty tables are TOML's too; it has no null.
    return "".join(
        f"{name} = {json.dumps(value)}\n" for name, value in values.items() if value is not None
    )


def limits(chosen: Settings) -> tuple[LineLimit | None, LineLimit | None]:
    in_force = DiffLedger(chosen.policy, profile=chosen.profile).limits
    return in_force.deny_above, in_force.ask_above


def is_as_low(limit: LineLimit | None, before: LineLimit | None) -> bool:
    return before is None or (limit is not None and limit.lines <= before.lines)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".caramelo").mkdir(parents=True)
    return tmp_path / "project"


# The files are written anew for each example.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(user=USER, workspace=WORKSPACE, profile=st.sampled_from(["", "caramelo", "core"]))
def test_a_workspace_only_tightens(
    root: Path, user: dict[str, object], workspace: dict[str, object], profile: str
) -> None:
    file = root.parent / "config.toml"
    file.write_text(as_toml(user), encoding="utf-8")
    (root / WORKSPACE_FILE).write_text(as_toml(workspace), encoding="utf-8")
    sources = SettingsSources(
        user_file=file,
        is_file_required=True,
        environment={"HOME": "/nowhere", "CARAMELO_PROFILE": profile},
        flags={},
    )
    alone = load_settings(sources).settings
    loaded = load_settings(sources, WorkspaceSource(root=root, is_trusted=True))
    found = loaded.settings
    assert set(found.policy.protected_paths) >= set(alone.policy.protected_paths)
    assert set(found.policy.blocked_commands) >= set(alone.policy.blocked_commands)
    assert set(found.disabled_tools) >= set(alone.disabled_tools)
    for limit, before in zip(limits(found), limits(alone), strict=True):
        assert is_as_low(limit, before)
    assert found.run_turns <= alone.run_turns
    assert found.stall_s <= alone.stall_s
    assert found.compact_at <= alone.compact_at
    order = MODES_BY_STRICTNESS
    assert order.index(found.mode) <= order.index(alone.mode)
    if alone.policy.protected_action is ProtectedAction.DENY:
        assert found.policy.protected_action is ProtectedAction.DENY
    assert untouchable(found) == untouchable(alone)
    refused = {problem.name for problem in loaded.not_taken}
    asked = {name for name, value in workspace.items() if value is not None}
    assert refused >= asked & set(FOREIGN)


def untouchable(chosen: Settings) -> Settings:
    """Return the settings without what a workspace may tighten."""
    plain = Settings()
    return replace(
        chosen,
        policy=PolicySettings(),
        mode=plain.mode,
        mode_origin=plain.mode_origin,
        disabled_tools=(),
        turns=None,
        stall_s=plain.stall_s,
        compact_at=plain.compact_at,
    )


def test_the_values_above_are_all_that_a_workspace_may_tighten() -> None:
    assert {key.name for key in KEYS if key.tighten} == set(VALUES)
