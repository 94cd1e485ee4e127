/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.testkit.MissingClasses;
import io.sparkstencil.testkit.SmallQueries;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/** Sessions of the tests. */
public final class Sessions {
  /** For executors that live for seconds: compiling code well costs them more than it gains. */
  public static final String SHORT_RUN =
      "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote";

  private Sessions() {}

  /** Returns a builder of a session that takes over no SQL windows. */
  public static SparkSession.Builder builder(String master) {
    MissingClasses.remember();
    return SparkSession.builder()
        .master(master)
        .appName("spark-stencil-tests")
        .config(SmallQueries.SETTINGS)
        .config("spark.log.level", "ERROR")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.extraJavaOptions", SHORT_RUN)
        .config("spark.sql.warehouse.dir", "target/warehouse")
        // What tests compare with are Spark's own windows.
        .config("spark.stencil.sql.enabled", "false")
        .config("spark.unsafe.exceptionOnMemoryLeak", "true");
  }

  /** Stops the session that tests before have left open: a new one would be that one. */
  public static void stopOpen() {
    Option<SparkSession> open = SparkSession.getDefaultSession();
    if (open.isDefined()) {
      open.get().stop();
    }
  }

  /** Returns a local session of two cores. */
  public static SparkSession local() {
    return builder("local[2]").getOrCreate();
  }
}
