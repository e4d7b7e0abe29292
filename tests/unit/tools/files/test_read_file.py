"""Lines come with numbers, and a note says what is missing."""

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import CacheScope, Effect
from tests.doubles.tool_worlds import ToolWorld

ABC = "alpha\nbeta\ngamma\n"


async def test_lines_are_numbered_right_aligned_with_a_bar(core_world: ToolWorld) -> None:
    core_world.write("n.txt", ABC)

    output = await core_world.run("read_file", path="n.txt")

    assert output.text == "   1 | alpha\n   2 | beta\n   3 | gamma\n"
    assert not output.is_error
    assert not output.is_truncated


async def test_numbers_above_four_digits_take_their_room(core_world: ToolWorld) -> None:
    core_world.write("n.txt", "x\n" * 10_000)

    output = await core_world.run("read_file", path="n.txt", offset=9_999)

    assert output.text == "9999 | x\n10000 | x\n"


@pytest.mark.parametrize(
    ("arguments", "rows", "note"),
    [
        ({"offset": 2}, "   2 | beta\n   3 | gamma\n", ""),
        ({"limit": 2}, "   1 | alpha\n   2 | beta\n", "[lines 1-2 of 3; read on with offset 3]"),
        ({"offset": 2, "limit": 1}, "   2 | beta\n", "[lines 2-2 of 3; read on with offset 3]"),
        ({"offset": 3, "limit": 50}, "   3 | gamma\n", ""),
        ({"limit": 10**30}, "   1 | alpha\n   2 | beta\n   3 | gamma\n", ""),
    ],
)
async def test_offset_and_limit_choose_lines(
    core_world: ToolWorld, arguments: dict[str, int], rows: str, note: str
) -> None:
    core_world.write("n.txt", ABC)

    output = await core_world.run("read_file", path="n.txt", **arguments)

    assert output.text == rows + (f"\n{note}\n" if note else "")
    assert not output.is_truncated


async def test_offset_past_the_end_is_an_empty_body_with_a_note(core_world: ToolWorld) -> None:
    core_world.write("n.txt", ABC)

    output = await core_world.run("read_file", path="n.txt", offset=4)

    assert not output.is_error
    assert output.text == "[offset 4 is past the end: the file has 3 lines]\n"


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
async def test_empty_file_says_so(core_world: ToolWorld, content: bytes) -> None:
    core_world.write("e.txt", content)

    assert (await core_world.run("read_file", path="e.txt")).text == "[the file is empty]\n"


async def test_last_line_without_a_line_end_and_blank_lines_count(core_world: ToolWorld) -> None:
    core_world.write("n.txt", "a\n\n\nb")

    output = await core_world.run("read_file", path="n.txt")

    assert output.text == "   1 | a\n   2 | \n   3 | \n   4 | b\n"


async def test_crlf_is_shown_as_lf_and_a_byte_order_mark_not_at_all(core_world: ToolWorld) -> None:
    core_world.write("n.txt", b"\xef\xbb\xbfa\r\nb\rc\r\n")

    output = await core_world.run("read_file", path="n.txt")

    assert output.text == "   1 | a\n   2 | b\rc\n"


async def test_only_a_line_feed_ends_a_line(core_world: ToolWorld) -> None:
    core_world.write("n.txt", "a\u2028b\x0bc\x85d\ne\n")

    output = await core_world.run("read_file", path="n.txt")

    assert output.text == "   1 | a\u2028b\x0bc\x85d\n   2 | e\n"


async def test_long_file_is_cut_at_a_line_with_a_note_that_names_offset_and_limit(
    core_world: ToolWorld,
) -> None:
    core_world.write("big.txt", "".join(f"{number:0>99}\n" for number in range(1, 3_001)))

    output = await core_world.run("read_file", path="big.txt")

    assert output.is_truncated
    assert not output.is_error
    assert 261_000 < len(output.text.encode()) <= 262_144
    rows, _, note = output.text.partition("\n\n")
    last = int(rows.rsplit("\n", 1)[-1].partition(" |")[0])
    assert rows.endswith(f"{last} | {last:0>99}")
    assert f"[lines 1-{last} of 3000: more than 256 KB" in note
    assert f"read on with offset {last + 1}, and limit" in note
    rest = await core_world.run("read_file", path="big.txt", offset=last + 1)
    assert rest.text.startswith(f"{last + 1:>4} | ")
    assert rest.text.endswith("3000\n")


