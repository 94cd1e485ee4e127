# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Functions that make columns."""

from pyspark.sql import Column, SparkSession


def _call(name, *arguments):
    return Column(getattr(SparkSession.active._jvm.org.apache.spark.sql.functions, name)(*arguments))


def _columns(columns):
    session = SparkSession.active
    gateway = session.sparkContext._gateway
    array = gateway.new_array(session._jvm.org.apache.spark.sql.Column, len(columns))
    for i, column in enumerate(columns):
        array[i] = column._jc
    return array


def lit(value):
    return _call("lit", value)


def col(name):
    return _call("col", name)


def expr(text):
    return _call("expr", text)


def array(*columns):
    return _call("array", _columns(columns))


def call_function(name, *columns):
    return _call("call_function", name, _columns(columns))
