/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How much memory a moving mean over one long series takes, by the number of rows: each run in a
 * new JVM with the same small heap, by the stencil and by Spark's own window. The digests of both
 * must agree.
 */
@Command(
    name = "memory",
    description = "The memory of a mean over one long series, by the number of rows.")
public final class MemoryBenchmark extends BenchmarkCommand {
  private static final double MEBI = 1 << 20;

  /** Rows of a file: constant, since a reader of Parquet holds pages of a whole row group. */
  private static final int ROWS_PER_FILE = 250_000;

  @Option(names = "--data", required = true, description = "The folder for the series.")
  private Path data;

  @Option(names = "--heap", defaultValue = "600m", description = "The heap of each run.")
  private String heap;

  @Option(names = "--radius", defaultValue = "8", description = "Cells on each side.")
  private int radius;

  @Option(
      names = "--rows",
      split = ",",
      defaultValue = "1000000,8000000,32000000",
      description = "The lengths of the series, the fewest first.")
  private List<Long> rows;

  @Override
  protected void measure() throws IOException, InterruptedException {
    try (SparkSession spark = WindowData.session("memory-benchmark")) {
      rows.forEach(each -> data(spark, data, each).write());
    }
    for (String input : List.of(WindowData.SHUFFLED, WindowData.ORDERED)) {
      MemoryProbe.Figures ours = null;
      MemoryProbe.Figures sparks = null;
      for (long each : rows) {
        MemoryProbe.Figures stencil = probe("stencil", input, each);
        MemoryProbe.Figures spark = probe("spark", input, each);
        ours = ours == null ? stencil : ours;
        sparks = sparks == null ? spark : sparks;
        boolean checked = stencil.digest() == spark.digest();
        add(row(input, each, "stencil", stencil, ours, checked));
        add(row(input, each, "spark window", spark, sparks, true));
      }
    }
  }

  static WindowData data(SparkSession spark, Path folder, long rows) {
    return new WindowData(spark, folder, rows, Math.toIntExact(Math.max(1, rows / ROWS_PER_FILE)));
  }

  private MemoryProbe.Figures probe(String subject, String input, long cells)
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
            Long.toString(cells),
            Integer.toString(radius)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IOException(
          "%s over %d %s rows ended with exit code %d under a heap of %s"
              .formatted(subject, cells, input, exit, heap));
    }
    String last = said.substring(said.lastIndexOf('\n') + 1);
    return new ObjectMapper().readValue(last, MemoryProbe.Figures.class);
  }

  private BenchmarkRow row(
      String input,
      long cells,
      String subject,
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
    return BenchmarkRow.of(
        "memory/mean/exact/f64/%s/rows=%d/k=%d"
            .formatted(input.equals(WindowData.ORDERED) ? input : "sort", cells, radius),
        subject,
        "itself at %d rows".formatted(rows.get(0)),
        List.of(seen.liveHeapBytes() / MEBI),
        "MiB live heap",
        (double) ofFewest.liveHeapBytes() / seen.liveHeapBytes(),
        checked,
        note);
  }
}
