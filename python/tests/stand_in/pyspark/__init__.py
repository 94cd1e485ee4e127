# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""A stand-in for the few names of PySpark that the package uses, for tests on machines with Py4J alone.

It starts a JVM with Spark's own gateway, as PySpark does, and wraps its datasets. It is no PySpark:
Python functions in Spark, Arrow and Spark Connect are not there.
"""
