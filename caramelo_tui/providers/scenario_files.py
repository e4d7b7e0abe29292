"""Read scenario files.

Owns the file form of a script (TOML, or JSON of the same shape) and the errors that a writer
of one gets: file, place, what was expected. Proven by
tests/unit/providers/test_scenario_files.py; described in docs/providers.md.
"""

import json
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.providers.scenario import (
    CLOSING_TEXT,
    FaultKind,
    Scenario,
    ScriptedCall,
    ScriptedFault,
    ScriptedTurn,
    TurnCondition,
)

if TYPE_CHECKING:
    from caramelo_tui.domain.tool_calls import JsonValue

_Table = Mapping[str, object]


def read_scenario(path: Path) -> Scenario:
    """Return the scenario in a file; ``.json`` is read as JSON, anything else as TOML.

    Raises:
        ConfigError: If it cannot be read or is no scenario; it names file and place.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(path, "", f"cannot be read: {error}") from error
    return parse_scenario(text, source=str(path), is_json=path.suffix == ".json")


def parse_scenario(text: str, *, source: str, is_json: bool = False) -> Scenario:
    """Return the scenario in a text.

    Args:
        text: TOML or JSON.
        source: Named in errors.
        is_json: Which of the two it is.

    Raises:
        ConfigError: If it is no scenario; it names the place.
    """
    try:
        loaded: object = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        form = "JSON" if is_json else "TOML"
        raise ConfigError(source, "", f"is not valid {form}: {error}") from error
    reader = _Reader(source)
    return reader.scenario(reader.table(loaded, ""))


class _Reader:
    """Turns loaded tables into values; knows the file for its errors."""

    def __init__(self, source: str) -> None:
        self._source = source

    def scenario(self, table: _Table) -> Scenario:
        self._allow(table, "", {"title", "closing_text", "turns"})
        listed = self._list(table, "", "turns")
        turns = tuple(
            self._turn(self.table(each, f"turns[{number}]"), f"turns[{number}]")
            for number, each in enumerate(listed, start=1)
        )
        if not turns:
            self._fail("turns", "must hold at least one turn")
        closing_text = self._text(table, "", "closing_text") or CLOSING_TEXT
        title = self._text(table, "", "title")
        try:
            return Scenario(turns=turns, title=title, closing_text=closing_text)
        except ValueError as error:
            self._fail("turns", str(error), error)

    def table(self, value: object, place: str) -> _Table:
        if not isinstance(value, dict):
            self._fail(place, "must be a table")
        return cast("_Table", value)

    def _turn(self, table: _Table, place: str) -> ScriptedTurn:
        known = {"text", "thinking", "calls", "when", "name", "leads_to", "raises", "stop_reason"}
        self._allow(table, place, known)
        turn = ScriptedTurn(
            text=self._text(table, place, "text"),
            thinking=self._text(table, place, "thinking"),
            calls=self._calls(table, place),
            when=self._condition(table, place),
            name=self._text(table, place, "name"),
            leads_to=self._text(table, place, "leads_to"),
            raises=self._fault(table, place),
            stop_reason=self._stop_reason(table, place),
        )
        if not (turn.text or turn.thinking or turn.calls or turn.raises):
            self._fail(place, "says nothing: set text, thinking, calls or raises")
        return turn

    def _calls(self, table: _Table, place: str) -> tuple[ScriptedCall, ...]:
        listed = self._list(table, place, "calls")
        return tuple(
            self._call(each, f"{place}.calls[{number}]")
            for number, each in enumerate(listed, start=1)
        )

    def _call(self, value: object, place: str) -> ScriptedCall:
        table = self.table(value, place)
        self._allow(table, place, {"name", "arguments", "arguments_raw", "id"})
        name = self._text(table, place, "name")
        if not name:
            self._fail(f"{place}.name", "must name a tool")
        call_id = self._text(table, place, "id") or None
        if "arguments_raw" in table:
            raw = self._text(table, place, "arguments_raw")
            return ScriptedCall(name=name, arguments_json=raw, id=call_id)
        arguments = self.table(table.get("arguments", {}), f"{place}.arguments")
        try:
            return ScriptedCall.of(
                name, cast("Mapping[str, JsonValue]", arguments), call_id=call_id
            )
        except TypeError as error:
            # TOML knows dates, JSON does not.
            self._fail(f"{place}.arguments", f"is no JSON: {error}", error)

    def _condition(self, table: _Table, place: str) -> TurnCondition | None:
        if "when" not in table:
            return None
        at = f"{place}.when"
        condition = self.table(table["when"], at)
        texts = ("result_contains", "result_lacks", "prompt_contains")
        self._allow(condition, at, {*texts, "last_result_is_error"})
        if not condition:
            self._fail(at, "must hold at least one condition")
        contains, lacks, prompt = (self._text(condition, at, key) or None for key in texts)
        return TurnCondition(
            result_contains=contains,
            result_lacks=lacks,
            prompt_contains=prompt,
            last_result_is_error=self._flag(condition, at, "last_result_is_error"),
        )

    def _fault(self, table: _Table, place: str) -> ScriptedFault | None:
        value = table.get("raises")
        if value is None:
            return None
        at = f"{place}.raises"
        fault = {"kind": value} if isinstance(value, str) else self.table(value, at)
        self._allow(fault, at, {"kind", "after_content", "retry_after_s"})
        kind = self._text(fault, at, "kind")
        if kind not in set(FaultKind):
            self._fail(at, f"must be one of {', '.join(FaultKind)}, not {kind!r}")
        seconds = fault.get("retry_after_s")
        if seconds is not None and (
            isinstance(seconds, bool) or not isinstance(seconds, (int, float))
        ):
            self._fail(f"{at}.retry_after_s", "must be a number of seconds")
        return ScriptedFault(
            kind=FaultKind(kind),
            after_content=self._flag(fault, at, "after_content") or False,
            retry_after_s=seconds,
        )

    def _stop_reason(self, table: _Table, place: str) -> StopReason | None:
        value = self._text(table, place, "stop_reason")
        if not value:
            return None
        if value not in set(StopReason):
            self._fail(
                f"{place}.stop_reason", f"must be one of {', '.join(StopReason)}, not {value!r}"
            )
        return StopReason(value)

    def _text(self, table: _Table, place: str, key: str) -> str:
        value = table.get(key, "")
        if not isinstance(value, str):
            self._fail(_joined(place, key), "must be a text")
        return value

    def _flag(self, table: _Table, place: str, key: str) -> bool | None:
        value = table.get(key)
        if value is not None and not isinstance(value, bool):
            self._fail(_joined(place, key), "must be true or false")
        return value

    def _list(self, table: _Table, place: str, key: str) -> list[object]:
        value = table.get(key, [])
        if not isinstance(value, list):
            self._fail(_joined(place, key), "must be a list")
        return cast("list[object]", value)

    def _allow(self, table: _Table, place: str, known: Collection[str]) -> None:
        unknown = sorted(set(table) - set(known))
        if unknown:
            allowed = ", ".join(sorted(known))
            self._fail(_joined(place, unknown[0]), f"is not known; allowed: {allowed}")

    def _fail(self, place: str, problem: str, cause: Exception | None = None) -> NoReturn:
        raise ConfigError(self._source, place, problem) from cause


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key
