"""Put tool calls together from the fragments of a Chat Completions stream.

Owns the rules for fragments that servers send in many odd ways:

- a slot is complete once it has an id and a name; only then its call begins;
- a fragment with the slot's id, or without one, is appended to the slot last opened on its
  index; a new id on an index whose slot is complete opens a new slot there; so does a new
  name without an id, since it can only be another call;
- fragments without an index go by their id, else to the slot opened last;
- calls are given in index order. A call begins while it still comes as soon as every lower
  index has begun; the rest is flushed at the end;
- missing and repeated ids are replaced by made-up ones, no arguments mean ``{}``;
- arguments that come as JSON instead of its text are taken as its text.

Pure. Proven by tests/unit/providers/test_openai_slots.py and tests/property/test_streams.py.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.provider_events import ProviderEvent, ToolArgumentsDelta, ToolCallBegan
from caramelo_tui.providers.vendor_json import as_object, count_at, text_at


@dataclass(slots=True)
class _Slot:
    index: int
    id: str = ""
    name: str = ""
    waiting: list[str] = field(default_factory=list[str])
    """Argument text that was not given out yet."""
    number: int | None = None
    """Position among the calls that have begun; ``None`` before."""
    has_arguments: bool = False

    @property
    def is_complete(self) -> bool:
        return bool(self.id and self.name)

    @property
    def is_blank(self) -> bool:
        return not self.name and not self.has_arguments


class ToolCallSlots:
    """The calls of one answer while they come."""

    def __init__(self, new_call_id: Callable[[], str]) -> None:
        self._new_call_id = new_call_id
        self._slots: list[_Slot] = []
        self._used_ids: set[str] = set()
        self._begun = 0

    @property
    def is_empty(self) -> bool:
        """Whether no call was seen."""
        return all(slot.is_blank for slot in self._slots)

    def add(self, fragment: Mapping[str, object]) -> Iterator[ProviderEvent]:
        """Take one entry of ``delta.tool_calls`` and yield what can be given out."""
        function = as_object(fragment.get("function"))
        call_id, name = text_at(fragment, "id"), text_at(function, "name")
        slot = self._slot_for(count_at(fragment, "index"), call_id, name)
        slot.id = slot.id or call_id
        slot.name = slot.name or name
        arguments = _arguments_in(function)
        if arguments:
            slot.has_arguments = True
            slot.waiting.append(arguments)
        yield from self._give_out()

    def flush(self) -> Iterator[ProviderEvent]:
        """Yield the rest, in index order; the answer has ended.

        Raises:
            StreamBroken: If a call has arguments and no name.
        """
        # sorted() is stable: slots of one index stay in the order in which they were opened.
        for slot in sorted(self._slots, key=lambda each: each.index):
            if slot.is_blank:
                continue
            if not slot.name:
                raise StreamBroken("The provider sent a tool call without a name.")
            yield from self._begin(slot)
            if not slot.has_arguments:
                slot.has_arguments = True
                yield ToolArgumentsDelta(slot=slot.number or 0, fragment="{}")

    def _slot_for(self, index: int | None, call_id: str, name: str) -> _Slot:
        last = self._last_on(index)
        if index is None and call_id:
            known = [slot for slot in self._slots if slot.id == call_id]
            last = known[-1] if known else last
        if last is None or self._is_another_call(last, call_id, name):
            at = index if index is not None else last.index if last else 0
            last = _Slot(index=at)
            self._slots.append(last)
        return last

    def _last_on(self, index: int | None) -> _Slot | None:
        on_index = [slot for slot in self._slots if index is None or slot.index == index]
        return on_index[-1] if on_index else None

    @staticmethod
    def _is_another_call(slot: _Slot, call_id: str, name: str) -> bool:
        if call_id:
            # A different id never joins, complete or not: two calls must not be glued.
            return bool(slot.id) and call_id != slot.id
        return bool(name and slot.name) and name != slot.name

    def _give_out(self) -> Iterator[ProviderEvent]:
        may_begin = True
        begun: set[int] = set()
        for slot in sorted(self._slots, key=lambda each: each.index):
            if slot.number is None:
                lower = len(begun - {slot.index})
                may_begin = may_begin and slot.is_complete and lower == slot.index
                if not may_begin:
                    continue
            yield from self._begin(slot)
            begun.add(slot.index)

    def _begin(self, slot: _Slot) -> Iterator[ProviderEvent]:
        """Begin the call unless it has, and give out its arguments so far."""
        if slot.number is None:
            slot.number = self._begun
            self._begun += 1
            yield ToolCallBegan(slot=slot.number, call_id=self._unused_id(slot.id), name=slot.name)
        for arguments in slot.waiting:
            yield ToolArgumentsDelta(slot=slot.number, fragment=arguments)
        slot.waiting.clear()

    def _unused_id(self, asked: str) -> str:
        chosen = asked if asked and asked not in self._used_ids else self._new_call_id()
        self._used_ids.add(chosen)
        return chosen


def _arguments_in(function: Mapping[str, object]) -> str:
    """Return a piece of argument text; an empty object may be one that is filled by pieces."""
    value = function.get("arguments")
    if value is None or value == {}:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
