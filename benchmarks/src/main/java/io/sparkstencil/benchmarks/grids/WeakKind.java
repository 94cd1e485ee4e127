/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which processes have which GPUs, and what becomes of the log of faces.
 *
 * @param subject the name of the row
 * @param gpus those of all processes
 * @param executors the processes
 * @param way how faces travel between processes
 * @param log what becomes of the log of faces
 */
record WeakKind(String subject, int gpus, int executors, Way way, Log log) {
  private static final int MANY = 8;

  static final WeakKind ONE = new WeakKind("1 GPU", 1, 1, Way.SHARED, Log.USUAL);

  /** How faces travel between processes. */
  enum Way {
    /** They are read in the memory of GPUs of other processes. */
    SHARED,
    /** They are pushed. */
    PUSHED,
    /** They are pushed over connections that are authenticated and encrypted by AES. */
    PUSHED_IN_SECRET,
    /** They go through the block managers. */
    LOGGED
  }

  /** What becomes of the log of faces. */
  enum Log {
    /** Faces are kept on the GPUs. */
    USUAL,
    /** So they are, and checkpoints empty it. */
    CHECKPOINTS,
    /** It has no room, and is given up. */
    GIVEN_UP
  }

  /**
   * Returns all kinds for some GPUs of a host, and without shared memory for half of them, too, if
   * they are many.
   *
   * @param checkpointSteps the steps from one checkpoint to the next
   */
  static List<WeakKind> of(int gpus, int checkpointSteps) {
    List<WeakKind> kinds = new ArrayList<>();
    kinds.addAll(all(gpus, checkpointSteps));
    if (gpus >= MANY) {
      kinds.add(each(gpus / 2, "IPC off", Way.PUSHED, Log.USUAL));
    }
    return kinds;
  }

  private static List<WeakKind> all(int gpus, int checkpointSteps) {
    return List.of(
        ONE,
        new WeakKind(gpus + " GPUs, one executor", gpus, 1, Way.SHARED, Log.USUAL),
        each(gpus, "IPC", Way.SHARED, Log.USUAL),
        each(
            gpus,
            "IPC, a checkpoint every %d steps".formatted(checkpointSteps),
            Way.SHARED,
            Log.CHECKPOINTS),
        each(gpus, "IPC, the log given up", Way.SHARED, Log.GIVEN_UP),
        each(gpus, "IPC off", Way.PUSHED, Log.USUAL),
        each(gpus, "IPC off, the log given up", Way.PUSHED, Log.GIVEN_UP),
        each(gpus, "IPC off, authenticated and AES", Way.PUSHED_IN_SECRET, Log.USUAL),
        each(gpus, "IPC off, push off", Way.LOGGED, Log.USUAL));
  }

  private static WeakKind each(int gpus, String subject, Way way, Log log) {
    return new WeakKind(
        "%d executors, one GPU each, %s".formatted(gpus, subject), gpus, gpus, way, log);
  }

  Exchange exchange() {
    if (executors == 1) {
      return WeakProjection.together(gpus);
    }
    return switch (way) {
      case SHARED -> Exchange.SHARED;
      case PUSHED -> Exchange.OF_GPUS_PUSHED;
      case PUSHED_IN_SECRET -> Exchange.OF_GPUS_ENCRYPTED;
      case LOGGED -> Exchange.OF_GPUS_BY_LOG;
    };
  }

  /** Returns the path by which faces must come from the other GPU; empty if there is none. */
  String path() {
    if (executors == 1) {
      return gpus == 1 ? "" : "peer";
    }
    return switch (way) {
      case SHARED -> "shared";
      case PUSHED, PUSHED_IN_SECRET -> "pushed";
      case LOGGED -> "log";
    };
  }

  /** Returns the settings of Spark that make it so. */
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put(GpuOptions.GRID_IPC.key(), Boolean.toString(way == Way.SHARED));
    settings.put(StencilOptions.GRID_PUSH.key(), Boolean.toString(way != Way.LOGGED));
    if (way == Way.PUSHED_IN_SECRET) {
      settings.put("spark.authenticate", "true");
      settings.put("spark.authenticate.secret", "of a benchmark");
      settings.put("spark.network.crypto.enabled", "true");
    }
    if (log == Log.GIVEN_UP) {
      settings.put(GpuOptions.GRID_DEVICE_LOG_BYTES.key(), "1");
      settings.put(StencilOptions.GRID_LOG_BYTES.key(), "1");
    }
    if (gpus == 1) {
      settings.put(GpuOptions.DEVICE.key(), "0");
    }
    return settings;
  }
}
