/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * What a device has of the memory near its multiprocessors; 0 where its driver does not say.
 *
 * @param cacheBytes its second-level cache
 * @param persistingBytes how much of that cache can be set aside for cells that are to stay
 * @param sharedBytesPerMultiprocessor the shared memory of all blocks of a multiprocessor
 * @param registersPerMultiprocessor the registers, of 4 bytes, of a multiprocessor
 * @param memoryClockKilohertz the clock of its memory, which moves data twice a period
 * @param memoryBusBits the width of the bus to its memory
 */
public record DeviceLimits(
    long cacheBytes,
    long persistingBytes,
    int sharedBytesPerMultiprocessor,
    int registersPerMultiprocessor,
    int memoryClockKilohertz,
    int memoryBusBits) {
  /** Returns the rate of the bus to its memory, which no kernel exceeds, in GB/s, or NaN. */
  public double busRate() {
    double rate = 2 * memoryClockKilohertz * 1e3 * memoryBusBits / Byte.SIZE / 1e9;
    return rate > 0 ? rate : Double.NaN;
  }
}
