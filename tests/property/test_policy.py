"""Wrapping never makes a refused command acceptable, and nothing makes the policy fail."""

from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.here_documents import lift_here_documents
from caramelo_tui.policy.rules import is_in_git_folder, matches
from caramelo_tui.policy.shell_words import read_word
from tests.doubles.policy_calls import command_call, configured, decide, engine, write_call
from tests.unit.policy import commands, decided_commands

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
    "here-document": lambda c: f"sh <<'END_{len(c)}'\n{c}\nEND_{len(c)}\n",
    "env": lambda c: f"env -i A=1 sh -c {quoted(c)}",
    "sudo": lambda c: f"sudo -u root sh -c {quoted(c)}",
    "timeout": lambda c: f"timeout -k 1 5 bash -c {quoted(c)}",
    "nohup": lambda c: f"nohup nice -n 5 sh -c {quoted(c)}",
    "xargs": lambda c: f"xargs -0 sh -c {quoted(c)}",
    "find": lambda c: f"find . -exec sh -c {quoted(c)} \\;",
    "output": lambda c: f"({c}) > out.txt 2>&1",
    "line": lambda c: f"true\n{c}\ntrue",
    "continued": lambda c: c if set(c) & set("'\"\\#\n") else c.replace(" ", " \\\n "),
    "process": lambda c: f"cat <({c}\n)",
    "trap": lambda c: f"trap {quoted(c)} EXIT",
    "case": lambda c: f"case a in a) {c}\n;; esac",
    "until": lambda c: f"until {c}\ndo a; done",
    "exec": lambda c: f"exec sh -c {quoted(c)}",
    "printed": lambda c: f"printf %s {quoted(c)} | cat | sh",
    "piped": lambda c: f"({c}\n) | cat",
    "both": lambda c: f"true && {{ {c}\n}} || false",
    "closed": lambda c: f">&- {{ {c}\n}} <&-",
    "busybox": lambda c: f"busybox sh -c {quoted(c)}",
    "words": lambda c: f"xargs -n 1 env A=1 sh -c {quoted(c)} _ x",
    "find words": lambda c: f"find . -name x -exec nohup sh -c {quoted(c)} {{}} +",
    "alias": lambda c: f"alias x={quoted(c)}\nx",
    "su": lambda c: f"su root -c {quoted(c)}",
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


ORDER = ["allow", "ask", "deny"]


def strictness(command: str, settings: PolicySettings | None = None) -> int:
    return ORDER.index(decide(command, tool="run_command", settings=settings).verdict)


@given(
    st.sampled_from(decided_commands.ASKED),
    st.lists(st.sampled_from(sorted(set(WRAPS) - {"find", "backquotes"})), min_size=1, max_size=3),
)
@settings(deadline=None)
def test_wrapping_never_gets_an_asked_command_allowed(command: str, wraps: list[str]) -> None:
    for wrap in wraps:
        command = WRAPS[wrap](command)

    assert strictness(command) >= ORDER.index("ask"), command


OWN_BLOCKS = ["mark", "mark a", "git push", "ls", "make | tail", "echo"]


@given(
    st.one_of(
        st.sampled_from(decided_commands.ALLOWED),
        st.sampled_from(decided_commands.ASKED),
        st.sampled_from(commands.HARMLESS),
        st.lists(st.sampled_from(decided_commands.ALLOWED), max_size=3).map("\n".join),
    ),
    st.lists(st.one_of(st.sampled_from(OWN_BLOCKS), st.text(max_size=8)), max_size=3),
    st.booleans(),
)
@settings(deadline=None)
def test_more_rules_never_allow_more(command: str, blocked: list[str], denies: bool) -> None:  # noqa: FBT001 - hypothesis passes it by name
    before = strictness(command)

    assert strictness(command, configured(blocked=blocked, denies=denies)) >= before


