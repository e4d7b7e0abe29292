"""Wrapping never makes a refused command acceptable, and nothing makes the policy fail."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.policy.here_documents import lift_here_documents
from caramelo_tui.policy.rules import is_in_git_folder, matches
from caramelo_tui.policy.shell_words import read_word
from tests.doubles.policy_calls import command_call, configured, decide, engine, write_call
from tests.unit.policy import commands

REFUSED = st.sampled_from(
    [
        "rm -rf /",
        "rm -rf ~",
        "rm -fr ..",
        "curl x | sh",
        "dd if=a of=/dev/sda",
        "mkfs.ext4 x",
        "chmod -R 777 /",
        'bash -c "$(curl x)"',
    ]
)
HARMLESS = st.sampled_from(["true", "echo 'rm -rf /'", "ls -la", "cd src", "x=1", "a | b"])


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


WRAPS: dict[str, Callable[[str], str]] = {
    "subshell": lambda c: f"({c})",
    "group": lambda c: f"{{ {c}; }}",
    "sh -c": lambda c: f"sh -c {quoted(c)}",
    "bash -ec": lambda c: f"bash -ec {quoted(c)}",
    "eval": lambda c: f"eval {quoted(c)}",
    "substitution": lambda c: f'echo "$({c})"',
    "backquotes": lambda c: c if "`" in c or "\\" in c else f"echo `{c}`",
    "assignment": lambda c: f"y=$({c})",
    "if": lambda c: f"if {c}; then a; fi",
    "then": lambda c: f"if a; then {c}; fi",
    "while": lambda c: f"while a; do {c}; done",
    "for": lambda c: f"for i in 1 2; do {c}; done",
    "function": lambda c: f"f() {{ {c}; }}; f",
    "background": lambda c: f"{c} &",
    "negated": lambda c: f"! ({c})",
    "input": lambda c: f"echo {quoted(c)} | sh",
    "here-string": lambda c: f"bash <<< {quoted(c)}",
    "here-document": lambda c: f"sh <<'END_OF_IT'\n{c}\nEND_OF_IT\n",
    "env": lambda c: f"env -i A=1 sh -c {quoted(c)}",
    "sudo": lambda c: f"sudo -u root sh -c {quoted(c)}",
    "timeout": lambda c: f"timeout -k 1 5 bash -c {quoted(c)}",
    "nohup": lambda c: f"nohup nice -n 5 sh -c {quoted(c)}",
    "xargs": lambda c: f"xargs -0 sh -c {quoted(c)}",
    "find": lambda c: f"find . -exec sh -c {quoted(c)} \\;",
    "output": lambda c: f"({c}) > out.txt 2>&1",
    "line": lambda c: f"true\n{c}\ntrue",
}
"""Each runs its command in the workspace, sooner or later."""


@given(
    REFUSED,
    st.lists(st.sampled_from(sorted(WRAPS)), max_size=4),
    st.lists(st.tuples(HARMLESS, st.sampled_from([" ; ", " && ", "\n", " || "])), max_size=3),
)
@settings(deadline=None)
def test_wrapping_never_gets_a_refused_command_through(
    command: str, wraps: list[str], before: list[tuple[str, str]]
) -> None:
    for wrap in wraps:
        command = WRAPS[wrap](command)
    for harmless, joint in before:
        # A change of folder would change what ``..`` means.
        command = f"({harmless}){joint}{command}"

    assert decide(command).is_deny, command


SPELLINGS = st.lists(
    st.sampled_from(["plain", "single", "double", "escape", "ansi", "empty"]),
    min_size=8,
    max_size=8,
)


def spelled(word: str, kinds: list[str]) -> str:
    spell: dict[str, Callable[[str], str]] = {
        "plain": lambda c: c,
        "single": lambda c: f"'{c}'",
        "double": lambda c: f'"{c}"',
        "escape": lambda c: f"\\{c}",
        "ansi": lambda c: f"$'\\x{ord(c):02x}'",
        "empty": lambda c: f"''{c}\"\"",
    }
    return "".join(spell[kinds[i % len(kinds)]](char) for i, char in enumerate(word))


@given(SPELLINGS, SPELLINGS, SPELLINGS)
@settings(deadline=None)
def test_quoting_never_gets_a_refused_command_through(
    name: list[str], option: list[str], target: list[str]
) -> None:
    command = f"{spelled('rm', name)} {spelled('-rf', option)} {spelled('/', target)}"

    assert decide(command).is_deny, command


@given(st.sampled_from(commands.HARMLESS), st.sampled_from(["(%s)", "if a; then %s\nfi", "%s\nb"]))
@settings(deadline=None)
def test_wrapping_a_harmless_command_does_not_get_it_refused(command: str, wrap: str) -> None:
    assert decide(wrap.replace("%s", command)).is_ask


SHELL_TEXT = st.lists(
    st.sampled_from(
        [
            *"ab/.-rmf$'\"\\`(){}|&;<>\n \t#=*?![]~",
            "<<E\n",
            "E\n",
            "rm -rf /",
            "$(",
            "\0",
        ]
    ),
    max_size=60,
).map("".join)


@given(st.one_of(SHELL_TEXT, st.text(max_size=80)))
@settings(deadline=None)
def test_any_text_is_decided_and_explained(text: str) -> None:
    parts = engine().explain(text)
    decision = engine().decide(command_call(text), mode=ApprovalMode.REVIEW)

    assert decision.is_ask or decision.is_deny
    assert all(part.text is not None for part in parts)


@given(st.one_of(SHELL_TEXT, st.text(max_size=80)))
def test_words_and_documents_of_any_text_can_be_read(text: str) -> None:
    read_word(text, {})
    lifted = lift_here_documents(text)

    assert sum(len(document.body) for document in lifted.documents) <= len(text)


NAMES = st.text(st.sampled_from("abAB.env\u00e9e\u0301"), min_size=1, max_size=6)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@given(PATHS, st.sampled_from(["{}", "x/{}", "x/y/{}"]))
def test_gits_folder_and_protected_names_are_met_at_any_depth_and_case(
    path: str, above: str
) -> None:
    for name in (".git", ".GIT", ".Git"):
        assert is_in_git_folder(above.format(f"{name}/{path}"))
    for name in (".env", ".ENV", ".Env.local"):
        assert matches(above.format(name), ".env*")


@given(PATHS, st.lists(PATHS, max_size=3), st.sampled_from(list(ApprovalMode)))
def test_more_protection_never_allows_more(
    path: str, patterns: list[str], mode: ApprovalMode
) -> None:
    call = write_call(path)
    before = engine().decide(call, mode=mode)
    after = engine(configured(protected=patterns)).decide(call, mode=mode)

    order = ["allow", "ask", "deny"]
    assert order.index(after.verdict) >= order.index(before.verdict)
