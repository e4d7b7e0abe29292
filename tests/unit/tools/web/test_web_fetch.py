"""What web_fetch shows, asks and returns."""

import json
import subprocess
import sys

import pytest
from jsonschema import Draft7Validator

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import Action, ActionKind, Effect, JsonValue
from caramelo_tui.domain.web_settings import WebSettings
from tests.doubles.web_worlds import HOST, FetchWorld, fetch_world, moved, page

URL = f"http://{HOST}/a/b?q=1"


async def action_of(world: FetchWorld, **arguments: JsonValue) -> Action:
    action = (await world.prepare(**arguments)).action
    assert action is not None
    return action


def facts(action: Action) -> dict[str, str]:
    found = {fact.label: fact.value for fact in action.facts}
    assert len(found) == len(action.facts)
    return found


def test_schema_is_a_draft_07_one_and_allows_nothing_else() -> None:
    spec = fetch_world().tool.spec
    Draft7Validator.check_schema(spec.input_schema)
    assert spec.input_schema["additionalProperties"] is False
    assert set(spec.input_schema["properties"]) == {  # type: ignore[arg-type] # an object of the schema
        "url",
        "method",
        "headers",
        "body",
        "max_length",
    }
    assert spec.name == "web_fetch"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"url": ""},
        {"url": 5},
        {"url": URL, "max_length": 0},
        {"url": URL, "max_length": "9"},
        {"url": URL, "max_length": 1.5},
        {"url": URL, "headers": {"X": 5}},
        {"url": URL, "headers": ["X: 5"]},
        {"url": URL, "body": {"x": 1}},
        {"url": URL, "method": None},
        {"url": URL, "timeout": 5},
    ],
)
async def test_arguments_of_another_shape_are_refused(arguments: dict[str, JsonValue]) -> None:
    world = fetch_world([page(URL, "x")])
    assert (await world.run(**arguments)).is_error
    assert world.web.urls == []


async def test_max_length_may_be_written_as_a_float() -> None:
    world = fetch_world([page(URL, "abcdef")])
    assert (await world.run(url=URL, max_length=3.0)).text.endswith("\n\nabc")


@pytest.mark.parametrize("method", ["GET", "HEAD", "get"])
async def test_plain_read_is_free(method: str) -> None:
    prepared = await fetch_world().prepare(url=URL, method=method)
    assert prepared.effect is Effect.OTHER
    assert not prepared.is_cacheable
    assert prepared.action is not None
    assert prepared.action.kind is ActionKind.FETCH
    assert prepared.action.asks_because == ""


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"method": "POST"}, "uses POST"),
        ({"method": "OPTIONS"}, "uses OPTIONS"),
        ({"method": "delete"}, "uses DELETE"),
        ({"body": "x"}, "sends a body"),
        ({"body": ""}, "sends a body"),
        ({"headers": {"X-A": "1"}}, "custom headers"),
        ({"url": "https://\u0430pple.test/"}, "look like"),
        ({"url": "https://xn--pple-43d.test/"}, "look like"),
    ],
)
async def test_all_else_asks_with_its_reason(more: dict[str, JsonValue], why: str) -> None:
    assert why in await fetch_world().asks(**{"url": URL, **more})


async def test_empty_headers_ask_nothing() -> None:
    assert await fetch_world().asks(url=URL, headers={}) == ""


async def test_all_reasons_are_named_at_once() -> None:
    because = await fetch_world().asks(url=URL, method="PUT", body="x", headers={"X": "y"})
    assert because == (
        "This request asks because it uses PUT, and it sends a body, and it sends custom headers."
    )


async def test_first_call_to_a_host_asks_where_the_configuration_says_so() -> None:
    settings = WebSettings(ask_new_hosts=True)
    world = fetch_world([page(URL, "x")], settings=settings)
    assert "new in this session" in await world.asks(url=URL)
    assert "new in this session" in await world.asks(url=URL)
    await world.run(url=URL)
    assert await world.asks(url=f"http://{HOST}/other") == ""
    assert "new" in await world.asks(url="http://other.test/")


