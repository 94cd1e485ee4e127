/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.files;

import com.sun.management.OperatingSystemMXBean;
import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Times how a field is read box by box along its first axis, by Spark's tasks in this process: all
 * cells as float, added up. {@code benchmarks/python/fields.py} makes such a file, and reads it
 * with h5py in as many processes; with {@code --make}, this makes one itself.
 */
@Command(name = "fields", description = "Cells of files, by 1 to N tasks.")
public final class FieldBenchmark extends BenchmarkCommand {
  private static final String FIELD = "/t";

  @Option(
      names = "--field",
      required = true,
      split = ",",
      description = "Fields that are read one after the other, such as a.nc/t.")
  private List<String> fields;

  @Option(
      names = "--make",
      description = "Make the files of the fields first, FILE.nc/t, with so many steps each.")
  private int make;

  @Option(names = "--tasks", defaultValue = "1,2", split = ",", description = "Tasks at once.")
  private List<Integer> tasks;

  @Option(names = "--repeats", defaultValue = "3", description = "Runs, after one that warms up.")
  private int repeats;

  /** A box of a field. */
  private record Part(String field, long first) implements Serializable {}

  /** What a run took. */
  private record Run(double seconds, double cores, double megabytes, double sum) {
    double processorSeconds() {
      return cores * seconds;
    }
  }

  @Override
  protected void measure() throws IOException {
    for (String field : make == 0 ? List.<String>of() : fields) {
      if (!field.endsWith(FIELD)) {
        throw new IllegalArgumentException(
            "\"%s\" is made only if it ends in %s, as in temperature.nc%s"
                .formatted(field, FIELD, FIELD));
      }
      DeflatedField.write(
          Path.of(field.substring(0, field.length() - FIELD.length())).toAbsolutePath(), make);
    }
    Map<Integer, List<Run>> runs = new HashMap<>();
    for (int turn = 0; turn <= repeats; turn++) {
      for (int count : tasks) {
        Run run = run(count);
        if (turn > 0) {
          runs.computeIfAbsent(count, any -> new ArrayList<>()).add(run);
        }
      }
    }
    List<Run> first = runs.get(tasks.get(0));
    for (int count : tasks) {
      List<Run> these = runs.get(count);
      Run best =
          these.stream().min((a, b) -> Double.compare(a.seconds(), b.seconds())).orElseThrow();
      List<Double> ratios =
          IntStream.range(0, repeats)
              .mapToObj(i -> first.get(i).seconds() / these.get(i).seconds())
              .sorted()
              .toList();
      add(
          BenchmarkRow.of(
              "fields/read/tasks=%d".formatted(count),
              count + " tasks",
              tasks.get(0) + " tasks",
              these.stream().map(run -> cells() * Float.BYTES * 1e-6 / run.seconds()).toList(),
              "MB/s",
              ratios.get(repeats / 2),
              these.stream().allMatch(run -> run.sum() == first.get(0).sum()),
              "%d fields; fastest %.2f s, %.1f cores busy, least processor time %.2f s, %.0f MB read from disk for %.0f MB of cells"
                  .formatted(
                      fields.size(),
                      best.seconds(),
                      best.cores(),
                      these.stream().mapToDouble(Run::processorSeconds).min().orElseThrow(),
                      best.megabytes(),
                      cells() * Float.BYTES * 1e-6)));
    }
  }

  private double cells() {
    return fields.stream()
        .mapToDouble(
            field ->
                shape(field).stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b))
        .sum();
  }

  private static List<Long> shape(String field) {
    try (FieldReader reader = FieldPaths.open(field, new Configuration())) {
      return reader.shape();
    }
  }

  private Run run(int count) {
    List<Part> parts = new ArrayList<>();
    for (String field : fields) {
      for (long first = 0; first < shape(field).get(0); first++) {
        parts.add(new Part(field, first));
      }
    }
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (JavaSparkContext spark =
        new JavaSparkContext(LocalSpark.conf("fields", "local[%d]".formatted(count)))) {
      spark.parallelize(List.of(1), 1).count(); // Spark has started
      long bytes = bytesRead();
      long cpu = system.getProcessCpuTime();
      long start = System.nanoTime();
      double sum =
          spark.parallelize(parts, count).mapPartitions(FieldBenchmark::sums).collect().stream()
              .mapToDouble(each -> each)
              .sum();
      double seconds = (System.nanoTime() - start) * 1e-9;
      return new Run(
          seconds,
          (system.getProcessCpuTime() - cpu) * 1e-9 / seconds,
          (bytesRead() - bytes) * 1e-6,
          sum);
    }
  }

  private static long bytesRead() {
    Long read = FileSystem.getGlobalStorageStatistics().get("file").getLong("bytesRead");
    return read == null ? 0 : read;
  }

  /** Whole numbers, so that the order of sums does not count. */
  private static Iterator<Double> sums(Iterator<Part> parts) {
    double sum = 0;
    String open = null;
    FieldReader reader = null;
    while (parts.hasNext()) {
      Part part = parts.next();
      if (!part.field().equals(open)) {
        if (reader != null) {
          reader.close();
        }
        FieldSource source = FieldPaths.source(part.field());
        reader = source.open(new Configuration());
        open = part.field();
      }
      List<Long> shape = reader.shape();
      List<Long> from = new ArrayList<>(shape.stream().map(any -> 0L).toList());
      List<Long> until = new ArrayList<>(shape);
      from.set(0, part.first());
      until.set(0, part.first() + 1);
      float[] cells = (float[]) reader.read(Box.between(from, until), ElementType.F32);
      for (float cell : cells) {
        sum += Math.rint(cell);
      }
    }
    if (reader != null) {
      reader.close();
    }
    return List.of(sum).iterator();
  }
}
