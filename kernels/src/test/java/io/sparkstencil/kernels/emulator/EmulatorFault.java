/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

/**
 * What a kernel must not do: an access outside memory or across an alignment, a value that nobody
 * has written, a race, a barrier that not all threads reach, a loop without an end. Messages name
 * the instruction, the block, the warp and the lane.
 */
public final class EmulatorFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a fault of a launch or of a text. */
  EmulatorFault(String message) {
    super(message);
  }

  /** Creates a fault of a lane, without where the kernel was. */
  static EmulatorFault of(int lane, String what) {
    return new EmulatorFault("lane %d %s".formatted(lane, what));
  }

  /** Returns this fault with where the kernel was. */
  EmulatorFault at(String place) {
    EmulatorFault placed = new EmulatorFault(place + ": " + getMessage());
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
