# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Which failures of Java come as errors of the package, and which stay as they are."""

import importlib
import pickle
import sys
import unittest

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JJavaError

from sparkstencil import StencilError
from sparkstencil._failures import _stated, message_of

from tests.session import spark

jvm = spark._jvm


def ours(message="radius -1"):
    return jvm.io.sparkstencil.error.InvalidStencilException(message)


def of_job(cause):
    return jvm.org.apache.spark.SparkException("a job failed", cause)


def throw(throwable):
    jvm.scala.util.Failure(throwable).get()


class FailuresTest(unittest.TestCase):
    def test_what_spark_puts_around_a_failure_goes(self):
        around = jvm.java.util.concurrent.ExecutionException
        for failure in [ours(), of_job(ours()), of_job(of_job(ours())), around(of_job(ours()))]:
            with self.assertRaisesRegex(StencilError, "^radius -1$") as failed:
                throw(failure)
            self.assertIsInstance(failed.exception.__context__, Py4JJavaError)
        copied = pickle.loads(pickle.dumps(failed.exception))
        self.assertEqual((type(copied), str(copied)), (StencilError, "radius -1"))

    def test_what_a_user_puts_around_a_failure_stays(self):
        for failure in [
            jvm.java.lang.IllegalStateException("sensor 17 of the user", ours()),
            of_job(jvm.java.lang.RuntimeException("sensor 17 of the user", ours())),
        ]:
            with self.assertRaisesRegex(Py4JJavaError, "sensor 17 of the user"):
                throw(failure)

    def test_failures_that_are_causes_of_each_other_come_to_an_end(self):
        one = jvm.java.lang.RuntimeException("one")
        one.initCause(of_job(one))
        self.assertIsNone(message_of(one, ("io.sparkstencil.",)))

    def test_a_failure_that_java_does_not_let_python_look_at_stays(self):
        nowhere = JavaObject("o999999999", spark.sparkContext._gateway._gateway_client)
        failure = Py4JJavaError("told", nowhere)

        def fails():
            raise failure

        with self.assertRaises(Py4JJavaError) as failed:
            _stated(fails)()
        self.assertIs(failed.exception, failure)

    def test_a_package_that_is_imported_again_has_errors_of_its_own(self):
        first = {name: sys.modules[name] for name in sys.modules if name.split(".")[0] == "sparkstencil"}
        for name in first:
            del sys.modules[name]
        try:
            again = importlib.import_module("sparkstencil")
            self.assertIsNot(again.StencilError, StencilError)
            with self.assertRaises(again.StencilError):
                throw(of_job(ours()))
        finally:
            sys.modules.update(first)
        with self.assertRaises(StencilError):
            throw(of_job(ours()))


if __name__ == "__main__":
    unittest.main()
