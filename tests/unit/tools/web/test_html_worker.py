"""The conversion of a page, within this process."""

import importlib
import io
import json
import signal
import sys
from typing import cast

import pytest

from caramelo_tui.tools.web import html_worker
from caramelo_tui.tools.web.html_worker import Engine, convert

PAGE = """<html><head><title>The
 title</title><style>p{x}</style><script>steal()</script>
<meta name="description" content="d"></head>
<body><nav>menu</nav><header><h1>One</h1></header><p>First <b>bold</b> line. <a href="/x">rel</a>
<img src="data:image/png;base64,AAAA" alt="inline"></p>
<table><tr><th>A<th>B<tr><td>1<td>2</table>
<pre><code class="language-python">x = 1</code></pre><noscript>no</noscript></body></html>"""


@pytest.fixture
def engine() -> Engine:
    return cast("Engine", importlib.import_module(html_worker.ENGINE))


@pytest.mark.parametrize("has_engine", [True, False], ids=["engine", "fallback"])
def test_page_keeps_its_text_and_loses_its_machinery(engine: Engine, *, has_engine: bool) -> None:
    text, title = convert(engine if has_engine else None, PAGE, base_url="http://a.test/d/")
    assert title == "The title"
    assert text.startswith("# One\n")
    assert "First **bold** line. [rel](http://a.test/x)" in text
    for gone in ("steal()", "p{x}", "menu", "<p>", "---\ntitle", "base64", "description"):
        assert gone not in text.replace("| --- |", "")


@pytest.mark.parametrize("has_engine", [True, False], ids=["engine", "fallback"])
def test_hidden_parts_are_left_out(engine: Engine, *, has_engine: bool) -> None:
    page = "<p>a</p><div style='display:none'>SECRET</div><div hidden>SECRET</div><p>b</p>"
    text, _ = convert(engine if has_engine else None, page, base_url="")
    assert text.split() == ["a", "b"]


def test_engine_makes_tables_and_code(engine: Engine) -> None:
    text, _ = convert(engine, PAGE, base_url="http://a.test/")
    assert "| A" in text
    assert "```python\nx = 1\n```" in text


def test_text_that_looks_like_front_matter_stays(engine: Engine) -> None:
    text, _ = convert(engine, "<title>t</title><p>a</p><hr><p>b</p><hr><p>c</p>", base_url="")
    assert [word for word in "abc" if word not in text] == []


def test_fallback_takes_over_where_the_engine_makes_nothing(engine: Engine) -> None:
    text, _ = convert(engine, "<div>" * 20_000 + "deep", base_url="http://a.test/")
    assert text == "deep"


@pytest.mark.parametrize("engine_folder", ["", "found"])
def test_main_answers_the_request_within_the_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], engine_folder: str
) -> None:
    request = {"html": "<title>t</title><p>12345", "base_url": "", "limit_characters": "3"}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(request)))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(html_worker, "limit_memory", lambda: None)
    html_worker.main("", engine_folder, 60.0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"text": "123", "characters": 5, "title": "t"}
