"""One call's record: what may run, and what is still out."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from caramelo_tui.agent.call_records import CallRecord, TurnOutcome, required
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall
from tests.doubles.pipeline_worlds import bash


def prepared(arguments: Mapping[str, JsonValue]) -> PreparedCall:
    return PreparedCall(
        call=bash("1", "ls"), arguments=arguments, effect=Effect.COMMAND, summary="ls"
    )


def record_of(call: PreparedCall | None) -> CallRecord:
    record = CallRecord(index=0, call=bash("1", "ls"))
    record.prepared = call
    return record


def test_a_call_is_permitted_only_with_the_fingerprint_of_what_would_run() -> None:
    record = record_of(prepared({"command": "ls"}))
    assert not record.is_permitted
    record.permission = prepared({"command": "pwd"}).fingerprint
    assert not record.is_permitted
    record.permission = prepared({"command": "ls"}).fingerprint
    assert record.is_permitted


def test_a_prepared_call_that_was_changed_after_it_was_shown_is_not_permitted() -> None:
    arguments: dict[str, JsonValue] = {"command": "ls"}
    call = prepared(MappingProxyType(arguments))
    record = record_of(call)
    record.permission = call.fingerprint
    arguments["command"] = "rm"
    assert not record.is_permitted


def test_a_call_that_was_not_prepared_is_not_permitted() -> None:
    record = record_of(None)
    record.permission = ""
    assert not record.is_permitted
    assert record.answers is None
    assert record.path is None
    assert record.effect is None
    assert not record.has_fallen
    assert record.label == "bash"


def test_a_left_out_stage_is_a_fault() -> None:
    with pytest.raises(RuntimeError, match="left out"):
        required(None)
    assert required(0) == 0


def test_an_outcome_without_bad_arguments_says_so() -> None:
    assert not TurnOutcome(results=()).has_invalid_arguments
