/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.DeviceLimits;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import java.util.stream.IntStream;

/**
 * How much a survey measures.
 *
 * @param arrayBytes bytes of the input and of the output, a power of two from 64 KiB to 1 GiB
 * @param repeats the most samples of a point
 * @param launches the most launches of a sample
 * @param turns of the loops of kernels that compute
 * @param mostBlocks the most blocks of kernels that compute
 * @param sweepPoints the most points of a sweep
 * @param transferBytes the largest copy between host and device
 */
public record Effort(
    long arrayBytes,
    int repeats,
    int launches,
    int turns,
    int mostBlocks,
    int sweepPoints,
    long transferBytes) {
  private static final long LEAST_ARRAY = 1L << 16;
  private static final long MOST_ARRAY = 1L << 30;
  private static final long USUAL_ARRAY = 512L << 20;

  /** An array is at least so many times the second-level cache, so that it does not fit. */
  private static final int CACHES = 3;

  /** Two arrays and all else take at most so much of the device's memory. */
  private static final int SHARE = 8;

  /** Checks the numbers. */
  public Effort {
    if (arrayBytes < LEAST_ARRAY || arrayBytes > MOST_ARRAY || Long.bitCount(arrayBytes) != 1) {
      throw new IllegalArgumentException(
          "arrays of %d bytes; use a power of two from %d to %d"
              .formatted(arrayBytes, LEAST_ARRAY, MOST_ARRAY));
    }
    if (Math.min(Math.min(repeats, launches), Math.min(turns, mostBlocks)) < 1 || sweepPoints < 2) {
      throw new IllegalArgumentException("a survey measures something, but was given less than 1");
    }
  }

  /**
   * Returns the effort for a device.
   *
   * @throws StencilException if it has too little memory for arrays that its cache does not hold
   */
  public static Effort of(CudaDevice device, DeviceLimits limits, long freeBytes) {
    long least = Math.max(LEAST_ARRAY, CACHES * limits.cacheBytes());
    long needed = least == Long.highestOneBit(least) ? least : 2 * Long.highestOneBit(least);
    long fits = Long.highestOneBit(Math.max(LEAST_ARRAY, freeBytes / SHARE));
    if (needed > fits || needed > MOST_ARRAY) {
      throw new StencilException(
          ErrorCode.OUT_OF_DEVICE_MEMORY,
          "a survey of %s needs arrays of %d bytes, 3 times its second-level cache, but %d bytes are free; end other work on the device"
              .formatted(device, needed, freeBytes));
    }
    long bytes = Math.max(needed, Math.min(USUAL_ARRAY, fits));
    return new Effort(bytes, 15, 8, 1024, Integer.MAX_VALUE, 64, Math.min(bytes, 256L << 20));
  }

  /** Returns the words of an array. */
  public int arrayWords() {
    return (int) (arrayBytes / Integer.BYTES);
  }

  /** Returns the values of a sweep, or as many of them, evenly spread, as are measured. */
  public int[] sweep(int... values) {
    if (values.length <= sweepPoints) {
      return values;
    }
    return IntStream.range(0, sweepPoints)
        .map(i -> values[i * (values.length - 1) / (sweepPoints - 1)])
        .toArray();
  }
}
