/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

/**
 * What a lane's device has spent on its batches, in nanoseconds of the device's clock. Copies and
 * kernels of different batches overlap, so the sum may exceed the time that has passed.
 *
 * @param copyInNanos copying staged cells to the device
 * @param kernelNanos running kernels
 * @param copyOutNanos copying results back
 */
public record DeviceTimes(long copyInNanos, long kernelNanos, long copyOutNanos) {
  /** Nothing, as for an engine that copies nothing. */
  public static final DeviceTimes NONE = new DeviceTimes(0, 0, 0);

  /** Returns the sums of both. */
  public DeviceTimes plus(DeviceTimes other) {
    return new DeviceTimes(
        copyInNanos + other.copyInNanos,
        kernelNanos + other.kernelNanos,
        copyOutNanos + other.copyOutNanos);
  }

  /** Returns the nanoseconds of copies both ways. */
  public long copyNanos() {
    return copyInNanos + copyOutNanos;
  }
}