async def test_exactly_what_fits_is_not_cut(core_world: ToolWorld) -> None:
    room = 262_144 - 512
    core_world.write("fits.txt", "x" * (room - 8) + "\n")
    core_world.write("more.txt", "x" * (room - 7) + "\n")

    fits = await core_world.run("read_file", path="fits.txt")
    more = await core_world.run("read_file", path="more.txt")

    assert not fits.is_truncated
    assert fits.text == "   1 | " + "x" * (room - 8) + "\n"
    assert more.is_truncated


@pytest.mark.parametrize("size", [262_140, 300_000, 1_000_000])
@pytest.mark.parametrize("character", ["x", "é", "€"])
async def test_line_that_alone_is_too_long_is_cut_at_a_character(
    core_world: ToolWorld, size: int, character: str
) -> None:
    line = character * (size // len(character.encode()))
    core_world.write("long.txt", f"{line}\nnext\n")

    output = await core_world.run("read_file", path="long.txt")

    shown = output.text.removeprefix("   1 | ").partition("\n")[0]
    assert line.startswith(shown)
    assert output.is_truncated
    assert 261_000 < len(output.text.encode()) <= 262_144
    assert "[line 1 of 2 was cut: it alone is longer than 256 KB" in output.text
    assert "offset 2" in output.text
    assert (await core_world.run("read_file", path="long.txt", offset=2)).text == "   2 | next\n"


async def test_line_that_looks_like_the_note_has_a_number(core_world: ToolWorld) -> None:
    core_world.write("n.txt", "\n[lines 1-2 of 9; read on with offset 3]\n")

    output = await core_world.run("read_file", path="n.txt")

    assert all(row.partition(" | ")[0].strip().isdecimal() for row in output.text.splitlines())


async def test_absolute_path_inside_is_accepted(core_world: ToolWorld) -> None:
    file = core_world.write("sub/n.txt", "x\n")

    prepared = await core_world.prepare("read_file", path=str(file), offset=1, limit=5)

    assert prepared.summary == "sub/n.txt:1-5"
    assert (await core_world.run("read_file", path=str(file))).text == "   1 | x\n"


async def test_link_outside_and_missing_and_binary_files_are_errors(core_world: ToolWorld) -> None:
    secret = core_world.root.parent / "outside" / "secret.txt"
    secret.write_text("TOPSECRET")
    (core_world.root / "link").symlink_to(secret)
    core_world.write("bin", b"a\0b")

    for path, word in (
        (str(secret), "outside"),
        ("link", "outside"),
        ("none", "not exist"),
        ("bin", "NUL"),
    ):
        output = await core_world.run("read_file", path=path)
        assert output.is_error
        assert word in output.text
        assert "TOPSECRET" not in output.text


@pytest.mark.parametrize("name", ["offset", "limit"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "2", None, True])
async def test_offset_and_limit_must_be_integers_of_at_least_one(
    core_world: ToolWorld, name: str, value: float | str | None
) -> None:
    core_world.write("n.txt", ABC)

    with pytest.raises(ToolFailure, match=name):
        await core_world.prepare("read_file", path="n.txt", **{name: value})


async def test_read_is_free_and_cacheable_by_the_files_stamp(core_world: ToolWorld) -> None:
    core_world.write("n.txt", ABC)

    prepared = await core_world.prepare("read_file", path="./n.txt")

    assert prepared.effect is Effect.READ
    assert prepared.is_cacheable
    assert prepared.cache_scope is CacheScope.STAMPS
    assert prepared.paths == ("n.txt",)
    assert prepared.summary == "n.txt"
