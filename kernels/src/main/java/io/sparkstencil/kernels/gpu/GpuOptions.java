/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.conf.OptionScope;
import io.sparkstencil.conf.OptionType;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Options of the GPU engine. */
public final class GpuOptions {
  /** The GPU to use. */
  public static final ConfigOption<String> DEVICE =
      ConfigOption.option(EngineProvider.DEVICE_OPTION, OptionType.TEXT, "")
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The GPU to use if Spark assigns none: its index in PCI bus order, its UUID"
                  + " (GPU-...) or its PCI bus id. If empty, tasks are spread over all GPUs that"
                  + " the process sees.");

  /** Maximum of pinned memory. */
  public static final ConfigOption<Long> PINNED_BYTES =
      ConfigOption.option("spark.stencil.gpu.pinnedBytes", OptionType.BYTES, 1L << 30)
          .range(1L << 16, 1L << 40)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The maximum amount of page-locked host memory for staging, per GPU. A task"
                  + " needs a few batches, and waits if other tasks hold them all.");

  /** Maximum of device memory. */
  public static final ConfigOption<Long> DEVICE_BYTES =
      ConfigOption.option("spark.stencil.gpu.deviceBytes", OptionType.BYTES, 0L)
          .range(0L, 1L << 44)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The maximum amount of GPU memory for batches. 0 means three quarters of the"
                  + " memory that is free when the executor starts.");

  /** Time that tasks wait for memory. */
  public static final ConfigOption<Long> WAIT =
      ConfigOption.option("spark.stencil.gpu.memoryWait", OptionType.MILLIS, 10_000L)
          .range(0L, 3_600_000L)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "How long a task waits for pinned or GPU memory that other tasks hold before it"
                  + " continues with smaller batches.");

  /**
   * Staged bytes of a batch. The default was measured: {@code
   * docs/decisions/0010-few-streams-and-polled-markers.md}.
   */
  public static final ConfigOption<Long> BATCH_BYTES =
      ConfigOption.option("spark.stencil.gpu.batchBytes", OptionType.BYTES, 2L << 20)
          .range(1L << 16, 1L << 30)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "How many bytes of cells go to the GPU at a time. Smaller batches leave the"
                  + " link to the GPU idle between copies; larger batches do not stay in the"
                  + " host's cache.");

  /** The number of streams that tasks share; decision 10 has the measurements. */
  public static final ConfigOption<Integer> STREAMS =
      ConfigOption.option("spark.stencil.gpu.streams", OptionType.INTEGER, 8)
          .range(1, 1024)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "How many streams of a GPU the tasks of an executor share. A few streams keep"
                  + " the GPU's copy engines busy. Each stream does one thing at a time, so very"
                  + " long kernels benefit from more.");

  /** Maximum of device memory for blocks of grids. */
  public static final ConfigOption<Long> GRID_BYTES =
      ConfigOption.option("spark.stencil.grid.deviceBytes", OptionType.BYTES, 0L)
          .range(0L, 1L << 44)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The maximum amount of GPU memory, per GPU, for blocks of grids that stay there"
                  + " between their steps. Blocks for which there is no room stay on the heap,"
                  + " and are copied to the GPU and back for each superstep. 0 means half of what"
                  + " programs may have; see spark.stencil.gpu.deviceBytes.");

  /** Maximum of device memory for faces that are kept. */
  public static final ConfigOption<Long> GRID_DEVICE_LOG_BYTES =
      ConfigOption.option("spark.stencil.grid.deviceLogBytes", OptionType.BYTES, 0L)
          .range(0L, 1L << 44)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.2")
          .doc(
              "The maximum amount of GPU memory, per GPU, for faces of blocks that executors of one"
                  + " host have read from each other: they are kept until the next checkpoint, so"
                  + " that the blocks of a lost executor alone are computed again. Faces without"
                  + " room are copied to the block manager as far as that keeps up with the steps."
                  + " 0 means a quarter of what programs may have; see"
                  + " spark.stencil.gpu.deviceBytes.");

  /** Whether executors of one host read faces in each other's device memory. */
  public static final ConfigOption<Boolean> GRID_IPC =
      ConfigOption.option("spark.stencil.grid.ipc.enabled", OptionType.BOOLEAN, true)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "Whether executors of one host, each with a GPU, read the faces of each other's"
                  + " blocks in device memory (CUDA IPC). Where the driver refuses that, as"
                  + " between containers, or if false, such faces are pushed, as between hosts.");

  /** Maximum of pinned memory for faces that travel. */
  public static final ConfigOption<Long> GRID_PINNED_BYTES =
      ConfigOption.option("spark.stencil.grid.pinnedBytes", OptionType.BYTES, 1L << 30)
          .range(0L, 1L << 40)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.2")
          .doc(
              "The maximum amount of page-locked host memory, per GPU, for faces of blocks of"
                  + " grids that are pushed from the GPU to other executors, or to it. It is"
                  + " taken as faces need it, outside of the heap. Faces without room go through"
                  + " the heap; see spark.stencil.grid.push.bytes.");

  /** The folder of measured schedules. */
  public static final ConfigOption<String> TUNING_FOLDER =
      ConfigOption.option("spark.stencil.gpu.tuningFolder", OptionType.TEXT, "")
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The folder of schedules and of kernels of programs that were measured on this kind"
                  + " of GPU, and of the profile that a survey has found. If empty, the built-in"
                  + " choice applies.");

  /** All options of this engine, by key. */
  public static final List<ConfigOption<?>> ALL =
      List.of(
          BATCH_BYTES,
          DEVICE,
          DEVICE_BYTES,
          WAIT,
          PINNED_BYTES,
          STREAMS,
          TUNING_FOLDER,
          GRID_BYTES,
          GRID_DEVICE_LOG_BYTES,
          GRID_IPC,
          GRID_PINNED_BYTES);

  private GpuOptions() {}

  /** Returns the most memory to take on a device that has so many free bytes. */
  public static long deviceBytes(Map<String, String> values, long free) {
    long asked = DEVICE_BYTES.read(values);
    return asked > 0 ? asked : free / 4 * 3;
  }

  /** Returns the folder of what was measured that {@code values} name, if any. */
  public static Optional<Path> tuningFolder(Map<String, String> values) {
    return Optional.of(TUNING_FOLDER.read(values)).filter(name -> !name.isEmpty()).map(Path::of);
  }

  /**
   * Returns the folder to keep measurements in.
   *
   * @param folder the one that was asked for; empty for the one that {@code values} name
   * @throws StencilException if there is none
   */
  public static Path requireTuningFolder(Optional<Path> folder, Map<String, String> values) {
    return folder
        .or(() -> tuningFolder(values))
        .orElseThrow(
            () ->
                new StencilException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no folder to keep measurements in; say --folder FOLDER or --conf %s=FOLDER"
                        .formatted(TUNING_FOLDER.key())));
  }
}
