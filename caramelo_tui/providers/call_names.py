"""Read the name of a tool call from a vendor's answer.

Owns that a call without a name breaks the answer off: it could be run by nobody, and a transcript
that holds one is refused by the vendor from then on. Proven by tests/fuzz/test_targets.py and
tests/unit/providers/test_call_names.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.providers.vendor_json import encodable_text, text_at


def name_of_call(holder: Mapping[str, object]) -> str:
    """Return the name in a call's object, as text that can be sent again.

    Raises:
        StreamBroken: If it has none.
    """
    name = encodable_text(text_at(holder, "name"))
    if not name:
        raise StreamBroken("The provider sent a tool call without a name.")
    return name
