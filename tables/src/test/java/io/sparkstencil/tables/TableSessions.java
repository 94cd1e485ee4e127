/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.tables;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.spark.Sessions;
import org.apache.spark.SparkBuildInfo;
import org.apache.spark.sql.SparkSession;

/** Sessions of the tests of this module. */
final class TableSessions {
  /** Rows of the tables, in two files. */
  static final String CELLS =
      """
      select id, id % 3 as k, if(id % 5 = 2, null, sin(id)) as v,
        if(id % 7 = 1, null, 't' || id % 4) as s
      from range(0, 300, 1, 2)
      """;

  private TableSessions() {}

  /** Returns a builder; skips the test with another line of Spark than the tables are made for. */
  static SparkSession.Builder builder() {
    String line = System.getProperty("tables.spark.line");
    String version = SparkBuildInfo.spark_version();
    assumeTrue(
        version.startsWith(line + "."),
        () -> "the jars of tables are for Spark %s, and this is %s".formatted(line, version));
    return Sessions.builder("local[2]").config("spark.sql.shuffle.partitions", "2");
  }
}
