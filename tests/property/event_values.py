"""What the events of property tests are made of: registered once, for all of them.

Texts may hold lone surrogates (names that are not UTF-8); numbers of ours are no larger than what
can be counted, whole ones are counts, and times are in the calendar. A few texts and numbers come
again and again, so that events speak of one another.
"""

from hypothesis import strategies as st

from caramelo_tui.domain.agent_events import EventHead

NAMES = st.sampled_from(["", "a", "b", "\x1b[2J", "../x"])
TEXTS = st.one_of(NAMES, st.text(st.characters(exclude_categories=()), max_size=12))
COUNTS = st.one_of(st.integers(0, 5), st.integers(0, 2**63 - 1), st.just(2**63 - 1))


def register() -> None:
    """Let ``from_type`` make the values of events."""
    st.register_type_strategy(str, TEXTS)
    st.register_type_strategy(float, st.floats(min_value=-(2.0**62), max_value=2.0**62))
    st.register_type_strategy(int, COUNTS)
    st.register_type_strategy(
        EventHead, st.builds(EventHead, at=st.floats(min_value=0, max_value=2.5e11))
    )
