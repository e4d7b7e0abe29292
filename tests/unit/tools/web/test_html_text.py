"""The plain fallback for HTML."""

import pytest

from caramelo_tui.tools.web.html_text import DROPPED, html_to_text


def text(html: str) -> str:
    return html_to_text(html, base_url="http://a.test/d/")[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>One</h1><p>First <b>bold</b> line.", "# One\n\nFirst **bold** line."),
        ("<h3>A <em>b</em></h3>", "### A *b*"),
        ("<p>a\n  b<p>c", "a b\n\nc"),
        ("a<br>b", "a\nb"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ol><li>x<li>y</ol>", "1. x\n2. y"),
        ("<li>loose", "- loose"),
        ("<pre>  a\n    b</pre>c", "```\n  a\n    b\n```\n\nc"),
        ("<pre><b>x</b>\n</pre>", "```\nx\n```"),
        ("use <code>x</code>", "use `x`"),
        ('<a href="x?y=1&amp;z">t</a>', "[t](http://a.test/d/x?y=1&z)"),
        ('<a href="javascript:x">t</a>', "t"),
        ('<a href="http://[">t</a> <a>u</a>', "t u"),
        ("&lt;p&gt; &copy;", "<p> ©"),
        ("<table><tr><td>1<td>2<tr><td>3</table>", "1 2\n\n3"),
        ("a<!-- hidden -->b", "ab"),
        ("</p></ul></a></pre>x", "x"),
        ("", ""),
    ],
)
def test_element(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize("tag", sorted(DROPPED))
def test_left_out_element_takes_its_content_with_it(tag: str) -> None:
    assert text(f"before<{tag}>SECRET</{tag}> after") == "before after"


def test_nested_left_out_elements_end_with_the_outer_one() -> None:
    assert text("a<nav>x<svg>y</nav>b<aside>z</p></aside>c") == "abc"


def test_title_is_apart() -> None:
    html = "<head><title>The\n title &amp; more</title></head><body>text"
    assert html_to_text(html, base_url="http://a.test/") == ("text", "The title & more")


@pytest.mark.parametrize(
    "mark",
    [
        "hidden",
        'style="display:none"',
        "style='color:red; DISPLAY : none'",
        'style="visibility:hidden"',
    ],
)
def test_what_a_reader_does_not_see_is_left_out_with_all_that_is_in_it(mark: str) -> None:
    html = f"before<div {mark}>SECRET<div>SECRET</div>SECRET</div> after"
    assert text(html) == "before after"


@pytest.mark.parametrize(
    "style",
    ["display:/**/none", "display:/* */ none", "font-size: 0", "opacity:0.0;x:y", "font-size:0px"],
)
def test_other_ways_to_hide_are_known(style: str) -> None:
    assert text(f'a<span style="{style}">SECRET</span>b') == "ab"


@pytest.mark.parametrize("style", ["font-size: 0.9em", "opacity: 0.5", "display: block"])
def test_what_only_looks_like_hiding_is_shown(style: str) -> None:
    assert text(f'<p style="{style}">shown</p>') == "shown"


@pytest.mark.parametrize("tag", ["b", "a", "ul", "table", "h2", "textarea", "form", "details"])
def test_any_element_that_is_closed_can_be_hidden(tag: str) -> None:
    assert text(f"before <{tag} hidden>SECRET</{tag}>after") == "before after"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p hidden>SECRET<p>rest", "rest"),
        ("<p hidden>SECRET <b>SECRET</b> SECRET</p>rest", "rest"),
        ("<div><p hidden>SECRET</div>rest", "rest"),
        ("<p hidden>SECRET<h2>rest</h2>", "## rest"),
        ("<ul><li hidden>SECRET<ul><li>SECRET</ul>SECRET<li>rest</ul>", "- rest"),
        ("<ul><li hidden>SECRET</ul>rest", "rest"),
        ("<dl><dt>a<dd hidden>SECRET<dt>b</dl>", "a\n\nb"),
        ("<table><tr><td hidden>SECRET<td>a<tr hidden><td>SECRET<tr><td>b</table>", "a\n\nb"),
        ("<nav><p hidden>SECRET</nav>rest", "rest"),
        ("<p hidden>SECRET<script>SECRET</p></script>SECRET<p>rest", "rest"),
    ],
)
def test_a_hidden_element_without_end_hides_no_more_than_itself(html: str, expected: str) -> None:
    assert text(html) == expected
