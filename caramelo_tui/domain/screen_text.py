"""Make text from outside safe to show.

Owns the one function that turns control, reordering, invisible and undefined characters into
visible marks such as ``<U+202E>``. Everything that comes from a model, a file, a command or a
name goes through it before it reaches a terminal. It changes what is shown, never what is
run, written or sent. Proven by tests/unit/domain/test_screen_text.py.
"""

import re
import unicodedata

_UNDRAWN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Characters that count as printable and yet are drawn as nothing or as a blank: the grapheme
joiner, Hangul fillers, Khmer inherent vowels, the empty Braille pattern, and variation
selectors, which can carry hidden text (Unicode 15, ``Default_Ignorable_Code_Point``). Selector
16 (U+FE0F) alone stays: it belongs to ordinary emoji."""

_LOOK_ALIKE_LETTERS = frozenset(
    # Cyrillic
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"
    # Greek
    "\u03bf\u03b1\u03b9\u03bd\u03c1\u03c5\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d"
    "\u039f\u03a1\u03a4\u03a5\u03a7"
    # Latin extensions and Armenian
    "\u0131\u0251\u0261\u026a\u0585\u0578\u057d\u0570"
)
"""Letters of other scripts that are drawn like an ASCII letter (Unicode Technical Standard 39,
confusables; the common ones, not the whole table)."""

_LOOK_ALIKE_SIGNS = frozenset(
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2044\u2215\u29f8\u2216\u29f5\u2018\u2019\u201a"
    "\u201b\u201c\u201d\u2032\u2035\u02b9\u02bc\u02cb\u01c0\u2223\u2502\u037e\ua789\u02d0\u2236"
    "\u204e\u2217\u02dc\u223c\u2039\u203a\u2024"
)
"""Signs that are drawn like a dash, slash, quote, bar, semicolon, colon, star, tilde, angle or
dot that means something to a shell."""

_LINE_BLANKS = str.maketrans("", "", "\n\t")


def visible(text: str, *, keeps_newlines: bool = True, marks_look_alikes: bool = False) -> str:
    """Return ``text`` with every character that hides or acts turned into a mark.

    Marks read ``<U+001B>``: the number in hexadecimal, at least four digits. Printable
    characters, plain blanks, line feeds and tabs stay; a carriage return is marked. It never
    raises, and applying it twice changes nothing more.

    Args:
        text: Any text, lone surrogates included. Join streamed pieces first where a mark
            must not differ from the whole.
        keeps_newlines: Whether line feeds and tabs stay; ``False`` for what must be one
            line, such as a title or a row.
        marks_look_alikes: Whether letters and signs that only look like ASCII are marked
            too; for commands, hosts and paths under approval, not for prose.
    """
    if _is_plain(text, keeps_newlines=keeps_newlines) and not (
        marks_look_alikes and has_look_alikes(text)
    ):
        return text
    kept = "\n\t" if keeps_newlines else ""
    return "".join(
        character
        if character in kept or not _needs_mark(character, marks_look_alikes=marks_look_alikes)
        else f"<U+{ord(character):04X}>"
        for character in text
    )


def has_hidden(text: str) -> bool:
    """Return whether ``visible`` would mark a character of ``text``."""
    return not _is_plain(text, keeps_newlines=True)


def has_look_alikes(text: str) -> bool:
    """Return whether a character of ``text`` only looks like an ASCII one."""
    return not text.isascii() and any(map(_is_look_alike, text))


def _is_plain(text: str, *, keeps_newlines: bool) -> bool:
    """Return whether nothing hides in ``text``; runs at the speed of C.

    ``str.isprintable`` is false exactly for the categories Cc, Cf, Cs, Co, Cn, Zl, Zp and
    for every Zs but the plain blank.
    """
    if not text.isprintable() and (
        not keeps_newlines or not text.translate(_LINE_BLANKS).isprintable()
    ):
        return False
    return text.isascii() or _UNDRAWN.search(text) is None


def _needs_mark(character: str, *, marks_look_alikes: bool) -> bool:
    if not character.isprintable() or _UNDRAWN.match(character):
        return True
    return marks_look_alikes and _is_look_alike(character)


def _is_look_alike(character: str) -> bool:
    if character.isascii():
        return False
    if character in _LOOK_ALIKE_LETTERS or character in _LOOK_ALIKE_SIGNS:
        return True
    # Wide, mathematical, circled and small forms fold to the ASCII character they imitate.
    folded = unicodedata.normalize("NFKC", character)
    return len(folded) == 1 and folded.isascii() and folded.isprintable()
