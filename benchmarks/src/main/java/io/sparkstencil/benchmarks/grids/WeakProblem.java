/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A grid that grows with the number of GPUs.
 *
 * @param dimensions 1 to 3
 * @param perGpu the cells along each axis that a GPU has
 * @param settings how it is measured
 */
record WeakProblem(int dimensions, ElementType type, List<Long> perGpu, WeakSettings settings) {
  /**
   * How such grids are measured.
   *
   * @param engine what takes the steps; that of the CPU tries this out where there is no GPU
   * @param grows how many times as long the grid is along its first axes; empty for as many times
   *     as there are GPUs, along the first
   * @param blocks those of a GPU; empty to leave them to the grid
   * @param perExchange the steps between two exchanges; empty to leave them to the grid
   * @param checkpointSteps the steps from one checkpoint to the next, about
   * @param folder that checkpoints are written to; empty for one that is made
   * @param warmUp the seconds of steps before the first measurement, at least: each process has to
   *     compile its code, and each of four executors has a quarter of the calls
   * @param seconds what a measurement lasts, about
   * @param megabytes the memory of an executor
   */
  record WeakSettings(
      String engine,
      List<Integer> grows,
      OptionalInt blocks,
      OptionalInt perExchange,
      int checkpointSteps,
      String folder,
      double warmUp,
      double seconds,
      int repeats,
      int megabytes) {}

  /** Returns a problem with about so many cells for each GPU. */
  static WeakProblem of(int dimensions, ElementType type, long cells, WeakSettings settings) {
    List<Integer> grows = settings.grows();
    if (grows.size() > dimensions || grows.stream().anyMatch(times -> times < 1)) {
      throw new IllegalArgumentException(
          "a grid of %d axes cannot grow %s times along them; give at most %d numbers, each at least 1"
              .formatted(
                  dimensions,
                  grows.stream().map(String::valueOf).collect(Collectors.joining("x")),
                  dimensions));
    }
    return new WeakProblem(dimensions, type, sizes(dimensions, cells), settings);
  }

  /** Returns cells along the axes, as many along each as can be; powers of two make one of two. */
  static List<Long> sizes(int dimensions, long cells) {
    List<Long> sizes = new ArrayList<>();
    int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(cells);
    for (int axis = 0; axis < dimensions; axis++) {
      sizes.add(
          Long.bitCount(cells) == 1
              ? 1L << ((bits + dimensions - 1 - axis) / dimensions)
              : Math.round(Math.pow((double) cells, 1.0 / dimensions)));
    }
    return sizes;
  }

  StencilProgram program() {
    return GridCase.of(dimensions, type, 1).program();
  }

  /** Returns the name of the rows. */
  String name() {
    String grows =
        settings.grows().isEmpty()
            ? ""
            : settings.grows().stream()
                .map(String::valueOf)
                .collect(Collectors.joining("x", "/", ""));
    return GridCase.of(dimensions, type, 1).name() + "/weak" + grows;
  }

  /** Returns the cells of a GPU. */
  double cells() {
    return perGpu.stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
  }

  /** Returns the bytes of all fields that a GPU has. */
  double bytes() {
    return cells() * type.bytes() * program().fields().size();
  }

  /** Returns whether the grid grows as it should for so many GPUs. */
  boolean fits(int gpus) {
    List<Integer> grows = settings.grows();
    return gpus == 1 || grows.isEmpty() || grows.stream().reduce(1, (a, b) -> a * b) == gpus;
  }

  /** Returns the cells along each axis of the grid of some GPUs. */
  long[] extent(int gpus) {
    List<Integer> grows =
        gpus == 1 || settings.grows().isEmpty() ? List.of(gpus) : settings.grows();
    return WeakProjection.sizes(perGpu, grows).stream().mapToLong(Long::longValue).toArray();
  }

  boolean isOnGpus() {
    return settings.engine().equals(Engines.GPU);
  }
}
