"""The examples on the page about web_fetch hold."""

import re
import tomllib
from pathlib import Path

import pytest

from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.tools.web.client import WebLimits
from caramelo_tui.tools.web.host_rules import HostRules
from caramelo_tui.tools.web.requests import METHODS, read_headers
from caramelo_tui.tools.web.urls import UrlRefused, parse_url
from tests.doubles.web_worlds import fetch_world, page

PAGE = (Path(__file__).parents[4] / "docs" / "web-fetch.md").read_text(encoding="utf-8")


def fence(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


async def test_the_result_is_the_one_shown() -> None:
    url = "https://docs.example.test/api"
    headers = {"content-type": "application/json"}
    world = fetch_world([page(url, '{"b":[1,2],"a":{}} ', headers=headers)])
    assert (await world.run(url=url)).text + "\n" == fence("")


def test_the_configuration_is_a_valid_one() -> None:
    table = tomllib.loads(fence("toml"))["web"]
    settings = WebSettings(allow_hosts=tuple(table["allow_hosts"]), ask_new_hosts=True)
    rules = HostRules(settings.allow_hosts)
    rules.check_name(parse_url("http://localhost:3000/"))
    rules.check_name(parse_url("http://[::1]:8080/"))
    assert set(table) == {"allow_hosts", "ask_new_hosts"}


@pytest.mark.parametrize("url", re.findall(r"`(http://[^`]*/)`", PAGE))
def test_the_unusual_spellings_are_refused(url: str) -> None:
    with pytest.raises(UrlRefused):
        parse_url(url)


def test_methods_headers_and_limits_are_those_of_the_code() -> None:
    assert [method for method in METHODS if method not in PAGE] == []
    closed = re.search(
        r"certificates are checked against the system's\. (.*?) cannot be given", PAGE
    )
    assert closed is not None
    for name in re.findall(r"`([A-Za-z-]+)`", closed[1]):
        with pytest.raises(Exception, match="set by this tool"):
            read_headers({name: "x"})
    limits = WebLimits()
    for number in (limits.total_s, limits.connect_s, limits.idle_s):
        assert f"{number:g} s" in PAGE
