"""What is measured: name, unit, target and way of each figure, in one place.

Owns the registry; knows nothing of how a figure is taken. The targets are those that the product
was set, for a quiet machine of two cores. Proven by tests/architecture/test_benchmarks.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Samples = Mapping[str, Sequence[float]]
"""Values by the key of their figure, in the order they were taken."""
