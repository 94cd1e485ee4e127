/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.StencilSpec;
import java.util.Locale;

/**
 * Decides between a device and the host for one partition. Pure: the same work and corrections give
 * the same decision.
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
final class CostModel {
  /** Taps' worth of work for reductions whose cost does not grow with the frame. */
  private static final int CONSTANT_TAPS = 6;

  /**
   * What was decided.
   *
   * @param onDevice whether the device is preferred
   * @param hostNanos estimate for the host
   * @param deviceNanos estimate for the device
   * @param reason the decision in words
   */
  record Decision(boolean onDevice, double hostNanos, double deviceNanos, String reason) {}

  private CostModel() {}

  /**
   * Decides for one partition.
   *
   * @param work what is to be done
   * @param hostCorrection measured over estimated time of the host so far, 1 if nothing is known
   * @param deviceCorrection the same of the device
   */
  static Decision decide(PartitionWork work, double hostCorrection, double deviceCorrection) {
    if (work.cells() == PartitionWork.UNKNOWN_CELLS) {
      double host = nanos(EngineRates.HOST, work, 1 << 24) * hostCorrection;
      double device = nanos(EngineRates.DEVICE, work, 1 << 24) * deviceCorrection;
      return decision(host, device, "an unknown number of cells, taken for 16777216", work);
    }
    double host = nanos(EngineRates.HOST, work, work.cells()) * hostCorrection;
    double device = nanos(EngineRates.DEVICE, work, work.cells()) * deviceCorrection;
    return decision(host, device, work.cells() + " cells", work);
  }

  private static Decision decision(double host, double device, String cells, PartitionWork work) {
    boolean onDevice = device < host;
    String reason =
        String.format(
            Locale.ROOT,
            "%s is faster: %.3g ms against %.3g ms on %s, estimated for %s, %d taps, %d steps",
            onDevice ? "the device" : "the host",
            Math.min(host, device) / 1e6,
            Math.max(host, device) / 1e6,
            onDevice ? "the host" : "the device",
            cells,
            taps(work),
            work.steps());
    return new Decision(onDevice, host, device, reason);
  }

  /** Returns the estimate for one engine, without correction. */
  static double nanos(EngineRates rates, PartitionWork work, long cells) {
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
    double perCell = nanos(EngineRates.HOST, work, many) - nanos(EngineRates.DEVICE, work, many);
    double fixed = EngineRates.DEVICE.perPartition() - EngineRates.HOST.perPartition();
    double gain = (perCell + fixed) / many;
    return gain <= 0 ? PartitionWork.UNKNOWN_CELLS : (long) Math.ceil(fixed / gain);
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
