/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.conf.OptionScope;
import io.sparkstencil.conf.OptionType;
import io.sparkstencil.cpu.CpuOptions;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.kernels.gpu.GpuOptions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All options: those of the Spark side, declared here, and those of the engines. */
public final class StencilOptions {
  /** The prefix of all keys. */
  public static final String PREFIX = "spark.stencil.";

  /** Which engine runs stencils. */
  public static final ConfigOption<String> ENGINE =
      option("engine", OptionType.WORD, Engines.AUTO, OptionScope.QUERY)
          .doc(
              "Which engine runs stencils: auto, gpu, cpu or reference. With auto, each"
                  + " partition goes to the engine that is estimated to finish it first, and"
                  + " executors without a GPU use their CPU. If an engine is named and an"
                  + " executor does not have it, the query fails.");

  /** Whether another engine takes over. */
  public static final ConfigOption<Boolean> FALLBACK =
      option("fallback", OptionType.BOOLEAN, true, OptionScope.QUERY)
          .doc(
              "Whether the next engine takes over when one does not support a stencil, cannot"
                  + " compile it, runs out of memory or loses its device. All engines give the"
                  + " same bits. If false, the task fails instead.");

  /** Whether engines are opened as soon as an executor starts. */
  public static final ConfigOption<Boolean> WARM_UP =
      option("warmUp", OptionType.BOOLEAN, true, OptionScope.EXECUTOR_START)
          .doc(
              "Whether the plugin opens engines and compiles a first stencil in the"
                  + " background when an executor starts, so that the first task does not have"
                  + " to wait for them.");

  /** How long a stopping executor waits for tasks. */
  public static final ConfigOption<Long> SHUTDOWN_TIMEOUT =
      option("shutdownTimeout", OptionType.MILLIS, 10_000L, OptionScope.EXECUTOR_START)
          .range(0L, 600_000L)
          .doc(
              "How long a stopping executor waits for running tasks to return their engines."
                  + " An engine that is still in use after that is closed by its last task.");

  /** How many tasks use a device at the same time. */
  public static final ConfigOption<Integer> GPU_CONCURRENT_TASKS =
      option("gpu.concurrentTasks", OptionType.INTEGER, 16, OptionScope.EXECUTOR_START)
          .range(1, 1024)
          .doc(
              "How many tasks of an executor use one GPU at the same time. Other tasks wait"
                  + " for a permit. Each task holds a stream, pinned memory and device memory."
                  + " Staging runs on the tasks' own cores, so a value below the executor's"
                  + " number of cores leaves the link to the GPU idle.");

  /** What happens after a sticky device error. */
  public static final ConfigOption<String> GPU_ON_DEVICE_LOST =
      option("gpu.onDeviceLost", OptionType.WORD, "exit", OptionScope.EXECUTOR_START)
          .oneOf(List.of("exit", "cpu"))
          .doc(
              "What an executor does when its GPU is lost: exit with code 20, so that the"
                  + " cluster manager starts another executor, or continue on the CPU. In local"
                  + " mode it always continues on the CPU.");

  /** Maximum of heap memory for blocks of grids. */
  public static final ConfigOption<Long> GRID_HEAP_BYTES =
      option("grid.heapBytes", OptionType.BYTES, 0L, OptionScope.EXECUTOR_START)
          .range(0L, 1L << 44)
          .doc(
              "The maximum amount of heap, per executor, for blocks of grids, and for copies of"
                  + " their cells, and of cells on GPUs, that wait to be written to a checkpoint."
                  + " Blocks for which there is no room wait in files of spark.local.dir, and are"
                  + " on the heap while they take the steps of a superstep, until there is room."
                  + " Cells for whose copy there is no room are written by the task that takes"
                  + " the steps, which wait for it. 0 means what Spark leaves to others by default, four tenths of the heap less 300m, but for the room that"
                  + " spark.stencil.grid.push.bytes allows for faces, or half of it where that is"
                  + " more.");

