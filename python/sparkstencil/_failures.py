# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""What failures in Java say, without the stack: those of this library come as its error.

PySpark does so for failures of its own (``pyspark.errors.exceptions.captured``), in the same place.
"""

from __future__ import annotations

import sys
from functools import wraps
from typing import Any, Callable, Optional

from sparkstencil._errors import StencilError

_OURS = ("io.sparkstencil.",)
#: How jobs fail. What else Spark throws, PySpark has errors for.
_OF_JOBS = ("org.apache.spark.SparkException", "java.util.concurrent.ExecutionException")
#: What may be around errors of tasks. What a user has put around one says more than it.
_AROUND = ("org.apache.spark.", "java.util.concurrent.")
#: Errors can be causes of each other.
_MOST_CAUSES = 100


def message_of(
    thrown: Any, begins: tuple[str, ...], around: tuple[str, ...] = ("",)
) -> Optional[str]:
    """Returns what the first cause says whose class has a name that begins so, or None.

    Names of those around it begin as ``around`` says.
    """
    for _ in range(_MOST_CAUSES):  # errors of tasks are causes of those of jobs
        name = "" if thrown is None else thrown.getClass().getName()
        if name.startswith(begins):
            return str(thrown.getMessage() or thrown.toString())
        if thrown is None or not name.startswith(around):
            break
        thrown = thrown.getCause()
    return None


def _message_of_failure(thrown: Any) -> Optional[str]:
    try:
        name = "" if thrown is None else thrown.getClass().getName()
        return message_of(thrown, _OURS, _AROUND) if name.startswith(_OURS) or name in _OF_JOBS else None
    except Exception:  # Java may not answer any more, or not let Python look at it
        return None


def _stated(results: Callable[..., Any]) -> Callable[..., Any]:
    from py4j.protocol import Py4JJavaError

    @wraps(results)
    def stated(*arguments: Any, **named: Any) -> Any:
        try:
            return results(*arguments, **named)
        except Py4JJavaError as e:
            message = _message_of_failure(e.java_exception)
            if message is None:
                raise
            # That of the package as it is now: it may have been imported again.
            error = getattr(sys.modules.get("sparkstencil"), "StencilError", StencilError)
            raise error(message) from None  # __context__ is Spark's, with the stack

    stated._states_failures = True  # type: ignore[attr-defined]
    return stated


def state_failures() -> None:
    """Makes failures of this library in any job, such as that of ``collect()``, a StencilError."""
    try:
        from py4j import java_gateway, protocol
    except ImportError:  # clients of Spark Connect may lack it
        return
    # Sessions to come wrap what protocol has; those that are there use what java_gateway has.
    for module in (protocol, java_gateway):
        if not hasattr(module.get_return_value, "_states_failures"):
            module.get_return_value = _stated(module.get_return_value)
