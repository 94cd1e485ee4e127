/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Array functions under the RAPIDS Accelerator, which the session must have been started with: on
 * its columns, against the same queries with the arrays computed by our operator behind its scan
 * and against Spark without it. Compares results of all ways first.
 */
@Command(
    name = "arrays-rapids",
    description = "Array functions on the columns of the RAPIDS Accelerator, which must be there.")
public final class RapidsBenchmark extends BenchmarkCommand {
  private static final int WARM_UPS = 1;

  private static final List<String> CHECKED =
      List.of(
          "stencil_mean(a, 3, 'valid')",
          "stencil_sum(a, 2, 'shrink')",
          "stencil_min(a, 1, 4, 'reflect')",
          "stencil_max(a, 50, 'mirror')",
          "stencil_correlate(a, array(0.25, -1, 3, 0.1), 'nearest')",
          "stencil_gaussian(a, 1.5, 'constant:2')",
          "stencil_iterate(a, array(0.2, 0.5, 0.3), 4, 'wrap')",
          "stencil_max(stencil_mean(a, 2, 'valid'), 1, 'valid')");

  /** A way to run the same query. */
  private record Way(String name, boolean rapids, boolean onColumns, String engine) {}

  private static final List<Way> WAYS =
      List.of(
          new Way("on RAPIDS columns", true, true, "auto"),
          new Way("RAPIDS scan, cpu", true, false, "cpu"),
          new Way("RAPIDS scan, gpu", true, false, "gpu"),
          new Way("no RAPIDS, cpu", false, false, "cpu"));

  @Option(names = "--rows", defaultValue = "20000", description = "Arrays.")
  private int rows;

  @Option(names = "--length", defaultValue = "10000", description = "Cells of an array.")
  private int length;

  @Option(names = "--repeats", defaultValue = "5", description = "Turns, after a warm-up.")
  private int repeats;

  private SparkSession spark;

  @Override
  protected String suite() {
    return "arrays";
  }

  @Override
  protected void measure() throws IOException {
    spark = SparkSession.builder().getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    Path folder = Files.createTempDirectory("rapids-benchmark");
    try {
      compare(folder.resolve("small").toString());
      measure(folder.resolve("large").toString());
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
    spark.stop();
  }

  private void use(Way way) {
    spark.conf().set("spark.rapids.sql.enabled", way.rapids());
    spark.conf().set("spark.stencil.sql.arrays.rapids", way.onColumns());
    spark.conf().set("spark.stencil.engine", way.engine());
  }

  /** Compares every function over arrays with nulls, empty and null arrays, of every type. */
  private void compare(String file) {
    use(WAYS.get(WAYS.size() - 1));
    for (String type : List.of("float", "double", "int", "bigint")) {
      String path = file + type;
      spark
          .sql(
              """
              SELECT id, IF(id %% 17 = 3, NULL, transform(sequence(1, 1 + id %% 301),
                i -> IF(id %% 3 = 0 AND i %% 7 = 2, NULL, CAST(1000 * sin(i * id) AS %s)))) AS a
              FROM range(0, 500, 1, 3)
              UNION ALL SELECT 1000, array()
              """
                  .formatted(type))
          .write()
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("small");
      // Of integers, only extrema have the type of the elements.
      for (String call : type.contains("int") ? CHECKED.subList(2, 4) : CHECKED) {
        Set<String> answers = new HashSet<>();
        for (Way way : WAYS) {
          use(way);
          answers.add(
              spark.sql("SELECT id, " + call + " AS r FROM small").collectAsList().stream()
                  .map(Row::toString)
                  .sorted()
                  .collect(Collectors.joining("\n")));
          if (answers.size() > 1) {
            throw new IllegalStateException(
                "%s of %s differs %s and %s".formatted(call, type, WAYS.get(0), way));
          }
        }
      }
      System.out.println("equal in all ways: calls of array<" + type + ">");
    }
  }

  private void measure(String file) {
    use(WAYS.get(WAYS.size() - 1));
    ArrayWork.traces(spark, ElementType.F32, rows, length, 64).write().parquet(file);
    spark.read().parquet(file).createOrReplaceTempView("traces");
    double cells = (double) rows * length;
    for (int k : new int[] {8, 32}) {
      String name = "arrays/rapids/mean/f32/k=" + k;
      race(
          name + "/noop",
          "SELECT id, stencil_mean(a, %d, 'valid') AS r FROM traces".formatted(k),
          cells);
      race(
          name + "/maximum",
          "SELECT max(array_max(stencil_mean(a, %d, 'valid'))) AS r FROM traces".formatted(k),
          cells);
    }
  }

  /** Runs one query in all ways, in turns. */
  private void race(String name, String query, double cells) {
    boolean drops = name.endsWith("/noop");
    Map<Way, String> answers = new HashMap<>();
    Map<Way, List<Double>> seconds =
        Turns.measure(
            WAYS,
            WARM_UPS,
            way -> repeats,
            way -> {
              use(way);
              return drops
                  ? LocalSpark.seconds(spark.sql(query))
                  : Turns.seconds(
                      () -> answers.put(way, spark.sql(query).collectAsList().toString()));
            });
    seconds.forEach(
        (way, measured) -> {
          requirePlan(way, name, drops ? query + " WHERE id < 5" : query);
          String answer = answers.getOrDefault(way, "not collected");
          add(
              BenchmarkRow.of(
                  name,
                  way.name(),
                  WAYS.get(0).name(),
                  measured.stream().map(each -> cells / each * 1e-9).toList(),
                  "G cells/s",
                  Quantiles.median(seconds.get(WAYS.get(0))) / Quantiles.median(measured),
                  answers.containsKey(way) && answer.equals(answers.get(WAYS.get(0))),
                  String.format(
                      Locale.ROOT,
                      "%.0f M cells from Parquet; plan: our function %s; answer %s",
                      cells * 1e-6,
                      way.onColumns() ? "in an operator of RAPIDS" : "behind its columns",
                      answer)));
        });
  }

  private void requirePlan(Way way, String name, String query) {
    use(way);
    Dataset<Row> rows = spark.sql(query);
    rows.collectAsList();
    String plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) rows)
            .queryExecution()
            .executedPlan()
            .toString();
    System.out.println(name + ", " + way.name() + ":\n" + plan);
    // A function is turned back where it stays on the CPU.
    if (plan.contains("stencil_mean[") != way.onColumns()) {
      throw new IllegalStateException("not the plan of " + way);
    }
  }
}
