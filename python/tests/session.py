# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The session that all tests share; the environment names the jar."""

import os

from pyspark.sql import SparkSession

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.jars", os.environ["STENCIL_JAR"])
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "4")
    .config("spark.driver.memory", "700m")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
