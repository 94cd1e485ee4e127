/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.benchmarks.grids.WeakProblem.WeakSettings;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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

  @Option(names = "--types", split = ",", defaultValue = "F32", description = "In order.")
  private List<ElementType> types;

  @Option(
      names = "--grows",
      defaultValue = "",
      description =
          "How many times as long the grid is along its first axes, such as 2x2x2; along the first alone unless given. Executors have cubes if a GPU has as many cells along each axis.")
  private String grows;

  @Option(names = "--engine", defaultValue = "gpu", description = "What takes the steps.")
  private String engine;

  @Option(names = "--cells-per-gpu", defaultValue = "2147483648", description = "About.")
  private long cells;

  @Option(names = "--blocks-per-gpu", description = "Left to the grid unless given.")
  private Integer blocks;

  @Option(names = "--steps-per-exchange", description = "Left to the grid unless given.")
  private Integer perExchange;

  @Option(
      names = "--checkpoint-steps",
      defaultValue = "1000",
      description = "The steps from one checkpoint to the next, about.")
  private int checkpointSteps;

  @Option(
      names = "--checkpoint-folder",
      defaultValue = "",
      description =
          "A folder for checkpoints, which are removed; that of temporary files unless given.")
  private String checkpointFolder;

  @Option(
      names = "--warm-up",
      defaultValue = "10",
      description = "The seconds of steps before the first measurement, at least.")
  private double warmUp;

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
    List<Integer> along =
        grows.isEmpty() ? List.of() : Stream.of(grows.split("x")).map(Integer::valueOf).toList();
    WeakSettings settings =
        new WeakSettings(
            engine,
            along,
            optional(blocks),
            optional(perExchange),
            checkpointSteps,
            checkpointFolder,
            warmUp,
            seconds,
            repeats,
            megabytes);
    List<WeakProblem> problems =
        dimensions.stream()
            .flatMap(
                axes -> types.stream().map(type -> WeakProblem.of(axes, type, cells, settings)))
            .toList(); // all of them, before the first is measured
    for (WeakProblem problem : problems) {
      new WeakRows(problem, WeakScaling::print).measure(WeakKind.of(gpus, checkpointSteps), rows);
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
