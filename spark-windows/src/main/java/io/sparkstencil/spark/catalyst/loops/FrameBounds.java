/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import java.io.Serializable;

/** Where the frames of some functions begin and end. */
interface FrameBounds extends Serializable {
  /** Tells whether frames begin with the series. */
  boolean isFromFirst();

  /** Returns which source has the keys that bounds depend on, or less than 0. */
  int column();

  /** Returns what finds the frames of a task. */
  FrameEnds start();
}
