/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.sql.SparkSession;

/**
 * How much memory a moving mean over one long series takes, by the number of rows: each run in a
 * new JVM with the same small heap, by the stencil and by Spark's own window. The digests of both
 * must agree.
 *
 * <pre>MemoryBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER HEAP RADIUS ROWS..</pre>
 */
public final class MemoryBenchmark {
  private static final double MEBI = 1 << 20;

  /** Rows of a file: constant, since a reader of Parquet holds pages of a whole row group. */
  private static final int ROWS_PER_FILE = 250_000;

  private final Path data;
  private final String heap;
  private final int radius;
  private final List<BenchmarkRow> measured = new ArrayList<>();

  private MemoryBenchmark(Path data, String heap, int radius) {
    this.data = data;
    this.heap = heap;
    this.radius = radius;
  }

  /** Measures and writes results. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 7) {
      System.err.println(
          "usage: MemoryBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER HEAP RADIUS ROWS..");
      System.exit(2);
    }
    long[] rows = Arrays.stream(arguments).skip(6).mapToLong(Long::parseLong).toArray();
    Path data = Path.of(arguments[3]);
    try (SparkSession spark = WindowData.session("memory-benchmark")) {
      for (long each : rows) {
        data(spark, data, each).write();
      }
    }
    MemoryBenchmark benchmark =
        new MemoryBenchmark(data, arguments[4], Integer.parseInt(arguments[5]));
    for (String input : List.of(WindowData.SHUFFLED, WindowData.ORDERED)) {
      benchmark.measure(input, rows);
    }
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            benchmark.measured);
    Path json = results.write(Path.of(arguments[0]), "memory");
    System.out.println(BenchmarkResults.read(json).markdown("memory"));
  }

  static WindowData data(SparkSession spark, Path folder, long rows) {
    return new WindowData(spark, folder, rows, Math.toIntExact(Math.max(1, rows / ROWS_PER_FILE)));
  }

  private void measure(String input, long[] rows) throws IOException, InterruptedException {
    MemoryProbe.Figures ours = null;
    MemoryProbe.Figures sparks = null;
    for (long each : rows) {
      MemoryProbe.Figures stencil = probe("stencil", input, each);
      MemoryProbe.Figures spark = probe("spark", input, each);
      ours = ours == null ? stencil : ours;
      sparks = sparks == null ? spark : sparks;
      boolean checked = stencil.digest() == spark.digest();
      add(input, each, "stencil", rows[0], stencil, ours, checked);
      add(input, each, "spark window", rows[0], spark, sparks, true);
    }
  }

  private MemoryProbe.Figures probe(String subject, String input, long rows)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(
        List.of(
            "-Xmx" + heap,
            "-XX:+UseG1GC", // whose reports the probe reads
            "-cp",
            System.getProperty("java.class.path"),
            MemoryProbe.class.getName(),
            subject,
            input,
            data.toString(),
            Long.toString(rows),
            Integer.toString(radius)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String last = null;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line;
      }
    }
    int exit = process.waitFor();
    if (exit != 0 || last == null) {
      throw new IOException(
          "%s over %d %s rows ended with exit code %d under a heap of %s"
              .formatted(subject, rows, input, exit, heap));
    }
    return MemoryProbe.Figures.parse(last);
  }

  private void add(
      String input,
      long rows,
      String subject,
      long fewest,
      MemoryProbe.Figures seen,
      MemoryProbe.Figures ofFewest,
      boolean checked) {
    String note =
        String.format(
            Locale.ROOT,
            "-Xmx%s, local[2]; resident %.0f MiB, direct buffers %.1f MiB, Spark's execution memory of a task %.1f MiB, spilled %.0f MiB; %d looks",
            heap,
            seen.residentBytes() / MEBI,
            seen.directBytes() / MEBI,
            seen.executionBytes() / MEBI,
            seen.spilledBytes() / MEBI,
            seen.samples());
    measured.add(
        new BenchmarkRow(
            "memory/mean/exact/f64/%s/rows=%d/k=%d"
                .formatted(input.equals(WindowData.ORDERED) ? input : "sort", rows, radius),
            subject,
            "itself at %d rows".formatted(fewest),
            seen.liveHeapBytes() / MEBI,
            "MiB live heap",
            (double) ofFewest.liveHeapBytes() / seen.liveHeapBytes(),
            0,
            1,
            checked,
            note));
  }
}
