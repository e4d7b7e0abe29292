"""A fingerprint covers all that is shown for approval."""

from dataclasses import replace

from caramelo_tui.domain.diffs import WholeContent, WriteProposal
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CommandLine, Effect, PreparedCall, ToolCall


def prepared(command: str = "true", cwd: str = ".", timeout_ms: int = 1000) -> PreparedCall:
    return PreparedCall(
        call=ToolCall(id=CallId("c"), name="bash", arguments_json="{}"),
        arguments={"command": command},
        effect=Effect.COMMAND,
        summary=command,
        command=CommandLine(command=command, cwd=cwd, timeout_ms=timeout_ms),
    )


def test_equal_calls_have_equal_fingerprints() -> None:
    assert prepared().fingerprint == prepared().fingerprint


def test_command_folder_and_time_limit_are_part_of_the_fingerprint() -> None:
    prints = {
        prepared().fingerprint,
        prepared(command="false").fingerprint,
        prepared(cwd="sub").fingerprint,
        prepared(timeout_ms=2000).fingerprint,
    }
    assert len(prints) == 4


def test_bytes_and_base_of_a_write_are_part_of_the_fingerprint() -> None:
    proposal = WriteProposal(
        call_id=CallId("c"),
        path="a",
        shown_path="a",
        edit=WholeContent(content="x", can_overwrite=False),
        before=None,
        after=b"x",
        hunks=(),
        base_hash=None,
    )
    base = replace(prepared(), proposal=proposal)
    other_bytes = replace(prepared(), proposal=replace(proposal, after=b"y"))
    other_base = replace(prepared(), proposal=replace(proposal, base_hash="aa"))
    assert len({base.fingerprint, other_bytes.fingerprint, other_base.fingerprint}) == 3
