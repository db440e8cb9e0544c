"""The steps of a wait that is driven by hand.

>>> from smithy_waiters import Step
>>> def describe(step: Step) -> str:
...     return step.type
"""

from typing import TypeAlias

from ._engine import Call, Done, Sleep

Step: TypeAlias = Call | Sleep | Done
"""What a wait is to do next: call the operation, sleep, or end. Tell them apart by `isinstance`, or by their `type`."""
