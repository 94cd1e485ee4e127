/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.DeviceCosts;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Decides between a device and the host for one partition. The same work and corrections always
 * give the same decision.
 *
 * <pre>
 *   host   = fixed + cells * steps * sum over stencils (per cell * bytes + per tap * taps)
 *   device = fixed + cells * bytes * (1 + stencils) * per byte + cells * steps * taps * per tap
 * </pre>
 *
 * <p>A device pays for every byte that travels but hardly for taps and steps, so it gains with wide
 * frames, several stencils over the same cells, and steps; small partitions never repay its fixed
 * cost.
 */
public final class CostModel {
  /** Taps' worth of work for reductions whose cost does not grow with the frame. */
  private static final int CONSTANT_TAPS = 6;

  /** What an unknown number of cells is taken for. */
  private static final long TYPICAL_CELLS = 1 << 24;

  /**
   * What an engine takes for one task's work, in nanoseconds of one task among those that share a
   * machine.
   *
   * @param perPartition opening a lane, leasing memory, launching
   * @param perByte copying one byte of cells in or results out
   * @param perCell one output, for each byte of the element type
   * @param perTap one tap of one output
   */
  record Rates(double perPartition, double perByte, double perCell, double perTap) {
    /** One of 16 cores, copies of arrays included: 1.7 ns for an output of f32. */
    static final Rates HOST = new Rates(10_000, 0, 1.7 / 4, 0.022);

    /** One of 16 tasks of an H200: 1.67 ns for a cell of f32, heap to device and back. */
    static final Rates DEVICE = new Rates(300_000, 0.208, 0, 0.0008);

    /** The tasks that shared a device when that was measured. */
    private static final int TASKS = 16;

    /** Launches of a partition's first batches, which nothing hides, and what one took then. */
    private static final int LAUNCHES = 16;

    private static final double LAUNCH_NANOS = 4_100;

    /**
     * Returns the rates of a device, as those of the one above where nothing else is known: its
     * link may be slower than the host's copies, which it cannot make faster.
     */
    static Rates of(DeviceCosts costs) {
      double bytesPerNano = costs.linkBytesPerSecond() / 1e9;
      double link = bytesPerNano > 0 ? TASKS / bytesPerNano : 0;
      double launch = costs.launchSeconds() > 0 ? 1e9 * costs.launchSeconds() : LAUNCH_NANOS;
      return new Rates(
          Math.max(HOST.perPartition, DEVICE.perPartition + LAUNCHES * (launch - LAUNCH_NANOS)),
          Math.max(DEVICE.perByte, link),
          DEVICE.perCell,
          DEVICE.perTap);
    }
  }

  /**
   * How long an engine has really taken, over what was estimated: a moving average over partitions.
   * Safe for many threads.
   */
  static final class Correction {
    private static final double WEIGHT = 0.125;
    private static final double MOST = 8;

    /** Partitions below this size say more about fixed costs than about rates. */
    private static final long LEAST_CELLS = 1 << 18;

    private double logarithm;
    private boolean learnt;

    /** Returns measured over estimated time; 1 before anything was measured. */
    synchronized double factor() {
      return Math.exp(logarithm);
    }

    /** Adds one partition. */
    synchronized void observe(long cells, double estimatedNanos, double measuredNanos) {
      if (cells < LEAST_CELLS || !(estimatedNanos > 0) || !(measuredNanos > 0)) {
        return;
      }
      double ratio = Math.log(measuredNanos / estimatedNanos);
      double bounded = Math.max(-Math.log(MOST), Math.min(Math.log(MOST), ratio));
      logarithm += (learnt ? WEIGHT : 1) * (bounded - logarithm);
      learnt = true;
    }
  }

  /**
   * What the host takes to collect and sort a row that comes at random and, for each column that is
   * no key, more, in nanoseconds: docs/decisions/0034-series-stay-columns.md.
   */
  private static final double SORT_ROW_NANOS = 54;

  private static final double SORT_COLUMN_NANOS = 8;

  private CostModel() {}

  /**
   * Tells whether the device is estimated to have rows in order before the host.
   *
   * @param columns of each row, as they go to the device
   * @param returned of these, those that come back, which the host would move as well
   */
  static boolean prefersDeviceToSort(long rows, int columns, int returned, Rates device) {
    double bytes = (double) (columns + returned + 1) * Long.BYTES * rows;
    double host = (SORT_ROW_NANOS + returned * SORT_COLUMN_NANOS) * rows;
    return device.perPartition() + bytes * device.perByte() < host;
  }

