/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.io.Serializable;

/** What the map tasks of a shuffle by ranges find out about each range on the way. */
public interface RangeFinder {
  /** Finds it in one map task. */
  interface InTask {
    /** Finds nothing. */
    InTask NOTHING =
        new InTask() {
          @Override
          public void writes(int range, OpenRows rows) {}

          @Override
          public void finish() {}
        };

    /** Considers rows of a range that are about to be written together. */
    void writes(int range, OpenRows rows);

    /** Gives away what was found, after the last rows. */
    void finish();
  }

  /** Makes what finds it in the task that reads partition {@code map}. */
  interface Factory extends Serializable {
    InTask create(int map);
  }

  /**
   * Returns what finds it; nothing, where that would be too much.
   *
   * @param maps how many map tasks there are
   * @param ranges how many ranges there are
   */
  Factory finding(int maps, int ranges);

  /** Returns what finds nothing. */
  static Factory nothing() {
    return map -> InTask.NOTHING;
  }
}
