"""Run the package's child with a model that never dices, so that its runs can be repeated.

Started as a script, with the path of the package's child as its argument.
"""

import importlib
import runpy
import sys
from typing import Any


def main(child: str) -> None:
    """Run the child script at a path, with one default of the library changed."""
    library: Any = importlib.import_module("xllamacpp")
    made_by_library = library.CommonParams

    def parameters() -> object:
        settings = made_by_library()
        settings.sampling.temp = 0.0
        return settings

    library.CommonParams = parameters
    runpy.run_path(child, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1])
