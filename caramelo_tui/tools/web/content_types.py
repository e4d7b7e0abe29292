"""Find out what a body is and turn its bytes into text.

Owns the kinds of content, the reading of ``Content-Type`` and the character sets. Nothing here
raises: bytes that do not fit are replaced. Proven by
tests/unit/tools/web/test_content_types.py.
"""

import codecs
import re
from email.message import Message
from enum import Enum, auto

_HEAD_BYTES = 1_024
"""Where a page says its own character set (HTML standard, "prescan a byte stream")."""
_SNIFFED_BYTES = 8_192
_META_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE
)
_XML_CHARSET = re.compile(rb"""^<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9_.-]{1,40})""")
_LOOKS_LIKE_HTML = re.compile(
    rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html\b)", re.IGNORECASE | re.DOTALL
)

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WINDOWS = "cp1252"
_CHARSETS = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("utf-16", "utf-16le", "unicode"), "utf-16-le"),
    "utf-16be": "utf-16-be",
    # Browsers read these three as Windows' set, which only adds signs to them.
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "l1", "us-ascii", "ascii"), _WINDOWS),
    **{
        f"iso-8859-{number}": f"iso8859-{number}"
        for number in range(2, 17)
        if number not in {9, 12}
    },
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **{f"windows-{number}": f"cp{number}" for number in (874, *range(1250, 1259))},
    **{f"cp{number}": f"cp{number}" for number in (866, *range(1250, 1259))},
    "ibm866": "cp866",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "macintosh": "mac-roman",
    **dict.fromkeys(("gbk", "gb2312", "gb18030", "x-gbk"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "windows-31j", "x-sjis"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "windows-949"), "cp949"),
    "euc-jp": "euc-jp",
    "iso-2022-jp": "iso2022-jp",
}
"""Names that pages use (WHATWG Encoding standard, read 2026-11) and Python's codec for each. A
list, since Python also has codecs that are no character sets."""

_TEXT_TYPES = re.compile(
    r"""text/.* | .*[+/](?:json|xml|yaml|toml|markdown) | application/(?:
        x-yaml | x-ndjson | jsonl | json5 | javascript | x-javascript | ecmascript | typescript
        | graphql | sql | x-sh | x-www-form-urlencoded | rtf | x-tex | x-latex | xml-dtd
        | geo\+json | ld\+json | x-httpd-php | x-python | manifest\+json )""",
    re.VERBOSE,
)
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_JSON_TYPE = re.compile(r"(?:application|text)/(?:[a-z0-9.+-]+\+)?json")
_UNSAID_TYPES = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "unknown/unknown"}
)


class ContentKind(Enum):
    """What is done with a body."""

    TEXT = auto()
    JSON = auto()
    HTML = auto()
    BINARY = auto()


def media_type_of(content_type: str) -> str:
    """Return the media type in lower case, without parameters; empty when there is none."""
    return content_type.partition(";")[0].strip().lower()


def kind_of(content_type: str, body: bytes) -> ContentKind:
    """Return what a body is, by its type and, where that says nothing, by its bytes."""
    media = media_type_of(content_type)
    if media in _UNSAID_TYPES:
        return _sniffed(body)
    if media in _HTML_TYPES:
        kind = ContentKind.HTML
    elif _JSON_TYPE.fullmatch(media):
        kind = ContentKind.JSON
    elif _TEXT_TYPES.fullmatch(media):
        kind = ContentKind.TEXT
    else:
        return ContentKind.BINARY
    charset = _declared_charset(content_type, body, is_html=kind is ContentKind.HTML)
    # A NUL belongs to text in the two-byte sets only.
    is_wide = charset.startswith("utf-16")
    return ContentKind.BINARY if b"\0" in body and not is_wide else kind


def decode(content_type: str, body: bytes, *, is_html: bool, is_cut: bool) -> str:
    """Return the text of a body, without a byte order mark.

    A byte order mark decides, then the header, then what an HTML or XML page says of itself,
    then UTF-8, then Windows' Western set.

    Args:
        content_type: The header's text.
        body: The bytes, or their start.
        is_html: Whether a ``meta`` element may name the character set.
        is_cut: Whether the body was cut, perhaps within a character, which is then left out.
    """
    charset = _declared_charset(content_type, body, is_html=is_html)
    if not charset:
        charset = "utf-8" if _is_utf8(body, is_cut=is_cut) else _WINDOWS
    decoder = codecs.getincrementaldecoder(charset)("replace")
    return decoder.decode(body, final=not is_cut).removeprefix("\ufeff")


def _sniffed(body: bytes) -> ContentKind:
    start = body[:_SNIFFED_BYTES]
    if not _is_utf8(start, is_cut=len(body) > len(start)) or b"\0" in body:
        return ContentKind.BINARY
    if _LOOKS_LIKE_HTML.match(start):
        return ContentKind.HTML
    return ContentKind.JSON if start.lstrip()[:1] in {b"{", b"["} else ContentKind.TEXT


def _declared_charset(content_type: str, body: bytes, *, is_html: bool) -> str:
    """Return Python's codec for what was declared, empty when nothing known was."""
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return codec
    said = _CHARSETS.get(_charset_parameter(content_type))
    if said:
        return said
    found = _XML_CHARSET.search(body[:_HEAD_BYTES])
    if found is None and is_html:
        found = _META_CHARSET.search(body[:_HEAD_BYTES])
    if found is None:
        return ""
    codec = _CHARSETS.get(found[1].decode("ascii").lower(), "")
    # The name could be read as ASCII, so the text is not in a two-byte set.
    return "utf-8" if codec.startswith("utf-16") else codec


def _charset_parameter(content_type: str) -> str:
    message = Message()
    message["content-type"] = "".join(content_type.splitlines())
    charset = message.get_param("charset")
    return charset.strip().lower() if isinstance(charset, str) else ""


def _is_utf8(body: bytes, *, is_cut: bool) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(body, final=not is_cut)
    except UnicodeDecodeError:
        return False
    return True
