# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The way to the Java classes of the session: conversions and errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import index
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from sparkstencil._errors import StencilError
from sparkstencil._failures import message_of

#: How the names of exceptions begin whose messages say what a user can do.
_STATED = ("io.sparkstencil.", "java.lang.IllegalStateException")


@contextmanager
def errors() -> Iterator[None]:
    """Raises errors of the library as :class:`StencilError`, with its message alone."""
    from py4j.protocol import Py4JError, Py4JJavaError  # which clients of Spark Connect lack

    try:
        yield
    except Py4JJavaError as e:
        message = message_of(e.java_exception, _STATED)
        if message is None:
            raise
        raise StencilError(message) from None
    except Py4JError as e:
        if "does not exist" not in str(e):
            raise
        raise StencilError(
            "an argument has a type that is not possible; columns and engines are str, numbers of rows,"
            " cells and steps int"
        ) from None


def name_of(column: str) -> str:
    """Returns the name of a column, which columns of PySpark do not tell."""
    if not isinstance(column, str):
        raise StencilError(f"column {column!r} is {type(column).__name__}; give the name of a column")
    return column


def whole(value: int, what: str) -> int:
    """Returns a whole number of Python, also for one of NumPy."""
    try:
        return index(value)
    except TypeError:
        raise StencilError(f"{what} {value!r} is {type(value).__name__}; give a whole number") from None


def session_of(df: DataFrame) -> SparkSession:
    """Returns the session of a frame, which has to be one of PySpark itself."""
    if not hasattr(df, "_jdf"):
        raise StencilError(
            f"{type(df).__module__}.{type(df).__name__} has no Java object behind it, as under Spark"
            " Connect; use SQL windows and sparkstencil.functions there"
        )
    return df.sparkSession


class Java:
    """Java classes of a session, by their full names."""

    def __init__(self, spark: SparkSession) -> None:
        if not hasattr(spark, "_jsparkSession"):
            raise StencilError(
                f"{type(spark).__module__}.{type(spark).__name__} has no Java session behind it, as"
                " under Spark Connect; use SQL windows and sparkstencil.functions there"
            )
        self.spark = spark
        self._gateway: Any = spark.sparkContext._gateway
        self._jvm: Any = spark._jvm

    def type(self, name: str) -> Any:
        """Returns a class: its static methods and, called, its constructor."""
        from py4j.java_gateway import JavaClass

        found = self._jvm
        for part in name.split("."):
            found = getattr(found, part)
        if not isinstance(found, JavaClass):  # Py4J takes what it does not find for a package
            raise StencilError(
                f"there is no class {name} on the driver's class path; start Spark with"
                " --jars spark-stencil-VERSION.jar"
            )
        return found

    def strings(self, values: Sequence[str]) -> Any:
        """Returns a ``String[]``."""
        array = self._gateway.new_array(self._jvm.java.lang.String, len(values))
        for i, value in enumerate(values):
            array[i] = name_of(value)
        return array

    def doubles(self, values: Sequence[float]) -> Any:
        """Returns a ``double[]``."""
        array = self._gateway.new_array(self._jvm.double, len(values))
        for i, value in enumerate(values):
            array[i] = float(value)
        return array

    def longs(self, values: Sequence[int], what: str) -> Any:
        """Returns a ``long[]``."""
        array = self._gateway.new_array(self._jvm.long, len(values))
        for i, value in enumerate(values):
            array[i] = whole(value, what)
        return array

    def text_map(self, values: Mapping[str, Any]) -> Any:
        """Returns a ``java.util.Map`` with strings as keys."""
        result = self._jvm.java.util.HashMap()
        for key, value in values.items():
            result.put(key, value)
        return result

    def text_list(self, values: Sequence[str]) -> Any:
        """Returns a ``java.util.List``."""
        result = self._jvm.java.util.ArrayList()
        for value in values:
            result.add(value)
        return result

    def frame(self, dataset: Any) -> DataFrame:
        """Returns the frame of a ``Dataset<Row>``."""
        return DataFrame(dataset, self.spark)
