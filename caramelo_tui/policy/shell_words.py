"""Read one word of a command line as the shell would after quote removal.

Owns quotes, escapes, ``~``, variables whose value is known, braces and field splitting. What
only the shell can know becomes ``UNKNOWN``. Pure; never raises. Proven by
tests/unit/policy/test_shell_words.py.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from caramelo_tui.policy.shell_quotes import UNKNOWN, closing, closing_quote, decode_ansi

MAX_BRACES = 64
"""Words that one word with braces may become, and braces that it may hold; beyond, it is left
as it stands."""
MAX_CHARACTERS = 16_384
"""Characters that a word may grow to by its variables; beyond, it is unknown."""
MAX_NESTING = 8
"""Substitutions within substitutions that are worked out; deeper ones are unknown."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_BRACED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*])(?::?([-=+?])(.*))?", re.DOTALL)
_OPERATORS = frozenset(";|&<>()")
_GLOB_CHARACTERS = frozenset("*?[")
_SEQUENCE = re.compile(r"\{[^{},]*\.\.")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_./:=,+@%^-]+")
"""A word that means itself; most are."""
_BLANKS = frozenset(" \t\n")


@dataclass(frozen=True, slots=True)
class Field:
    """One word as a program would get it."""

    text: str
    """Decoded; ``UNKNOWN`` for each piece that only the shell can know."""
    is_certain: bool = True
    """Whether the word is exactly ``text``, whatever runs before."""
    has_glob: bool = False
    """Whether it holds an unquoted ``*``, ``?`` or ``[``."""
    is_downloaded: bool = False
    """Whether what a download prints becomes part of it."""
    is_expanded: bool = False
    """Whether the shell puts something into it: a variable, a substitution, matching names."""


@dataclass(slots=True, eq=False)
class Origin:
    """Where text comes from; marked when a download is found in it. Equal only to itself."""

    is_downloaded: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """What is known of a shell variable."""

    text: str | None
    """Its value; ``None``: only the shell knows."""
    origins: tuple[Origin, ...] = ()


@dataclass(slots=True)
class _Cell:
    char: str
    is_quoted: bool
    is_literal: bool = True
    """Written in the command, not the value of a variable."""


@dataclass(slots=True)
class WordReading:
    """What became of one word."""

    fields: list[Field]
    origins: list[Origin]
    """Of the variables that the word uses."""
    has_operator: bool
    """Whether an unquoted operator stands in it: then it was no single word."""
    has_blank: bool = False
    """Whether an unquoted blank stands in it, which parts words."""


def read_word(source: str, variables: Mapping[str, Variable], *, nesting: int = 0) -> WordReading:
    """Return the fields that a word becomes; none, one or several.

    Args:
        source: The word as it stands in the command, quotes included.
        variables: What is known of variables; ``HOME`` also answers ``~``.
        nesting: How many substitutions this one stands in.
    """
    if _PLAIN_WORD.fullmatch(source):
        return WordReading(fields=[Field(source)], origins=[], has_operator=False)
    reader = _WordReader(source=source, variables=variables, nesting=nesting)
    reader.read()
    is_certain = not (reader.is_guess or _has_sequence(reader.cells))
    fields: list[Field] = []
    for cells in _braces_expanded(reader.cells):
        fields.extend(_split(cells, is_certain=is_certain))
    plain = {cell.char for cell in reader.cells if not cell.is_quoted and cell.is_literal}
    return WordReading(
        fields=fields,
        origins=reader.origins,
        has_operator=not plain.isdisjoint(_OPERATORS),
        has_blank=not plain.isdisjoint(_BLANKS),
    )


