/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

/**
 * Time that a device has spent on the batches of a lane, in nanoseconds of the device's clock.
 * Copies and kernels of different batches overlap, so the sum may exceed the elapsed time.
 *
 * @param copyInNanos time spent copying staged cells to the device
 * @param kernelNanos time spent running kernels
 * @param copyOutNanos time spent copying results back
 */
public record DeviceTimes(long copyInNanos, long kernelNanos, long copyOutNanos) {
  /** No time, for engines that do not measure it. */
  public static final DeviceTimes NONE = new DeviceTimes(0, 0, 0);

  /** Returns the sum of these times and {@code other}. */
  public DeviceTimes plus(DeviceTimes other) {
    return new DeviceTimes(
        copyInNanos + other.copyInNanos,
        kernelNanos + other.kernelNanos,
        copyOutNanos + other.copyOutNanos);
  }

  /** Returns the time of copies in both directions. */
  public long copyNanos() {
    return copyInNanos + copyOutNanos;
  }
}
