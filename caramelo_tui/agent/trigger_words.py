"""Find a trigger as a whole word in a prompt.

Owns what a word is: letters, digits, their marks and low lines belong together in any script;
where a script writes words without blanks, every letter may end one. Pure. Proven by
tests/unit/agent/test_trigger_words.py.
"""

import unicodedata

_UNSPACED_SCRIPTS = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
"""How the names of characters begin whose scripts put no blanks between words."""


def has_trigger(text: str, trigger: str) -> bool:
    """Return whether a trigger stands in a text as a whole word or phrase, in any letter case.

    Args:
        text: What ``folded`` returned for a prompt.
        trigger: A word or phrase as written. A blank one is nowhere.
    """
    wanted = folded(trigger)
    if not wanted:
        return False
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if _is_border(text, start) and _is_border(text, end):
            return True
        start = text.find(wanted, start + 1)
    return False


def folded(text: str) -> str:
    """Return a text in which letter case, the spelling of accents and runs of blanks are one."""
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(composed.split())


def _is_border(text: str, at: int) -> bool:
    """Whether a word may begin or end between two characters."""
    if at in {0, len(text)}:
        return True
    before, after = text[at - 1], text[at]
    if not (_is_of_word(before) and _is_of_word(after)):
        return True
    if unicodedata.category(after).startswith("M"):
        # A mark changes the letter before it.
        return False
    return _is_unspaced(before) or _is_unspaced(after)


def _is_of_word(character: str) -> bool:
    return character == "_" or unicodedata.category(character)[0] in "LMN"


def _is_unspaced(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_UNSPACED_SCRIPTS)
