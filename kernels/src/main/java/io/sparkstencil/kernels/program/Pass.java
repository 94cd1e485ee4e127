/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import java.util.List;

/**
 * Several steps at once, from some arrays in device memory to others. Made for these arrays; owns
 * what it needs besides.
 */
interface Pass extends AutoCloseable {
  /** Returns the number of steps. */
  int steps();

  /**
   * Submits the steps to a lane.
   *
   * @param scalars the parameters of each step
   */
  void launch(ProgramLane lane, List<long[]> scalars);

  @Override
  void close();
}
