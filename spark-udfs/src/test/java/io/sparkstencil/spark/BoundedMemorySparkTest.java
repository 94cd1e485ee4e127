/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory depends on the frame and the tasks, not on the rows: more rows than the heap holds. */
final class BoundedMemorySparkTest {
  /** Copies of all rows, 40 bytes each and 16 of pointers, would take 168 MB. */
  private static final long ROWS = 3_000_000;

  private static final String HEAP = "128m";

  @Test
  @Timeout(120)
  void goesThroughMoreRowsThanTheHeapHolds() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(
        List.of(
            "-Xmx" + HEAP,
            // Others fail on small heaps for want of room in one piece, not of memory.
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            // It lives for seconds: compiling code well costs more than it gains.
            "-XX:TieredStopAtLevel=1",
            "-Dspark.stencil.cpu.vectors=false",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            SmallProcess.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("sorted: right", "spilled: right", "ordered: right");
  }

  /** What runs in the small process. */
  static final class SmallProcess {
    private SmallProcess() {}

    /** Checks results against what they are by construction. */
    public static void main(String[] arguments) throws Exception {
      try (SparkSession spark =
          Sessions.builder("local[2]")
              // Spark sets 300 MB aside for itself, more than this heap; it needs some 60.
              .config("spark.testing.reservedMemory", 64L << 20)
              // 3 MB for each file that a sorter has spilled are not accounted; 1 MB without it.
              .config("spark.unsafe.sorter.spill.read.ahead.enabled", "false")
              .config("spark.sql.shuffle.partitions", "64")
              .getOrCreate()) {
        // The factor shares no divisor with the number of rows, so that each comes once.
        Dataset<Row> mixed =
            spark
                .range(0, ROWS, 1, 8)
                .selectExpr("pmod(id * 2654435761, %d) as t".formatted(ROWS))
                .selectExpr("t", "cast(t as double) as v");
        Dataset<Row> inOrder = spark.range(0, ROWS, 1, 8).selectExpr("id as t", "double(id) as v");
        report("sorted", Stencils.over(mixed).orderBy("t").mean("v", 8, "m").toDataset());
        spark.conf().set("spark.sql.shuffle.partitions", 2); // more than a task's memory each
        report("spilled", Stencils.over(mixed).orderBy("t").mean("v", 8, "m").toDataset());
        report(
            "ordered", Stencils.over(inOrder).orderBy("t").ordered().mean("v", 8, "m").toDataset());
      }
    }

    /** The mean of consecutive numbers is the middle one, away from the ends. */
    private static void report(String name, Dataset<Row> result) {
      Row counts =
          result
              .selectExpr(
                  "count(*)",
                  "count_if(m <> v and t >= 8 and t < %d)".formatted(ROWS - 8),
                  "count_if(m is null)")
              .first();
      boolean right = counts.getLong(0) == ROWS && counts.getLong(1) == 0 && counts.getLong(2) == 0;
      System.out.println(name + ": " + (right ? "right" : counts));
    }
  }
}