@dataclass(slots=True)
class _WordReader:
    source: str
    variables: Mapping[str, Variable]
    nesting: int
    i: int = 0
    cells: list[_Cell] = field(default_factory=list[_Cell])
    origins: list[Origin] = field(default_factory=list[Origin])
    is_guess: bool = False

    def read(self) -> None:
        self._read_tilde()
        while self.i < len(self.source):
            char = self.source[self.i]
            if char == "'":
                self._read_single()
            elif char == '"':
                self._read_double()
            elif char == "\\":
                self._add(self.source[self.i + 1 : self.i + 2], is_quoted=True)
                self.i += 2
            elif char in "$`":
                self._read_expansion(is_quoted=False)
            elif char in "<>" and self.source.startswith("(", self.i + 1):
                self.i = closing(self.source, self.i + 2, ")") + 1
                self._add_unknown(is_quoted=True)
            else:
                self._add(char, is_quoted=False)
                self.i += 1

    def _add(self, text: str, *, is_quoted: bool, is_literal: bool = True) -> None:
        self.cells.extend(_Cell(char, is_quoted, is_literal) for char in text)
        if is_quoted and not text:
            self.cells.append(_Cell("", is_quoted=True))

    def _add_unknown(self, *, is_quoted: bool) -> None:
        self.is_guess = True
        self._add(UNKNOWN, is_quoted=is_quoted, is_literal=False)

    def _read_tilde(self) -> None:
        # ``~name`` counts as the user's own home: nobody's home may be removed as a whole.
        match = re.match(r"~(?:[A-Za-z0-9_.-]*|\+)(?=/|$)", self.source)
        home = self.variables.get("HOME")
        if match is None or home is None or home.text is None:
            return
        if match.group() in {"~+", "~-"}:
            self._add_unknown(is_quoted=True)
        else:
            self._add(home.text, is_quoted=True)
        self.i = match.end()

    def _read_single(self) -> None:
        end = self.source.find("'", self.i + 1)
        end = len(self.source) if end < 0 else end
        self._add(self.source[self.i + 1 : end], is_quoted=True)
        self.i = end + 1

    def _read_double(self) -> None:
        self.i += 1
        self._add("", is_quoted=True)
        while self.i < len(self.source) and self.source[self.i] != '"':
            char = self.source[self.i]
            if char == "\\" and self.source[self.i + 1 : self.i + 2] in {"$", "`", '"', "\\"}:
                self._add(self.source[self.i + 1], is_quoted=True)
                self.i += 2
            elif char in "$`":
                self._read_expansion(is_quoted=True)
            else:
                self._add(char, is_quoted=True)
                self.i += 1
        self.i += 1

    def _read_expansion(self, *, is_quoted: bool) -> None:
        source, start = self.source, self.i
        if source[start] == "`":
            end = closing_quote(source, start + 1, "`")
            inner = re.sub(r"\\([$`\\])", r"\1", source[start + 1 : end])
            self._add_substitution(inner, is_quoted=is_quoted)
        elif source.startswith("$((", start):
            end = closing(source, start + 2, ")")
            self._add_unknown(is_quoted=is_quoted)
        elif source.startswith("$(", start):
            end = closing(source, start + 2, ")")
            self._add_substitution(source[start + 2 : end], is_quoted=is_quoted)
        elif source.startswith("${", start):
            end = closing(source, start + 2, "}")
            self._add_braced(source[start + 2 : end], is_quoted=is_quoted)
        elif source.startswith("$'", start) and not is_quoted:
            end = closing_quote(source, start + 2, "'")
            self._add(decode_ansi(source[start + 2 : end]), is_quoted=True)
        elif source.startswith('$"', start) and not is_quoted:
            end = start
        elif match := _NAME.match(source, start + 1):
            end = match.end() - 1
            self._add_variable(match.group(), is_quoted=is_quoted)
        else:
            self._add("$", is_quoted=True)
            end = start
        self.i = end + 1

    def _add_variable(self, name: str, *, is_quoted: bool) -> None:
        variable = self.variables.get(name)
        if variable is not None:
            self.origins.extend(variable.origins)
        text = variable.text if variable is not None else None
        if text is None or len(self.cells) + len(text) > MAX_CHARACTERS:
            self._add_unknown(is_quoted=is_quoted)
        else:
            self._add(text, is_quoted=is_quoted, is_literal=False)

    def _add_braced(self, inner: str, *, is_quoted: bool) -> None:
        match = _BRACED.fullmatch(inner)
        if match is None:
            self._add_unknown(is_quoted=is_quoted)
            return
        name, operator, word = match.groups()
        variable = self.variables.get(name)
        is_known = variable is not None and variable.text is not None
        if operator in {"-", "="} and not is_known:
            # Nobody knows whether it is set; the text that shows what it may become is read.
            self.is_guess = True
            self._add_nested_word(word, is_quoted=is_quoted)
        elif operator == "+":
            self.is_guess = self.is_guess or not is_known
            self._add_nested_word(word, is_quoted=is_quoted)
        else:
            self._add_variable(name, is_quoted=is_quoted)

    def _add_nested_word(self, word: str, *, is_quoted: bool) -> None:
        if self.nesting >= MAX_NESTING:
            self._add_unknown(is_quoted=is_quoted)
            return
        reading = read_word(word, self.variables, nesting=self.nesting + 1)
        self.origins.extend(reading.origins)
        self.is_guess = self.is_guess or not all(part.is_certain for part in reading.fields)
        text = " ".join(part.text for part in reading.fields)
        self._add(text, is_quoted=is_quoted, is_literal=False)

    def _add_substitution(self, inner: str, *, is_quoted: bool) -> None:
        text = self._printed_by(inner)
        if text is None:
            self._add_unknown(is_quoted=is_quoted)
        else:
            self._add(text, is_quoted=is_quoted, is_literal=False)

    def _printed_by(self, script: str) -> str | None:
        """Return what a plain ``echo`` or ``printf`` would print; ``None`` for all else."""
        if self.nesting >= MAX_NESTING:
            return None
        reading = read_word(script.strip(), self.variables, nesting=self.nesting + 1)
        if reading.has_operator or not all(part.is_certain for part in reading.fields):
            return None
        return printed_text([part.text for part in reading.fields])


