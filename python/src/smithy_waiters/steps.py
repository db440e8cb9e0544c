"""The steps of a wait that the caller drives.

>>> from smithy_waiters import Step
>>> def describe(step: Step) -> str:
...     return step.type
"""

from typing import TypeAlias

from ._engine import Call, Done, Sleep

Step: TypeAlias = Call | Sleep | Done
"""The next step of a wait: call the operation, sleep, or end. Distinguish the steps by class or by `type`."""
