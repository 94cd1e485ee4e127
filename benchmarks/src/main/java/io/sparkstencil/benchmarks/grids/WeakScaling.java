/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Weak scaling of heat on all GPUs of a host, as rows of JSON on the output: on one GPU, in one
 * executor with all, and in an executor for each, with the log of faces, with checkpoints, and
 * where the log has been given up.
 */
@Command(name = "weak-scaling", sortOptions = false, showDefaultValues = true)
public final class WeakScaling implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(names = "--gpus", defaultValue = "2", description = "The GPUs to use.")
  private int gpus;

  @Option(names = "--dimensions", split = ",", defaultValue = "3,2,1", description = "In order.")
  private List<Integer> dimensions;

  @Option(names = "--cells-per-gpu", defaultValue = "2147483648", description = "About.")
  private long cells;

  @Option(names = "--blocks-per-gpu", description = "Left to the grid unless given.")
  private Integer blocks;

  @Option(names = "--steps-per-exchange", description = "Left to the grid unless given.")
  private Integer perExchange;

  @Option(names = "--seconds", defaultValue = "5", description = "Of a measurement, about.")
  private double seconds;

  @Option(names = "--repeats", defaultValue = "3", description = "Measurements for each row.")
  private int repeats;

  @Option(
      names = "--executor-megabytes",
      defaultValue = "61440",
      description = "The memory of each executor.")
  private int megabytes;

  @Option(
      names = "--rows",
      defaultValue = ".*",
      description = "A pattern of the rows beside that of one GPU, which is always measured.")
  private String rows;

  private WeakScaling() {}

  /** Prints the rows. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new WeakScaling()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    for (int axes : dimensions) {
      new WeakRows(
              axes,
              cells,
              optional(blocks),
              optional(perExchange),
              seconds,
              repeats,
              megabytes,
              WeakScaling::print)
          .measure(WeakKind.of(gpus), rows);
    }
    return 0;
  }

  private static OptionalInt optional(Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static void print(BenchmarkRow row) {
    try {
      System.out.println(JSON.writeValueAsString(row));
    } catch (IOException e) {
      throw new IllegalStateException("a row that cannot be written: " + row, e);
    }
  }
}