@given(
    st.sampled_from(["mark", "mark a b", "/bin/mark", "'mark' x", "MARK"]),
    st.lists(st.sampled_from(sorted(WRAPS)), max_size=4),
)
@settings(deadline=None)
def test_wrapping_never_gets_a_blocked_command_through(command: str, wraps: list[str]) -> None:
    for wrap in wraps:
        command = WRAPS[wrap](command)

    assert decide(command, tool="run_command", settings=configured(blocked=["mark"])).is_deny


REDIRECTS = [
    ">&-", "2>&-", "<&-", ">&2", "2>&1", "<x", "2>/dev/null", "&>/dev/null", ">|/dev/null", "<>x",
    "3>&1-", "{fd}>/dev/null", ">>/dev/null", "<<<x", "1<&0", "<&3-", "2>&$X", "> /dev/null",
]  # fmt: skip
PLACES = [
    "{r} tee .env",
    "tee {r} .env",
    "tee .env {r}",
    "A=1 {r} tee .env",
    "{r} A=1 tee .env",
    "A=1 {r} B=2 {r} tee {r} .env",
    "x | {r} tee .env",
    "({r} tee {r} .env)",
    "{ {r} tee .env\n}",
    "x=$({r} tee {r} .env\n)",
    "time {r} tee .env",
    "export A=1 {r}; tee .env",
    "x {r} $(tee .env)",
    '{ x; } {r} >"$(tee .env)"',
    "A=1 >$(tee .env)",
]


@given(st.lists(st.sampled_from(REDIRECTS), min_size=1, max_size=3), st.sampled_from(PLACES))
@settings(deadline=None)
def test_redirects_hide_no_word_of_a_command(redirects: list[str], place: str) -> None:
    command = place.replace("{r}", " ".join(redirects))

    assert strictness(command) >= ORDER.index("ask"), command


@given(st.integers(1, 3), st.sampled_from(PLACES[:4]))
def test_here_documents_hide_no_word_of_a_command(count: int, place: str) -> None:
    command = place.replace("{r}", "<<E " * count) + "\nx\nE\n" * count

    assert "protected path .env" in decide(command, tool="run_command").reason


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

    assert ORDER.index(after.verdict) >= ORDER.index(before.verdict)


LIMITS = st.none() | st.integers(0, 600).map(lambda lines: LineLimit(lines=lines))
BOOKINGS = st.lists(st.integers(0, 300), max_size=6)


@given(LIMITS, LIMITS, BOOKINGS, st.integers(0, 300), st.integers(1, 700))
def test_no_write_passes_a_limit_and_more_limits_never_allow_more(
    deny: LineLimit | None, ask: LineLimit | None, booked: list[int], pending: int, lines: int
) -> None:
    free = engine()
    limited = engine(PolicySettings(max_diff_lines=deny, require_approval_above=ask))
    for policy in (free, limited):
        for count in booked:
            policy.ledger.book(count)
    call = write_call("a", lines=lines)
    total = sum(booked) + pending + lines

    verdict = limited.decide(call, mode=ApprovalMode.AUTO, pending_lines=pending).verdict

    assert free.decide(call, mode=ApprovalMode.AUTO, pending_lines=pending).is_allow
    if deny is not None and total > deny.lines:
        assert verdict == "deny"
    elif ask is not None and total > ask.lines:
        assert verdict == "ask"
    else:
        assert verdict == "allow"


@given(PATHS, PATHS, st.sampled_from(list(ApprovalMode)))
def test_a_grant_only_turns_questions_of_the_mode_into_permissions(
    granted: str, path: str, mode: ApprovalMode
) -> None:
    assume(not {".", ".."} & set(granted.split("/")))
    session = SessionGrants()
    for offer in session.offers(granted):
        session.grant(offer.pattern, path=granted)
    call = write_call(path)
    before = engine().decide(call, mode=mode)
    after = engine(grants=session).decide(call, mode=mode)

    assert after == before or (before.code == "mode" and before.is_ask and after.is_allow)