  /**
   * Tells whether the device is estimated to be done with a partition before the host.
   *
   * @param work what is to be done
   * @param device rates of the device
   * @param hostCorrection measured over estimated time of the host so far, 1 if nothing is known
   * @param deviceCorrection the same of the device
   */
  static boolean prefersDevice(
      PartitionWork work, Rates device, double hostCorrection, double deviceCorrection) {
    long cells = work.cells() == PartitionWork.UNKNOWN_CELLS ? TYPICAL_CELLS : work.cells();
    return nanos(device, work, cells) * deviceCorrection
        < nanos(Rates.HOST, work, cells) * hostCorrection;
  }

  /** Returns the estimate for one engine, without correction. */
  static double nanos(Rates rates, PartitionWork work, long cells) {
    int bytes = work.specs().get(0).type().bytes();
    double copied = (double) cells * bytes * (1 + work.specs().size());
    double outputs = (double) cells * work.steps() * work.specs().size();
    double tapsDone = (double) cells * work.steps() * taps(work);
    return rates.perPartition()
        + copied * rates.perByte()
        + outputs * bytes * rates.perCell()
        + tapsDone * rates.perTap();
  }

  /**
   * Returns the fewest cells of a partition from which on the device is estimated to be faster, or
   * {@link PartitionWork#UNKNOWN_CELLS} if it never is.
   */
  static long fewestCellsForDevice(PartitionWork work) {
    long many = 1L << 40;
    double perCell = nanos(Rates.HOST, work, many) - nanos(Rates.DEVICE, work, many);
    double fixed = Rates.DEVICE.perPartition() - Rates.HOST.perPartition();
    double gain = (perCell + fixed) / many;
    return gain <= 0 ? PartitionWork.UNKNOWN_CELLS : (long) Math.ceil(fixed / gain);
  }

  /**
   * Returns what a plan can say before it is known where and over how many rows it runs, in one
   * line: the engine that is asked for or, under {@code auto}, the number of rows of a partition
   * from which a GPU is estimated to be faster.
   *
   * @param engine the engine's name or {@code auto}
   * @param pipelines what runs over the same staged cells, for each pipeline
   */
  public static String forecast(String engine, List<List<StencilSpec>> pipelines) {
    if (!engine.equals(Engines.AUTO)) {
      return "%s, as requested".formatted(engine);
    }
    List<String> limits = new ArrayList<>();
    for (List<StencilSpec> specs : pipelines) {
      PartitionWork work = PartitionWork.of(specs);
      long cells = fewestCellsForDevice(work);
      String taps = "%d taps in %s".formatted(taps(work), specs.get(0).type());
      limits.add(
          cells == PartitionWork.UNKNOWN_CELLS
              ? "for %s never".formatted(taps)
              : String.format(Locale.ROOT, "for %s from %,d rows of a partition on", taps, cells));
    }
    return "auto: a GPU, where the executor has one, "
        + String.join(", ", limits)
        + ", as estimated before anything is measured; else the CPU";
  }

  /**
   * Returns what a plan can say of stencils over a number of cells that no task knows before it
   * runs, in one line: the engine that is asked for or, under {@code auto}, the one that is
   * estimated to be faster where there are many.
   *
   * @param engine the engine's name or {@code auto}
   * @param work what a task does
   */
  public static String forecast(String engine, PartitionWork work) {
    return forecast(engine, work, Rates.DEVICE);
  }

  static String forecast(String engine, PartitionWork work, Rates device) {
    if (!engine.equals(Engines.AUTO)) {
      return "%s, as requested".formatted(engine);
    }
    String what =
        "for %d taps in %s%s, as estimated before anything is measured"
            .formatted(
                taps(work),
                work.specs().get(0).type(),
                work.steps() == 1 ? "" : " and %d steps".formatted(work.steps()));
    return prefersDevice(work, device, 1, 1)
        ? "auto: a GPU, where the executor has one, %s; else the CPU".formatted(what)
        : "auto: the CPU, which is faster than a GPU %s".formatted(what);
  }

  /** Returns the taps of all stencils that each cell costs. */
  static long taps(PartitionWork work) {
    return work.specs().stream().mapToLong(CostModel::taps).sum();
  }

  private static long taps(StencilSpec spec) {
    long width = spec.frame().width();
    return switch (spec.reduction()) {
      case COUNT -> 1;
      case MIN, MAX -> Math.min(width, CONSTANT_TAPS);
      case MEAN, SUM -> spec.accuracy() == Accuracy.FAST ? Math.min(width, CONSTANT_TAPS) : width;
      case WEIGHTED_SUM -> width;
    };
  }
}
