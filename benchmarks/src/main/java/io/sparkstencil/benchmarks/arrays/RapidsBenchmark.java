/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Array functions under the RAPIDS Accelerator, which the session must have been started with: on
 * its columns, against the same queries with the arrays computed by our operator behind its scan
 * and against Spark without it. Compares results of all ways first.
 *
 * <pre>
 *   RapidsBenchmark MACHINE RESULTS-FOLDER COMMIT ROWS LENGTH REPEATS
 * </pre>
 */
public final class RapidsBenchmark {
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

  private final SparkSession spark;
  private final int repeats;
  private final List<BenchmarkRow> results = new ArrayList<>();

  private RapidsBenchmark(SparkSession spark, int repeats) {
    this.spark = spark;
    this.repeats = repeats;
  }

  /** Compares, measures and writes suite {@code arrays}. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 6) {
      System.err.println(
          "usage: RapidsBenchmark MACHINE RESULTS-FOLDER COMMIT ROWS LENGTH REPEATS");
      System.exit(2);
    }
    SparkSession spark = SparkSession.builder().getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    int rows = Integer.parseInt(arguments[3]);
    int length = Integer.parseInt(arguments[4]);
    RapidsBenchmark benchmark = new RapidsBenchmark(spark, Integer.parseInt(arguments[5]));
    Path folder = Files.createTempDirectory("rapids-benchmark");
    try {
      benchmark.compare(folder.resolve("small").toString());
      benchmark.measure(folder.resolve("large").toString(), rows, length);
    } finally {
      try (var paths = Files.walk(folder)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
    BenchmarkResults written =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[0]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            benchmark.results);
    written.write(Path.of(arguments[1]), "arrays");
    System.out.println(written.markdown("arrays"));
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
      boolean integers = type.contains("int");
      // Of integers, only extrema have the type of the elements.
      for (String call : integers ? CHECKED.subList(2, 4) : CHECKED) {
        String query = "SELECT id, " + call + " AS r FROM small";
        List<String> found = new ArrayList<>();
        for (Way way : WAYS) {
          use(way);
          found.add(
              spark.sql(query).collectAsList().stream()
                  .map(Row::toString)
                  .sorted()
                  .collect(Collectors.joining("\n")));
        }
        for (int i = 1; i < found.size(); i++) {
          if (!found.get(i).equals(found.get(0))) {
            throw new IllegalStateException(
                "%s of %s differs %s and %s".formatted(call, type, WAYS.get(0), WAYS.get(i)));
          }
        }
      }
      System.out.println("equal in all ways: calls of array<" + type + ">");
    }
  }

  private void measure(String file, int rows, int length) {
    use(WAYS.get(WAYS.size() - 1));
    spark
        .range(0, rows, 1, 64)
        .map((MapFunction<Long, Trace>) id -> Trace.of(id, length), Encoders.bean(Trace.class))
        .write()
        .parquet(file);
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
    double[][] seconds = new double[WAYS.size()][repeats];
    String[] answers = new String[WAYS.size()];
    boolean[] onColumns = new boolean[WAYS.size()];
    for (int turn = -WARM_UPS; turn < repeats; turn++) {
      for (int i = 0; i < WAYS.size(); i++) {
        use(WAYS.get(i));
        long start = System.nanoTime();
        Dataset<Row> rows = spark.sql(query);
        if (name.endsWith("/noop")) {
          rows.write().format("noop").mode(SaveMode.Overwrite).save();
        } else {
          answers[i] = rows.collectAsList().toString();
        }
        if (turn >= 0) {
          seconds[i][turn] = (System.nanoTime() - start) * 1e-9;
        }
      }
    }
    for (int i = 0; i < WAYS.size(); i++) {
      use(WAYS.get(i));
      String plan = planOf(name.endsWith("/noop") ? query + " WHERE id < 5" : query);
      onColumns[i] = plan.contains("stencil_mean["); // turned back where it stays on the CPU
      System.out.println(name + ", " + WAYS.get(i).name() + ":\n" + plan);
      if (onColumns[i] != WAYS.get(i).onColumns()) {
        throw new IllegalStateException("not the plan of " + WAYS.get(i));
      }
      Arrays.sort(seconds[i]);
    }
    double ours = seconds[0][repeats / 2];
    for (int i = 0; i < WAYS.size(); i++) {
      double median = seconds[i][repeats / 2];
      double rate = cells / median * 1e-9;
      boolean equal = answers[i] != null && answers[i].equals(answers[0]);
      String note =
          String.format(
              Locale.ROOT,
              "%.0f M cells from Parquet; plan: %s; answer %s",
              cells * 1e-6,
              onColumns[i]
                  ? "our function in an operator of RAPIDS"
                  : "our function behind its columns",
              answers[i] == null ? "not collected" : answers[i]);
      results.add(
          new BenchmarkRow(
              name,
              WAYS.get(i).name(),
              WAYS.get(0).name(),
              rate,
              "G cells/s",
              ours / median,
              (seconds[i][repeats - 1] - seconds[i][0]) / median,
              repeats,
              equal,
              note));
    }
  }

  private String planOf(String query) {
    Dataset<Row> rows = spark.sql(query);
    rows.collectAsList();
    return ((org.apache.spark.sql.classic.Dataset<Row>) rows)
        .queryExecution()
        .executedPlan()
        .toString();
  }
}
