/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

/**
 * What a kind of device was measured to do: the figures that schedules, and the choice between a
 * device and the host, depend on.
 *
 * @param origin where the figures are from, for people
 * @param copyGigabytes the fastest copy in its memory, read and written, in 1e9 bytes a second
 * @param additionsGiga additions of binary32, in 1e9 a second
 * @param sharedGigabytes loads from shared memory without conflicts, in 1e9 bytes a second
 * @param asyncGain the rate of filling shared memory by asynchronous copies over that by loads and
 *     stores; 1 where the device has no such copies
 * @param cacheBytes the second-level cache
 * @param linkGigabytes pinned copies in both directions at once, all together, in 1e9 bytes a
 *     second
 * @param launchMicros one of many launches in a row, in microseconds
 */
public record DeviceProfile(
    String origin,
    double copyGigabytes,
    double additionsGiga,
    double sharedGigabytes,
    double asyncGain,
    long cacheBytes,
    double linkGigabytes,
    double launchMicros) {
  /** The device that the built-in thresholds were found on, as the survey has measured it. */
  public static final DeviceProfile BUILT_IN =
      new DeviceProfile(
          "the built-in figures of an H200", 4240, 32_590, 33_220, 1.07, 60L << 20, 101, 4.1);

  /**
   * Figures of one device differ so much between two surveys, or more. Thresholds stay as they are
   * for devices that differ less from the one on which they were found.
   */
  private static final double SAME = 0.1;

  /** No threshold is moved further than so many times. */
  private static final double MOST = 8;

  /** Checks that every figure can be one. */
  public DeviceProfile {
    requireNonNull(origin, "origin is null");
    requirePositive("copyGigabytes", copyGigabytes);
    requirePositive("additionsGiga", additionsGiga);
    requirePositive("sharedGigabytes", sharedGigabytes);
    requirePositive("asyncGain", asyncGain);
    requirePositive("cacheBytes", (double) cacheBytes);
    requirePositive("linkGigabytes", linkGigabytes);
    requirePositive("launchMicros", launchMicros);
  }

  private static void requirePositive(String name, double figure) {
    if (!(figure > 0 && figure < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "%s is %s; give a positive number".formatted(name, figure));
    }
  }

  /**
   * Returns how many times as many additions, or as many loads from shared memory, a cell is worth
   * as on the built-in device until they take longer than its way through memory.
   */
  public double computeRatio() {
    double additions = additionsGiga / copyGigabytes;
    double loads = sharedGigabytes / copyGigabytes;
    return ratio(
        Math.min(
            additions / (BUILT_IN.additionsGiga / BUILT_IN.copyGigabytes),
            loads / (BUILT_IN.sharedGigabytes / BUILT_IN.copyGigabytes)));
  }

  /** Returns the second-level cache over that of the built-in device. */
  public double cacheRatio() {
    return ratio((double) cacheBytes / BUILT_IN.cacheBytes);
  }

  /** Tells whether tiles are filled faster by loads and stores, although there are other ways. */
  public boolean losesByAsyncCopies() {
    return asyncGain < 1 - SAME / 2;
  }

  private static double ratio(double ratio) {
    return Math.abs(ratio - 1) <= SAME ? 1 : Math.max(1 / MOST, Math.min(MOST, ratio));
  }
}