def printed_text(words: Sequence[str]) -> str | None:
    """Return what ``echo`` or ``printf`` prints for these words, without final line ends.

    Returns:
        ``None`` when the command is another one, or uses what is not worked out here.
    """
    if not words:
        return None
    name, args = words[0].rsplit("/", maxsplit=1)[-1], list(words[1:])
    if name == "echo":
        while args and args[0] in {"-n", "-e", "-ne", "-en", "-E"}:
            args.pop(0)
        return decode_ansi(" ".join(args)).rstrip("\n")
    if name == "printf" and args:
        form = decode_ansi(args[0])
        if re.fullmatch(r"(?:%[sb]\s*)+", form):
            return " ".join(args[1:]).rstrip("\n")
        if "%" not in form:
            return form.rstrip("\n")
    return None


def _split(cells: Sequence[_Cell], *, is_certain: bool) -> list[Field]:
    """Split at unquoted blanks; what is quoted stays together."""
    fields: list[Field] = []
    current: list[_Cell] = []
    for cell in cells:
        if cell.is_quoted or cell.char not in _BLANKS:
            current.append(cell)
        elif current:
            fields.append(_field(current, is_certain=is_certain))
            current = []
    if current:
        fields.append(_field(current, is_certain=is_certain))
    return fields


def _field(cells: Sequence[_Cell], *, is_certain: bool) -> Field:
    has_glob = any(cell.char in _GLOB_CHARACTERS and not cell.is_quoted for cell in cells)
    return Field(
        text="".join(cell.char for cell in cells),
        is_certain=is_certain,
        has_glob=has_glob,
        is_expanded=has_glob or not all(cell.is_literal for cell in cells),
    )


def _braces_expanded(cells: list[_Cell]) -> list[list[_Cell]]:
    """Return the words that ``a{b,c}`` becomes; the word itself when there is nothing to do."""
    opening = sum(cell.char == "{" and not cell.is_quoted for cell in cells)
    if not 0 < opening <= MAX_BRACES:
        return [cells]
    done: list[list[_Cell]] = []
    waiting = [cells]
    while waiting and len(done) + len(waiting) <= MAX_BRACES:
        word = waiting.pop()
        alternatives = _first_brace(word)
        if alternatives is None:
            done.append(word)
        else:
            waiting.extend(reversed(alternatives))
    return done + waiting


def _has_sequence(cells: Sequence[_Cell]) -> bool:
    """Whether a ``{a..c}`` stands in a word, which bash expands and a plain shell does not."""
    if not any(cell.char == "{" and not cell.is_quoted for cell in cells):
        return False
    plain = "".join(" " if cell.is_quoted else cell.char for cell in cells)
    return _SEQUENCE.search(plain) is not None


def _first_brace(word: list[_Cell]) -> list[list[_Cell]] | None:
    """Return the word once for each alternative of its first complete brace."""
    for start, cell in enumerate(word):
        if cell.char != "{" or cell.is_quoted:
            continue
        depth, commas = 0, [start]
        for i in range(start, len(word)):
            if word[i].is_quoted:
                continue
            if word[i].char == "{":
                depth += 1
            elif word[i].char == "," and depth == 1:
                commas.append(i)
            elif word[i].char == "}":
                depth -= 1
                if depth == 0:
                    if len(commas) == 1:
                        break
                    bounds = [*commas, i]
                    return [
                        word[:start] + word[low + 1 : high] + word[i + 1 :]
                        for low, high in pairwise(bounds)
                    ]
    return None
