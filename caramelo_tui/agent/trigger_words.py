"""Find a trigger as a whole word in a prompt.

Owns what a word is: letters, digits, their marks and low lines belong together in any script;
where a script writes words without blanks, every letter may end one. Pure. Proven by
tests/unit/agent/test_trigger_words.py.
"""

import re
import unicodedata
from dataclasses import dataclass

_UNSPACED_SCRIPTS = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
"""How the names of characters begin whose scripts put no blanks between words."""


_PLAIN_RUN = re.compile(r"[a-z0-9_]+")
"""Plain letters, digits and low lines belong together: where a trigger has such a run, the text
has the same one or not the trigger."""


@dataclass(frozen=True, slots=True)
class PromptWords:
    """A prompt, made ready to look for many triggers."""

    text: str
    """As ``folded`` returns it."""
    runs: frozenset[str]
    """The plain runs in it, whole."""


def words_of(prompt: str) -> PromptWords:
    """Return a prompt in which triggers can be looked for."""
    text = folded(prompt)
    return PromptWords(text, frozenset(_PLAIN_RUN.findall(text)))


def has_trigger(prompt: PromptWords, trigger: str) -> bool:
    """Return whether a trigger stands in a prompt as a whole word or phrase, in any letter case.

    Args:
        prompt: What is searched.
        trigger: A word or phrase as written. A blank one is nowhere.
    """
    text, wanted = prompt.text, folded(trigger)
    # Most triggers end here: a long prompt holds "er" a thousand times, and never as a word.
    if not wanted or not prompt.runs.issuperset(_PLAIN_RUN.findall(wanted)):
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