async def test_everything_that_is_sent_is_shown() -> None:
    action = await action_of(
        fetch_world(),
        url="https://\u0410pple.test:8443/p\u00e4th?secret=1",
        method="post",
        headers={"X-Token": "t-1", "Accept": "a/b"},
        body="b\u00f6dy",
    )
    shown = facts(action)
    assert action.title == "POST https://xn--pple-43d.test:8443/…"
    assert shown["method"] == "POST"
    assert shown["host"] == "xn--pple-43d.test"
    assert shown["host in letters"] == "\u0430pple.test"
    assert shown["host as written"] == "\u0410pple.test"
    assert shown["port"] == "8443"
    assert shown["url"] == "https://xn--pple-43d.test:8443/p%C3%A4th?secret=1"
    assert shown["length"] == "path 10 characters, query 8 characters, body 5 bytes"
    assert shown["header X-Token"] == "t-1"
    assert shown["header Accept"] == "a/b"
    assert shown["header Content-Type"] == "text/plain; charset=utf-8 (not given)"
    assert "xn--pple-43d.test:8443 only" in shown["redirects"]
    assert action.body == "b\u00f6dy"


async def test_plain_read_shows_little() -> None:
    action = await action_of(fetch_world(), url=f"https://{HOST}/")
    assert action.title == f"GET https://{HOST}/"
    assert list(facts(action)) == ["method", "host", "url", "length", "redirects"]
    assert facts(await action_of(fetch_world(), url=URL))["encrypted"] == "no"


async def test_preparing_contacts_nothing_and_looks_nothing_up() -> None:
    world = fetch_world([page(URL, "x")])
    await world.prepare(url=URL, method="POST", body="x")
    assert (world.web.looked_up, world.web.connected) == ([], [])


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hostname",
        "http://127.0.0.1:8081/",
        "http://2130706433/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost/",
        "http://u:p@a.test/",
        "http://a.test\0.evil.test/",
    ],
)
async def test_hopeless_call_is_refused_before_anybody_is_asked(url: str) -> None:
    world = fetch_world()
    with pytest.raises(ToolFailure):
        await world.prepare(url=url, method="POST")
    assert world.web.looked_up == []


@pytest.mark.parametrize(
    "more", [{"method": "TRACE"}, {"headers": {"Host": "b.test"}}, {"headers": {"X": "a\r\nY: b"}}]
)
async def test_unsendable_request_is_refused_before_anybody_is_asked(
    more: dict[str, JsonValue],
) -> None:
    with pytest.raises(ToolFailure):
        await fetch_world().prepare(**{"url": URL, **more})


async def test_prepared_request_is_what_is_sent() -> None:
    world = fetch_world([page(URL, "posted")])
    output = await world.run(url=URL, method="post", body="x=\u00e9", headers={"X-A": "1"})
    (sent,) = world.web.requests
    assert (sent.method, sent.url, sent.body) == ("POST", URL, "x=\u00e9".encode())
    assert sent.headers["x-a"] == "1"
    assert output.text.endswith("\n\nposted")


async def test_result_names_the_last_url() -> None:
    end = f"http://{HOST}/end"
    world = fetch_world([moved(URL, "/end"), page(end, "x")])
    output = await world.run(url=URL)
    assert output.text.startswith(f"url: {end}\nstatus: 200 OK\n")
    assert f"redirected from: {URL}" in output.text


async def test_result_never_repeats_what_was_sent() -> None:
    world = fetch_world([page(URL, "x", status=401)])
    output = await world.run(url=URL, headers={"Authorization": "Bearer t-1"}, body="key-9")
    assert output.is_error
    assert "t-1" not in output.text
    assert "key-9" not in output.text


async def test_summary_is_one_line() -> None:
    prepared = await fetch_world().prepare(url=URL + "x" * 500)
    assert prepared.summary.startswith(f"GET {URL}")
    assert len(prepared.summary) == 200


def test_description_names_every_argument() -> None:
    spec = fetch_world().tool.spec
    properties = json.loads(json.dumps(spec.input_schema["properties"]))
    assert [name for name in properties if f"`{name}`" not in spec.description] == ["url"]


def test_the_network_library_is_not_loaded_before_the_first_request() -> None:
    program = (
        "import sys\n"
        "from caramelo_tui.domain.web_settings import WebSettings\n"
        "from caramelo_tui.tools.web.client import WebClient\n"
        "from caramelo_tui.tools.web.web_fetch import WebFetch\n"
        "WebFetch(WebClient(WebSettings()))\n"
        "print(sorted({'httpcore2', 'httpx2', 'html_to_markdown'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout == "[]\n"
