/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.testkit.MissingClasses;
import io.sparkstencil.testkit.SmallQueries;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/** Sessions of the tests. */
public final class Sessions {
  /** For executors that live for seconds: compiling code well costs them more than it gains. */
  public static final String SHORT_RUN =
      "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote";

  /** Classes of Spark's that it would have to register itself: it collects schemas of files. */
  private static final List<String> SPARKS =
      List.of(
          "org.apache.spark.sql.catalyst.expressions.GenericRow",
          "[Lorg.apache.spark.sql.types.DataType;",
          "org.apache.spark.sql.types.BinaryType$",
          "org.apache.spark.sql.types.BooleanType$",
          "org.apache.spark.sql.types.ByteType$",
          "org.apache.spark.sql.types.DayTimeIntervalType",
          "org.apache.spark.sql.types.FloatType$",
          "org.apache.spark.sql.types.NullType$",
          "org.apache.spark.sql.types.ShortType$",
          "org.apache.spark.sql.types.TimestampNTZType$",
          "org.apache.spark.sql.types.TimestampType$",
          "org.apache.spark.sql.types.YearMonthIntervalType");

  /** Settings of sessions that serialize nothing but by Kryo, and know no class of ours. */
  public static final Map<String, Object> KRYO =
      Map.of(
          "spark.serializer",
          "org.apache.spark.serializer.KryoSerializer",
          "spark.kryo.registrationRequired",
          "true",
          "spark.kryo.classesToRegister",
          String.join(",", SPARKS),
          // Spark lists many folders by a job that sends classes of Hadoop
          "spark.sql.sources.parallelPartitionDiscovery.threshold",
          "1000");

  private Sessions() {}

  /**
   * Returns a builder of a session that takes over no SQL windows, for a test whose context is its
   * own; {@link WithSpark} is for all others. With {@code -Dstencil.testing.kryo=true} all of them
   * serialize as {@link #KRYO} says.
   */
  public static SparkSession.Builder builder(String master) {
    SharedSpark.stop();
    MissingClasses.remember();
    return SparkSession.builder()
        .master(master)
        .appName("spark-stencil-tests")
        .config(SmallQueries.SETTINGS)
        .config(Boolean.getBoolean("stencil.testing.kryo") ? KRYO : Map.of())
        .config("spark.log.level", "ERROR")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.extraJavaOptions", SHORT_RUN)
        .config("spark.sql.warehouse.dir", "target/warehouse")
        // What tests compare with are Spark's own windows.
        .config("spark.stencil.sql.enabled", "false")
        .config("spark.unsafe.exceptionOnMemoryLeak", "true");
  }

  /**
   * Has the operators of a session hand rows on one by one: compiling stages takes longer, where
   * they are not what is tested. Files are read as rows then, not as columns. With {@code
   * -Dstencil.testing.compiled=true} stages are compiled.
   */
  public static void interpret(SparkSession spark) {
    spark.conf().set("spark.sql.codegen.wholeStage", SmallQueries.COMPILED);
  }

  /**
   * Has a session compile code for its expressions, which pays off for tens of thousands of rows.
   */
  public static void compile(SparkSession spark) {
    spark.conf().set("spark.sql.codegen.factoryMode", "FALLBACK");
  }

  /** Stops the session that tests before have left open: a new one would be that one. */
  public static void stopOpen() {
    SharedSpark.stop();
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
