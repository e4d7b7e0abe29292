"""The behaviour cases of web_fetch, played on the tool itself.

What a user would be asked is answered as the case says; the total time is shortened, so that a
server that drips ends soon.
"""

import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import psutil
import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.validation import parse_arguments
from caramelo_tui.tools.web.client import WebLimits
from tests.doubles.web_worlds import FetchWorld, Spec, fetch_world

FOLDER = Path(__file__).parents[3] / "cases"
Case = Mapping[str, JsonValue]


def cases_of(area: str) -> list[Case]:
    data = json.loads((FOLDER / f"{area}.json").read_text())
    return [case for case in data["cases"] if case["tool"] == "web_fetch"]


def part(case: Case, key: str) -> Mapping[str, JsonValue]:
    return cast("Mapping[str, JsonValue]", case.get(key) or {})


def texts(value: JsonValue) -> list[str]:
    return [str(item) for item in cast("list[JsonValue]", value or [])]


async def played(case: Case, world: FetchWorld) -> tuple[ToolOutput, int]:
    """Return the result and how often the user was asked."""
    arguments = json.dumps(case["args"])
    try:
        parse_arguments(world.tool.spec, arguments)
        asks = await world.asks(**cast("dict[str, JsonValue]", case["args"]))
    except ToolFailure as failure:
        return ToolOutput(text=str(failure), is_error=True), 0
    if asks and part(case, "setup").get("approve") is not True:
        return ToolOutput(text="denied", is_error=True), 1
    output = await world.run(**cast("dict[str, JsonValue]", case["args"]))
    return output, int(bool(asks))


def check_text(expect: Mapping[str, JsonValue], output: ToolOutput) -> None:
    text = output.text
    if expect.get("is_error") is not None:
        assert output.is_error is expect["is_error"], text
    assert [t for t in texts(expect.get("contains")) if t not in text] == []
    assert [t for t in texts(expect.get("not_contains")) if t in text] == []
    for choices in cast("list[list[str]]", expect.get("contains_any") or []):
        assert any(choice.lower() in text.lower() for choice in choices), text
    assert [rx for rx in texts(expect.get("matches")) if not re.search(rx, text)] == []
    assert cast("int", expect.get("min_result_chars", 0)) <= len(text)
    assert len(text) <= cast("int", expect.get("max_result_chars", 300_000))
    text.encode("utf-8")


def check_web(expect: Mapping[str, JsonValue], world: FetchWorld, asked: int) -> None:
    if "requests" in expect:
        assert world.web.urls == expect["requests"]
    if "connected_to_only" in expect:
        assert set(world.web.connected) == set(texts(expect["connected_to_only"]))
    if "approvals_asked" in expect:
        assert asked == expect["approvals_asked"]
    absent = cast("Mapping[str, list[str]]", expect.get("request_headers_absent") or {})
    for url, names in absent.items():
        sent = [request for request in world.web.requests if request.url == url]
        assert sent
        assert [name for name in names for request in sent if name in request.headers] == []
    assert world.web.open_streams == 0


@pytest.mark.parametrize(
    "case", [*cases_of("web_fetch"), *cases_of("schema")], ids=lambda case: str(case["id"])
)
async def test_case(case: Case, clean_environment: Path) -> None:
    setup, expect = part(case, "setup"), part(case, "expect")
    if "netrc" in setup:
        (clean_environment / ".netrc").write_text(str(setup["netrc"]))
    web = part(setup, "web")
    world = fetch_world(
        cast("Sequence[Spec]", setup.get("http") or []),
        cast("Mapping[str, list[list[str]]]", setup.get("dns") or {}),
        settings=WebSettings(
            allow_hosts=tuple(texts(web.get("allow_hosts"))),
            ask_new_hosts=web.get("ask_new_hosts") is True,
        ),
        limits=WebLimits(total_s=1.0),
    )
    process = psutil.Process()
    before, start = process.memory_info().rss, time.perf_counter()
    output, asked = await played(case, world)

    assert time.perf_counter() - start <= cast("float", expect.get("max_seconds", 30))
    grown_mb = (process.memory_info().rss - before) / 1_048_576
    assert grown_mb <= cast("float", expect.get("max_rss_growth_mb", 200))
    for wanted in cast("list[dict[str, JsonValue]]", expect.get("outcome_any_of") or [expect]):
        if wanted.get("is_error") not in {None, output.is_error}:
            continue
        check_text(wanted, output)
        check_web(wanted, world, asked)
        return
    raise AssertionError(output.text)


async def test_case_of_the_look_alike_host_shows_both_forms_and_asks() -> None:
    (case,) = cases_of("approval")
    world = fetch_world()
    arguments = cast("dict[str, JsonValue]", case["args"])
    action = (await world.prepare(**arguments)).action
    assert action is not None
    assert action.asks_because
    shown = [fact.value for fact in action.facts]
    assert "xn--pple-43d.example.test" in shown
    assert "\u0430pple.example.test" in shown
    assert world.web.looked_up == []
