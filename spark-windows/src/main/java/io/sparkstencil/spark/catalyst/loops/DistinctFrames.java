/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import java.util.Arrays;

/** The frames of rows without those that are the same as the frame of the row before. */
final class DistinctFrames {
  private int[] firsts = new int[0];
  private int[] ends = new int[0];
  private int count;

  /** Keeps the frames of {@code rows} rows. */
  void find(FrameEnds frames, int rows) {
    if (firsts.length < rows) {
      firsts = Arrays.copyOf(firsts, rows);
      ends = Arrays.copyOf(ends, rows);
    }
    count = 0;
    for (int i = 0; i < rows; i++) {
      if (isNext(frames, i)) {
        firsts[count] = frames.firsts()[i];
        ends[count++] = frames.ends()[i];
      }
    }
  }

  /** Tells whether the frame of a row is another than that of the row before. */
  static boolean isNext(FrameEnds frames, int row) {
    return row == 0
        || frames.firsts()[row] != frames.firsts()[row - 1]
        || frames.ends()[row] != frames.ends()[row - 1];
  }

  int count() {
    return count;
  }

  int[] firsts() {
    return firsts;
  }

  int[] ends() {
    return ends;
  }
}