  /** Maximum of the log of faces. */
  public static final ConfigOption<Long> GRID_LOG_BYTES =
      option("grid.logBytes", OptionType.BYTES, 16L << 30, OptionScope.QUERY)
          .range(0L, 1L << 44)
          .doc(
              "The maximum amount of faces, per executor, that block managers keep to bring back"
                  + " the blocks of a lost executor alone, as its collector counts them. Where more"
                  + " has been given since the last checkpoint, only those are kept that blocks"
                  + " have yet to read, and after a loss all blocks begin again at the checkpoint,"
                  + " or where the grid began. The log begins anew with the next checkpoint.");

  /** Whether executors push faces to each other. */
  public static final ConfigOption<Boolean> GRID_PUSH =
      option("grid.push.enabled", OptionType.BOOLEAN, true, OptionScope.EXECUTOR_START)
          .since("0.2")
          .doc(
              "Whether executors push the faces of blocks to each other, over connections of"
                  + " their own that are authenticated and encrypted as those of Spark's block"
                  + " managers. Each executor with blocks that have neighbours elsewhere then"
                  + " listens on a port. If false, or where an executor cannot be reached, such"
                  + " faces go through the block managers.");

  /** The port for faces. */
  public static final ConfigOption<Integer> GRID_PUSH_PORT =
      option("grid.push.port", OptionType.INTEGER, 0, OptionScope.EXECUTOR_START)
          .range(0, 65_535)
          .since("0.2")
          .doc(
              "The port on which an executor takes faces that are pushed to it, or one of the"
                  + " 15 after it if it is in use. 0 means any.");

  /** Maximum of memory for faces that wait for their blocks. */
  public static final ConfigOption<Long> GRID_PUSH_BYTES =
      option("grid.push.bytes", OptionType.BYTES, 0L, OptionScope.EXECUTOR_START)
          .range(0L, 1L << 44)
          .since("0.2")
          .doc(
              "The maximum amount of heap, per executor, for faces that others have pushed to it"
                  + " and that its blocks have yet to read. Faces without room go through the"
                  + " block managers. 0 means a thirty-second part of the heap.");

  /** Whether projections with array functions are batched. */
  public static final ConfigOption<Boolean> ARRAYS_BATCHED =
      option("sql.arrays.batched", OptionType.BOOLEAN, true, OptionScope.QUERY)
          .doc(
              "Whether a projection with array functions, such as stencil_mean(values, 3),"
                  + " passes the arrays of many rows to the engine at once. If false, each array"
                  + " is computed by itself, with the same bits.");

  /** Whether array functions run on RAPIDS's columns. */
  public static final ConfigOption<Boolean> ARRAYS_RAPIDS =
      option("sql.arrays.rapids", OptionType.BOOLEAN, true, OptionScope.QUERY)
          .doc(
              "Whether array functions run on the columns that the RAPIDS Accelerator holds"
                  + " in GPU memory, where it is switched on. If false, arrays leave its columns"
                  + " before they are computed.");

  /** All options, including those of the engines, sorted by key. */
  public static final List<ConfigOption<?>> ALL =
      Stream.of(
              List.<ConfigOption<?>>of(
                  ENGINE,
                  FALLBACK,
                  WARM_UP,
                  SHUTDOWN_TIMEOUT,
                  GPU_CONCURRENT_TASKS,
                  GPU_ON_DEVICE_LOST,
                  GRID_HEAP_BYTES,
                  GRID_LOG_BYTES,
                  GRID_PUSH,
                  GRID_PUSH_PORT,
                  GRID_PUSH_BYTES,
                  ARRAYS_BATCHED,
                  ARRAYS_RAPIDS),
              SqlOptions.ALL,
              CpuOptions.ALL,
              GpuOptions.ALL)
          .flatMap(List::stream)
          .sorted(Comparator.comparing(ConfigOption::key))
          .toList();

  private StencilOptions() {}

  private static <T> ConfigOption.Builder<T> option(
      String key, OptionType<T> type, T value, OptionScope scope) {
    return ConfigOption.option(PREFIX + key, type, value).scope(scope).since("0.1");
  }
}
