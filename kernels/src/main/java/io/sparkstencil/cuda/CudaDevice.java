/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * What a device is, as far as launches, tuning and messages need it.
 *
 * @param name the vendor's name
 * @param ordinal its number in this process
 * @param busId where it sits, such as {@code 0000:3B:00.0}
 * @param uuid its identity on any machine, as the vendor's tools print it: {@code GPU-0001...}
 * @param driverVersion CUDA version that the driver supports, 12040 for 12.4
 * @param memoryBytes its memory
 * @param capability the version of its instruction set as one number, 90 for 9.0: 70 Volta, 75
 *     Turing, 80 Ampere, 89 Ada, 90 Hopper, from 100 Blackwell
 * @param multiprocessors how many multiprocessors it has
 * @param threadsPerMultiprocessor the most threads that one multiprocessor runs at once
 * @param sharedBytesPerBlock the most shared memory that one block can have
 */
public record CudaDevice(
    String name,
    int ordinal,
    String busId,
    String uuid,
    int driverVersion,
    long memoryBytes,
    int capability,
    int multiprocessors,
    int threadsPerMultiprocessor,
    int sharedBytesPerBlock) {

  /** Returns the driver's CUDA version as people write it: {@code 12.4}. */
  public String driverVersionText() {
    return driverVersion / 1000 + "." + driverVersion % 1000 / 10;
  }

  /** Returns the version of the instruction set as people write it: {@code 9.0}. */
  public String capabilityText() {
    return capability / 10 + "." + capability % 10;
  }

  @Override
  public String toString() {
    return "%s (device %d, compute capability %s)".formatted(name, ordinal, capabilityText());
  }
}
