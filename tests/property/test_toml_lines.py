"""Of any document, each value is found on the line on which it was written."""

import json
import tomllib
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.config.toml_lines import TomlPath, lines_of

NAMES = st.one_of(
    st.from_regex(r"\A[A-Za-z0-9_-]{1,6}\Z"),
    st.text(st.characters(blacklist_categories=["Cs"]), max_size=4),
)
TEXTS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
SCALARS = st.one_of(st.integers(-(10**6), 10**6), st.booleans(), st.floats(allow_nan=False), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=4)


class Writer:
    """Writes a document and notes where each value went."""

    def __init__(self, random: Iterator[int]) -> None:
        self.text = ""
        self.lines: dict[TomlPath, int] = {}
        self._random = random

    def document(self, tables: dict[str, object]) -> None:
        for name, value in tables.items():
            self._noise()
            self._note((name,))
            self._write(f"{quoted(name)} = ")
            self._value((name,), value)
            self._write(self._one_of("", " # ] } \" '", "\t") + "\n")

    def _value(self, path: TomlPath, value: object) -> None:
        if isinstance(value, dict):
            self._table(path, value)
        elif isinstance(value, list):
            self._array(path, value)
        elif isinstance(value, str):
            self._write(self._text(value))
        else:
            self._write(json.dumps(value).replace("Infinity", "inf"))

    def _text(self, value: str) -> str:
        is_literal = "'" not in value and all(character >= " " for character in value)
        is_literal = is_literal and "\x7f" not in value
        forms = [
            quoted(value),
            '"""' + quoted(value)[1:-1] + '"""',
            '"""\n' + quoted(value)[1:] + '""',
        ]
        if is_literal:
            forms += [f"'{value}'", f"'''\n\n{value}'''"]
        return self._one_of(*forms)

    def _array(self, path: TomlPath, items: list[object]) -> None:
        self._write("[")
        for index, item in enumerate(items):
            self._space()
            self._note((*path, index))
            self._value((*path, index), item)
            self._space()
            if index + 1 < len(items) or self._one_of("", ","):
                self._write(",")
        self._space()
        self._write("]")

    def _table(self, path: TomlPath, items: dict[str, object]) -> None:
        self._write("{ ")
        for index, (name, item) in enumerate(items.items()):
            self._write(", " if index else "")
            self._note((*path, name))
            self._write(f"{quoted(name)} = ")
            self._value((*path, name), item)
        self._write(" }")

    def _space(self) -> None:
        self._write(self._one_of("", " ", "\n", "\n\n\t", ' # , ] " \n'))

    def _noise(self) -> None:
        self._write(self._one_of("", "\n", "# [x]\n", "\n  \n\t# y = 1\n "))

    def _one_of(self, *choices: str) -> str:
        return choices[next(self._random) % len(choices)]

    def _write(self, text: str) -> None:
        self.text += text

    def _note(self, path: TomlPath) -> None:
        self.lines[path] = self.text.count("\n") + 1


def quoted(text: str) -> str:
    # JSON's escapes are TOML's but for DEL, which JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@given(document=DOCUMENTS, noise=st.lists(st.integers(0, 30), min_size=1, max_size=40))
def test_each_value_is_found_on_its_line(document: dict[str, object], noise: list[int]) -> None:
    def endless() -> Iterator[int]:
        while True:
            yield from noise

    writer = Writer(endless())
    writer.document(document)
    tomllib.loads(writer.text)
    assert lines_of(writer.text) == writer.lines
