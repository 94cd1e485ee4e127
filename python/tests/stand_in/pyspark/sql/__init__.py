# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Sessions, frames, columns and rows."""

import atexit
import datetime
import logging
import os
import shlex
import subprocess
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from py4j.java_gateway import GatewayParameters, JavaGateway, JavaObject

from pyspark.sql.types import StructType

_EPOCH = datetime.datetime(1970, 1, 1)


class Row(tuple):
    """The values of a row, which have names."""

    def __new__(cls, names, values):
        row = super().__new__(cls, values)
        row._names = names
        return row

    def __getattr__(self, name):
        try:
            return self[self._names.index(name)]
        except ValueError:
            raise AttributeError(name) from None

    def __getitem__(self, key):
        return super().__getitem__(self._names.index(key) if isinstance(key, str) else key)


class Column:
    def __init__(self, jc):
        self._jc = jc

    def alias(self, name):
        return Column(getattr(self._jc, "as")(name))


class SparkSession:
    """A session of a JVM of its own, whose class path STENCIL_CLASS_PATH is."""

    active = None

    def __init__(self, gateway, jsession):
        self._jvm = gateway.jvm
        self._jsparkSession = jsession
        self.sparkContext = SimpleNamespace(
            _gateway=gateway,
            _jvm=gateway.jvm,
            setLogLevel=lambda level: jsession.sparkContext().setLogLevel(level),
        )
        SparkSession.active = self

    def sql(self, text):
        return DataFrame(self._jsparkSession.sql(text), self)

    def range(self, end, numPartitions=None):
        if numPartitions is None:
            return DataFrame(self._jsparkSession.range(end).toDF(), self)
        return DataFrame(self._jsparkSession.range(0, end, 1, numPartitions).toDF(), self)


class Builder:
    def __init__(self):
        self._options = {"spark.master": "local[*]", "spark.app.name": "python"}

    def master(self, master):
        return self.config("spark.master", master)

    def config(self, key, value):
        self._options[key] = value
        return self

    def getOrCreate(self):
        if SparkSession.active is not None:
            return SparkSession.active
        gateway = _gateway()
        builder = gateway.jvm.org.apache.spark.sql.SparkSession.builder()
        for key, value in self._options.items():
            if key not in ("spark.jars", "spark.driver.memory"):  # of the JVM, which is there already
                builder.config(key, value)
        return SparkSession(gateway, builder.getOrCreate())


SparkSession.builder = Builder()


def _gateway():
    folder = tempfile.TemporaryDirectory()
    told = Path(folder.name, "gateway")
    command = ["java", *shlex.split(os.environ.get("STENCIL_JVM_OPTIONS", "")), "-Xmx1g", "-cp"]
    command += [os.environ["STENCIL_CLASS_PATH"], "org.apache.spark.api.python.PythonGatewayServer"]
    jvm = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        env={**os.environ, "_PYSPARK_DRIVER_CONN_INFO_PATH": str(told)},
    )
    while not told.exists():
        if jvm.poll() is not None:
            raise RuntimeError(f"the JVM ended with {jvm.returncode}")
        time.sleep(0.05)
    content = told.read_bytes()
    port = int.from_bytes(content[:4], "big")
    secret = content[8 : 8 + int.from_bytes(content[4:8], "big")].decode()
    folder.cleanup()

    def end():
        logging.getLogger("py4j").setLevel(logging.CRITICAL)  # objects that outlive the JVM
        jvm.stdin.close()  # for which the gateway waits
        jvm.wait()

    atexit.register(end)
    parameters = GatewayParameters(port=port, auth_token=secret, auto_convert=True)
    return JavaGateway(gateway_parameters=parameters)


class DataFrame:
    def __init__(self, jdf, session):
        self._jdf = jdf
        self.sparkSession = session

    @property
    def columns(self):
        return list(self._jdf.columns())

    @property
    def schema(self):
        return StructType(self._jdf.schema())

    def selectExpr(self, *texts):
        return self._of(self._jdf.selectExpr(self._array("java.lang.String", texts)))

    def select(self, *columns):
        functions = self.sparkSession._jvm.org.apache.spark.sql.functions
        wanted = [each._jc if isinstance(each, Column) else functions.col(each) for each in columns]
        return self._of(self._jdf.select(self._array("org.apache.spark.sql.Column", wanted)))

    def orderBy(self, column, *more):
        return self._of(self._jdf.orderBy(column, self._array("java.lang.String", more)))

    def limit(self, count):
        return self._of(self._jdf.limit(count))

    def collect(self):
        names = self.columns
        rows = self._jdf.collectAsList()
        return [Row(names, [_value(row.get(i)) for i in range(len(names))]) for row in rows]

    def head(self):
        return self.limit(1).collect()[0]

    def show(self):
        print(self._jdf.showString(20, 20, False))

    def _of(self, jdf):
        return DataFrame(jdf, self.sparkSession)

    def _array(self, name, values):
        kind = self.sparkSession._jvm
        for part in name.split("."):
            kind = getattr(kind, part)
        array = self.sparkSession.sparkContext._gateway.new_array(kind, len(values))
        for i, value in enumerate(values):
            array[i] = value
        return array


def _value(value):
    if not isinstance(value, JavaObject):
        return value
    kind = value.getClass().getName()
    if kind == "java.sql.Timestamp":
        seconds = value.getTime() // 1000
        return _EPOCH + datetime.timedelta(seconds=seconds, microseconds=value.getNanos() // 1000)
    if kind == "java.sql.Date":
        return datetime.date.fromisoformat(value.toString())
    return [_value(value.apply(i)) for i in range(value.length())]  # a sequence of Scala
