/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * The version of a device's instruction set.
 *
 * @param major generation: 7 Volta and Turing, 8 Ampere and Ada, 9 Hopper, 10 Blackwell
 * @param minor member of the generation
 */
public record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {
  /**
   * The lowest that kernels are written for: Volta, the first with independent thread scheduling.
   */
  public static final ComputeCapability LOWEST = new ComputeCapability(7, 0);

  /** Returns it as {@code sm_} targets are numbered: 90 for 9.0. */
  public int number() {
    return 10 * major + minor;
  }

  @Override
  public int compareTo(ComputeCapability other) {
    return Integer.compare(number(), other.number());
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
