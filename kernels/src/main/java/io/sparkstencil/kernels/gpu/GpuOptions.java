/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.conf.OptionScope;
import io.sparkstencil.conf.OptionType;
import io.sparkstencil.engine.EngineProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a GPU is used.
 *
 * @param device which GPU: its address, UUID or place on the PCI bus; empty for the first
 * @param pinnedBytes the most pinned host memory
 * @param deviceBytes the most device memory; 0 for three quarters of what is free at the start
 * @param waitMillis how long a task waits for memory that others have
 * @param batchBytes staged bytes of a batch
 * @param streams the most streams, which tasks share
 * @param tuningFolder where measured schedules are kept
 */
public record GpuOptions(
    String device,
    long pinnedBytes,
    long deviceBytes,
    long waitMillis,
    int batchBytes,
    int streams,
    Optional<Path> tuningFolder) {

  /** Which GPU. */
  public static final ConfigOption<String> DEVICE =
      ConfigOption.option(EngineProvider.DEVICE_OPTION, OptionType.TEXT, "")
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The GPU to use where Spark assigns none: its index in the order of the PCI bus, its"
                  + " UUID (GPU-...) or its PCI bus id. Empty spreads tasks over all GPUs that the"
                  + " process sees.");

  /** The most pinned memory. */
  public static final ConfigOption<Long> PINNED_BYTES =
      ConfigOption.option("spark.stencil.gpu.pinnedBytes", OptionType.BYTES, 1L << 30)
          .range(1L << 16, 1L << 40)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The most host memory that is page-locked per GPU for staging. A task needs a few"
                  + " batches; it waits where others have them all.");

  /** The most device memory. */
  public static final ConfigOption<Long> DEVICE_BYTES =
      ConfigOption.option("spark.stencil.gpu.deviceBytes", OptionType.BYTES, 0L)
          .range(0L, 1L << 44)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The most GPU memory that is used for batches. 0 takes three quarters of what is free"
                  + " when the executor starts.");

  /** How long tasks wait for memory. */
  public static final ConfigOption<Long> WAIT =
      ConfigOption.option("spark.stencil.gpu.memoryWait", OptionType.MILLIS, 10_000L)
          .range(0L, 3_600_000L)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "How long a task waits for pinned or GPU memory that other tasks have before it makes"
                  + " do with smaller batches.");

  /**
   * Staged bytes of a batch. On an H200 with 16 tasks, batches of 0.5, 1 and 2 MiB reach 8.3, 9.6
   * and 10.5 G cells/s from heap to heap; the link alone 8.7, 10.3 and 11.1, since each copy costs
   * some microseconds. At 4 MiB the copies of all tasks leave the host's cache.
   */
  public static final ConfigOption<Long> BATCH_BYTES =
      ConfigOption.option("spark.stencil.gpu.batchBytes", OptionType.BYTES, 2L << 20)
          .range(1L << 16, 1L << 30)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "How many bytes of cells go to the GPU at a time. Smaller batches leave the link to the"
                  + " GPU idle between copies; larger ones do not stay in the host's cache.");

  /** Streams that tasks share. On an H200 with 16 tasks, 8 were 10 % faster than 16 or 32. */
  public static final ConfigOption<Integer> STREAMS =
      ConfigOption.option("spark.stencil.gpu.streams", OptionType.INTEGER, 8)
          .range(1, 1024)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "How many streams of a GPU the tasks of an executor share. Few keep the GPU's copy"
                  + " engines busy; each stream does one thing at a time, so that very long kernels"
                  + " gain from more.");

  /** Where measured schedules are. */
  public static final ConfigOption<String> TUNING_FOLDER =
      ConfigOption.option("spark.stencil.gpu.tuningFolder", OptionType.TEXT, "")
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "The folder with schedules that were measured on this kind of GPU. Empty uses the"
                  + " built-in choice.");

  /** All options of this engine, by key. */
  public static final List<ConfigOption<?>> ALL =
      List.of(BATCH_BYTES, DEVICE, DEVICE_BYTES, WAIT, PINNED_BYTES, STREAMS, TUNING_FOLDER);

  /** Reads the values of {@code spark.stencil.*} keys; those of others are ignored. */
  public static GpuOptions of(Map<String, String> values) {
    String folder = TUNING_FOLDER.read(values);
    return new GpuOptions(
        DEVICE.read(values),
        PINNED_BYTES.read(values),
        DEVICE_BYTES.read(values),
        WAIT.read(values),
        Math.toIntExact(BATCH_BYTES.read(values)),
        STREAMS.read(values),
        folder.isEmpty() ? Optional.empty() : Optional.of(Path.of(folder)));
  }
}
